"""What can be seen without rules: forced wins a few plies away, and what lines are worth."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.game import Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    ZERO,
    column_cells,
    column_of,
    landing_cells,
    popcount,
    winning_cells,
)

GOOD_THREAT, OTHER_THREAT = 60, 15
"""What a threat is worth whose parity decides the endgame for its side, and any other."""

_u8, _i8 = types.uint64, types.int64
_groups = types.Array(_u8, 1, "C", readonly=True)


@kernel(_i8(_u8, _u8, _i8, _i8, _i8, SHAPE))
def outlook(mover: Word, occupied: Word, depth: int, alpha: int, beta: int, shape: Shape) -> int:
    """Search ``depth`` plies for a forced end, within a window.

    Returns d > 0 if the side to move wins with d - 1 plies of the depth unused, -d if the other
    side does, and 0 where nothing is forced: more is sooner. The game must go on.
    """
    if depth <= 0:
        return 0
    landing = landing_cells(occupied, shape)
    if winning_cells(mover, occupied, shape) & landing != ZERO:
        return depth
    threats = winning_cells(mover ^ occupied, occupied, shape) & landing
    moves = threats if threats != ZERO else landing
    if depth == 1 or popcount(occupied) + 1 == shape.columns * shape.rows:
        return 0
    if popcount(threats) > 1:
        return 1 - depth
    best = -depth
    while moves != ZERO and best < beta:
        move = moves & (~moves + ONE)
        moves ^= move
        value = -outlook(
            mover ^ occupied, occupied | move, depth - 1, -beta, -max(alpha, best), shape
        )
        best = max(best, value)
    return best


@kernel(_i8(_u8, _u8, _i8, SHAPE))
def _threat_worth(threats: Word, empty: Word, parity: int, shape: Shape) -> int:
    """Add up threats; good ones leave a number of cells of this parity when they end a column."""
    worth = 0
    while threats != ZERO:
        cell = threats & (~threats + ONE)
        threats ^= cell
        column = column_cells(column_of(cell, shape), shape)
        left = empty & ~(column & ~((cell >> ONE) - ONE))
        worth += GOOD_THREAT if popcount(left) % 2 == parity else OTHER_THREAT
    return worth


@kernel(_i8(_u8, _u8, _groups, SHAPE))
def weigh(mover: Word, occupied: Word, groups: NDArray[np.uint64], shape: Shape) -> int:
    """Return how good a position looks for the side *not* to move.

    Every group with stones of one side only counts the square of their number. A threat counts
    more if its column, ended below it, leaves the other side to run out of moves.
    """
    other = mover ^ occupied
    worth = 0
    for i in range(groups.shape[0]):
        own, theirs = groups[i] & other, groups[i] & mover
        if theirs == ZERO:
            worth += popcount(own) ** 2
        elif own == ZERO:
            worth -= popcount(theirs) ** 2
    empty = shape.board ^ occupied
    worth += _threat_worth(winning_cells(other, occupied, shape), empty, 0, shape)
    # The mover steers where an odd number is left: it plays the first of them and then follows.
    return worth - _threat_worth(winning_cells(mover, occupied, shape), empty, 1, shape)
