"""The memory of a depth-first alpha-beta search: one frame for each ply, in place of recursion.

The search is told from the side of one player, ``own``. Frame 0 is the position after a move of
that player: the other side is to move there and in every even frame, ``own`` in the odd ones.
A search is a loop over :func:`next_cell`, :func:`open_frame` and :func:`fold`.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.game import Shape
from connectlab.game.bitboard import SHAPE, column_cells, landing_cells

NEVER = -(2**62)
"""Lower than any value: the mark of a column that is full."""
BEYOND = 2**62
"""Higher than any value."""

OWN, OCCUPIED = range(2)
LOW, HIGH, BEST, TRIED = range(4)

ZERO = np.uint64(0)

u8 = types.uint64
i8 = types.int64


class Frames(NamedTuple):
    """What is known of each position between the root of a search and its present leaf."""

    stones: NDArray[np.uint64]
    """[plies, 2]: the stones of ``own``, and all stones."""
    numbers: NDArray[np.int64]
    """[plies, 4]: the window from LOW to HIGH, the BEST value so far, how many columns are TRIED.

    Values are those for ``own``.
    """


FRAMES = record_type((types.uint64[:, ::1], types.int64[:, ::1]), Frames)
"""Numba's type of ``Frames``, for kernel signatures."""


def make_frames(depth: int) -> Frames:
    """Return memory for a search of up to ``depth`` plies."""
    plies = max(depth, 1)
    return Frames(np.empty((plies, 2), np.uint64), np.empty((plies, 4), np.int64))


@kernel(types.void(i8, u8, u8, FRAMES))
def open_frame(ply: int, own: Word, occupied: Word, frames: Frames) -> None:
    """Begin with the moves of a position; the window is that of the frame above, or open."""
    frames.stones[ply, OWN] = own
    frames.stones[ply, OCCUPIED] = occupied
    numbers = frames.numbers
    numbers[ply, LOW] = numbers[ply - 1, LOW] if ply > 0 else NEVER
    numbers[ply, HIGH] = numbers[ply - 1, HIGH] if ply > 0 else BEYOND
    numbers[ply, BEST] = NEVER if ply % 2 == 1 else BEYOND
    numbers[ply, TRIED] = 0


@kernel(i8(i8, i8))
def center_out(index: int, columns: int) -> int:
    """Return the columns from the middle outward: 3, 4, 2, 5, 1, 6, 0 for seven of them."""
    middle = (columns - 1) // 2
    away = (index + 1) // 2
    return middle + away if index % 2 == 1 else middle - away


@kernel(u8(i8, types.boolean, SHAPE, FRAMES))
def next_cell(ply: int, prune: bool, shape: Shape, frames: Frames) -> Word:
    """Return the next move to try, or 0 if none is left or, with ``prune``, none can matter."""
    numbers = frames.numbers
    if prune and numbers[ply, LOW] >= numbers[ply, HIGH]:
        return ZERO
    cells = landing_cells(frames.stones[ply, OCCUPIED], shape)
    while numbers[ply, TRIED] < shape.columns:
        column = center_out(numbers[ply, TRIED], shape.columns)
        numbers[ply, TRIED] += 1
        cell = cells & column_cells(column, shape)
        if cell != ZERO:
            return cell
    return ZERO


@kernel(types.void(i8, i8, FRAMES))
def fold(ply: int, value: int, frames: Frames) -> None:
    """Take note of the value of one move."""
    numbers = frames.numbers
    if ply % 2 == 1:
        numbers[ply, BEST] = max(numbers[ply, BEST], value)
        numbers[ply, LOW] = max(numbers[ply, LOW], value)
    else:
        numbers[ply, BEST] = min(numbers[ply, BEST], value)
        numbers[ply, HIGH] = min(numbers[ply, HIGH], value)
