"""Q of single positions, compiled: nothing depends on the positions beside it.

A position is computed on its own, in the order of the loops below, so a player's moves are the same
alone and in a batch of thousands. Values are rounded before they are compared, since their last
bits depend on how a machine multiplies and adds.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, record_type
from connectlab.agents.dqn.network import KERNEL, PLANES, Floats, Network
from connectlab.game.bitboard import ONE, SHAPE, WORDS, ZERO, landing_cell, popcount
from connectlab.game.geometry import Shape

FINENESS = 65_536.0
"""Values are rounded to one part in so many of the reward for a win."""

_i8, _u8, _f4, _bool = types.int64, types.uint64, types.float32, types.boolean
_floats = types.float32[::1]
_values = types.float64[::1]
_NOTHING = np.float32(0.0)
_STONE = np.float32(1.0)

FIRST_WEIGHT, FIRST_BIAS, INPUTS, OUTPUTS = range(4)
"""What stands where in a row of ``Brain.plan``."""


class Brain(NamedTuple):
    """A network as the kernels take it."""

    weights: Floats
    """All arrays of the network, one after the other."""
    plan: NDArray[np.int64]
    """int64[layers, 4]: for every layer where its weights and its biases begin, and how many
    features or neurons go in and come out."""
    convolutions: int
    """Layers that are convolutions; they come first."""
    padding: int
    own_planes: bool
    """The second plane is that of the side to move, not that of the first player."""
    unit: float
    """What values are rounded to."""
    shape: Shape


BRAIN = record_type((_floats, types.int64[:, ::1], _i8, _i8, _bool, types.float64, SHAPE), Brain)


def make_brain(network: Network) -> Brain:
    """Lay out a network for the kernels."""
    header, layers = network.header, network.layers
    names = [name for name in layers if not name.endswith("_bias")]
    plan, parts, at = np.zeros((len(names), 4), dtype=np.int64), [], 0
    for row, name in enumerate(names):
        weights, bias = layers[name], layers[f"{name}_bias"]
        plan[row] = at, at + weights.size, weights.shape[-2], weights.shape[-1]
        parts += [weights.ravel(), bias]
        at += weights.size + bias.size
    return Brain(
        np.concatenate(parts),
        plan,
        header.layers,
        header.padding,
        header.planes == "own",
        header.reward_win / FINENESS,
        header.geometry.shape,
    )


def make_scratch(network: Network) -> NDArray[np.float32]:
    """Return working memory for one thread: the outputs of two layers, float32[2, widest]."""
    header = network.header
    cells = header.rows * header.columns
    widest = max(cells * max(PLANES, header.channels), header.hidden, header.columns)
    return np.zeros((2, widest), dtype=np.float32)


@kernel(types.void(_u8, _u8, _floats, BRAIN))
def write_planes(mover: Word, occupied: Word, inputs: Floats, brain: Brain) -> None:
    """Write what the network sees of a position, [rows, columns, 3] with the top row first."""
    shape = brain.shape
    first = mover
    if not brain.own_planes and popcount(occupied) % 2 == 1:
        first = mover ^ occupied
    at = 0
    for above in range(shape.rows):
        for column in range(shape.columns):
            bit = np.uint64(column) * shape.column_bits + np.uint64(shape.rows - 1 - above)
            stone = (occupied >> bit) & ONE != ZERO
            owner = (first >> bit) & ONE != ZERO
            inputs[at] = _NOTHING if stone else _STONE
            inputs[at + 1] = _STONE if owner else _NOTHING
            inputs[at + 2] = _STONE if stone and not owner else _NOTHING
            at += PLANES


@kernel(types.void(_floats, _i8, _f4, _floats, _i8, _i8), fastmath={"contract"})
def _add_row(outputs: Floats, to: int, factor: Real, weights: Floats, at: int, n: int) -> None:
    """Add a factor times a row of weights to the outputs of one cell."""
    for k in range(n):
        outputs[to + k] += factor * weights[at + k]


@kernel(types.void(_floats, _floats, BRAIN, _i8, _i8, _i8))
def convolve(
    inputs: Floats, outputs: Floats, brain: Brain, layer: int, rows: int, columns: int
) -> None:
    """Write the features of one convolution with its ReLU; the board coming in is given.

    Zeros are left out: of the planes two in three, and of later features about half.
    """
    weights, padding = brain.weights, brain.padding
    first, bias, n_in, n_out = brain.plan[layer]
    lost = KERNEL - 1 - 2 * padding
    for row in range(rows - lost):
        for column in range(columns - lost):
            to = (row * (columns - lost) + column) * n_out
            for k in range(n_out):
                outputs[to + k] = weights[bias + k]
            for i in range(KERNEL):
                for j in range(KERNEL):
                    y, x = row + i - padding, column + j - padding
                    if y < 0 or y >= rows or x < 0 or x >= columns:
                        continue
                    cell, at = (y * columns + x) * n_in, first + (i * KERNEL + j) * n_in * n_out
                    for c in range(n_in):
                        if inputs[cell + c] != _NOTHING:
                            value = inputs[cell + c]
                            _add_row(outputs, to, value, weights, at + c * n_out, n_out)
            for k in range(n_out):
                outputs[to + k] = max(outputs[to + k], _NOTHING)


@kernel(types.void(_floats, _floats, BRAIN, _i8, _bool))
def connect_fully(inputs: Floats, outputs: Floats, brain: Brain, layer: int, last: bool) -> None:
    """Write the outputs of a dense layer, with a ReLU unless it is the last."""
    weights = brain.weights
    first, bias, n_in, n_out = brain.plan[layer]
    for k in range(n_out):
        outputs[k] = weights[bias + k]
    for c in range(n_in):
        if inputs[c] != _NOTHING:
            _add_row(outputs, 0, inputs[c], weights, first + c * n_out, n_out)
    if not last:
        for k in range(n_out):
            outputs[k] = max(outputs[k], _NOTHING)


@kernel(_i8(_u8, _u8, types.float32[:, ::1], BRAIN))
def compute(mover: Word, occupied: Word, scratch: Floats, brain: Brain) -> int:
    """Compute Q of one position; return the row of ``scratch`` that begins with it."""
    rows, columns = brain.shape.rows, brain.shape.columns
    lost = KERNEL - 1 - 2 * brain.padding
    write_planes(mover, occupied, scratch[0], brain)
    n = brain.plan.shape[0]
    for layer in range(n):
        source, target = scratch[layer % 2], scratch[(layer + 1) % 2]
        if layer < brain.convolutions:
            convolve(source, target, brain, layer, rows, columns)
            rows, columns = rows - lost, columns - lost
        else:
            connect_fully(source, target, brain, layer, layer == n - 1)
    return int(n % 2)


@kernel(types.void(WORDS, WORDS, types.float32[:, ::1], BRAIN, types.float64[:, ::1]))
def value_columns(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    scratch: Floats,
    brain: Brain,
    values: NDArray[np.float64],
) -> None:
    """Write Q of every column of every position, rounded; full columns have a value too."""
    for i in range(mover.shape[0]):
        outputs = scratch[compute(mover[i], occupied[i], scratch, brain)]
        for column in range(brain.shape.columns):
            values[i, column] = np.rint(float(outputs[column]) / brain.unit) * brain.unit


@kernel(types.void(WORDS, SHAPE, _bool, types.float64[:, ::1]))
def share_best(
    occupied: NDArray[np.uint64], shape: Shape, allow: bool, values: NDArray[np.float64]
) -> None:
    """Turn values into chances, in place: the columns of the highest value share them.

    Only columns with room count; with ``allow`` all do, and a position in which a best column is
    full gets no chance anywhere: the game is given up.
    """
    for i in range(values.shape[0]):
        best, ties, invalid = -np.inf, 0, False
        for column in range(shape.columns):
            full = landing_cell(occupied[i], column, shape) == ZERO
            if full and not allow:
                values[i, column] = -np.inf
            elif values[i, column] > best:
                best, ties, invalid = values[i, column], 1, full
            elif values[i, column] == best:
                ties += 1
                invalid |= full
        for column in range(shape.columns):
            chosen = values[i, column] == best and not invalid
            values[i, column] = 1.0 / ties if chosen else 0.0
