"""The rules of a submission are those of the game, and it reads what Kaggle shows."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from submissions import question, some_positions

from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.bitboard import has_line, landing_cells, winning_cells
from connectlab.integrations.kaggle.runtime.board import Board

BOARDS = [STANDARD, Geometry(5, 4, 4), Geometry(4, 4, 3), Geometry(8, 7, 5), Geometry(1, 8, 3)]

Wrap = Callable[[dict[str, Any]], Any]


class Struct(dict[str, Any]):
    """Entries that are attributes too, as in kaggle-environments."""

    __getattr__ = dict.__getitem__


def board_of(geometry: Geometry) -> Board:
    return Board(geometry.columns, geometry.rows, geometry.connect)


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_the_rules_are_those_of_the_game(geometry: Geometry) -> None:
    board, shape = board_of(geometry), geometry.shape
    for position in some_positions(100 if geometry.columns > 1 else 20, geometry):
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        both = board.landing(position.occupied), board.winning(position.mover, position.occupied)
        assert both == (landing_cells(occupied, shape), winning_cells(mover, occupied, shape))
        for cell in (1 << bit for bit in range(64) if both[0] >> bit & 1):
            after = position.mover | cell
            assert board.has_line(after) == has_line(np.uint64(after), shape)


@pytest.mark.parametrize("wrap", [dict, Struct, lambda shown: SimpleNamespace(**shown)])
@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_what_kaggle_shows_is_the_position(geometry: Geometry, wrap: Wrap) -> None:
    board = board_of(geometry)
    for position in some_positions(20, geometry):
        seen, rules = question(position)
        found = board.read(wrap(seen), wrap(rules))
        assert found == (position.mover, position.occupied)


def test_the_first_row_shown_is_the_top_one() -> None:
    shown = [0] * 42
    shown[41] = 1  # the last one: bottom right
    seen = {"board": shown, "mark": 2}
    rules = {"columns": 7, "rows": 6, "inarow": 4}
    assert Board(7, 6, 4).read(seen, rules) == (0, Position.from_moves("7").occupied)


def test_another_board_is_refused() -> None:
    seen, rules = question(Position(Geometry(5, 4, 4)))
    with pytest.raises(ValueError, match=r"made for \(7, 6, 4\).*not for \(5, 4, 4\)"):
        Board(7, 6, 4).read(seen, rules)
