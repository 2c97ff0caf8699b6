"""The negamax player that comes with Kaggle's ConnectX environment."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.alphabeta import (
    BEST,
    FRAMES,
    NEVER,
    OCCUPIED,
    OWN,
    Frames,
    fold,
    make_frames,
    next_cell,
    open_frame,
)
from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances, share_equally
from connectlab.agents.settings import NegamaxSettings
from connectlab.game import Position, PositionBatch, Shape
from connectlab.game.bitboard import (
    SHAPE,
    WORDS,
    landing_cell,
    landing_cells,
    popcount,
    winning_cells,
)
from connectlab.game.variants import DROP_ROW, SLIP

ZERO = np.uint64(0)
ONE = np.uint64(1)

u8 = types.uint64
i8 = types.int64
_ints = types.int64[::1]


class NegamaxAgent(Agent):
    """Behaves as the built-in "negamax" of kaggle-environments' ConnectX.

    With m stones on a board of s cells, a side that can win at once has the value (s + 1 - m) / 2,
    a full board 0. The last of the ``depth`` plies is not played out: a move there is worth the
    same (s + 1 - m) / 2 plus one for each stone of the mover's own to the left, to the right and
    below where it lands, except that a stone of the bottom row does not count from above (the
    original stops one row short). So a move at the horizon is worth at least as much as a win.

    A win at once is played without further search, in the leftmost such column. Otherwise the
    columns are tried from left to right, and each later one that ties with the best so far replaces
    it with probability one half: of three that tie, they are played with 1/4, 1/4 and 1/2.

    The original searches the whole tree. Here alpha-beta leaves out branches that cannot change
    the value of a column: the same values, sooner. Where stones slip or rows fall, it plays as if
    nothing could happen.
    """

    Settings = NegamaxSettings
    variants = frozenset({SLIP, DROP_ROW})
    settings: NegamaxSettings

    def policy(self, batch: PositionBatch) -> Chances:
        """Give the chances with which Kaggle's player would draw each column."""
        chances = np.empty((len(batch), self.geometry.columns))
        played_out = self.settings.depth - 1
        frames = make_frames(played_out)
        _share_all(batch.mover, batch.occupied, played_out, self.geometry.shape, frames, chances)
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Give the negamax value of each column, also of those a win at once makes idle."""
        policy = self.policy_of(position, stream=stream)
        values = np.empty(self.geometry.columns, dtype=np.int64)
        played_out, shape = self.settings.depth - 1, self.geometry.shape
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        _column_values(mover, occupied, played_out, shape, make_frames(played_out), values)
        wins = bool(_wins_at_once(mover, occupied, shape))
        return Analysis(
            position,
            policy,
            values=tuple(None if value == NEVER else value / 2 for value in values.tolist()),
            unit=f"half the cells still empty, plus neighbours {self.settings.depth} plies ahead",
            sentences=("It wins at once, without further search.",) if wins else (),
            facts={"depth": self.settings.depth, "wins_at_once": wins},
        )


# Inside the kernels values are doubled, so that they are whole numbers.


@kernel(u8(u8, u8, SHAPE))
def _wins_at_once(mover: Word, occupied: Word, shape: Shape) -> Word:
    """Return the cells where the side to move can land and win."""
    return winning_cells(mover, occupied, shape) & landing_cells(occupied, shape)


@kernel(i8(u8, u8, SHAPE))
def _most_neighbours(mover: Word, cells: Word, shape: Shape) -> int:
    """Return the greatest number of own neighbours that a stone on one of ``cells`` would have."""
    below_it = cells & (mover << ONE) & ~(shape.bottom << ONE)
    left = right = ZERO
    if shape.columns > 1:  # the one column of a board may fill the word
        left = cells & (mover << shape.column_bits)
        right = cells & (mover >> shape.column_bits)
    if left & right & below_it != ZERO:
        return 3
    if (left & right) | (left & below_it) | (right & below_it) != ZERO:
        return 2
    return 1 if left | right | below_it != ZERO else 0


@kernel(i8(u8, u8, i8, SHAPE))
def _settle(mover: Word, occupied: Word, depth: int, shape: Shape) -> int:
    """Return twice the value for the side to move if it takes no search, otherwise ``NEVER``."""
    cells = landing_cells(occupied, shape)
    if cells == ZERO:
        return 0
    at_once = shape.columns * shape.rows + 1 - popcount(occupied)
    if _wins_at_once(mover, occupied, shape) != ZERO:
        return at_once
    return at_once + 2 * _most_neighbours(mover, cells, shape) if depth <= 0 else NEVER


@kernel(i8(u8, u8, i8, SHAPE, FRAMES))
def _search(own: Word, occupied: Word, depth: int, shape: Shape, frames: Frames) -> int:
    """Return twice the value for ``own``, which has just moved, ``depth`` plies on."""
    value = _settle(own ^ occupied, occupied, depth, shape)
    if value != NEVER:
        return -value
    ply = 0
    open_frame(ply, own, occupied, frames)
    while True:
        cell = next_cell(ply, True, shape, frames)
        if cell == ZERO:
            value = frames.numbers[ply, BEST]
            if ply == 0:
                return int(value)
            ply -= 1
            fold(ply, value, frames)
            continue
        own = frames.stones[ply, OWN]
        occupied = frames.stones[ply, OCCUPIED] | cell
        own_next = ply % 2 == 0
        if not own_next:
            own |= cell
        value = _settle(own if own_next else own ^ occupied, occupied, depth - ply - 1, shape)
        if value != NEVER:
            fold(ply, value if own_next else -value, frames)
        else:
            ply += 1
            open_frame(ply, own, occupied, frames)


@kernel(types.void(u8, u8, i8, SHAPE, FRAMES, _ints))
def _column_values(
    mover: Word,
    occupied: Word,
    depth: int,
    shape: Shape,
    frames: Frames,
    values: NDArray[np.int64],
) -> None:
    """Write twice the exact value of each column; ``NEVER`` where it is full."""
    at_once = shape.columns * shape.rows + 1 - popcount(occupied)
    wins = _wins_at_once(mover, occupied, shape)
    for column in range(shape.columns):
        cell = landing_cell(occupied, column, shape)
        if cell == ZERO:
            values[column] = NEVER
        elif cell & wins != ZERO:
            values[column] = at_once
        elif depth <= 0:
            values[column] = at_once + 2 * _most_neighbours(mover, cell, shape)
        else:
            values[column] = _search(mover | cell, occupied | cell, depth - 1, shape, frames)


@kernel(types.void(WORDS, WORDS, i8, SHAPE, FRAMES, types.float64[:, ::1]))
def _share_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    depth: int,
    shape: Shape,
    frames: Frames,
    chances: Chances,
) -> None:
    """Write the chances: each later column that ties takes half of what those before it had."""
    values = np.empty(shape.columns, dtype=np.int64)
    for i in range(mover.shape[0]):
        wins = _wins_at_once(mover[i], occupied[i], shape)
        if wins != ZERO:
            share_equally(wins & (~wins + ONE), shape, chances[i])
            continue
        _column_values(mover[i], occupied[i], depth, shape, frames, values)
        highest = np.max(values)
        rest = 1.0
        last = -1
        for column in range(shape.columns - 1, -1, -1):
            chances[i, column] = 0.0
            if values[column] == highest:
                rest /= 2.0
                chances[i, column] = rest
                last = column
        chances[i, last] += rest
