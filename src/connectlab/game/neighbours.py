"""What follows a position and what it may have come from, for many positions and by their keys.

A walk through all positions that can arise keeps nothing of a position but its key
(``PositionBatch.keys``), which tells all stones. Two positions that mirror each other may be one to
it: then the smaller of their keys stands for both.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.game.batch import PositionBatch
from connectlab.game.bitboard import (
    ONE,
    ONGOING,
    SHAPE,
    WORDS,
    ZERO,
    column_cells,
    landing_cells,
    mirror,
    popcount,
    step,
)
from connectlab.game.geometry import Geometry, Shape

U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]
Columns = NDArray[np.int64]

_u8 = types.uint64
_words = types.uint64[::1]
_ints = types.int64[::1]


class Origins(NamedTuple):
    """Where positions may have come from, a move of each side ago; an entry each."""

    rows: Columns
    """Which of the positions."""
    batch: PositionBatch
    """Where it was before: the same side to move."""
    columns: Columns
    """What that side played there, 0-based."""
    replies: Columns
    """What the other side answered."""

    def some(self, chosen: NDArray[np.bool_]) -> "Origins":
        """Return some of the entries."""
        return Origins(
            self.rows[chosen], self.batch[chosen], self.columns[chosen], self.replies[chosen]
        )


def batch_of(keys: U64, geometry: Geometry) -> PositionBatch:
    """Return the positions with these keys, each with the stream 0."""
    mover, occupied = np.empty((2, len(keys)), dtype=np.uint64)
    _unpack_all(np.ascontiguousarray(keys), geometry.shape, mover, occupied)
    return PositionBatch(geometry, mover, occupied, np.zeros(len(keys), dtype=np.uint64))


def smaller_keys(batch: PositionBatch) -> U64:
    """Return one key for a position and its mirror image: the smaller of theirs."""
    keys = np.empty(len(batch), dtype=np.uint64)
    _smaller_all(batch.mover, batch.occupied, batch.geometry.shape, keys)
    return keys


def replies(batch: PositionBatch, weights: F64, *, mirrored: bool) -> tuple[U64, F64]:
    """Return the keys after every move after which the game goes on, and the weight of each.

    The weight of a position is shared by all its moves, those that end the game too. With
    ``mirrored`` the keys are those of ``smaller_keys``. No game of the batch may be over.
    """
    room = len(batch) * batch.geometry.columns
    keys, shares = np.empty(room, dtype=np.uint64), np.empty(room, dtype=np.float64)
    n = _reply_all(
        batch.mover, batch.occupied, weights, batch.geometry.shape, mirrored, keys, shares
    )
    return keys[:n], shares[:n]


def origins(batch: PositionBatch) -> Origins:
    """Return every position from which two moves may lead to each of these.

    No game of the batch may be over. What comes back need not be reachable from the empty board.
    """
    room = len(batch) * batch.geometry.columns**2
    mover, occupied = np.empty((2, room), dtype=np.uint64)
    rows, columns, answers = np.empty((3, room), dtype=np.int64)
    n = _take_back_all(
        batch.mover, batch.occupied, batch.geometry.shape, mover, occupied, rows, columns, answers
    )
    before = PositionBatch(
        batch.geometry, mover[:n].copy(), occupied[:n].copy(), batch.streams[rows[:n]]
    )
    return Origins(rows[:n], before, columns[:n], answers[:n])


@kernel(_u8(_u8, _u8, SHAPE))
def _key_of(mover: Word, occupied: Word, shape: Shape) -> Word:
    return mover + occupied + shape.bottom


@kernel(_u8(_u8, _u8, SHAPE))
def _smaller_key(mover: Word, occupied: Word, shape: Shape) -> Word:
    key = _key_of(mover, occupied, shape)
    return min(key, mirror(key, shape))  # a key has a field for each column, as stones have


@kernel(types.void(WORDS, WORDS, SHAPE, _words))
def _smaller_all(mover: U64, occupied: U64, shape: Shape, keys: U64) -> None:
    for i in range(mover.shape[0]):
        keys[i] = _smaller_key(mover[i], occupied[i], shape)


@kernel(types.void(WORDS, SHAPE, _words, _words), types.void(_words, SHAPE, _words, _words))
def _unpack_all(keys: U64, shape: Shape, mover: U64, occupied: U64) -> None:
    """In each column the highest bit of a key tells the height, and those below it the stones."""
    for i in range(keys.shape[0]):
        marks = ZERO
        for column in range(shape.columns):
            cells = column_cells(column, shape)
            field = keys[i] & (cells | cells << ONE)
            for width in range(6):  # every bit below the highest
                field |= field >> (ONE << np.uint64(width)) & cells
            marks |= field ^ (field >> ONE & cells)
        mover[i] = keys[i] ^ marks
        occupied[i] = marks - shape.bottom


@kernel(
    types.int64(WORDS, WORDS, types.float64[::1], SHAPE, types.boolean, _words, types.float64[::1])
)
def _reply_all(
    mover: U64, occupied: U64, weights: F64, shape: Shape, mirrored: bool, keys: U64, shares: F64
) -> int:
    n = 0
    for i in range(mover.shape[0]):
        share = weights[i] / popcount(landing_cells(occupied[i], shape))
        for column in range(shape.columns):
            after, stones, stands = step(mover[i], occupied[i], column, shape)
            if stands != ONGOING:
                continue
            if mirrored:
                keys[n] = _smaller_key(after, stones, shape)
            else:
                keys[n] = _key_of(after, stones, shape)
            shares[n] = share
            n += 1
    return n


@kernel(_u8(_u8, types.int64, SHAPE))
def _top_stone(occupied: Word, column: int, shape: Shape) -> Word:
    """Return the highest stone of a column, 0 of an empty one."""
    stones = occupied & column_cells(column, shape)
    return stones ^ (stones >> ONE & column_cells(column, shape))


@kernel(types.int64(WORDS, WORDS, SHAPE, _words, _words, _ints, _ints, _ints))
def _take_back_all(
    mover: U64,
    occupied: U64,
    shape: Shape,
    new_mover: U64,
    new_occupied: U64,
    rows: Columns,
    columns: Columns,
    answers: Columns,
) -> int:
    """Take a stone of the other side back, then one of the side to move, in all ways."""
    n = 0
    for i in range(mover.shape[0]):
        for answer in range(shape.columns):
            last = _top_stone(occupied[i], answer, shape)
            if last & (mover[i] ^ occupied[i]) == ZERO:
                continue
            for column in range(shape.columns):
                own = _top_stone(occupied[i] ^ last, column, shape)
                if own & mover[i] == ZERO:
                    continue
                new_mover[n] = mover[i] ^ own
                new_occupied[n] = occupied[i] ^ last ^ own
                rows[n], columns[n], answers[n] = i, column, answer
                n += 1
    return n
