"""How levels a and b judge the moves of a position: look-ahead, then rules, then lines."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.allis.control import DESK, HOLDS, NOTHING, WINS, Desk, prove
from connectlab.agents.allis.tactics import outlook, weigh
from connectlab.game.bitboard import ONE, ZERO, has_line, landing_cell, landing_cells, winning_cells

LOSES, THEY_WIN, THEY_HOLD, OPEN, BOTH_HOLD, HELD, WON, FORCED = -3, -2, -1, 0, 1, 2, 3, 4
"""What a move is worth: the classes in words are in ``explain.CLASS_WORDS``."""
FULL = -99
"""In place of a class where a column cannot be played."""

_u8, _i8 = types.uint64, types.int64
_ints = types.int64[::1]


class Verdicts(NamedTuple):
    """What is known of every column; each array is int64[columns]."""

    outlook: NDArray[np.int64]
    """As :func:`tactics.outlook` for the side that moves, with the move the first ply."""
    kind: NDArray[np.int64]
    """The class of the move, or ``FULL``."""
    weight: NDArray[np.int64]
    """What lines and threats are worth after the move."""


VERDICTS = types.NamedUniTuple(_ints, 3, Verdicts)  # type: ignore[no-untyped-call]


def make_verdicts(columns: int) -> Verdicts:
    """Return room for the verdicts on a position."""
    return Verdicts(*(np.zeros(columns, np.int64) for _ in range(3)))


@kernel(_i8(_u8, _u8, DESK), borrows=True)
def _best_reply(mover: Word, occupied: Word, desk: Desk) -> int:
    """Return the most that the side to move can prove for itself by any one move."""
    best = NOTHING
    moves = landing_cells(occupied, desk.shape)
    while moves != ZERO and best != WINS:
        move = moves & (~moves + ONE)
        moves ^= move
        after = occupied | move
        leader = mover ^ occupied
        if after == desk.shape.board:
            best = max(best, HOLDS)
        elif winning_cells(leader, after, desk.shape) & landing_cells(after, desk.shape) == ZERO:
            best = max(best, prove(leader, after, desk))
    return best


@kernel(_i8(_u8, _u8, types.boolean, DESK), borrows=True)
def _class_by_rules(leader: Word, occupied: Word, replies: bool, desk: Desk) -> int:
    """Return the class of the move that led to this position, for the side that made it."""
    if occupied == desk.shape.board:
        return BOTH_HOLD
    ours = prove(leader, occupied, desk)
    if ours == WINS:
        return WON
    theirs = _best_reply(leader, occupied, desk) if replies else NOTHING
    if ours == HOLDS:
        return BOTH_HOLD if theirs != NOTHING else HELD
    if theirs == WINS:
        return THEY_WIN
    return THEY_HOLD if theirs == HOLDS else OPEN


@kernel(types.void(_u8, _u8, _i8, types.boolean, DESK, VERDICTS), borrows=True)
def judge(
    mover: Word, occupied: Word, depth: int, replies: bool, desk: Desk, verdicts: Verdicts
) -> None:
    """Write the verdict on every column.

    The rules are asked only where the look-ahead leaves a choice: of the moves that neither win
    nor lose within it, while none wins.
    """
    shape = desk.shape
    best = -depth - 1
    for column in range(shape.columns):
        verdicts.kind[column] = FULL
        verdicts.outlook[column] = verdicts.weight[column] = 0
        cell = landing_cell(occupied, column, shape)
        if cell == ZERO:
            continue
        after = occupied | cell
        value = depth
        if not has_line(mover | cell, shape):
            value = -outlook(mover ^ occupied, after, depth - 1, -depth, depth, shape)
        verdicts.outlook[column] = value
        verdicts.kind[column] = FORCED if value > 0 else (LOSES if value < 0 else OPEN)
        verdicts.weight[column] = weigh(mover ^ occupied, after, desk.groups, shape)
        best = max(best, value)
    for column in range(shape.columns):
        if best == 0 and verdicts.kind[column] == OPEN:
            after = occupied | landing_cell(occupied, column, shape)
            verdicts.kind[column] = _class_by_rules(mover ^ occupied, after, replies, desk)


@kernel(_i8(_i8, _i8, VERDICTS), borrows=True)
def _compare(one: int, two: int, verdicts: Verdicts) -> int:
    """Return 1, 0 or -1 if the first of two columns is better, as good, or worse."""
    difference = verdicts.outlook[one] - verdicts.outlook[two]
    if difference == 0:
        difference = verdicts.kind[one] - verdicts.kind[two]
    if difference == 0:
        difference = verdicts.weight[one] - verdicts.weight[two]
    return int(difference > 0) - int(difference < 0)


@kernel(_u8(_u8, _u8, VERDICTS, DESK), borrows=True)
def best_cells(allowed: Word, occupied: Word, verdicts: Verdicts, desk: Desk) -> Word:
    """Return the cells of the best moves among those that are allowed."""
    best, cells = -1, ZERO
    for column in range(desk.shape.columns):
        cell = landing_cell(occupied, column, desk.shape)
        if cell & allowed == ZERO:
            continue
        order = 0
        if best >= 0:
            order = _compare(column, best, verdicts)
        if best < 0 or order > 0:
            best, cells = column, cell
        elif order == 0:
            cells |= cell
    return cells
