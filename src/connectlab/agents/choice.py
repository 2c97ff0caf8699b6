"""Sets of equally good moves: drawing one of them, and naming them all."""

import numpy as np
from numba import types

from connectlab._jit import Word, kernel
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import SHAPE, column_cells, column_of, pick_cell, popcount
from connectlab.game.streams import below


@kernel(types.int64(types.uint64, types.uint64, SHAPE))
def draw_column(cells: Word, state: Word, shape: Shape) -> int:
    """Return the column of one of these cells, each equally likely; ``state`` is a fresh stream."""
    return column_of(pick_cell(cells, below(state, popcount(cells))), shape)


def columns_of(cells: Word, geometry: Geometry) -> tuple[int, ...]:
    """Return the columns, 0-based, that hold any of these cells."""
    return tuple(
        column
        for column in range(geometry.columns)
        if np.uint64(cells) & np.uint64(column_cells(column, geometry.shape))
    )
