"""What a network reads in the variant ``counts``, where streaks are told but not where they are.

Nobody knows there what a move leads to, so the paper's value of a successor becomes that of what is
seen before a move together with the column that is chosen. With n = connect the input neurons are:

- n - 1 of the own streaks of 1, 2, … stones, then as many of the other player's;
- the share of the cells that hold a stone, and whether their number is odd;
- two for each column: whether it has room, and whether it is chosen.

An input may have any value here, not only 0 and 1.
"""

import numpy as np
from numba import types

from connectlab._jit import Real, Word, kernel
from connectlab.agents.mlp.layers import (
    EXTRA_ROWS,
    FLOATS,
    TABLE,
    Floats,
    add_row,
    add_to_row,
    f4,
    rest,
    u8,
)
from connectlab.game.bitboard import SHAPE, ZERO, landing_cell, popcount
from connectlab.game.counts import count_runs
from connectlab.game.geometry import Shape

_ROOM = np.float32(1.0)
_NONE = np.float32(0.0)


def n_counted_inputs(shape: Shape) -> int:
    """Return the number of input neurons."""
    return 2 * (shape.connect + shape.columns)


@kernel(types.void(u8, u8, SHAPE, FLOATS))
def observe(mover: Word, occupied: Word, shape: Shape, inputs: Floats) -> None:
    """Write what the side to move sees, before it has chosen a column."""
    lengths = shape.connect - 1
    counts = np.empty((2, lengths), dtype=np.int64)
    count_runs(mover, occupied, shape, counts)
    for side in range(2):
        for i in range(lengths):
            inputs[side * lengths + i] = counts[side, i]
    stones = popcount(occupied)
    inputs[2 * lengths] = stones / popcount(shape.board)
    inputs[2 * lengths + 1] = stones % 2
    for column in range(shape.columns):
        room = landing_cell(occupied, column, shape) != ZERO
        inputs[2 * (shape.connect + column)] = _ROOM if room else _NONE
        inputs[2 * (shape.connect + column) + 1] = _NONE


@kernel(types.void(FLOATS, TABLE, FLOATS))
def read_inputs(inputs: Floats, parameters: Floats, hidden: Floats) -> None:
    """Write the hidden potentials for these inputs."""
    rest(hidden, parameters)
    for row in range(parameters.shape[0] - EXTRA_ROWS):
        if inputs[row] != _NONE:
            add_row(hidden, parameters, row, inputs[row])


@kernel(types.void(TABLE, FLOATS, FLOATS, f4))
def teach_inputs(target: Floats, inputs: Floats, errors: Floats, eta: Real) -> None:
    """Add eta times input times delta to the weights of every input."""
    for row in range(target.shape[0] - EXTRA_ROWS):
        if inputs[row] != _NONE:
            add_to_row(target, row, errors, eta * inputs[row])
