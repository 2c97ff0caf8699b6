"""The simplest players: random, and one that extends its longest streak."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.base import Agent, Analysis
from connectlab.agents.choice import draw_column
from connectlab.game import Position, PositionBatch, Shape
from connectlab.game.bitboard import SHAPE, landing_cells
from connectlab.game.streams import GAMMA

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
WORD_BITS = np.uint64(64)

_words = types.uint64[::1]
_ints = types.int64[::1]


class RandomAgent(Agent):
    """Every column with room is equally likely."""

    name = "random"
    summary = "any playable column, each equally likely"

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Draw one playable column for each position."""
        self.check_board(batch.geometry)
        columns = np.empty(len(batch), dtype=np.int64)
        _choose_random(batch.occupied, batch.streams, self.geometry.shape, columns)
        return columns


class ExtendAgent(Agent):
    """Adds a stone to the longest streak it can add to (the baseline of Cheng et al.).

    A streak is a row of its own stones without a gap, in one of the four directions, as long as it
    goes; a lone stone is a streak of one. A column extends a streak when its stone would lie at
    either end of it. The column that extends the longest streak is played; columns that tie are
    equally likely, and so are all columns when there is nothing to extend.

    The paper breaks ties "between streaks", which leaves open how the end of a streak is drawn;
    here each column counts once. Like the paper's, the player looks neither at the other side's
    stones nor at whether a streak still has room to grow.
    """

    name = "extend"
    summary = "extends its longest streak of stones, ties at random"

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Return a column that extends the longest streak of each side to move."""
        self.check_board(batch.geometry)
        columns = np.empty(len(batch), dtype=np.int64)
        _choose_extend(batch.mover, batch.occupied, batch.streams, self.geometry.shape, columns)
        return columns

    def analyse(self, position: Position) -> Analysis:
        """Give the length of the longest streak that each column would extend."""
        self.check_position(position)
        lengths = {column: self._extended(position, column) for column in position.legal_columns}
        longest = max(lengths.values())
        return Analysis(
            position,
            values=tuple(lengths.get(column) for column in range(self.geometry.columns)),
            best=tuple(column for column, length in lengths.items() if length == longest),
            unit="stones in the longest streak that the column extends",
        )

    def _extended(self, position: Position, column: int) -> int:
        shape = self.geometry.shape
        cell = position.occupied ^ position.play(column).occupied
        length = 0
        while extending_cells(np.uint64(position.mover), np.uint64(cell), length + 1, shape):
            length += 1
        return length


@kernel(types.uint64(types.uint64, types.uint64, types.int64, SHAPE))
def extending_cells(stones: Word, cells: Word, length: int, shape: Shape) -> Word:
    """Return those of ``cells`` at an end of a streak of ``length`` or more of these stones."""
    extending = ZERO
    for direction in range(4):
        step = ONE if direction == 0 else shape.column_bits + np.uint64(direction) - TWO
        if step >= WORD_BITS:  # a board of one column has no other direction
            continue
        before = after = cells
        upward = downward = stones
        for _ in range(length):
            upward <<= step
            downward >>= step
            before &= upward
            after &= downward
        extending |= before | after
    return extending


@kernel(types.uint64(types.uint64, types.uint64, SHAPE))
def _longest_extending(stones: Word, cells: Word, shape: Shape) -> Word:
    """Return those of ``cells`` that extend the longest streak; all if none extends any."""
    best = cells
    length = 1
    extending = extending_cells(stones, cells, length, shape)
    while extending != ZERO:
        best = extending
        length += 1
        extending = extending_cells(stones, best, length, shape)
    return best


@kernel(types.void(_words, _words, SHAPE, _ints))
def _choose_random(
    occupied: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    shape: Shape,
    columns: NDArray[np.int64],
) -> None:
    for i in range(occupied.shape[0]):
        streams[i] += GAMMA
        columns[i] = draw_column(landing_cells(occupied[i], shape), streams[i], shape)


@kernel(types.void(_words, _words, _words, SHAPE, _ints))
def _choose_extend(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    shape: Shape,
    columns: NDArray[np.int64],
) -> None:
    for i in range(mover.shape[0]):
        cells = _longest_extending(mover[i], landing_cells(occupied[i], shape), shape)
        streams[i] += GAMMA
        columns[i] = draw_column(cells, streams[i], shape)
