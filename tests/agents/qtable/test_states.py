"""States are read off boards as documented."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_q import first_values

from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.model import ModelHeader, decode_keys
from connectlab.agents.qtable.states import first_value, shaping_reward, state_key
from connectlab.game import Geometry, Position, PositionBatch
from naive import NaiveGame

BOARDS = [Geometry(), Geometry(4, 4, 3), Geometry(5, 4, 4), Geometry(1, 6, 4), Geometry(8, 7, 5)]


def config_for(geometry: Geometry, **changes: object) -> QTableConfig:
    board = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    return QTableConfig.model_validate({**board, "known": True, **changes})


@st.composite
def games(draw: st.DrawFn) -> tuple[Geometry, list[int]]:
    """A board and moves on it that leave the game going on."""
    geometry = draw(st.sampled_from(BOARDS))
    position = Position(geometry)
    for lot in draw(st.lists(st.integers(0, 7), max_size=40)):
        column = position.legal_columns[lot % len(position.legal_columns)]
        following = position.play(column)
        if following.is_over:
            break
        position = following
    return geometry, list(position.history or ())


@given(games())
def test_known_states_are_those_of_the_naive_learner(game: tuple[Geometry, list[int]]) -> None:
    geometry, moves = game
    config, position = config_for(geometry), Position.from_moves(moves, geometry)
    naive = NaiveGame(geometry.columns, geometry.rows, geometry.connect, moves)
    signs = {0: 0, naive.player: 1, 3 - naive.player: -1}
    board = tuple(tuple(signs[stone] for stone in row) for row in naive.grid)
    reading = ModelHeader.of(config).reading
    for column in position.legal_columns:
        cell = np.uint64(position.play(column).occupied ^ position.occupied)
        found = first_value(np.uint64(position.mover), np.uint64(position.occupied), cell, reading)
        assert found == first_values(board, config)[column]


@pytest.mark.parametrize(
    ("moves", "column", "value"),
    [
        ("112233", 4, 25),  # wins, and blocks and makes a streak of three too
        ("11223", 4, 20),  # blocks
        ("1122", 3, 15),  # three in a row
        ("112", 3, 0),
        ("445566", 3, 25),
        ("1212", 1, 15),  # a third stone on two
        ("12121", 1, 20),
    ],
)
def test_the_first_condition_that_holds_counts(moves: str, column: int, value: float) -> None:
    position = Position.from_moves(moves)
    cell = np.uint64(position.play(column - 1).occupied ^ position.occupied)
    reading = ModelHeader.of(config_for(position.geometry)).reading
    own, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    assert first_value(own, occupied, cell, reading) == value
    unknown = reading._replace(known=False)
    assert first_value(own, occupied, cell, unknown) == 0
    shaped = 0 if value == 25 else value
    assert shaping_reward(own, occupied, cell, unknown) == shaped, "a win is rewarded by the game"


@given(games())
def test_a_key_is_that_of_the_batch_and_gives_the_board_back(
    game: tuple[Geometry, list[int]],
) -> None:
    geometry, moves = game
    batch = PositionBatch.of([Position.from_moves(moves, geometry)])
    reading = ModelHeader.of(config_for(geometry)).reading
    key, flipped = state_key(batch.mover[0], batch.occupied[0], reading)
    assert (key, flipped) == (batch.keys[0], False)
    board = decode_keys(batch.keys, geometry)
    assert board.mover[0] == batch.mover[0]
    assert board.occupied[0] == batch.occupied[0]


@given(games())
def test_mirror_images_share_one_key_and_one_of_them_is_flipped(
    game: tuple[Geometry, list[int]],
) -> None:
    geometry, moves = game
    batch = PositionBatch.of([Position.from_moves(moves, geometry)])
    mirrored = batch.mirror()
    reading = ModelHeader.of(config_for(geometry, mirror=True)).reading
    one = state_key(batch.mover[0], batch.occupied[0], reading)
    two = state_key(mirrored.mover[0], mirrored.occupied[0], reading)
    assert one[0] == two[0] == min(batch.keys[0], mirrored.keys[0])
    symmetric = batch.keys[0] == mirrored.keys[0]
    assert {one[1], two[1]} == ({False} if symmetric else {False, True})
