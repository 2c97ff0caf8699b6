"""What can be said of a score without search."""

import numpy as np
from numba import types

from connectlab._jit import Word, kernel
from connectlab.game.bitboard import SHAPE, has_line, landing_cells, popcount
from connectlab.game.geometry import Shape

NO_BOUND = 99
"""An upper bound that says nothing."""
ZERO = np.uint64(0)
ONE = np.uint64(1)

u8 = types.uint64
i8 = types.int64


@kernel(u8(u8, u8, SHAPE), inline=True)
def _every_second(tops: Word, opened: Word, shape: Shape) -> Word:
    """Return the open cell right below each of ``tops``, and every second open one below that."""
    cells = (tops >> ONE) & opened
    every = cells
    for _ in range((shape.rows - 1) // 2):
        cells = (((cells >> ONE) & opened) >> ONE) & opened
        every |= cells
    return every


@kernel(i8(u8, u8, u8, SHAPE), inline=True)
def upper_bound(mover: Word, occupied: Word, threats: Word, shape: Shape) -> int:
    """Return a score that the side to move cannot exceed; ``NO_BOUND`` if none is found.

    ``threats`` are the empty cells where the other side, here called the follower, would win; none
    of them may be reachable. The bound comes from a strategy of the follower:

    - The cell below a threat is poison for the side to move: the follower wins right above it. So
      in each column count as *open* the empty cells below the lowest poison.
    - In a column with an even number of open cells the follower answers right above each stone. In
      the columns with an odd number, if there is an even number of them, the first stone is
      answered by the first stone in another one, which makes both even.
    - So the follower gets the top open cell of every column and every second one below. The side
      to move gets the others, a lowest cell of an odd column, or a poison as its last stone. If
      all these together with its stones hold no line, it cannot win.
    - If there is poison the side to move runs out of other moves and loses; the cells above the
      threats stay empty, and so do the threat and the poison of all columns but one. If there is
      none, but the cells that fall to the follower give it a line, the side to move loses as well.

    Without threats this is the follow-up strategy known as claimeven; poison extends it to the
    positions where a threat of the right parity decides the endgame.
    """
    empty = shape.board ^ occupied
    reachable = landing_cells(occupied, shape)
    free = empty & ~(threats >> ONE)
    # Added to the lowest free cell, a bit is carried through the free cells above it and comes to
    # rest on the lowest poison, or on the spare bit of the column.
    carried = free + reachable
    tops = carried & ~free
    opened = free & ~carried
    share = _every_second(tops, opened, shape)
    odd = reachable & share
    if popcount(odd) & 1:
        return NO_BOUND if has_line(mover | empty, shape) else 0
    poison = tops & shape.board
    if has_line(mover | (opened & ~share) | odd | poison, shape):
        return NO_BOUND
    if poison != ZERO:
        n_unplayed = popcount(empty & ~opened) - 2
        return -((n_unplayed + 2) // 2)
    return -1 if has_line((mover ^ occupied) | (share & ~odd), shape) else 0
