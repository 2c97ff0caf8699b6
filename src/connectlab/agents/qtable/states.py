"""How a board becomes a state: its key, and what a state begins with.

The key is that of Pons, from the side that decides: its stones on top of the heights of all
columns. With mirror symmetry a position and its mirror image share the smaller of their keys, and
the columns of the *flipped* one are read from right to left. In the variant ``counts``, where the
stones are not seen, the key is a hash of all that is: the counts of streaks, which columns have
room, and the number of stones. (That two of n observations share one has a chance of n^2 / 2^65.)

Known states (Cheng, 4.0.2): "at each board state, we check for certain conditions, and populate the
value table then if the conditions are satisfied". A move that wins has the known value 25, one that
takes the cell where the other side would win 20, one that makes a streak of n - 1 or more 15; the
first that holds counts. When that is done, once or at every visit, is a matter of reading (see
``known`` in the settings).
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, record_type, tuple_type
from connectlab.agents.qtable.table import TABLE, Table, find_or_add
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    TWO,
    WORD_BITS,
    ZERO,
    column_cells,
    landing_cell,
    landing_cells,
    mirror,
    popcount,
    winning_cells,
)
from connectlab.game.counts import count_runs
from connectlab.game.geometry import Shape
from connectlab.game.streams import GAMMA, mix

_u8, _i8, _f8, _bool = types.uint64, types.int64, types.float64, types.boolean


class Reading(NamedTuple):
    """How states are read off boards, for learners and players alike."""

    shape: Shape
    counts: bool
    """Whether only counts of streaks are seen."""
    mirror: bool
    known: bool
    """Whether a new state begins with known values."""
    known_win: float
    known_block: float
    known_streak: float


READING = record_type((SHAPE, _bool, _bool, _bool, _f8, _f8, _f8), Reading)


@kernel(_u8(_u8, _u8, SHAPE))
def observation_key(own: Word, occupied: Word, shape: Shape) -> Word:
    """Return a hash, never 0, of what the owner of ``own`` sees where only counts are told."""
    counts = np.empty((2, shape.connect - 1), np.int64)
    count_runs(own, occupied, shape, counts)
    key = mix(np.uint64(popcount(occupied)))
    for column in range(shape.columns):
        room = landing_cell(occupied, column, shape) != ZERO
        key = mix(key + GAMMA + np.uint64(room))
    for side in range(2):
        for length in range(shape.connect - 1):
            key = mix(key + GAMMA + np.uint64(counts[side, length]))
    return max(key, ONE)


@kernel(tuple_type(_u8, _bool)(_u8, _u8, READING), borrows=True)
def state_key(own: Word, occupied: Word, reading: Reading) -> tuple[Word, bool]:
    """Return the key of a board as the owner of ``own`` sees it, and whether it is flipped."""
    if reading.counts:
        return observation_key(own, occupied, reading.shape), False
    key = own + occupied + reading.shape.bottom
    if reading.mirror:
        mirrored = mirror(key, reading.shape)
        if mirrored < key:
            return mirrored, True
    return key, False


@kernel(_i8(_i8, _bool, _i8), inline=True)
def table_column(column: int, flipped: bool, columns: int) -> int:
    """Return where the value of a column stands in its state."""
    return columns - 1 - column if flipped else column


@kernel(_i8(_u8, _u8, SHAPE))
def longest_streak(stones: Word, cell: Word, shape: Shape) -> int:
    """Return the length of the longest streak of these stones that a cell is part of."""
    longest = 1
    for direction in range(4):
        step = ONE if direction == 0 else shape.column_bits + np.uint64(direction) - TWO
        if step >= WORD_BITS:  # a board of one column has no other direction
            continue
        length, up, down = 1, cell << step, cell >> step
        while up & stones != ZERO:
            length, up = length + 1, up << step
        while down & stones != ZERO:
            length, down = length + 1, down >> step
        longest = max(longest, length)
    return longest


@kernel(_f8(_u8, _u8, _u8, READING), borrows=True)
def known_value(own: Word, occupied: Word, cell: Word, reading: Reading) -> Real:
    """Return the known value of a move to a cell, by the first condition that holds; else 0."""
    if winning_cells(own, occupied, reading.shape) & cell != ZERO:
        return reading.known_win
    if winning_cells(own ^ occupied, occupied, reading.shape) & cell != ZERO:
        return reading.known_block
    if longest_streak(own | cell, cell, reading.shape) >= reading.shape.connect - 1:
        return reading.known_streak
    return 0.0


@kernel(_f8(_u8, _u8, _u8, READING), borrows=True)
def first_value(own: Word, occupied: Word, cell: Word, reading: Reading) -> Real:
    """Return what a move to a cell begins with in a state that is new."""
    return known_value(own, occupied, cell, reading) if reading.known else 0.0


@kernel(_f8(_u8, _u8, _u8, READING), borrows=True)
def shaping_reward(own: Word, occupied: Word, cell: Word, reading: Reading) -> Real:
    """Return the reward of a stone on a cell for what it does short of winning.

    "Intermediate rewards for extending its own streaks and stopping opponent streaks" (Cheng,
    5.0.5); a win is no intermediate step, and the game itself rewards it.
    """
    if winning_cells(own, occupied, reading.shape) & cell != ZERO:
        return 0.0
    return known_value(own, occupied, cell, reading)


@kernel(types.void(_u8, _u8, _i8, _bool, TABLE, READING), borrows=True)
def populate(
    own: Word, occupied: Word, entry: int, flipped: bool, table: Table, reading: Reading
) -> None:
    """Give the moves of a state their known values; a move without one keeps what it has."""
    shape = reading.shape
    landing = landing_cells(occupied, shape)
    for column in range(shape.columns):
        cell = landing & column_cells(column, shape)
        value = known_value(own, occupied, cell, reading) if cell != ZERO else 0.0
        if value != 0.0:
            table.values[entry, table_column(column, flipped, shape.columns)] = value


@kernel(tuple_type(_i8, _bool)(_u8, _u8, TABLE, READING), borrows=True)
def enter_state(own: Word, occupied: Word, table: Table, reading: Reading) -> tuple[int, bool]:
    """Return the entry of a board, added if it is new, and whether its columns are flipped."""
    key, flipped = state_key(own, occupied, reading)
    entry, is_new = find_or_add(key, table)
    if is_new and reading.known:
        populate(own, occupied, entry, flipped, table, reading)
    return entry, flipped


_values = types.float32[:, ::1]


@kernel(types.void(_u8, _u8, _i8, _bool, _values, READING, types.float64[::1]), borrows=True)
def read_values(
    own: Word,
    occupied: Word,
    entry: int,
    flipped: bool,
    values: NDArray[np.float32],
    reading: Reading,
    row: NDArray[np.float64],
) -> None:
    """Write the value of each column, float64[columns]; -inf where it is full.

    A state that is not in the table (``entry`` below 0) has the values it would begin with.
    """
    shape = reading.shape
    landing = landing_cells(occupied, shape)
    for column in range(shape.columns):
        cell = landing & column_cells(column, shape)
        if cell == ZERO:
            row[column] = -np.inf
        elif entry < 0:
            row[column] = first_value(own, occupied, cell, reading)
        else:
            row[column] = values[entry, table_column(column, flipped, shape.columns)]
