"""What a network thinks of many positions, compiled.

Moves are compared by the potential of the output neuron: V is a rising function of it, and near 0
and 1 it tells apart what V, rounded, does not. A potential is rounded first, since its last bits
depend on how wide the registers of a machine are; equal ones are ties.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, tuple_type
from connectlab.agents.choice import Chances, share_equally
from connectlab.agents.mlp.layers import (
    EXTRA_ROWS,
    FLOATS,
    Floats,
    input_of,
    move_stones,
    potential_with,
    rest,
    u8,
    value_of,
)
from connectlab.agents.mlp.network import BRAIN, Brain
from connectlab.agents.mlp.observation import observe, read_inputs
from connectlab.game.bitboard import ONE, WORDS, ZERO, landing_cells

FINENESS = 65_536.0
"""Potentials are rounded to one part in so many."""

_f8 = types.float64
Words = NDArray[np.uint64]


@kernel(types.void(u8, u8, FLOATS, BRAIN))
def read_board(own: Word, other: Word, hidden: Floats, brain: Brain) -> None:
    """Write the hidden potentials of a position in the view of the player of ``own``."""
    rest(hidden, brain.parameters)
    move_stones(hidden, brain.parameters, ZERO, own, brain.places, 1)
    move_stones(hidden, brain.parameters, ZERO, other, brain.places, 0)


@kernel(types.void(u8, u8, FLOATS, BRAIN))
def look(mover: Word, occupied: Word, hidden: Floats, brain: Brain) -> None:
    """Write the hidden potentials of a position as the side to move sees it."""
    if brain.counted:
        inputs = np.empty(brain.parameters.shape[0] - EXTRA_ROWS, dtype=np.float32)
        observe(mover, occupied, brain.shape, inputs)
        read_inputs(inputs, brain.parameters, hidden)
    else:
        read_board(mover, mover ^ occupied, hidden, brain)


@kernel(_f8(u8, FLOATS, BRAIN))
def potential_of(cell: Word, hidden: Floats, brain: Brain) -> float:
    """Return the rounded potential once an own stone lies on ``cell``."""
    row = input_of(cell, brain.places, 1)
    potential = float(potential_with(hidden, brain.parameters, row))
    return float(np.rint(FINENESS * potential) / FINENESS)


@kernel(tuple_type(u8, _f8)(u8, u8, FLOATS, BRAIN))
def best_cells(mover: Word, occupied: Word, hidden: Floats, brain: Brain) -> tuple[Word, float]:
    """Return all cells of the highest potential for the side to move, and that potential."""
    look(mover, occupied, hidden, brain)
    landing = landing_cells(occupied, brain.shape)
    best, highest = ZERO, -np.inf
    while landing != ZERO:
        cell = landing & (~landing + ONE)
        landing ^= cell
        potential = potential_of(cell, hidden, brain)
        if potential > highest:
            best, highest = cell, potential
        elif potential == highest:
            best |= cell
    return best, highest


@kernel(types.void(WORDS, WORDS, FLOATS, BRAIN, types.float64[:, ::1]))
def share_all(
    mover: Words, occupied: Words, hidden: Floats, brain: Brain, chances: Chances
) -> None:
    """Share the chances among the best columns of every position."""
    for i in range(mover.shape[0]):
        cells, _ = best_cells(mover[i], occupied[i], hidden, brain)
        share_equally(cells, brain.shape, chances[i])


@kernel(types.void(WORDS, WORDS, FLOATS, BRAIN, types.float64[::1]))
def value_all(
    mover: Words, occupied: Words, hidden: Floats, brain: Brain, values: NDArray[np.float64]
) -> None:
    """Write V of the best successor of every position, from 0 to 1, for the side to move."""
    for i in range(mover.shape[0]):
        _, potential = best_cells(mover[i], occupied[i], hidden, brain)
        values[i] = value_of(potential)


@kernel(types.void(u8, u8, FLOATS, BRAIN, types.float64[::1]))
def value_columns(
    mover: Word, occupied: Word, hidden: Floats, brain: Brain, values: NDArray[np.float64]
) -> None:
    """Write V of the state after each column, from 0 to 1; NaN where it is full."""
    look(mover, occupied, hidden, brain)
    landing = landing_cells(occupied, brain.shape)
    for column in range(brain.shape.columns):
        lowest = ONE << (np.uint64(column) * brain.shape.column_bits)
        cell = landing & ((lowest << np.uint64(brain.shape.rows)) - lowest)
        if cell == ZERO:
            values[column] = np.nan
        else:
            values[column] = value_of(potential_of(cell, hidden, brain))
