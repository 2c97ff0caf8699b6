"""The Q-learner keeps the promises that runs rest on."""

from pathlib import Path

import numpy as np
import pytest

from connectlab.agents.qtable import training
from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.training import QTableLearner
from connectlab.agents.registry import make_learner
from connectlab.game import Geometry, Position, PositionBatch
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import LearnerError

BOARD = {"columns": 4, "rows": 4, "connect": 3}
VDBE = {"exploration": "vdbe-softmax"}
SETTINGS: list[dict[str, object]] = [
    {"alpha": "0.9->0.1", "epsilon": "0.5->0.1:linear"},
    {"opponents": "random", **VDBE, "known": True, "reward_loss": -50},
    {"opponents": "extend + minimax:depth=2 + random", "parallel": 7, **VDBE, "traces": "limited"},
]


def config(**changes: object) -> QTableConfig:
    return QTableConfig.model_validate({**BOARD, "games": 1_100, **changes})


def trained(**changes: object) -> QTableLearner:
    learner = QTableLearner(config(**changes))
    while learner.games_done < learner.config.games:
        learner.step()
    return learner


def same_tables(one: QTableLearner, two: QTableLearner) -> bool:
    first, second = one.table.entries(), two.table.entries()
    return first.keys() == second.keys() and all(
        np.array_equal(first[name], second[name]) for name in first
    )


@pytest.mark.parametrize("changes", SETTINGS, ids=str)
def test_a_run_may_be_cut_and_saved_after_any_step(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    whole = trained(**changes)
    whole.state().save(tmp_path / "whole")
    parts = QTableLearner(config(**changes))
    while parts.games_done < parts.config.games:
        parts.step()
        parts.state().save(tmp_path / "parts")
        parts = QTableLearner(config(**changes))
        parts.restore(Checkpoint.load(tmp_path / "parts"))
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert parts.plies_done == whole.plies_done > 0
    assert same_tables(whole, parts)


@pytest.mark.parametrize("changes", SETTINGS, ids=str)
def test_the_same_settings_give_the_same_table_and_another_seed_another(
    changes: dict[str, object],
) -> None:
    first = trained(**changes, games=300)
    assert same_tables(first, trained(**changes, games=300))
    assert not same_tables(first, trained(**changes, games=300, seed=2))


@pytest.mark.parametrize("changes", [{}, VDBE, {"traces": "limited", "side": "second"}], ids=str)
def test_asked_or_compiled_the_random_player_teaches_the_same(changes: dict[str, object]) -> None:
    """Two random players in turn are asked for their moves; the one alone plays compiled."""
    settings = {"games": 400, "side": "first", "known": True, **changes}
    compiled = trained(opponents="random", **settings)
    asked = trained(opponents="random + random", parallel=1, **settings)
    assert same_tables(compiled, asked)
    assert compiled.plies_done == asked.plies_done


def test_a_table_that_grows_on_the_way_learns_the_same() -> None:
    roomy = QTableLearner(config(columns=7, rows=6, connect=4, games=500))
    roomy.table.reserve(100_000)
    while roomy.games_done < 500:
        roomy.step()
    tight = trained(columns=7, rows=6, connect=4, games=500)
    assert len(tight.table) > 1_000
    assert same_tables(roomy, tight)


def test_steps_end_at_multiples_and_report_what_is_worth_a_curve() -> None:
    learner = QTableLearner(config(games=1_111))
    size, ends = learner.games_a_step, []
    while learner.games_done < 1_111:
        metrics = learner.step()
        ends.append(learner.games_done)
        assert list(metrics) == ["alpha", "explored", "td_error", "plies", "states", "new_states"]
        assert metrics["states"] == len(learner.table)
    assert ends == [*range(size, 1_111, size), 1_111]


@pytest.mark.parametrize(
    ("changes", "games"),
    [
        ({}, 50),
        ({"games": 10**7}, 5_000),
        ({"columns": 7, "rows": 6, "games": 10**7}, 2_000),
        ({"opponents": "extend", "parallel": 16}, 160),
    ],
)
def test_the_size_of_a_step_follows_from_the_config(changes: dict[str, object], games: int) -> None:
    assert QTableLearner(config(**changes)).games_a_step == games


def test_batches_end_at_multiples_wherever_a_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of 25 games that is made longer goes on with the rest of its third batch."""
    settings = {"opponents": "extend", "parallel": 10}
    short = trained(**settings, games=25)
    learner = QTableLearner(config(**settings, games=50))
    learner.restore(short.state())
    batches: list[range] = []
    monkeypatch.setattr(training, "learn_against", lambda _, numbers, *__: batches.append(numbers))
    learner.step()
    assert batches == [range(25, 30), range(30, 40), range(40, 50)]


def test_sides_are_those_asked_for() -> None:
    """On a board of one column the first player decides at even heights, the second at odd."""
    for side, parities in (("first", {0}), ("second", {1}), ("both", {0, 1})):
        for opponents in ("random", "random + extend"):
            learner = trained(columns=1, rows=6, connect=4, side=side, opponents=opponents, games=9)
            keys = learner.table.entries()["keys"].tolist()
            assert {(key.bit_length() - 1) % 2 for key in keys} == parities


def test_a_lost_game_is_learned_from_only_if_it_costs_something() -> None:
    free = trained(opponents="random", games=200, reward_win=1e-30)
    dear = trained(opponents="random", games=200, reward_win=1e-30, reward_loss=-50)
    assert np.abs(free.table.entries()["values"]).max() < 1
    assert free.table.entries()["values"].min() >= 0
    assert dear.table.entries()["values"].min() < -10


def test_it_learns_that_moving_first_against_chance_is_worth_much() -> None:
    start = PositionBatch.start(1, Geometry(4, 4, 3))
    values = [
        trained(opponents="random", games=games, side="first").model.action_values(start).max()
        for games in (20, 20_000)
    ]
    assert values[0] < 25 < values[1] < 50


def test_a_run_that_is_done_takes_no_step() -> None:
    with pytest.raises(LearnerError, match="all 50 games of the run are learned"):
        trained(games=50).step()


def test_the_registry_builds_the_learner() -> None:
    assert isinstance(make_learner(config()), QTableLearner)


# Saved states


def test_a_run_can_be_made_longer() -> None:
    learner = QTableLearner(config(games=2_000))
    learner.restore(trained(games=1_000).state())
    assert learner.games_done == 1_000
    while learner.games_done < 2_000:
        learner.step()
    assert same_tables(learner, trained(games=2_000))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"gamma": 0.5}, r"saved with gamma=0\.95, and this run has gamma=0\.5: only games"),
        ({"rows": 5}, "saved with rows=4, and this run has rows=5"),
        ({"games": 99}, "has learned 100 games already: games=99"),
    ],
)
def test_a_state_of_another_run_is_refused(changes: dict[str, object], says: str) -> None:
    state = trained(games=100).state()
    with pytest.raises(LearnerError, match=says):
        QTableLearner(config(**{"games": 100, **changes})).restore(state)


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"games_done": -1}, {}),
        ({"plies_done": None}, {}),
        ({}, {"keys": np.zeros(3, dtype=np.uint64)}),
        ({}, {"values": np.zeros((2, 9), dtype=np.float32)}),
    ],
)
def test_a_damaged_state_is_refused_and_changes_nothing(
    header: dict[str, object], arrays: dict[str, np.ndarray]
) -> None:
    state = trained(games=100).state()
    damaged = Checkpoint(state.kind, {**state.header, **header}, {**state.arrays, **arrays})
    learner = QTableLearner(config(games=100))
    with pytest.raises(CheckpointError, match="damaged"):
        learner.restore(damaged)
    assert learner.games_done == 0
    assert len(learner.table) == 0


def test_a_run_begins_from_what_another_learned() -> None:
    checkpoint = trained(games=300).checkpoint()
    learner = QTableLearner(config(**VDBE))
    learner.begin_from(checkpoint)
    saved, taken = checkpoint.arrays, learner.table.entries()
    assert np.array_equal(saved["values"], taken["values"])
    assert (taken["epsilon"] == 1).all()
    learner.step()
    assert not np.array_equal(saved["values"], learner.table.entries()["values"][: len(saved)])


@pytest.mark.parametrize("changes", [{"rows": 5}, {"mirror": True}])
def test_a_table_that_reads_boards_otherwise_is_no_beginning(changes: dict[str, object]) -> None:
    with pytest.raises(LearnerError, match=f"has other {next(iter(changes))}"):
        QTableLearner(config(**changes)).begin_from(trained(games=10).checkpoint())


def test_a_run_under_way_cannot_begin_anew() -> None:
    with pytest.raises(LearnerError, match="has learned 100 games already"):
        trained(games=100).begin_from(trained(games=10).checkpoint())


# Games of others


def finished(moves: str) -> Position:
    return Position.from_moves(moves, Geometry(4, 4, 3))


def value_of(learner: QTableLearner, moves: str, column: int) -> float:
    batch = PositionBatch.of([finished(moves)])
    return float(learner.model.action_values(batch)[0, column - 1])


def test_the_winner_of_a_given_game_is_followed_at_once() -> None:
    learner = QTableLearner(config(opponents="random", alpha=0.5, traces="none"))
    metrics = learner.learn_from([finished("12131")])  # 1, 1, 1 upward
    assert value_of(learner, "1213", 1) == 25
    assert metrics["moves"] == 5
    assert metrics["states_added"] == 5
    assert metrics["mean_change"] == pytest.approx(25 / 5)
    assert learner.games_done == 0
    learner.learn_from([finished("12131")])
    assert value_of(learner, "1213", 1) == 37.5
    assert value_of(learner, "12", 1) == pytest.approx(0.5 * 0.95 * 25)


def test_the_loser_learns_from_its_own_side() -> None:
    learner = QTableLearner(config(opponents="random", alpha=0.5, traces="none", reward_loss=-10))
    learner.learn_from([finished("12131")])
    assert value_of(learner, "121", 3) == -5


def test_in_self_play_the_losing_move_is_blamed_by_the_winning_one() -> None:
    learner = QTableLearner(config(alpha=1.0, traces="full", trace_lambda=1.0, gamma=1.0))
    learner.learn_from([finished("12131")])
    assert [value_of(learner, "12131"[:n], int("12131"[n])) for n in range(5)] == (
        [50, -50, 50, -50, 50]
    )


def test_given_games_teach_a_run_under_way_and_leave_it_resumable(tmp_path: Path) -> None:
    one = QTableLearner(config(games=500))
    one.step()
    one.learn_from([finished("12131"), finished("43414")])
    one.state().save(tmp_path / "state")
    two = QTableLearner(config(games=500))
    two.restore(Checkpoint.load(tmp_path / "state"))
    for learner in (one, two):
        while learner.games_done < 500:
            learner.step()
    assert same_tables(one, two)


@pytest.mark.parametrize("moves", ["1", "12"])
def test_games_that_are_not_over_are_refused(moves: str) -> None:
    learner = QTableLearner(config())
    with pytest.raises(LearnerError, match="not over"):
        learner.learn_from([finished("12131"), finished(moves)])
    assert len(learner.table) == 0, "nothing is learned from half of what was given"
