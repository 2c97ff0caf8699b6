"""The image of a board."""

import numpy as np

from connectlab.game import Geometry, Position
from connectlab.integrations.picture import CELL, GLOW, HOLE, MARGIN, STONES, draw_board


def middle(column: int, row: int, rows: int) -> tuple[int, int]:
    """Return the pixel at the middle of a cell."""
    half = CELL // 2
    return MARGIN + (rows - 1 - row) * CELL + half, MARGIN + column * CELL + half


def test_every_cell_has_the_colour_of_its_stone() -> None:
    position = Position.from_moves("1122", Geometry(columns=5, rows=4))
    image = draw_board(position)
    assert image.shape == (4 * CELL + 2 * MARGIN, 5 * CELL + 2 * MARGIN, 3)
    assert image.dtype == np.uint8
    for column in range(5):
        for row in range(4):
            side = position.holds(column, row)
            expected = np.array(HOLE if side is None else STONES[side][0])
            found = image[middle(column, row, 4)].astype(int)
            assert np.abs(found - expected).max() < 30, (column, row)


def test_the_last_stone_has_a_dot() -> None:
    position = Position.from_moves("1122")
    image = draw_board(position, last=1)
    assert tuple(image[middle(1, 1, 6)]) == GLOW
    assert tuple(image[middle(1, 0, 6)]) != GLOW


def test_a_winning_line_stands_out() -> None:
    won, going_on = Position.from_moves("1122334"), Position.from_moves("112233")
    row, column = middle(0, 0, 6)
    edge = column - round(0.42 * CELL)
    assert tuple(draw_board(won)[row, edge]) == GLOW
    assert tuple(draw_board(going_on)[row, edge]) != GLOW


def test_edges_are_smooth() -> None:
    assert len(np.unique(draw_board(Position()).reshape(-1, 3), axis=0)) > 20
