"""From chances to columns: the one place where a player's move is drawn.

The number that decides belongs to the game's stream and the ply, so the same question has the same
answer, and nothing is used up by asking.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.forfeits import FORFEIT
from connectlab.game import PositionBatch, Shape
from connectlab.game.bitboard import ONE, SHAPE, WORDS, ZERO, column_cells, popcount
from connectlab.game.streams import at_ply, uniform

TOLERANCE = 1e-6
"""How far the chances of a position may miss 1 together."""

Chances = NDArray[np.float64]


def draw_columns(
    chances: Chances, batch: PositionBatch, *, may_forfeit: bool = False
) -> tuple[NDArray[np.int64], int | None]:
    """Draw a column for each position from chances, float64[n, columns].

    Also returns the index of the first row that gives no chances (negative, not summing to 1, or
    above 0 where a column is full), or None if all are in order. A row of zeros is in order for
    whoever may forfeit, and gives ``FORFEIT``.
    """
    columns = np.empty(len(batch), dtype=np.int64)
    rows = np.ascontiguousarray(chances)
    wrong = _draw_all(
        rows, batch.occupied, batch.streams, batch.geometry.shape, may_forfeit, columns
    )
    return columns, None if wrong < 0 else int(wrong)


@kernel(types.int64(types.float64[:, ::1], WORDS, WORDS, SHAPE, types.boolean, types.int64[::1]))
def _draw_all(
    chances: Chances,
    occupied: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    shape: Shape,
    may_forfeit: bool,
    columns: NDArray[np.int64],
) -> int:
    """Draw everywhere; return the first row that gives no chances, or -1.

    The column is the number of sums of chances up to the number drawn: counted without a branch,
    since nobody can predict where a lot falls.
    """
    top = np.uint64(shape.rows - 1)
    for i in range(occupied.shape[0]):
        lot = uniform(at_ply(streams[i], popcount(occupied[i])))
        room = ~occupied[i] >> top
        total, passed, sound = 0.0, 0, True
        for column in range(shape.columns):
            chance = chances[i, column]
            total += chance
            passed += total <= lot
            sound &= (chance == 0.0) | ((chance > 0.0) & (room & ONE != ZERO))
            room >>= shape.column_bits
        if may_forfeit and sound and total == 0.0:
            columns[i] = FORFEIT
            continue
        if not sound or not abs(total - 1.0) < TOLERANCE:
            return i
        while passed == shape.columns or chances[i, passed] == 0.0:
            passed -= 1  # the sum fell short of the lot by its rounding
        columns[i] = passed
    return -1


@kernel(types.void(types.uint64, SHAPE, types.float64[::1]))
def share_equally(cells: Word, shape: Shape, chances: Chances) -> None:
    """Write the chances when the columns of these cells are equally likely."""
    share = 1.0 / popcount(cells) if cells != ZERO else 0.0
    for column in range(shape.columns):
        chances[column] = share if cells & column_cells(column, shape) != ZERO else 0.0
