"""The n-tuple learner keeps the promises that runs rest on."""

from pathlib import Path

import numpy as np
import pytest

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.agents.registry import make_learner
from connectlab.game import Geometry, Position
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import BrokeDownError, LearnerError

BOARD = {"columns": 4, "rows": 4, "connect": 3, "tuples": 6, "length": 4, "creation": "walk"}


def config(**changes: object) -> NTupleConfig:
    settings = {**BOARD, "games": 25_000, "average_games": 20_000, **changes}
    return NTupleConfig.model_validate(settings)


def trained(**changes: object) -> NTupleLearner:
    learner = NTupleLearner(config(**changes))
    learner.learn(learner.config.games)
    return learner


SETTINGS = [
    {"alpha": "0.0123456789->0.001"},
    {"rule": "tcl-exp", "alpha": "0.05", "epsilon": "0.9->0.1:sigmoid"},
    {"rule": "tcl-exp", "trace_lambda": 0.0, "games": 2_777, "average_games": 1_000},
    {"trace_lambda": 0.0, "average_games": 0},
    {"rule": "k1", "output": "linear", "haste": 0.02},
]


@pytest.mark.parametrize("changes", SETTINGS)
def test_games_may_be_cut_and_saved_anywhere(tmp_path: Path, changes: dict[str, object]) -> None:
    whole = trained(**changes)
    whole.state().save(tmp_path / "whole")
    parts = NTupleLearner(config(**changes))
    for games in (1, 6, 993, 1_777, 4_000, 25_000):
        parts.learn(games)
        parts.state().save(tmp_path / "parts")
        parts = NTupleLearner(config(**changes))
        parts.restore(Checkpoint.load(tmp_path / "parts"))
        if parts.games_done == parts.config.games:
            break
    assert parts.games_done == parts.config.games
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    first, second = whole.checkpoint(), parts.checkpoint()
    assert np.array_equal(first.arrays["weights"], second.arrays["weights"])


def test_steps_give_the_same_bits_as_one_long_piece() -> None:
    stepped, whole = NTupleLearner(config(games=3_333)), trained(games=3_333)
    boundaries = []
    while stepped.games_done < 3_333:
        metrics = stepped.step()
        assert metrics.keys() == {"alpha", "epsilon", "td_error", "plies"}
        boundaries.append(stepped.games_done)
    size = stepped.games_a_step
    assert boundaries == [*range(size, 3_333, size), 3_333]
    assert np.array_equal(stepped.network.weights, whole.network.weights)
    assert not np.array_equal(stepped.network.weights, Network.create(whole.config).weights)


def test_a_step_ends_at_a_boundary_wherever_it_began() -> None:
    learner = NTupleLearner(config())
    learner.learn(learner.games_a_step + 7)
    learner.step()
    assert learner.games_done == 2 * learner.games_a_step


@pytest.mark.parametrize(
    ("changes", "games"),
    [
        ({}, 1_000),
        ({"games": 10}, 1),
        ({"games": 10**6}, 10_000),
        ({"columns": 7, "rows": 6, "tuples": 70, "games": 10**6}, 2_000),
        ({"columns": 7, "rows": 6, "tuples": 70, "games": 10**6, "trace_lambda": 0}, 5_000),
    ],
)
def test_the_size_of_a_step_follows_from_the_config(changes: dict[str, object], games: int) -> None:
    assert NTupleLearner(config(**changes)).games_a_step == games


def test_a_run_that_is_done_takes_no_step() -> None:
    with pytest.raises(LearnerError, match="all 100 games of the run are learned"):
        trained(games=100).step()


def test_the_registry_builds_the_learner() -> None:
    assert isinstance(make_learner(config()), NTupleLearner)


def test_another_seed_gives_other_weights() -> None:
    states = [trained(seed=seed, games=100).state() for seed in (1, 2)]
    first, second = (state.arrays["learning"] for state in states)
    assert not np.array_equal(first, second)


def test_games_of_another_seed_are_other_games() -> None:
    """Games of chance alone: neither weights nor their beginning play a part."""
    settings = {"epsilon": 1.0, "initial_weights": 0.0}
    plies = [NTupleLearner(config(**settings, seed=seed)).learn(50)["plies"] for seed in range(6)]
    assert len(set(plies)) > 1


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_games_and_play_none_twice(threads: int) -> None:
    """Games of chance alone are as long as their random numbers make them, whoever plays them."""
    alone = NTupleLearner(config(epsilon=1.0))
    together = NTupleLearner(config(epsilon=1.0), threads=threads)
    for games in (1, 4, 95, 400):
        assert together.learn(games)["plies"] == alone.learn(games)["plies"]
    assert together.plies_done == alone.plies_done


# Weights to play with


@pytest.mark.parametrize("games", [30, 999, 9_999])
def test_a_short_run_with_an_average_ships_what_it_learned(games: int) -> None:
    learner = trained(games=games, average_games=1_000_000)
    untrained = Network.create(learner.config)
    moved = np.abs(learner.state().arrays["learning"] - untrained.weights).sum()
    left = np.abs(learner.network.weights - learner.state().arrays["learning"]).sum()
    assert 0 < left < moved, "it is neither untrained nor the latest"


def test_before_its_first_look_the_average_leaves_the_play_to_the_learning_weights() -> None:
    learner = NTupleLearner(config(games=1_000_000))
    learner.learn(9_999)
    state = learner.state().arrays
    assert np.array_equal(learner.network.weights, state["learning"])
    assert not np.array_equal(learner.network.weights, state["average"])
    learner.learn(1)
    state = learner.state().arrays
    assert learner.network.weights is not state["learning"]
    assert np.array_equal(learner.network.weights, state["average"])


def test_a_long_run_looks_every_ten_thousand_games() -> None:
    """Worked out by hand: the first look goes all the way, the third two thirds of it."""
    learner = NTupleLearner(config(games=500_007, average_games=1_000_000, tuples=2))
    expected = learner.network.weights.copy()
    for share in (1, 1, 10_000 / 15_000):
        learner.learn(10_000)
        latest = learner.state().arrays["learning"]
        expected += np.float32(share) * (latest - expected)
    assert np.array_equal(learner.network.weights, expected)


# Saved states


def test_a_run_can_be_made_longer() -> None:
    learner = NTupleLearner(config(games=2_000))
    learner.restore(trained(games=1_000).state())
    assert learner.games_done == 1_000
    learner.learn(2_000)
    assert learner.games_done == 2_000


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"alpha": 0.01}, r"saved with alpha=0\.004, and this run has alpha=0\.01: only games"),
        ({"rows": 5}, "saved with rows=4, and this run has rows=5"),
        ({"games": 99}, "has learned 100 games already: games=99"),
    ],
)
def test_a_state_of_another_run_is_refused(changes: dict[str, object], says: str) -> None:
    state = trained(games=100).state()
    with pytest.raises(LearnerError, match=says):
        NTupleLearner(config(**{"games": 100, **changes})).restore(state)


def test_a_state_of_another_version_is_refused() -> None:
    state = trained(games=100).state()
    older = {**state.header, "config": {**state.header["config"], "slope": 1.5}}
    with pytest.raises(LearnerError, match="another version of connectlab"):
        NTupleLearner(config(games=100)).restore(Checkpoint(state.kind, older, state.arrays))


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"games_done": -1}, {}),
        ({"games_done": "all"}, {}),
        ({"plies_done": None}, {}),
        ({}, {"learning": np.zeros(3, dtype=np.float32)}),
        ({}, {"memory": np.zeros((2, 9), dtype=np.float32)}),
    ],
)
def test_a_damaged_state_is_refused_and_changes_nothing(
    header: dict[str, object], arrays: dict[str, np.ndarray]
) -> None:
    settings = {"games": 100, "rule": "tcl"}
    state = trained(**settings).state()
    damaged = Checkpoint(state.kind, {**state.header, **header}, {**state.arrays, **arrays})
    learner = NTupleLearner(config(**settings))
    with pytest.raises(CheckpointError, match="damaged"):
        learner.restore(damaged)
    assert learner.games_done == 0
    assert np.array_equal(learner.network.weights, Network.create(learner.config).weights)


def test_a_network_is_no_state() -> None:
    learner = NTupleLearner(config())
    with pytest.raises(CheckpointError, match="was written by 'ntuple', not by 'ntuple-state'"):
        learner.restore(learner.checkpoint())


def test_a_tuple_file_that_was_changed_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "tuples.json"
    file.write_text("[[[0, 0], [1, 0], [2, 0]]]")
    settings = config(creation="file", tuple_file=str(file))
    state = NTupleLearner(settings).state()
    NTupleLearner(settings).restore(state)
    file.write_text("[[[0, 0], [1, 0], [3, 0]]]")
    with pytest.raises(LearnerError, match="no longer those of the saved state"):
        NTupleLearner(settings).restore(state)


# Beginning from another run


def test_a_run_may_begin_from_the_weights_of_another() -> None:
    checkpoint = trained(games=500).checkpoint()
    learner = NTupleLearner(config(alpha=0.001, rule="tcl-exp", games=50))
    learner.begin_from(checkpoint)
    assert learner.games_done == 0
    assert np.array_equal(learner.network.weights, checkpoint.arrays["weights"])
    learner.learn(50)
    assert not np.array_equal(learner.network.weights, checkpoint.arrays["weights"])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tuple_seed": 2}, "other tuples: take the settings"),
        ({"tuples": 5}, "other tuples: take the settings"),
        ({"states": 3}, r"other states \(4, and here 3\)"),
        ({"tables": 1}, r"other tables \(2, and here 1\)"),
        ({"mirror": False}, r"other mirror \(True, and here False\)"),
        ({"output": "linear"}, r"other output \(tanh, and here linear\)"),
        ({"connect": 4}, r"other connect \(3, and here 4\)"),
    ],
)
def test_a_network_of_another_layout_is_no_beginning(changes: dict[str, object], says: str) -> None:
    checkpoint = NTupleLearner(config()).checkpoint()
    with pytest.raises(LearnerError, match=says):
        NTupleLearner(config(**changes)).begin_from(checkpoint)


def test_a_linear_network_is_no_beginning_where_the_tanh_is_learned() -> None:
    checkpoint = NTupleLearner(config(output="linear")).checkpoint()
    with pytest.raises(LearnerError, match=r"other output \(linear, and here tanh\)"):
        NTupleLearner(config()).begin_from(checkpoint)


def test_the_average_of_a_linear_network_is_linear() -> None:
    learner = trained(output="linear")
    assert learner.network.output == "linear"
    assert learner.checkpoint().header["network"]["output"] == "linear"


def test_a_run_that_is_under_way_cannot_begin_anew() -> None:
    learner = NTupleLearner(config())
    checkpoint = learner.checkpoint()
    learner.learn(10)
    with pytest.raises(LearnerError, match="has learned 10 games already"):
        learner.begin_from(checkpoint)


def test_a_state_is_no_player_to_begin_from() -> None:
    learner = NTupleLearner(config())
    with pytest.raises(CheckpointError, match="was written by 'ntuple-state', not by 'ntuple'"):
        learner.begin_from(learner.state())


# Games of others


def game(moves: str, geometry: Geometry) -> Position:
    return Position.from_moves(moves, geometry)


def test_what_is_played_again_and_again_is_learned() -> None:
    learner = NTupleLearner(config(average_games=0))
    won = game("12121", learner.config.geometry)
    errors = [learner.learn_from([won] * 20)["td_error"] for _ in range(30)]
    assert learner.learn_from([won])["plies"] == 5
    assert errors[-1] < errors[0] / 2


def test_games_of_others_enter_the_average_once_there_is_one() -> None:
    learner = NTupleLearner(config(games=500, average_games=100))
    learner.learn(500)
    before = learner.network.weights.copy()
    learner.learn_from([game("12121", learner.config.geometry)] * 50)
    assert not np.array_equal(learner.network.weights, before)
    assert learner.games_done == 500


@pytest.mark.parametrize(
    ("position", "says"),
    [
        (game("1212", Geometry(4, 4, 3)), "game 2 is not over"),
        (game("1212121", Geometry()), "game 2 was played on a 7x6 connect-4 board"),
        (
            Position.from_drawing("X...\nXO..\nXO..", 3),
            "game 2 was played on a 4x3 connect-3 board",
        ),
        (Position.from_drawing("....\nX...\nXO..\nXO..", 3), "game 2 comes without its moves"),
    ],
)
def test_a_game_that_cannot_be_learned_from_is_refused_before_any_is(
    position: Position, says: str
) -> None:
    learner = NTupleLearner(config())
    before = learner.network.weights.copy()
    with pytest.raises(LearnerError, match=says):
        learner.learn_from([game("12121", learner.config.geometry), position])
    assert np.array_equal(learner.network.weights, before)


def test_no_games_teach_nothing() -> None:
    with pytest.raises(LearnerError, match="no games to learn from"):
        NTupleLearner(config()).learn_from([])


@pytest.mark.parametrize("weight", [1e5, -1e5, float("inf"), float("nan")])
def test_weights_that_no_checkpoint_can_hold_are_a_breakdown(weight: float) -> None:
    learner = NTupleLearner(config(games=10))
    learner._learning.weights[7] = weight
    with pytest.raises(BrokeDownError, match="the weights exploded in the first 0 games"):
        learner.checkpoint()
