"""Which move the learner makes: the best, or one to explore.

VDBE-softmax is that of Tokic and Palm, *Value-Difference Based Exploration: Adaptive Control
between Epsilon-Greedy and Softmax* (2011). Every state has an epsilon of its own, which begins at
1. With this chance the move is drawn from a softmax over the values of the state scaled to [-1, 1];
if they are all equal, every move is equally likely. After an update that changed Q(s, a) by d::

    f = (1 - exp(-|d| / sigma)) / (1 + exp(-|d| / sigma))
    epsilon(s) <- delta * f + (1 - delta) * epsilon(s)        delta: one over the moves in s
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, record_type, tuple_type
from connectlab.game.streams import GAMMA, below, uniform

_u8, _i8, _f8, _bool = types.uint64, types.int64, types.float64, types.boolean
LOWEST = -1.7e308
"""Below every value, above the -inf of a full column."""

_row = types.float64[::1]
Row = NDArray[np.float64]


class Manner(NamedTuple):
    """How moves are chosen while learning."""

    vdbe: bool
    """VDBE-softmax in place of epsilon-greedy."""
    sigma: float
    delta: float
    """0 for one over the moves in a state."""
    temperature: float
    first_tie: bool
    """Of equally good moves the first is taken, else one at random."""


MANNER = record_type((_bool, _f8, _f8, _f8, _bool), Manner)


@kernel(_f8(_row), borrows=True)
def best_value(row: Row) -> Real:
    """Return the highest of the values of a state; -inf stands for full columns."""
    best = row[0]
    for column in range(1, row.shape[0]):
        best = max(best, row[column])
    return best


@kernel(_i8(_row, _f8, _i8), borrows=True)
def _pick(row: Row, least: Real, skipped: int) -> int:
    """Return the column number ``skipped`` among those whose value is ``least`` or more."""
    for column in range(row.shape[0]):
        if row[column] >= least:
            if skipped == 0:
                return column
            skipped -= 1
    return -1


@kernel(_i8(_row, _f8), borrows=True)
def _count(row: Row, least: Real) -> int:
    found = 0
    for column in range(row.shape[0]):
        found += row[column] >= least
    return found


@kernel(_i8(_row, _f8, _u8), borrows=True)
def draw_softmax(row: Row, temperature: Real, state: Word) -> int:
    """Draw a column from the softmax of the values scaled to [-1, 1]."""
    low, high = np.inf, best_value(row)
    for column in range(row.shape[0]):
        if row[column] > -np.inf:
            low = min(low, row[column])
    if high == low:
        return _pick(row, low, below(state, _count(row, low)))
    total = 0.0
    for column in range(row.shape[0]):
        total += math.exp((2 * (row[column] - low) / (high - low) - 1) / temperature)
    lot, last = uniform(state) * total, 0
    for column in range(row.shape[0]):
        if row[column] > -np.inf:
            last = column
            lot -= math.exp((2 * (row[column] - low) / (high - low) - 1) / temperature)
            if lot < 0:
                break
    return last


@kernel(tuple_type(_i8, _u8)(_row, _f8, MANNER, _u8), borrows=True)
def choose_column(row: Row, epsilon: Real, manner: Manner, state: Word) -> tuple[int, Word]:
    """Choose a column by the values of a state, float64[columns]; also return the random state."""
    state += GAMMA
    explores = uniform(state) < epsilon
    state += GAMMA
    if explores and manner.vdbe:
        return draw_softmax(row, manner.temperature, state), state
    least = LOWEST if explores else best_value(row)
    if manner.first_tie and not explores:
        return _pick(row, least, 0), state
    return _pick(row, least, below(state, _count(row, least))), state


@kernel(_f8(_f8, _f8, _i8, MANNER))
def next_epsilon(epsilon: Real, change: Real, moves: int, manner: Manner) -> Real:
    """Return epsilon(s) after Q(s, a) changed by ``change``, in a state with so many moves."""
    away = math.exp(-abs(change) / manner.sigma)
    f = (1 - away) / (1 + away)
    delta = manner.delta if manner.delta > 0 else 1.0 / moves
    return delta * f + (1 - delta) * epsilon
