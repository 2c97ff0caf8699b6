"""Default policies: how a game is played out from a leaf.

Random numbers are those of the search, counted on: a random move takes a number for each column it
draws, again if that one is full.
"""

from typing import Any

from numba import types

from connectlab._jit import Word, kernel
from connectlab.game import Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    ZERO,
    column_cells,
    column_of,
    has_line,
    landing_cells,
    pick_cell,
    popcount,
    winning_cells,
)
from connectlab.game.streams import GAMMA, below

_u8, _i8 = types.uint64, types.int64
_VALUE_AND_STATE: Any = types.Tuple((types.float64, _u8))  # type: ignore[no-untyped-call]


@kernel(_VALUE_AND_STATE(_u8, _u8, _u8, SHAPE))
def random_rollout(mover: Word, occupied: Word, state: Word, shape: Shape) -> tuple[float, Word]:
    """Play random moves to the end; return the value for the side to move, and the state."""
    value = 1.0
    while occupied != shape.board:
        landing = landing_cells(occupied, shape)
        cell = ZERO
        while cell == ZERO:  # drawing again is quicker than counting the columns with room
            state += GAMMA
            cell = landing & column_cells(below(state, shape.columns), shape)
        mover |= cell
        occupied |= cell
        if has_line(mover, shape):
            return value, state
        mover ^= occupied
        value = -value
    return 0.0, state


@kernel(_u8(_u8, _u8, SHAPE))
def _nearer_the_middle(one: Word, two: Word, shape: Shape) -> Word:
    """Return the one of two cells whose column is nearer to the middle; the first if equal."""
    last = shape.columns - 1
    away_one = abs(2 * column_of(one, shape) - last)
    return two if abs(2 * column_of(two, shape) - last) < away_one else one


@kernel(_VALUE_AND_STATE(_u8, _u8, _u8, SHAPE))
def heuristic_rollout(mover: Word, occupied: Word, state: Word, shape: Shape) -> tuple[float, Word]:
    """Play to the end with a little sense; return the value for the side to move, and the state.

    A winning move is made, a threat to win at once is blocked (two of them lose), and otherwise two
    playable columns are drawn and the one nearer to the middle is taken.
    """
    value = 1.0
    while occupied != shape.board:
        landing = landing_cells(occupied, shape)
        if winning_cells(mover, occupied, shape) & landing != ZERO:
            return value, state
        cells = winning_cells(mover ^ occupied, occupied, shape) & landing
        if cells & (cells - ONE) != ZERO:
            return -value, state
        if cells == ZERO:
            n = popcount(landing)
            one = pick_cell(landing, below(state + GAMMA, n))
            state += GAMMA + GAMMA
            cells = _nearer_the_middle(one, pick_cell(landing, below(state, n)), shape)
        mover ^= occupied
        occupied |= cells
        value = -value
    return 0.0, state
