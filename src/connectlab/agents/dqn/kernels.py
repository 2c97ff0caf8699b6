"""Q of single positions, compiled: nothing depends on the positions beside it.

A position is computed on its own, in the order of the loops below, so a player's moves are the same
alone and in a batch of thousands. Values are rounded before they are compared, since their last
bits depend on how a machine multiplies and adds.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.agents.dqn.network import KERNEL, PLANES, Floats, Network
from connectlab.game.bitboard import ONE, SHAPE, WORDS, ZERO, landing_cell, popcount
from connectlab.game.geometry import Shape

FINENESS = 65_536.0
"""Values are rounded to one part in so many of the reward for a win."""

_i8, _u8, _bool = types.int64, types.uint64, types.boolean
_floats, _ints = types.float32[::1], types.int64[::1]
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
    """Return working memory for one thread: two layers and a list of inputs, float32[3, widest]."""
    header = network.header
    cells = max(header.rows * header.columns, KERNEL * KERNEL)
    widest = max(cells * max(PLANES, header.channels), header.hidden, header.columns)
    return np.zeros((3, widest), dtype=np.float32)


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


@kernel(_i8(_floats, _i8, _i8, _i8, _i8, _floats, _ints, _i8))
def _gather(
    inputs: Floats,
    at: int,
    n_in: int,
    first: int,
    n_out: int,
    values: Floats,
    rows: NDArray[np.int64],
    found: int,
) -> int:
    """List the inputs that are not 0, from number ``found`` on, each with its row of weights.

    Zeros are left out: of the planes two in three, and of what a ReLU gives about half.
    """
    for c in range(n_in):
        if inputs[at + c] != _NOTHING:
            values[found] = inputs[at + c]
            rows[found] = first + c * n_out
            found += 1
    return found


@kernel(types.void(_floats, _i8, _i8, _floats, _ints, _i8, _floats), fastmath={"contract"})
def _add_rows(
    outputs: Floats,
    to: int,
    n: int,
    values: Floats,
    rows: NDArray[np.int64],
    found: int,
    weights: Floats,
) -> None:
    """Add rows of weights, each times its value, to n outputs; four at a time, which is quicker."""
    whole = found - found % 4
    for i in range(0, whole, 4):
        v0, v1, v2, v3 = values[i], values[i + 1], values[i + 2], values[i + 3]
        r0, r1, r2, r3 = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        for k in range(n):
            outputs[to + k] += (v0 * weights[r0 + k] + v1 * weights[r1 + k]) + (
                v2 * weights[r2 + k] + v3 * weights[r3 + k]
            )
    for i in range(whole, found):
        value, row = values[i], rows[i]
        for k in range(n):
            outputs[to + k] += value * weights[row + k]


@kernel(types.void(_floats, _floats, BRAIN, _i8, _i8, _i8, _floats, _ints))
def convolve(
    inputs: Floats,
    outputs: Floats,
    brain: Brain,
    layer: int,
    rows: int,
    columns: int,
    values: Floats,
    places: NDArray[np.int64],
) -> None:
    """Write the features of one convolution with its ReLU; the board coming in is given."""
    padding = brain.padding
    first, bias, n_in, n_out = brain.plan[layer]
    lost = KERNEL - 1 - 2 * padding
    for row in range(rows - lost):
        for column in range(columns - lost):
            to = (row * (columns - lost) + column) * n_out
            found = 0
            for i in range(KERNEL):
                for j in range(KERNEL):
                    y, x = row + i - padding, column + j - padding
                    if 0 <= y < rows and 0 <= x < columns:
                        at = first + (i * KERNEL + j) * n_in * n_out
                        cell = (y * columns + x) * n_in
                        found = _gather(inputs, cell, n_in, at, n_out, values, places, found)
            for k in range(n_out):
                outputs[to + k] = brain.weights[bias + k]
            _add_rows(outputs, to, n_out, values, places, found, brain.weights)
            for k in range(n_out):
                outputs[to + k] = max(outputs[to + k], _NOTHING)


@kernel(types.void(_floats, _floats, BRAIN, _i8, _bool, _floats, _ints))
def connect_fully(
    inputs: Floats,
    outputs: Floats,
    brain: Brain,
    layer: int,
    last: bool,
    values: Floats,
    places: NDArray[np.int64],
) -> None:
    """Write the outputs of a dense layer, with a ReLU unless it is the last."""
    first, bias, n_in, n_out = brain.plan[layer]
    found = _gather(inputs, 0, n_in, first, n_out, values, places, 0)
    for k in range(n_out):
        outputs[k] = brain.weights[bias + k]
    _add_rows(outputs, 0, n_out, values, places, found, brain.weights)
    if not last:
        for k in range(n_out):
            outputs[k] = max(outputs[k], _NOTHING)


@kernel(_i8(_u8, _u8, types.float32[:, ::1], BRAIN))
def compute(mover: Word, occupied: Word, scratch: Floats, brain: Brain) -> int:
    """Compute Q of one position; return the row of ``scratch`` that begins with it."""
    rows, columns = brain.shape.rows, brain.shape.columns
    lost = KERNEL - 1 - 2 * brain.padding
    values, places = scratch[2], np.empty(scratch.shape[1], dtype=np.int64)
    write_planes(mover, occupied, scratch[0], brain)
    n = brain.plan.shape[0]
    for layer in range(n):
        source, target = scratch[layer % 2], scratch[(layer + 1) % 2]
        if layer < brain.convolutions:
            convolve(source, target, brain, layer, rows, columns, values, places)
            rows, columns = rows - lost, columns - lost
        else:
            connect_fully(source, target, brain, layer, layer == n - 1, values, places)
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
