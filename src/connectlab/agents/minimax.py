"""Minimax with the streak heuristic of Cheng et al., "Connect-N"."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
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
from connectlab.agents.settings import MinimaxSettings
from connectlab.game import STANDARD, Geometry, Position, PositionBatch, Shape
from connectlab.game.bitboard import (
    SHAPE,
    WORDS,
    column_cells,
    has_line,
    landing_cell,
    landing_cells,
    popcount,
    winning_cells,
)
from connectlab.game.variants import DROP_ROW, SLIP

WIN = 2_000_000
LOSS = 1_000_000
SIXTHS = 6
"""The kernels count in sixths, so that every value is a whole number."""

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
WORD_BITS = np.uint64(64)

u8 = types.uint64
i8 = types.int64
_ints = types.int64[::1]
_gains = types.int64[:, ::1]


class Task(NamedTuple):
    """What the kernels need to know besides the position."""

    depth: int
    prune: bool
    force_center: bool
    shape: Shape
    gains: NDArray[np.int64]
    """As :func:`streak_gains` returns them."""


TASK = record_type((i8, types.boolean, types.boolean, SHAPE, _gains), Task)


class MinimaxAgent(Agent):
    """Looks ``depth`` plies ahead and scores what it finds by its streaks.

    Heuristic of Cheng et al., section 4.0.1: each streak of x of the agent's own stones is worth
    x * 2^x / 2, each of the opponent's -(x * 2^x) / 6; a streak of n (``connect``) or more is worth
    2,000,000 or -1,000,000. A position is worth the sum, also where the game is over. "Own" is the
    side that chooses, at every depth: the two weights differ, so this is no zero-sum score.

    What the paper leaves open, and what is done here:

    - a streak is a row of stones without a gap, as long as it goes, of two or more: a lone stone
      has no direction. It counts whether or not it has room to grow;
    - columns with equal values are equally likely;
    - a move that wins at once is always played. By the sum alone a win three plies later can be
      worth more, because more streaks lie on the board by then; it is a forced win either way.

    Where we differ: the paper starts alpha-beta with the window -1000 to 1000, which cuts wins and
    losses down to that size, and its pruned players are weaker than the plain ones (against random
    at depth 2, 35 % of wins instead of 87 %). Here every move is searched with an open window, so
    the values, and with them the choice, are those of plain minimax.

    Where stones slip or rows fall, it plays as if nothing could happen.
    """

    Settings = MinimaxSettings
    variants = frozenset({SLIP, DROP_ROW})
    settings: MinimaxSettings

    def __init__(
        self, settings: MinimaxSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        self._task = Task(
            self.settings.depth,
            self.settings.alpha_beta,
            self.settings.force_center,
            geometry.shape,
            streak_gains(geometry),
        )

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns of the highest value."""
        chances = np.empty((len(batch), self.geometry.columns))
        frames = make_frames(self.settings.depth)
        _share_all(batch.mover, batch.occupied, self._task, frames, chances)
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Give the minimax value of each column in the paper's units."""
        policy = self.policy_of(position, stream=stream)
        task, frames = self._task, make_frames(self.settings.depth)
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        values = np.empty(self.geometry.columns, dtype=np.int64)
        _column_values(mover, occupied, task, frames, values)
        static = int(evaluate(mover, mover ^ occupied, task.shape, task.gains)) / SIXTHS
        return Analysis(
            position,
            policy,
            values=tuple(None if value == NEVER else value / SIXTHS for value in values.tolist()),
            unit=f"streak value {task.depth} plies ahead",
            sentences=(f"As it stands, its streaks are worth {static:,.4g}.",),
            facts={"depth": task.depth, "static_value": static},
        )


def streak_gains(geometry: Geometry) -> NDArray[np.int64]:
    """Return, in sixths, what a streak gains when it grows to length x: int64[2, n + 1].

    Row 0 is for own streaks, row 1 for the opponent's (to be subtracted). With n the length that
    wins, or the longest streak the board has room for.
    """
    # In a single column the stones alternate; larger numbers would not fit into 64 bits either.
    longest = 1 if geometry.columns == 1 else max(geometry.columns, geometry.rows)
    lengths = range(min(geometry.connect, longest) + 1)
    worth = np.array([[_worth(x, geometry.connect, own=own) for x in lengths] for own in (1, 0)])
    return np.diff(worth, axis=1, prepend=0)


def _worth(length: int, connect: int, *, own: int) -> int:
    """Return what a streak of this length counts, in sixths and without sign."""
    if length >= connect:
        return SIXTHS * (WIN if own else LOSS)
    return (3 if own else 1) * length * 2**length if length > 1 else 0


@kernel(i8(u8, SHAPE, _ints))
def streak_total(stones: Word, shape: Shape, gains: NDArray[np.int64]) -> int:
    """Return the worth of all streaks of these stones, for one row of ``streak_gains``."""
    total = 0
    for direction in range(4):
        step = ONE if direction == 0 else shape.column_bits + np.uint64(direction) - TWO
        if step >= WORD_BITS:  # a board of one column has no other direction
            continue
        next_stones = stones >> step
        # The first stone of every streak of at least ``length``.
        heads = stones & ~(stones << step) & next_stones
        length = 2
        while heads != ZERO and length < gains.shape[0]:
            total += popcount(heads) * gains[length]
            length += 1
            next_stones >>= step
            heads &= next_stones
    return total


@kernel(i8(u8, u8, SHAPE, _gains))
def evaluate(own: Word, other: Word, shape: Shape, gains: NDArray[np.int64]) -> int:
    """Return the heuristic value of a position for the side that owns ``own``, in sixths."""
    return streak_total(own, shape, gains[0]) - streak_total(other, shape, gains[1])


@kernel(i8(u8, u8, TASK, FRAMES))
def _search(own: Word, occupied: Word, task: Task, frames: Frames) -> int:
    """Return the minimax value, in sixths, for ``own``, which has just made the first move."""
    shape = task.shape
    depth = task.depth - 1
    if depth == 0 or occupied == shape.board or has_line(own, shape):
        return evaluate(own, own ^ occupied, shape, task.gains)
    ply = 0
    open_frame(ply, own, occupied, frames)
    while True:
        cell = next_cell(ply, task.prune, shape, frames)
        if cell == ZERO:
            value = frames.numbers[ply, BEST]
            if ply == 0:
                return int(value)
            ply -= 1
            fold(ply, value, frames)
            continue
        own = frames.stones[ply, OWN]
        occupied = frames.stones[ply, OCCUPIED] | cell
        if ply % 2 == 1:
            own |= cell
        last_moved = own if ply % 2 == 1 else own ^ occupied
        if ply + 1 == depth or occupied == shape.board or has_line(last_moved, shape):
            fold(ply, evaluate(own, own ^ occupied, shape, task.gains), frames)
        else:
            ply += 1
            open_frame(ply, own, occupied, frames)


@kernel(types.void(u8, u8, TASK, FRAMES, _ints))
def _column_values(
    mover: Word, occupied: Word, task: Task, frames: Frames, values: NDArray[np.int64]
) -> None:
    """Write the exact value of each column, in sixths; ``NEVER`` where it is full."""
    for column in range(task.shape.columns):
        cell = landing_cell(occupied, column, task.shape)
        values[column] = NEVER
        if cell != ZERO:
            values[column] = _search(mover | cell, occupied | cell, task, frames)


@kernel(u8(u8, u8, TASK, FRAMES, _ints))
def _candidates(
    mover: Word, occupied: Word, task: Task, frames: Frames, values: NDArray[np.int64]
) -> Word:
    """Return the cells among which to draw; ``frames`` and ``values`` are working memory."""
    shape = task.shape
    cells = landing_cells(occupied, shape)
    if task.force_center and occupied == ZERO:
        middle = column_cells((shape.columns - 1) // 2, shape)
        return cells & (middle | column_cells(shape.columns // 2, shape))
    wins = winning_cells(mover, occupied, shape) & cells
    if wins != ZERO:
        return wins
    _column_values(mover, occupied, task, frames, values)
    best = ZERO
    highest = np.max(values)
    for column in range(shape.columns):
        if values[column] == highest:
            best |= cells & column_cells(column, shape)
    return best


@kernel(types.void(WORDS, WORDS, TASK, FRAMES, types.float64[:, ::1]))
def _share_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    task: Task,
    frames: Frames,
    chances: Chances,
) -> None:
    values = np.empty(task.shape.columns, dtype=np.int64)
    for i in range(mover.shape[0]):
        cells = _candidates(mover[i], occupied[i], task, frames, values)
        share_equally(cells, task.shape, chances[i])
