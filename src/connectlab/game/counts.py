"""What is seen of a board in the variant ``counts``: how many streaks it holds, but not where.

A player sees, and nothing more:

- for each side, how many streaks of 1, 2, … connect - 1 stones it has. A streak is a row of stones
  of one side without a gap, as long as it goes, in one of the four directions; those of all
  directions are counted together, whether or not they have room to grow. A streak of one is a stone
  that touches no other of its side, and counts once; longer ones count as minimax counts them
  (``connectlab.agents.minimax``);
- which columns have room;
- how many stones lie on the board, since everybody can count the moves.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.game.bitboard import ONE, SHAPE, TWO, WORD_BITS, WORDS, ZERO, popcount
from connectlab.game.geometry import Shape

Counts = NDArray[np.int64]


def runs_shape(shape: Shape) -> tuple[int, int]:
    """Return the shape of the counts of one position: 2 sides, and a length in each column."""
    return 2, shape.connect - 1


@kernel(types.void(types.uint64, SHAPE, types.int64[::1]))
def _count_side(stones: Word, shape: Shape, counts: Counts) -> None:
    """Count the streaks of one side: ``counts[x - 1]`` those of x stones."""
    lone = stones
    counts[:] = 0
    for direction in range(4):
        step = ONE if direction == 0 else shape.column_bits + np.uint64(direction) - TWO
        if step >= WORD_BITS:  # a board of one column has no other direction
            continue
        following = stones >> step
        lone &= ~following & ~(stones << step)
        # The first stone of every streak of at least ``length``.
        heads = stones & ~(stones << step) & following
        length = 2
        while heads != ZERO and length <= counts.shape[0]:
            at_least = popcount(heads)
            following >>= step
            heads &= following
            counts[length - 1] += at_least - popcount(heads)
            length += 1
    counts[0] = popcount(lone)


@kernel(types.void(types.uint64, types.uint64, SHAPE, types.int64[:, ::1]))
def count_runs(mover: Word, occupied: Word, shape: Shape, counts: Counts) -> None:
    """Write what is seen of a position into ``counts``, int64[2, connect - 1].

    ``counts[0, x - 1]`` are the streaks of x stones of the side to move, ``counts[1, x - 1]`` those
    of the other. Streaks of ``connect`` or more, which end a game, are not counted.
    """
    _count_side(mover, shape, counts[0])
    _count_side(mover ^ occupied, shape, counts[1])


@kernel(types.void(WORDS, WORDS, SHAPE, types.int64[:, :, ::1]))
def count_all(
    mover: NDArray[np.uint64], occupied: NDArray[np.uint64], shape: Shape, counts: Counts
) -> None:
    """Write what is seen of many positions into ``counts``, int64[n, 2, connect - 1]."""
    for i in range(mover.shape[0]):
        count_runs(mover[i], occupied[i], shape, counts[i])
