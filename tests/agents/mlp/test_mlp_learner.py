"""The perceptron's learner keeps the promises that runs rest on, and learns."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from connectlab.agents.mlp.config import MLPConfig
from connectlab.agents.mlp.network import Network
from connectlab.agents.mlp.training import MLPLearner
from connectlab.agents.registry import make_agent, make_learner
from connectlab.arena.exact import exact_success
from connectlab.arena.measures import winning_quota
from connectlab.game import Geometry, Position
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import LearnerError

SMALL = Geometry(4, 4, 3)
BOARD: dict[str, Any] = {"columns": 4, "rows": 4, "connect": 3, "hidden": 12}


def config(**changes: Any) -> MLPConfig:
    return MLPConfig.model_validate({**BOARD, "games": 3_000, "eta": 0.3, **changes})


def trained(**changes: Any) -> MLPLearner:
    learner = MLPLearner(config(**changes))
    learner.learn(learner.config.games)
    return learner


SETTINGS: list[dict[str, Any]] = [
    {"eta": "0.4->0.1:halving"},
    {"eta": "0.5->0.05", "both_sides": True, "mirror": True, "error": "mean"},
    {"optimiser": "momentum", "eta": 0.02, "exploit": 0.9},
    {"optimiser": "rmsprop", "eta": 0.005, "draw_return": 0.5},
]


@pytest.mark.parametrize("changes", SETTINGS)
def test_games_may_be_cut_and_saved_anywhere(tmp_path: Path, changes: dict[str, Any]) -> None:
    trained(**changes).state().save(tmp_path / "whole")
    parts = MLPLearner(config(**changes))
    for games in (1, 6, 993, 1_777, 3_000):
        parts.learn(games)
        parts.state().save(tmp_path / "parts")
        parts = MLPLearner(config(**changes))
        parts.restore(Checkpoint.load(tmp_path / "parts"))
    assert parts.games_done == 3_000
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_steps_give_the_same_bits_as_one_long_piece() -> None:
    stepped, whole = MLPLearner(config(games=3_333)), trained(games=3_333)
    boundaries = []
    while stepped.games_done < 3_333:
        metrics = stepped.step()
        assert metrics.keys() == {"eta", "squared_error", "return", "plies"}
        boundaries.append(stepped.games_done)
    size = stepped.games_a_step
    assert boundaries == [*range(size, 3_333, size), 3_333]
    assert np.array_equal(stepped.network.parameters, whole.network.parameters)
    assert stepped.plies_done == whole.plies_done


@pytest.mark.parametrize(
    ("changes", "games"),
    [
        ({}, 100),
        ({"games": 10}, 1),
        ({"games": 10**7, "columns": 7, "rows": 6, "hidden": 250}, 2_000),
        ({"games": 10**7}, 10_000),
    ],
)
def test_the_size_of_a_step_follows_from_the_config(changes: dict[str, Any], games: int) -> None:
    assert MLPLearner(config(**changes)).games_a_step == games


def test_a_run_that_is_done_takes_no_step() -> None:
    with pytest.raises(LearnerError, match="all 100 games of the run are learned"):
        trained(games=100).step()


def test_another_seed_gives_other_weights_and_other_games() -> None:
    learners = [MLPLearner(config(seed=seed, exploit=0.0)) for seed in (1, 2, 3)]
    first = [learner.network.parameters.tobytes() for learner in learners]
    assert len(set(first)) == 3
    assert len({learner.learn(50)["plies"] for learner in learners}) > 1


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_games_and_play_none_twice(threads: int) -> None:
    """Games of chance alone are as long as their random numbers make them, whoever plays them."""
    alone = MLPLearner(config(exploit=0.0))
    together = MLPLearner(config(exploit=0.0), threads=threads)
    for games in (1, 4, 95, 400):
        assert together.learn(games)["plies"] == alone.learn(games)["plies"]


def test_weights_and_thresholds_begin_within_the_interval_and_fill_it() -> None:
    learner = MLPLearner(MLPConfig(hidden=250))
    for array in learner.network.arrays.values():
        assert np.abs(array).max() <= 0.77
        if array.size > 1:
            assert array.min() < -0.7 and array.max() > 0.7
            assert array.std() == pytest.approx(0.77 / np.sqrt(3), rel=0.1)


def test_neurons_that_fill_up_the_width_never_say_anything() -> None:
    learner = trained(optimiser="momentum", eta=0.02)
    assert learner.network.parameters.shape[1] > learner.config.hidden
    assert not learner.network.parameters[:, learner.config.hidden :].any()


# What it learns


@pytest.mark.parametrize(
    ("changes", "success"),
    [
        ({}, 0.6),
        ({"error": "mean", "eta": "2->0.25:halving"}, 0.99),
        ({"both_sides": True, "mirror": True}, 0.6),
        ({"optimiser": "momentum", "eta": "0.03->0.0075:halving"}, 0.6),
        ({"optimiser": "rmsprop", "eta": "0.004->0.0005:halving"}, 0.4),
    ],
    ids=["paper", "mean", "both-mirrored", "momentum", "rmsprop"],
)
def test_connect_3_on_4x4_is_learned(
    tmp_path: Path, changes: dict[str, Any], success: float
) -> None:
    """The first player can win; the untrained network never does against perfect play."""
    plain = {"hidden": 40, "games": 200_000, "eta": "0.3->0.075:halving"}
    learner = MLPLearner(config(**{**plain, **changes}))
    before = measure(learner, tmp_path)
    learner.learn(200_000)
    after = measure(learner, tmp_path)
    assert before[0] < 0.1 and before[1] < 0.6
    assert after[0] > success
    assert after[1] > 0.85


def measure(learner: MLPLearner, folder: Path) -> tuple[float, float]:
    """Success against perfect play, exactly, and the share of games won against random."""
    path = folder / f"{learner.games_done}.safetensors"
    learner.checkpoint().save(path)
    agent = make_agent(f"mlp:{path}", SMALL)
    return exact_success(agent).success_rate, winning_quota(agent, 2_000).win_rate


def test_what_is_played_again_and_again_is_learned() -> None:
    learner = MLPLearner(config())
    won = Position.from_moves("12121", SMALL)
    errors = [learner.learn_from([won] * 20)["squared_error"] for _ in range(30)]
    assert errors[-1] < errors[0] / 10
    assert learner.games_done == 0


# What goes wrong


def test_values_stuck_at_an_end_stop_the_run() -> None:
    """The step sizes of the fifth network with the sum of Eq. (6)."""
    learner = MLPLearner(MLPConfig(hidden=250, eta=0.5, games=50_000))
    with pytest.raises(LearnerError, match=r"stuck at 0 or 1 with hidden=250, eta=0\.5, error=sum"):
        for _ in range(5):
            learner.step()


def test_a_weight_that_is_no_number_stops_the_run() -> None:
    learner = MLPLearner(config())
    learner.network.parameters[:] = np.nan
    with pytest.raises(LearnerError, match="exploded by game 1: values are no numbers"):
        learner.learn(100)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"eta": 0.01}, r"saved with eta=0\.3, and this run has eta=0\.01: only games"),
        ({"rows": 5}, "saved with rows=4, and this run has rows=5"),
        ({"games": 99}, "has learned 100 games already: games=99"),
    ],
)
def test_a_state_of_another_run_is_refused(changes: dict[str, Any], says: str) -> None:
    state = trained(games=100).state()
    with pytest.raises(LearnerError, match=says):
        MLPLearner(config(**{"games": 100, **changes})).restore(state)


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"games_done": -1}, {}),
        ({"plies_done": None}, {}),
        ({}, {"parameters": np.zeros(3, dtype=np.float32)}),
        ({}, {"memory": np.zeros((2, 9), dtype=np.float32)}),
    ],
)
def test_a_damaged_state_is_refused_and_changes_nothing(
    header: dict[str, object], arrays: dict[str, np.ndarray]
) -> None:
    state = trained(games=100).state()
    damaged = Checkpoint(state.kind, {**state.header, **header}, {**state.arrays, **arrays})
    learner = MLPLearner(config(games=100))
    with pytest.raises(CheckpointError, match="damaged"):
        learner.restore(damaged)
    assert learner.games_done == 0
    assert np.array_equal(learner.network.parameters, Network.create(learner.config).parameters)


def test_a_run_may_begin_from_the_weights_of_another() -> None:
    checkpoint = trained(games=500).checkpoint()
    learner = make_learner(config(eta=0.1, games=50))
    assert isinstance(learner, MLPLearner)
    learner.begin_from(checkpoint)
    assert learner.games_done == 0
    assert np.array_equal(learner.network.arrays["inputs"], checkpoint.arrays["inputs"])
    learner.learn(50)
    with pytest.raises(LearnerError, match="has learned 50 games already"):
        learner.begin_from(checkpoint)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hidden": 13}, r"other hidden \(12, and here 13\)"),
        ({"connect": 4}, r"other connect \(3, and here 4\)"),
    ],
)
def test_a_network_of_another_size_is_no_beginning(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(LearnerError, match=says):
        MLPLearner(config(**changes)).begin_from(MLPLearner(config()).checkpoint())


@pytest.mark.parametrize(
    ("position", "says"),
    [
        (Position.from_moves("1212", SMALL), "game 2 is not over"),
        (Position.from_moves("1212121"), "game 2 was played on a 7x6 connect-4 board"),
    ],
)
def test_a_game_that_cannot_be_learned_from_is_refused_before_any_is(
    position: Position, says: str
) -> None:
    learner = MLPLearner(config())
    before = learner.network.parameters.copy()
    with pytest.raises(LearnerError, match=says):
        learner.learn_from([Position.from_moves("12121", SMALL), position])
    assert np.array_equal(learner.network.parameters, before)
