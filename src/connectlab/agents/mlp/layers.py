"""The hidden and the output layer as compiled loops over float32.

A *potential* is what a neuron sums up less its threshold, u of the paper; its output is the
logistic function of that. All parameters of a network lie in one array, float32[inputs + 3, width]:
a row of weights for each input neuron, then the thresholds of the hidden layer, the weights of the
output neuron, and a row that holds its threshold in front. ``width`` is the number of hidden
neurons, filled up to whole vector registers by neurons whose weights are all 0 and stay so.

The potentials of the hidden layer belong to a position and one player's view of it. A stone adds
one row to them, so a position reached by a move costs one addition a neuron, never a matrix
product.
"""

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel
from connectlab.game.bitboard import ONE, ZERO, popcount

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

LANES = 32
"""Widths are multiples of this, so that no loop is left with a rest."""
EXTRA_ROWS = 3
"""Rows of a network's parameters beside the weights of the inputs."""

CLIP = np.float32(16.0)
"""Beyond this the logistic function is 0 or 1 to the precision of a float32."""
_P0 = np.float32(0.24999984050813268)
_P1 = np.float32(0.008071024531112867)
_P2 = np.float32(4.59191508467441e-05)
_P3 = np.float32(4.4180484247984094e-08)
_Q1 = np.float32(0.11561684494654503)
_Q2 = np.float32(0.0014852386489227778)
_Q3 = np.float32(3.7035655434686316e-06)
_Q4 = np.float32(9.468107090956464e-10)
_HALF = np.float32(0.5)
_UNIT = np.float32(1.0)
_NOTHING = np.float32(0.0)

f4, i8, u8 = types.float32, types.int64, types.uint64
FLOATS = types.float32[::1]
TABLE = types.float32[:, ::1]
INTS = types.int64[::1]


def padded(hidden: int) -> int:
    """Return the width of a layer of so many neurons."""
    return -(-hidden // LANES) * LANES


@kernel(f4(f4), fastmath=True)
def logistic(x: Real) -> Real:
    """Return 1 / (1 + exp(-x)), Eq. (9) of the paper, within 3e-7.

    1/2 plus x P(x^2) / Q(x^2), fitted to the least maximal error within ``CLIP``: nothing but
    arithmetic, so that a loop over it fills vector registers, which one over ``exp`` does not.
    """
    x = min(max(x, -CLIP), CLIP)
    z = x * x
    p = _P0 + z * (_P1 + z * (_P2 + z * _P3))
    q = _UNIT + z * (_Q1 + z * (_Q2 + z * (_Q3 + z * _Q4)))
    return _HALF + x * p / q


@kernel(f4(FLOATS, TABLE, i8), fastmath=True)
def potential_with(hidden: Floats, parameters: Floats, row: int) -> Real:
    """Return the potential of the output neuron once input ``row`` is added to the hidden ones."""
    last = parameters.shape[0] - 1
    total = _NOTHING
    for i in range(hidden.shape[0]):
        total += parameters[last - 1, i] * logistic(hidden[i] + parameters[row, i])
    return total - parameters[last, 0]


@kernel(f4(FLOATS, TABLE, FLOATS), fastmath=True)
def feed_forward(hidden: Floats, parameters: Floats, outputs: Floats) -> Real:
    """Write the outputs of the hidden layer; return the potential of the output neuron."""
    last = parameters.shape[0] - 1
    total = _NOTHING
    for i in range(hidden.shape[0]):
        outputs[i] = logistic(hidden[i])
        total += parameters[last - 1, i] * outputs[i]
    return total - parameters[last, 0]


@kernel(types.void(FLOATS, TABLE), fastmath=True)
def rest(hidden: Floats, parameters: Floats) -> None:
    """Write the potentials of the hidden layer when no input is active."""
    thresholds = parameters.shape[0] - EXTRA_ROWS
    for i in range(hidden.shape[0]):
        hidden[i] = -parameters[thresholds, i]


@kernel(types.void(FLOATS, TABLE, i8, f4), fastmath=True)
def add_row(vector: Floats, table: Floats, row: int, factor: Real) -> None:
    """Add a row of a table, times a factor, to a vector."""
    for i in range(vector.shape[0]):
        vector[i] += factor * table[row, i]


@kernel(types.void(TABLE, i8, FLOATS, f4), fastmath=True)
def add_to_row(table: Floats, row: int, vector: Floats, factor: Real) -> None:
    """Add a vector, times a factor, to a row of a table."""
    for i in range(vector.shape[0]):
        table[row, i] += factor * vector[i]


@kernel(types.float64(f4))
def value_of(potential: Real) -> float:
    """Return V, the output of the network, for the potential of its last neuron."""
    return 1.0 / (1.0 + math.exp(-float(potential)))


@kernel(i8(u8, INTS, i8))
def input_of(cell: Word, places: Ints, own: int) -> int:
    """Return the input neuron that a stone on a cell makes active; ``own`` is 1 or 0."""
    return int(2 * places[popcount(cell - ONE)] + own)


@kernel(types.void(FLOATS, TABLE, u8, u8, INTS, i8))
def move_stones(
    hidden: Floats, parameters: Floats, before: Word, after: Word, places: Ints, own: int
) -> None:
    """Change the potentials as one player's stones change from ``before`` to ``after``."""
    changed = before ^ after
    while changed != ZERO:
        cell = changed & (~changed + ONE)
        changed ^= cell
        sign = np.float32(1.0) if after & cell != ZERO else np.float32(-1.0)
        add_row(hidden, parameters, input_of(cell, places, own), sign)
