"""The rules of variants with chance as compiled functions: every such move goes through here.

Numbers are drawn from a SplitMix64 state as in :mod:`connectlab.game.streams`, one for a slip and
one for a falling row, and none for what cannot happen: with both odds at 0 this is
:func:`connectlab.game.bitboard.step` and the state comes back as it was.

A game draws its chances from its own stream, but from another place than its players: at
:func:`chance_state`. Both belong to the stream and the number of stones. Stones that fall would
bring old numbers back, and with them perhaps an endless round, so the stream itself moves on when a
row falls: :func:`next_stream`.
"""

import numpy as np
from numba import types

from connectlab._jit import Word, kernel, record_type, tuple_type
from connectlab.game.bitboard import (
    DRAW,
    ILLEGAL_MOVE,
    ONE,
    ONGOING,
    SHAPE,
    ZERO,
    landing_cell,
    step,
)
from connectlab.game.geometry import Shape
from connectlab.game.streams import GAMMA, at_ply, mix, uniform
from connectlab.game.variants import Odds

u8 = types.uint64
i8 = types.int64
f8 = types.float64
ODDS = record_type((f8, f8), Odds)
"""Numba's type of an ``Odds``, for kernel signatures."""

WON = 4
"""The side that just moved has a line; no other outcome has this number, see ``bitboard``."""

_CHANCE = np.uint64(0xC2B2AE3D27D4EB4F)
_FALL = np.uint64(0x165667B19E3779F9)


@kernel(u8(u8, i8))
def chance_state(stream: Word, stones: int) -> Word:
    """Return the state from which a game draws its chances, apart from that of its players."""
    return mix(at_ply(stream, stones) ^ _CHANCE)


@kernel(u8(u8))
def next_stream(stream: Word) -> Word:
    """Return the stream with which a game goes on after its bottom row has fallen."""
    return mix(stream ^ _FALL)


@kernel(u8(u8, SHAPE))
def drop_bottom(stones: Word, shape: Shape) -> Word:
    """Return what is left of these stones, one row lower, when the bottom row falls."""
    return (stones & ~shape.bottom) >> ONE


@kernel(i8(u8, i8, i8, SHAPE))
def slipped(occupied: Word, column: int, neighbour: int, shape: Shape) -> int:
    """Return where a stone lands that slips from a column towards a neighbour."""
    if neighbour < 0 or neighbour >= shape.columns:
        return column
    return neighbour if landing_cell(occupied, neighbour, shape) != ZERO else column


@kernel(tuple_type(u8, u8, u8, i8, i8, types.boolean)(u8, u8, i8, u8, SHAPE, ODDS))
def chance_move(
    mover: Word, occupied: Word, column: int, state: Word, shape: Shape, odds: Odds
) -> tuple[Word, Word, Word, int, int, bool]:
    """Move as :func:`chance_step` does, and tell also where the stone landed and if a row fell."""
    if column < 0 or column >= shape.columns or landing_cell(occupied, column, shape) == ZERO:
        return mover, occupied, state, ILLEGAL_MOVE, column, False
    landed = column
    if odds.slip > 0.0:
        state += GAMMA
        lot = uniform(state)
        if lot < odds.slip:
            neighbour = column - 1 if lot < 0.5 * odds.slip else column + 1
            landed = slipped(occupied, column, neighbour, shape)
    mover, occupied, stands = step(mover, occupied, landed, shape)
    if stands not in (ONGOING, DRAW):
        return mover, occupied, state, WON, landed, False
    fell = False
    if odds.drop_row > 0.0:
        state += GAMMA
        fell = uniform(state) < odds.drop_row
    if fell:
        mover, occupied = drop_bottom(mover, shape), drop_bottom(occupied, shape)
        stands = ONGOING
    return mover, occupied, state, stands, landed, fell


@kernel(tuple_type(u8, u8, u8, i8)(u8, u8, i8, u8, SHAPE, ODDS))
def chance_step(
    mover: Word, occupied: Word, column: int, state: Word, shape: Shape, odds: Odds
) -> tuple[Word, Word, Word, int]:
    """Choose a column for the side to move and let chance have its say: the rules of all variants.

    Returns the new ``mover``, the new ``occupied``, the state after what was drawn, and how the
    game stands for the side that moved: ``WON``, ``DRAW``, ``ONGOING`` or, where the column is full
    or not there, ``ILLEGAL_MOVE`` with everything as it was. Who moved is not to be told from the
    number of stones once a row has fallen; whoever plays a game counts its moves, and calls it a
    draw after ``LONGEST_GAME`` of them. The game must go on.
    """
    mover, occupied, state, stands, _, _ = chance_move(mover, occupied, column, state, shape, odds)
    return mover, occupied, state, stands
