"""Many positions side by side, for the arena and the learners."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.errors import GameError
from connectlab.game.bitboard import (
    FIRST_WINS,
    ILLEGAL_MOVE,
    ONGOING,
    SECOND_WINS,
    SHAPE,
    WORDS,
    ZERO,
    landing_cell,
    mirror,
    outcome_of,
    step,
)
from connectlab.game.geometry import STANDARD, Geometry, Shape
from connectlab.game.position import Position
from connectlab.game.streams import make_streams

U64 = NDArray[np.uint64]
Columns = NDArray[np.int64]

WINS = (FIRST_WINS, SECOND_WINS)

_new_words = types.uint64[::1]
_bytes = types.int8[::1]
_ints = types.int64[::1]


@dataclass(frozen=True, eq=False)
class PositionBatch:
    """Positions on one board, each with the random stream of its game; nothing in it changes.

    All arrays have one entry a position and are read-only. ``mover`` and ``occupied`` are uint64
    bits as in ``Position``; ``streams`` belong to the games and never advance: the number that
    decides a move comes from the stream and the ply. (They move on only when a row falls.)
    """

    geometry: Geometry
    mover: U64
    occupied: U64
    streams: U64
    fallen: U64 | None = None
    """Stones that have left each board with fallen rows; None if none has anywhere. It is needed
    only to tell the first player from the second."""

    def __post_init__(self) -> None:
        if self.mover.flags.writeable:
            object.__setattr__(self, "mover", _read_only(self.mover))
        if self.occupied.flags.writeable:
            object.__setattr__(self, "occupied", _read_only(self.occupied))
        if self.streams.flags.writeable:
            object.__setattr__(self, "streams", _read_only(self.streams))
        if self.fallen is not None and self.fallen.flags.writeable:
            object.__setattr__(self, "fallen", _read_only(self.fallen))

    @classmethod
    def start(
        cls, n: int, geometry: Geometry = STANDARD, *, seed: int = 0, first: int = 0
    ) -> "PositionBatch":
        """Return ``n`` empty boards: games ``first`` to ``first + n - 1`` of a seed."""
        empty = np.zeros(n, dtype=np.uint64)
        return cls(geometry, empty, empty, make_streams(seed, n, first))

    @classmethod
    def of(
        cls, positions: Iterable[Position], *, seed: int = 0, streams: Sequence[int] | None = None
    ) -> "PositionBatch":
        """Gather single positions, all on the same board, with these streams or those of a seed.

        The streams are those with which the games began.
        """
        rows = list(positions)
        boards = {position.geometry for position in rows}
        if len(boards) > 1:
            raise GameError(f"a batch has one board, not {', '.join(map(str, boards))}")
        given = make_streams(seed, len(rows)).tolist() if streams is None else streams
        now = [p.stream_now(s) % 2**64 for p, s in zip(rows, given, strict=True)]
        fallen = [p.fallen for p in rows]
        return cls(
            boards.pop() if boards else STANDARD,
            np.array([p.mover for p in rows], dtype=np.uint64),
            np.array([p.occupied for p in rows], dtype=np.uint64),
            np.array(now, dtype=np.uint64),
            np.array(fallen, dtype=np.uint64) if any(fallen) else None,
        )

    @classmethod
    def joined(cls, batches: Sequence["PositionBatch"]) -> "PositionBatch":
        """Put batches of one board one after the other; there must be at least one."""
        return cls(
            batches[0].geometry,
            np.concatenate([batch.mover for batch in batches]),
            np.concatenate([batch.occupied for batch in batches]),
            np.concatenate([batch.streams for batch in batches]),
            None
            if all(batch.fallen is None for batch in batches)
            else np.concatenate([batch._all_fallen() for batch in batches]),
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
        fallen = None if self.fallen is None else np.ascontiguousarray(self.fallen[index])
        return PositionBatch(self.geometry, mover, occupied, streams, fallen)

    def position(self, index: int) -> Position:
        """Return one position, without history."""
        fallen = 0 if self.fallen is None else int(self.fallen[index])
        mover, occupied = int(self.mover[index]), int(self.occupied[index])
        return Position(self.geometry, mover, occupied, fallen=fallen)

    def positions(self) -> list[Position]:
        """Return all positions, without history."""
        return [self.position(i) for i in range(len(self))]

    @property
    def plies(self) -> NDArray[np.int64]:
        """Number of stones on each board, int64[n]."""
        return np.bitwise_count(self.occupied).astype(np.int64)

    @property
    def keys(self) -> U64:
        """A number for each position, uint64[n]: equal for equal positions and no others.

        The stones of the side to move on top of all columns' heights: Pons's key, which is unique.
        """
        return self.mover + self.occupied + self.geometry.shape.bottom

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which columns can be played, bool[n, columns]; none where the game is over."""
        legal = np.empty((len(self), self.geometry.columns), dtype=np.bool_)
        _legal(self.mover, self.occupied, self.geometry.shape, legal)
        return legal

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """How each game stands, int8[n] of ``Outcome`` values."""
        outcomes = np.empty(len(self), dtype=np.int8)
        _outcomes(self.mover, self.occupied, self.geometry.shape, outcomes)
        if self.fallen is not None:
            swapped = (self.fallen & np.uint64(1)).astype(np.bool_) & np.isin(outcomes, WINS)
            outcomes[swapped] = sum(WINS) - outcomes[swapped]
        return outcomes

    def _all_fallen(self) -> U64:
        return np.zeros(len(self), dtype=np.uint64) if self.fallen is None else self.fallen

    def distinct(self) -> tuple["PositionBatch", NDArray[np.intp]]:
        """Return each position once (with the stream of its first game), and which one each is."""
        _, first, where = np.unique(self.keys, return_index=True, return_inverse=True)
        return self[first], where

    def play(self, columns: NDArray[np.integer]) -> "PositionBatch":
        """Return the batch after one move on every board; the streams go along.

        The stones land in these columns; chance is for :meth:`Lockstep.play`.
        """
        given = np.asarray(columns)
        if given.shape != self.mover.shape:
            raise GameError(f"{len(self)} positions need as many columns, not {given.shape}")
        if given.dtype.kind not in "iu" and given.size:
            raise GameError(f"columns are whole numbers, not {given.dtype}")
        chosen = np.ascontiguousarray(given, dtype=np.int64)
        mover, occupied = np.empty((2, len(self)), dtype=np.uint64)
        wrong = _play(self.mover, self.occupied, chosen, self.geometry.shape, mover, occupied)
        if wrong >= 0:
            self._refuse(int(wrong), int(chosen[wrong]))
        return PositionBatch(self.geometry, mover, occupied, self.streams, self.fallen)

    def _refuse(self, index: int, column: int) -> None:
        """Let ``Position`` say what is wrong with a move."""
        try:
            self.position(index).play(column)
        except GameError as error:
            raise GameError(f"position {index} of the batch: {error}") from None

    def mirror(self) -> "PositionBatch":
        """Return the batch with left and right exchanged; the streams go along."""
        mover, occupied = np.empty((2, len(self)), dtype=np.uint64)
        _mirror_all(self.mover, self.geometry.shape, mover)
        _mirror_all(self.occupied, self.geometry.shape, occupied)
        return PositionBatch(self.geometry, mover, occupied, self.streams, self.fallen)

    def cells(self) -> NDArray[np.int8]:
        """Return int8[n, rows, columns], top row first: 1 the side to move, -1 the other."""
        rows = np.arange(self.geometry.rows - 1, -1, -1, dtype=np.uint64)[:, None]
        columns = np.arange(self.geometry.columns, dtype=np.uint64)[None, :]
        shifts = columns * self.geometry.shape.column_bits + rows
        one = np.uint64(1)
        own = (self.mover[:, None, None] >> shifts) & one
        other = ((self.mover ^ self.occupied)[:, None, None] >> shifts) & one
        return own.astype(np.int8) - other.astype(np.int8)


def _read_only(words: U64) -> U64:
    """Return a view that cannot be written to; whoever made the array still can."""
    view = words.view()
    view.flags.writeable = False
    return view


@kernel(types.void(WORDS, WORDS, SHAPE, _bytes))
def _outcomes(mover: U64, occupied: U64, shape: Shape, outcomes: NDArray[np.int8]) -> None:
    for i in range(mover.shape[0]):
        outcomes[i] = outcome_of(mover[i], occupied[i], shape)


@kernel(types.void(WORDS, WORDS, SHAPE, types.boolean[:, ::1]))
def _legal(mover: U64, occupied: U64, shape: Shape, legal: NDArray[np.bool_]) -> None:
    for i in range(mover.shape[0]):
        goes_on = outcome_of(mover[i], occupied[i], shape) == ONGOING
        for column in range(shape.columns):
            legal[i, column] = goes_on and landing_cell(occupied[i], column, shape) != ZERO


@kernel(types.int64(WORDS, WORDS, _ints, SHAPE, _new_words, _new_words))
def _play(
    mover: U64, occupied: U64, columns: Columns, shape: Shape, new_mover: U64, new_occupied: U64
) -> int:
    """Play one move on each board; return the index of the first illegal one, or -1."""
    for i in range(mover.shape[0]):
        if outcome_of(mover[i], occupied[i], shape) != ONGOING:
            return i
        new_mover[i], new_occupied[i], stands = step(mover[i], occupied[i], columns[i], shape)
        if stands == ILLEGAL_MOVE:
            return i
    return -1


@kernel(types.void(WORDS, SHAPE, _new_words))
def _mirror_all(stones: U64, shape: Shape, mirrored: U64) -> None:
    for i in range(stones.shape[0]):
        mirrored[i] = mirror(stones[i], shape)
