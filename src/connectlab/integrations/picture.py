"""A board as an image, uint8[height, width, 3], drawn with NumPy alone.

Edges are smooth: a cell is drawn several times as large and every block of pixels averaged.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from connectlab.game import Position

Image = NDArray[np.uint8]
_Reals = NDArray[np.float64]

CELL = 64
"""Pixels from one cell to the next."""
MARGIN = 12
"""Pixels of frame around the cells."""
FINER = 4
"""How many times as large a cell is drawn before it is averaged."""

FRAME, FRAME_EDGE = (38, 84, 160), (24, 56, 112)
HOLE, HOLE_EDGE = (232, 238, 247), (24, 56, 112)
STONES = {"first": ((217, 68, 47), (143, 36, 21)), "second": ((245, 197, 67), (154, 116, 16))}
"""Fill and edge of the stones, as in the other pictures of the house."""
GLOW = (255, 255, 255)
"""The ring around stones of a winning line, and the dot on the last stone."""

Colour = tuple[int, int, int]


def draw_board(position: Position, last: int | None = None) -> Image:
    """Draw a position; the stone on top of the column ``last`` has a dot."""
    columns, rows = position.geometry.columns, position.geometry.rows
    image = np.empty((rows * CELL + 2 * MARGIN, columns * CELL + 2 * MARGIN, 3), dtype=np.uint8)
    image[:] = FRAME_EDGE
    image[3:-3, 3:-3] = FRAME
    line = set(position.winning_line)
    for column in range(columns):
        height = sum(position.holds(column, row) is not None for row in range(rows))
        for row in range(rows):
            top, left = MARGIN + (rows - 1 - row) * CELL, MARGIN + column * CELL
            image[top : top + CELL, left : left + CELL] = _cell(
                position.holds(column, row),
                in_line=(column, row) in line,
                newest=column == last and row == height - 1,
            )
    return image


@lru_cache(maxsize=16)
def _cell(side: str | None, *, in_line: bool, newest: bool) -> Image:
    """Draw one cell: a hole, or a stone with a rim and a raised middle."""
    cell = np.broadcast_to(np.array(FRAME, dtype=np.float64), (CELL, CELL, 3)).copy()
    if side is None:
        _paint(cell, HOLE_EDGE, 0.43)
        _paint(cell, HOLE, 0.40)
    else:
        fill, edge = STONES[side]
        _paint(cell, GLOW if in_line else edge, 0.45)
        _paint(cell, edge, 0.39 if in_line else 0.43)
        _paint(cell, fill, 0.37 if in_line else 0.40)
        _paint(cell, _mixed(fill, edge, 0.25), 0.28)
        _paint(cell, _mixed(fill, GLOW, 0.12), 0.25)
        if newest:
            _paint(cell, GLOW, 0.07)
    image = np.rint(cell).astype(np.uint8)
    image.flags.writeable = False
    return image


def _paint(cell: _Reals, colour: Colour, radius: float) -> None:
    """Paint a disc with smooth edges into a cell; the radius is a share of the cell."""
    cover = _disc(radius)[:, :, None]
    cell += cover * (np.array(colour, dtype=np.float64) - cell)


@lru_cache(maxsize=16)
def _disc(radius: float) -> _Reals:
    """Return how much of every pixel of a cell a disc covers, float64[CELL, CELL]."""
    ticks = (np.arange(CELL * FINER) + 0.5) / (CELL * FINER) - 0.5
    inside = ticks[:, None] ** 2 + ticks[None, :] ** 2 < radius**2
    cover: _Reals = inside.reshape(CELL, FINER, CELL, FINER).mean(axis=(1, 3))
    return cover


def _mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """Return a colour with a share of another in it."""
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(colour, other, strict=True))
    return red, green, blue
