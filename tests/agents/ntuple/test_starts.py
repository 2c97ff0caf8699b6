"""Where games of self-play begin: what is noted, drawn, given from outside and saved."""

from collections import deque
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_networks import random_positions

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.starts import Starts, draw, note, stones_of
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.game import Geometry, Position
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import LearnerError

BOARDS = [Geometry(7, 6, 4), Geometry(4, 4, 3), Geometry(8, 7, 4), Geometry(5, 10, 4)]
"""The third takes all 64 bits of a key."""
SMALL = Geometry(4, 4, 3)


def config(**changes: object) -> NTupleConfig:
    board = {"columns": 4, "rows": 4, "connect": 3, "tuples": 6, "length": 4, "creation": "walk"}
    settings = {"games": 3_000, "epsilon": 0.2, "restarts": 0.5, "surprise": 0.1}
    return NTupleConfig.model_validate({**board, **settings, **changes})


def ring(places: int) -> Starts:
    return Starts(np.zeros(places, dtype=np.uint64), np.zeros(1, dtype=np.int64))


def position_of(key: int, geometry: Geometry) -> Position:
    first, occupied = (int(found) for found in stones_of(np.uint64(key), geometry.shape))
    return Position.from_stones(first, occupied ^ first, geometry)


# The ring


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
@given(seed=st.integers(0, 2**32))
def test_a_position_comes_back_from_its_key(geometry: Geometry, seed: int) -> None:
    positions = [Position(geometry), *random_positions(geometry, 10, seed=seed)]
    starts = ring(len(positions))
    starts.note_all(positions)
    assert [position_of(key, geometry) for key in starts.keys.tolist()] == positions


def test_full_columns_come_back_from_their_key() -> None:
    """Nobody wins on a board that is too small for a line: all but one cell may be taken."""
    for geometry in (Geometry(8, 7, 9), Geometry(5, 10, 11), Geometry(1, 10, 11)):
        columns = [c for c in range(geometry.columns) for _ in range(geometry.rows)]
        starts, position = ring(1), Position.from_moves(columns[:-1], geometry)
        starts.note_all([position])
        assert position_of(int(starts.keys[0]), geometry) == position


@given(places=st.integers(1, 6), keys=st.lists(st.integers(0, 2**64 - 1), max_size=20))
def test_a_new_position_takes_the_place_of_the_oldest(places: int, keys: list[int]) -> None:
    starts, kept = ring(places), deque[int](maxlen=places)
    for key in keys:
        note(starts, np.uint64(key))
        kept.append(key)
        assert sorted(starts.keys[: len(kept)].tolist()) == sorted(kept)
    assert starts.noted[0] == len(keys)


@pytest.mark.parametrize("noted", [1, 3, 8, 11])
def test_every_noted_position_is_drawn_and_no_other(noted: int) -> None:
    starts = ring(8)
    for key in range(1, noted + 1):
        note(starts, np.uint64(key))
    lots = np.random.default_rng(noted).integers(0, 2**64, 400, dtype=np.uint64)
    drawn = {int(draw(starts, state)) for state in lots}
    assert drawn == set(range(max(1, noted - 7), noted + 1))


def test_of_more_positions_than_places_the_last_are_kept() -> None:
    starts, positions = ring(3), random_positions(SMALL, 5, seed=1)
    starts.note_all(positions)
    assert starts.noted[0] == 5
    assert [position_of(key, SMALL) for key in starts.keys.tolist()] == [
        *positions[3:],
        positions[2],
    ]


def test_positions_given_are_drawn_as_well_as_those_noted_before() -> None:
    learner, positions = NTupleLearner(config()), random_positions(SMALL, 6, seed=1)
    learner.begin_games_from(positions[:4])
    learner.begin_games_from(positions[4:])
    learner.begin_games_from([])
    lots = np.random.default_rng(1).integers(0, 2**64, 200, dtype=np.uint64)
    drawn = {position_of(draw(learner._starts, state), SMALL) for state in lots}
    assert drawn == set(positions)


# Games


WON_SOON = Position.from_moves("1212", SMALL)
"""The first player wins at once."""
LOST_SOON = Position.from_moves("12244", SMALL)
"""The second player wins at once, and the first would not if it were its turn."""
FROM_GIVEN: dict[str, object] = {"restarts": 1.0, "surprise": 2.0, "epsilon": 0.0}
"""All games begin from the positions given, as nothing is a surprise."""


@pytest.mark.parametrize("position", [WON_SOON, LOST_SOON], ids=["first", "second"])
@pytest.mark.parametrize("tables", [1, 2])
def test_games_begin_from_the_positions_given(position: Position, tables: int) -> None:
    """Here every game takes the winning move, and one position is all that is learned."""
    learner = NTupleLearner(config(**FROM_GIVEN, trace_lambda=0.0, tables=tables))
    learner.begin_games_from([position])
    before = learner.network.weights.copy()
    metrics = learner.learn(100)
    assert metrics["plies"] == 1
    assert learner.plies_done == 100
    moved = learner.network.weights - before
    first_wins = position is WON_SOON
    assert (moved > 0).any() == first_wins
    assert (moved < 0).any() != first_wins
    assert 0 < np.count_nonzero(moved) <= 2 * learner.config.tuples


def test_a_game_is_counted_from_where_it_begins() -> None:
    """Whatever is played, a board on which nobody wins is full in the end."""
    settings = {**FROM_GIVEN, "connect": 4, "columns": 3, "rows": 3, "length": 3}
    learner = NTupleLearner(config(**{**settings, "epsilon": 1.0}))
    learner.begin_games_from([Position.from_moves("1122", learner.config.geometry)])
    assert learner.learn(50)["plies"] == 5


def test_the_share_of_games_that_begin_elsewhere_is_restarts() -> None:
    learner = NTupleLearner(config(**{**FROM_GIVEN, "restarts": 0.25}))
    learner.begin_games_from([WON_SOON])
    lengths = [learner.learn(1)["plies"] for _ in range(1_000)]
    assert 0.2 < lengths.count(1) / len(lengths) < 0.3


def test_without_positions_games_begin_from_the_empty_board() -> None:
    learner = NTupleLearner(config(**FROM_GIVEN))
    learner.begin_games_from([])
    assert learner.learn(50)["plies"] >= 5


def test_positions_given_give_way_to_surprises() -> None:
    learner = NTupleLearner(config(**{**FROM_GIVEN, "surprise": 0.0}))
    learner._starts = ring(4)
    learner.begin_games_from([Position.from_moves("11", SMALL)])
    learner.learn(20)
    assert learner._starts.noted[0] > 4
    kept = [position_of(key, SMALL) for key in learner._starts.keys.tolist()]
    assert not any(position.is_over for position in kept)
    assert max(position.ply for position in kept) > 2


def test_games_of_others_are_no_surprise() -> None:
    learner = NTupleLearner(config(surprise=0.0))
    learner.begin_games_from([WON_SOON])
    finished = Position.from_moves("12121", SMALL)
    assert learner.learn_from([finished] * 5)["plies"] == 5
    assert learner._starts.noted[0] == 1


@pytest.mark.parametrize(
    "position",
    [
        Position.from_moves("12121", SMALL),
        Position.from_moves("12", Geometry(4, 4, 4)),
        Position(),
    ],
    ids=["finished", "other line", "other board"],
)
def test_no_game_begins_from_a_finished_or_foreign_position(position: Position) -> None:
    learner = NTupleLearner(config())
    with pytest.raises(LearnerError, match="from unfinished positions on 4x4 connect-3") as refused:
        learner.begin_games_from([WON_SOON, position])
    assert "\n" not in str(refused.value)
    assert learner._starts.noted[0] == 0


def test_positions_for_a_run_without_restarts_are_refused() -> None:
    with pytest.raises(LearnerError, match="unless restarts is above 0"):
        NTupleLearner(config(restarts=0)).begin_games_from([WON_SOON])


# Saved states


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"safe_second": True, "epsilon_second": 0.5, "trace_lambda": 0.0, "rule": "tcl-exp"},
        {"restarts": 1.0, "surprise": 0.0, "average_games": 1_000},
    ],
)
def test_games_may_be_cut_and_saved_anywhere(tmp_path: Path, changes: dict[str, object]) -> None:
    whole, parts = NTupleLearner(config(**changes)), NTupleLearner(config(**changes))
    given = random_positions(SMALL, 30, seed=4)
    for learner in (whole, parts):
        learner.learn(500)
        learner.begin_games_from(given)
    whole.learn(2_500)
    whole.state().save(tmp_path / "whole")
    for games in (1, 6, 493, 2_000):
        parts.state().save(tmp_path / "parts")
        parts = NTupleLearner(config(**changes))
        parts.restore(Checkpoint.load(tmp_path / "parts"))
        parts.learn(games)
    parts.state().save(tmp_path / "parts")
    assert parts.games_done == 3_000
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_state_without_its_positions_goes_on_otherwise() -> None:
    """The comparison above can fail: what is noted decides on the games to come."""
    learner = NTupleLearner(config())
    learner.learn(500)
    state = learner.state()
    forgetful = NTupleLearner(config())
    forgetful.restore(
        Checkpoint(
            state.kind, state.header, {**state.arrays, "starts_noted": np.ones(1, dtype=np.int64)}
        )
    )
    for each in (learner, forgetful):
        each.learn(50)
    assert not np.array_equal(learner.network.weights, forgetful.network.weights)


def test_a_run_without_restarts_saves_no_positions() -> None:
    assert not {"starts", "starts_noted"} & NTupleLearner(config(restarts=0)).state().arrays.keys()


@pytest.mark.parametrize("name", ["starts", "starts_noted"])
def test_a_state_whose_positions_do_not_fit_is_refused(name: str) -> None:
    learner = NTupleLearner(config())
    state = learner.state()
    damaged = {**state.arrays, name: np.zeros(5, dtype=np.uint64)}
    missing = {key: array for key, array in state.arrays.items() if key != name}
    for arrays in (damaged, missing):
        with pytest.raises(CheckpointError, match="its arrays do not fit its settings"):
            learner.restore(Checkpoint(state.kind, state.header, arrays))


def test_threads_share_the_positions() -> None:
    """Games that take one move from everywhere are as long, whoever plays them."""
    learner = NTupleLearner(config(**FROM_GIVEN), threads=3)
    learner.begin_games_from([WON_SOON, LOST_SOON])
    assert learner.learn(100)["plies"] == 1
