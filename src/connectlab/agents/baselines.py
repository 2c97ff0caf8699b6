"""The simplest players: random, and one that extends its longest streak."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances, share_equally
from connectlab.agents.settings import ExtendSettings, RandomSettings
from connectlab.game import Position, PositionBatch, Shape
from connectlab.game.bitboard import SHAPE, WORDS, landing_cells
from connectlab.game.variants import COUNTS, DROP_ROW, SLIP

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
WORD_BITS = np.uint64(64)

_chances = types.float64[:, ::1]


class RandomAgent(Agent):
    """Every column with room is equally likely."""

    Settings = RandomSettings
    variants = frozenset({SLIP, DROP_ROW, COUNTS})
    symmetric = True

    def policy(self, batch: PositionBatch) -> Chances:
        """Give every column with room the same chance."""
        chances = np.empty((len(batch), self.geometry.columns))
        _share_random(batch.occupied, self.geometry.shape, chances)
        return chances


class ExtendAgent(Agent):
    """Adds a stone to the longest streak it can add to (the baseline of Cheng et al.).

    A streak is a row of its own stones without a gap, in one of the four directions, as long as it
    goes; a lone stone is a streak of one. A column extends a streak when its stone would lie at
    either end of it. The column that extends the longest streak is played; columns that tie are
    equally likely, and so are all columns when there is nothing to extend.

    The paper breaks ties "between streaks", which leaves open how the end of a streak is drawn;
    here each column counts once. Like the paper's, the player looks neither at the other side's
    stones nor at whether a streak still has room to grow. Where stones slip or rows fall, it plays
    as if nothing could happen.
    """

    Settings = ExtendSettings
    variants = frozenset({SLIP, DROP_ROW})

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns that extend the longest streak of each side to move."""
        chances = np.empty((len(batch), self.geometry.columns))
        _share_extend(batch.mover, batch.occupied, self.geometry.shape, chances)
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Give the length of the longest streak that each column would extend."""
        lengths = {column: self._extended(position, column) for column in position.legal_columns}
        longest = max(lengths.values(), default=0)
        return Analysis(
            position,
            self.policy_of(position, stream=stream),
            values=tuple(lengths.get(column) for column in range(self.geometry.columns)),
            unit="stones in the longest streak that the column extends",
            sentences=(_what_it_extends(longest),),
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


def _what_it_extends(longest: int) -> str:
    if longest == 0:
        return "There is no stone to add to, so all columns are alike."
    stones = "a single stone" if longest == 1 else f"a streak of {longest} stones"
    return f"The longest it can add to is {stones}."


@kernel(types.void(WORDS, SHAPE, _chances))
def _share_random(occupied: NDArray[np.uint64], shape: Shape, chances: Chances) -> None:
    for i in range(occupied.shape[0]):
        share_equally(landing_cells(occupied[i], shape), shape, chances[i])


@kernel(types.void(WORDS, WORDS, SHAPE, _chances))
def _share_extend(
    mover: NDArray[np.uint64], occupied: NDArray[np.uint64], shape: Shape, chances: Chances
) -> None:
    for i in range(mover.shape[0]):
        cells = _longest_extending(mover[i], landing_cells(occupied[i], shape), shape)
        share_equally(cells, shape, chances[i])
