"""Many positions side by side, for the arena and the learners."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.errors import GameError
from connectlab.game.bitboard import (
    SHAPE,
    ZERO,
    has_line,
    landing_cell,
    mirror,
    popcount,
)
from connectlab.game.geometry import STANDARD, Geometry, Shape
from connectlab.game.position import Outcome, Position
from connectlab.game.streams import make_streams

U64 = NDArray[np.uint64]
Columns = NDArray[np.int64]

_ONGOING = int(Outcome.ONGOING)
_FIRST_WINS = int(Outcome.FIRST_WINS)
_SECOND_WINS = int(Outcome.SECOND_WINS)
_DRAW = int(Outcome.DRAW)

_words = types.uint64[::1]
_bytes = types.int8[::1]
_ints = types.int64[::1]


@dataclass(frozen=True, eq=False)
class PositionBatch:
    """Positions on one board, each with the random stream of its game.

    All arrays have one entry a position. ``mover`` and ``occupied`` are uint64 bits as in
    ``Position``; ``streams`` is the random state that an agent advances in place when it draws.
    """

    geometry: Geometry
    mover: U64
    occupied: U64
    streams: U64

    @classmethod
    def start(
        cls, n: int, geometry: Geometry = STANDARD, *, seed: int = 0, first: int = 0
    ) -> "PositionBatch":
        """Return ``n`` empty boards: games ``first`` to ``first + n - 1`` of a seed."""
        return cls(
            geometry,
            np.zeros(n, dtype=np.uint64),
            np.zeros(n, dtype=np.uint64),
            make_streams(seed, n, first),
        )

    @classmethod
    def of(cls, positions: Iterable[Position], *, seed: int = 0) -> "PositionBatch":
        """Gather single positions, all on the same board."""
        rows = list(positions)
        boards = {position.geometry for position in rows}
        if len(boards) > 1:
            raise GameError(f"a batch has one board, not {', '.join(map(str, boards))}")
        return cls(
            boards.pop() if boards else STANDARD,
            np.array([p.mover for p in rows], dtype=np.uint64),
            np.array([p.occupied for p in rows], dtype=np.uint64),
            make_streams(seed, len(rows)),
        )

    def __len__(self) -> int:
        return len(self.mover)

    def __getitem__(self, index: slice | NDArray[np.intp] | NDArray[np.bool_]) -> "PositionBatch":
        """Take some of the positions: a view for a slice without step, otherwise a copy."""
        if isinstance(index, int | np.integer):
            raise TypeError("a batch gives batches: use position(i) or positions() for single ones")
        mover, occupied, streams = (
            np.ascontiguousarray(words[index])
            for words in (self.mover, self.occupied, self.streams)
        )
        return PositionBatch(self.geometry, mover, occupied, streams)

    def position(self, index: int) -> Position:
        """Return one position, without history."""
        return Position(self.geometry, int(self.mover[index]), int(self.occupied[index]))

    def positions(self) -> list[Position]:
        """Return all positions, without history."""
        return [self.position(i) for i in range(len(self))]

    @property
    def plies(self) -> NDArray[np.int64]:
        """Number of stones on each board, int64[n]."""
        return np.bitwise_count(self.occupied).astype(np.int64)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which columns have room, bool[n, columns] (a finished game may still have room)."""
        shape = self.geometry.shape
        top = np.uint64(self.geometry.rows - 1)
        shifts = np.arange(self.geometry.columns, dtype=np.uint64) * shape.column_bits + top
        legal: NDArray[np.bool_] = (self.occupied[:, None] >> shifts) & np.uint64(1) == 0
        return legal

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """How each game stands, int8[n] of ``Outcome`` values."""
        outcomes = np.empty(len(self), dtype=np.int8)
        _outcomes(self.mover, self.occupied, self.geometry.shape, outcomes)
        return outcomes

    def play(self, columns: NDArray[np.integer]) -> "PositionBatch":
        """Return the batch after one move on every board; the random streams are shared."""
        given = np.asarray(columns)
        if given.shape != self.mover.shape:
            raise GameError(f"{len(self)} positions need as many columns, not {given.shape}")
        if given.dtype.kind not in "iu" and given.size:
            raise GameError(f"columns are whole numbers, not {given.dtype}")
        chosen = np.ascontiguousarray(given, dtype=np.int64)
        mover, occupied = np.empty_like(self.mover), np.empty_like(self.occupied)
        wrong = _play(self.mover, self.occupied, chosen, self.geometry.shape, mover, occupied)
        if wrong >= 0:
            self._refuse(int(wrong), int(chosen[wrong]))
        return PositionBatch(self.geometry, mover, occupied, self.streams)

    def _refuse(self, index: int, column: int) -> None:
        """Let ``Position`` say what is wrong with a move."""
        try:
            self.position(index).play(column)
        except GameError as error:
            raise GameError(f"position {index} of the batch: {error}") from None

    def mirror(self) -> "PositionBatch":
        """Return the batch with left and right exchanged; the random streams are shared."""
        mover, occupied = np.empty_like(self.mover), np.empty_like(self.occupied)
        _mirror_all(self.mover, self.geometry.shape, mover)
        _mirror_all(self.occupied, self.geometry.shape, occupied)
        return PositionBatch(self.geometry, mover, occupied, self.streams)

    def cells(self) -> NDArray[np.int8]:
        """Return int8[n, rows, columns], top row first: 1 the side to move, -1 the other."""
        rows = np.arange(self.geometry.rows - 1, -1, -1, dtype=np.uint64)[:, None]
        columns = np.arange(self.geometry.columns, dtype=np.uint64)[None, :]
        shifts = columns * self.geometry.shape.column_bits + rows
        one = np.uint64(1)
        own = (self.mover[:, None, None] >> shifts) & one
        other = ((self.mover ^ self.occupied)[:, None, None] >> shifts) & one
        return own.astype(np.int8) - other.astype(np.int8)


@kernel(types.int64(types.uint64, types.uint64, SHAPE))
def outcome_of(mover: Word, occupied: Word, shape: Shape) -> int:
    """Return the ``Outcome`` of one position as a number."""
    if has_line(mover ^ occupied, shape):
        return _SECOND_WINS if popcount(occupied) % 2 == 0 else _FIRST_WINS
    return _DRAW if occupied == shape.board else _ONGOING


@kernel(types.void(_words, _words, SHAPE, _bytes))
def _outcomes(mover: U64, occupied: U64, shape: Shape, outcomes: NDArray[np.int8]) -> None:
    for i in range(mover.shape[0]):
        outcomes[i] = outcome_of(mover[i], occupied[i], shape)


@kernel(types.int64(_words, _words, _ints, SHAPE, _words, _words))
def _play(
    mover: U64, occupied: U64, columns: Columns, shape: Shape, new_mover: U64, new_occupied: U64
) -> int:
    """Play one move on each board; return the index of the first illegal one, or -1."""
    for i in range(mover.shape[0]):
        if columns[i] < 0 or columns[i] >= shape.columns:
            return i
        cell = landing_cell(occupied[i], columns[i], shape)
        if cell == ZERO or has_line(mover[i] ^ occupied[i], shape):
            return i
        new_mover[i] = mover[i] ^ occupied[i]
        new_occupied[i] = occupied[i] | cell
    return -1


@kernel(types.void(_words, SHAPE, _words))
def _mirror_all(stones: U64, shape: Shape, mirrored: U64) -> None:
    for i in range(stones.shape[0]):
        mirrored[i] = mirror(stones[i], shape)
