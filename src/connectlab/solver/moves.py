"""All moves of many positions side by side."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.game.bitboard import (
    SHAPE,
    WORDS,
    has_line,
    landing_cell,
    landing_cells,
    winning_cells,
)
from connectlab.game.geometry import Shape

ILLEGAL = -128
"""Stands where a column cannot be played; no score is that low."""

ZERO = np.uint64(0)
u8 = types.uint64
i8 = types.int64


@kernel(i8(WORDS, WORDS, SHAPE, i8[::1], i8[::1], u8[::1], u8[::1]))
def _spread(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    shape: Shape,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    child_mover: NDArray[np.uint64],
    child_occupied: NDArray[np.uint64],
) -> int:
    """Write every position that one move leads to, and where it came from; return how many."""
    count = 0
    for row in range(len(mover)):
        if has_line(mover[row] ^ occupied[row], shape):
            continue
        for column in range(shape.columns):
            cell = landing_cell(occupied[row], column, shape)
            if cell == ZERO:
                continue
            rows[count] = row
            columns[count] = column
            child_mover[count] = mover[row] ^ occupied[row]
            child_occupied[count] = occupied[row] | cell
            count += 1
    return count


def spread_children(
    mover: NDArray[np.uint64], occupied: NDArray[np.uint64], shape: Shape
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
    """Return the row and column of every legal move of [n] positions, and where it leads.

    Positions whose game is over have no moves. The last item is the pair (mover, occupied).
    """
    size = len(mover) * shape.columns
    rows, columns = np.empty(size, np.int64), np.empty(size, np.int64)
    child_mover, child_occupied = np.empty(size, np.uint64), np.empty(size, np.uint64)
    n = _spread(mover, occupied, shape, rows, columns, child_mover, child_occupied)
    return rows[:n], columns[:n], (child_mover[:n], child_occupied[:n])


@kernel(types.void(WORDS, WORDS, SHAPE, types.boolean[::1]))
def _can_win(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    shape: Shape,
    can: NDArray[np.bool_],
) -> None:
    for i in range(len(mover)):
        reachable = landing_cells(occupied[i], shape)
        can[i] = winning_cells(mover[i], occupied[i], shape) & reachable != ZERO


def can_win_at_once(
    mover: NDArray[np.uint64], occupied: NDArray[np.uint64], shape: Shape
) -> NDArray[np.bool_]:
    """Return bool[n]: whether the side to move wins with its next stone."""
    can = np.empty(len(mover), dtype=np.bool_)
    _can_win(mover, occupied, shape, can)
    return can
