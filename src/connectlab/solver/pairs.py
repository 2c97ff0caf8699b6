"""Open pairs: a hint for the order of moves."""

import numpy as np
from numba import types

from connectlab._jit import Word, kernel, popcount
from connectlab.game.bitboard import ONE, SHAPE, TWO, four_starts
from connectlab.game.geometry import Shape

u8 = types.uint64


@kernel(types.int64(u8, u8, SHAPE))
def open_pairs(stones: Word, occupied: Word, shape: Shape) -> int:
    """Count the sloping and level fours, free of the other side, with two of these stones or more.

    Only a hint for the order of moves: it looks at fours whatever ``connect`` is.
    """
    usable = stones | (shape.board ^ occupied)
    count = 0
    for slope in range(3):
        step = shape.column_bits + np.uint64(slope) - ONE
        one = stones ^ (stones >> step)
        two = stones & (stones >> step)
        far = TWO * step
        count += popcount(four_starts(usable, step) & (two | two >> far | (one & one >> far)))
    return count
