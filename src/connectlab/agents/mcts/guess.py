"""Boards that fit what is seen in the variant ``counts``: what is searched where stones are hidden.

Many random lines of as many stones as lie on the board are played; those whose counts and full
columns come nearest to what is seen are guesses. Nothing else of the board is looked at, so two
boards that look alike are guessed alike.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type, tuple_type
from connectlab.game.bitboard import (
    ONGOING,
    SHAPE,
    ZERO,
    column_of,
    landing_cells,
    pick_cell,
    popcount,
    step,
)
from connectlab.game.counts import count_runs
from connectlab.game.geometry import Shape
from connectlab.game.streams import GAMMA, below

_u8, _i8 = types.uint64, types.int64

LINES = 400
"""Random lines that are played for one position."""
GUESSES = 8
"""Boards that are searched, those that fit best."""
FULL_WEIGHT = 3
"""What a column counts that is full on one board and not on the other; a streak counts 1."""


class Seen(NamedTuple):
    """What a player may know of a board."""

    counts: NDArray[np.int64]
    """int64[2, connect - 1], as ``count_runs`` writes them."""
    room: Word
    """The top cell of every column with room."""
    stones: int


SEEN = record_type((types.int64[:, ::1], _u8, _i8), Seen)


@kernel(_u8(_u8, SHAPE))
def columns_with_room(occupied: Word, shape: Shape) -> Word:
    """Return the top cell of every column that has room."""
    tops = shape.bottom << np.uint64(shape.rows - 1)
    return tops ^ (tops & occupied)


@kernel(tuple_type(_u8, _u8, _i8, _u8)(_i8, _u8, SHAPE))
def _random_line(stones: int, state: Word, shape: Shape) -> tuple[Word, Word, int, Word]:
    """Play a random line; return its stones, how many moves it had, and the random state."""
    mover, occupied = ZERO, ZERO
    for ply in range(stones):
        cells = landing_cells(occupied, shape)
        state += GAMMA
        column = column_of(pick_cell(cells, below(state, popcount(cells))), shape)
        after, now, stands = step(mover, occupied, column, shape)
        if stands != ONGOING:
            return mover, occupied, ply, state
        mover, occupied = after, now
    return mover, occupied, stones, state


@kernel(tuple_type(_i8, _u8)(SEEN, _u8, SHAPE, types.uint64[:, ::1], types.int64[::1]))
def guess_boards(
    seen: Seen, state: Word, shape: Shape, boards: NDArray[np.uint64], misses: NDArray[np.int64]
) -> tuple[int, Word]:
    """Write the best fits into ``boards``, uint64[GUESSES, 2] of mover and occupied, best first.

    ``misses`` says by how much each misses what is seen. Returns how many there are (fewer, or
    none, where nearly all lines end a game) and the random state.
    """
    counts = np.empty_like(seen.counts)
    n = 0
    for _ in range(LINES):
        mover, occupied, moves, state = _random_line(seen.stones, state, shape)
        if moves < seen.stones:
            continue
        count_runs(mover, occupied, shape, counts)
        other = columns_with_room(occupied, shape) ^ seen.room
        miss = np.abs(counts - seen.counts).sum() + FULL_WEIGHT * popcount(other)
        if n == boards.shape[0] and miss >= misses[n - 1]:
            continue
        place = min(n, boards.shape[0] - 1)
        while place > 0 and misses[place - 1] > miss:
            boards[place] = boards[place - 1]
            misses[place] = misses[place - 1]
            place -= 1
        boards[place, 0], boards[place, 1], misses[place] = mover, occupied, miss
        n = min(n + 1, boards.shape[0])
    return n, state
