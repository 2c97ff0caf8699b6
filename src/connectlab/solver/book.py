"""Opening book: the exact score of every position of Connect Four with twelve stones.

The data are ``book_12ply_distances.dat`` of the package bitbully-databases (MIT licence). The file
holds 4,200,899 records of five bytes and nothing else:

====== ======================================================================================
bytes  meaning
====== ======================================================================================
0-3    key of the position, big-endian; the records ascend by this number read as *signed*
4      signed: 0 is a draw, ``100 - d`` a win and ``d - 100`` a loss of the side to move, where
       the last stone of the game falls ``d`` plies from now
====== ======================================================================================

The key is a prefix code, read from the highest bit down. It walks through the columns from left to
right and through each column from the bottom up: a stone of the side to move is ``10``, one of the
opponent ``11``, and ``0`` ends the column, a full one too. Twelve stones and seven ends take 31
bits; the lowest bit is 0.

There is one record for each pair of mirror images, and no rule was found that says which of the
two it is, so a probe may have to look for both. Positions whose side to move wins at once are left
out. Nothing else is missing: an enumeration finds 5,832,236 unfinished positions up to mirroring,
of which 1,631,337 win at once, and the remaining ones are exactly those of the file.

The file is mapped into memory and searched as it is, so that a program pays only for the parts it
asks about, and several programs share them. Keys are compared with the top bit flipped, which makes
the order that of unsigned numbers. An index over their leading bits narrows a search to a few dozen
neighbours; it starts empty, and the first question about some leading bits fills in their place.
"""

import mmap
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.errors import UserError
from connectlab.game.bitboard import landing_cells, popcount, winning_cells
from connectlab.game.geometry import STANDARD, Geometry

__all__ = [
    "BOOK_PLY",
    "BOOK_TYPES",
    "MISSING",
    "NO_BOOK",
    "Book",
    "BookArrays",
    "probe",
]

BOOK_PLY = 12
"""Stones on the board of every position in the book."""
MISSING = 127
"""What a probe answers for a position it does not know; no score is that high."""

PACKAGE = "bitbully_databases"
FILE = "assets/book_12ply_distances.dat"
ENTRIES = 4_200_899
RECORD = np.dtype([("key", ">u4"), ("value", "i1")])

INDEX_BITS = 18
KEY_BITS = 32
INDEX_SHIFT = np.uint32(KEY_BITS - INDEX_BITS)
TOP_BIT = np.uint32(1 << (KEY_BITS - 1))
ONE_BUCKET = np.uint32(1)
LAST_BUCKET = np.uint32((1 << INDEX_BITS) - 1)
RECORD_BYTES = RECORD.itemsize
KEY_BYTES = 4
FOUND = np.uint64(1 << 63)
"""Set in the entry of the index once it is filled in."""
HALF_BITS = np.uint64(32)
HALF_MASK = np.uint64((1 << 32) - 1)

SHAPE = STANDARD.shape
COLUMNS = STANDARD.columns
WIN_AT_ONCE = (STANDARD.cells + 1 - BOOK_PLY) // 2
ZERO = np.uint64(0)
ONE = np.uint64(1)
COLUMN_BITS = np.uint64(STANDARD.rows + 1)
COLUMN_MASK = np.uint64((1 << (STANDARD.rows + 1)) - 1)

u8 = types.uint64
i8 = types.int64
BOOK_TYPES = (types.uint8[::1], types.int8[::1], types.uint64[::1])
"""Numba's types of the three ``BookArrays``, for kernel signatures."""


class BookArrays(NamedTuple):
    """The book as kernels take it: ``probe(mover, occupied, *arrays)``."""

    records: NDArray[np.uint8]
    """[n * RECORD_BYTES] the file as it is."""
    scores: NDArray[np.int8]
    """[256] score for the side to move for every fifth byte of a record, read as unsigned."""
    spans: NDArray[np.uint64]
    """[2**INDEX_BITS] for each leading bits of a key 0, or ``FOUND`` with the numbers of the first
    record that has them (upper half) and of the first after those (lower half)."""


BOOK = record_type(BOOK_TYPES, BookArrays)


def _column_codes() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the code of every content of a column and how many bits it has, both uint64 [128].

    A content is numbered mover + occupied + 1, each counted from the bottom of the column.
    """
    codes = np.zeros(1 << (STANDARD.rows + 1), dtype=np.uint64)
    lengths = np.zeros_like(codes)
    for height in range(STANDARD.rows + 1):
        filled = (1 << height) - 1
        for mover in range(filled + 1):
            stones = ("10" if mover >> row & 1 else "11" for row in range(height))
            code = "".join(stones) + "0"
            codes[mover + filled + 1] = int(code, 2)
            lengths[mover + filled + 1] = len(code)
    return codes, lengths


CODES, LENGTHS = _column_codes()


@kernel("UniTuple(uint32, 2)(uint64, uint64)")
def key_pair(mover: Word, occupied: Word) -> tuple[np.uint32, np.uint32]:
    """Return the keys, top bit flipped, of a twelve-stone position and of its mirror image."""
    contents = mover + occupied + SHAPE.bottom
    key, mirrored, length = ZERO, ZERO, ONE
    for _ in range(COLUMNS):
        content = contents & COLUMN_MASK
        key = (key << LENGTHS[content]) | CODES[content]
        mirrored |= CODES[content] << length
        length += LENGTHS[content]
        contents >>= COLUMN_BITS
    return np.uint32(key << ONE) ^ TOP_BIT, np.uint32(mirrored) ^ TOP_BIT


@kernel(types.uint32(BOOK_TYPES[0], i8), inline=True)
def _key_at(records: NDArray[np.uint8], number: int) -> np.uint32:
    """Return the key of a record, top bit flipped."""
    key = np.uint32(0)
    for i in range(KEY_BYTES):
        key = (key << np.uint32(8)) | np.uint32(records[RECORD_BYTES * number + i])
    return key ^ TOP_BIT


@kernel(i8(BOOK_TYPES[0], types.uint32, i8, i8))
def _first_from(records: NDArray[np.uint8], key: np.uint32, low: int, high: int) -> int:
    """Return the number of the first record from ``low`` on with this key or more, or ``high``."""
    while low < high:
        middle = (low + high) >> 1
        if _key_at(records, middle) < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel(u8(BOOK_TYPES[0], types.uint32))
def _span_of(records: NDArray[np.uint8], bucket: np.uint32) -> Word:
    """Return the entry of the index for some leading bits."""
    n = len(records) // RECORD_BYTES
    start = _first_from(records, bucket << INDEX_SHIFT, 0, n)
    last = bucket == LAST_BUCKET
    end = n if last else _first_from(records, (bucket + ONE_BUCKET) << INDEX_SHIFT, start, n)
    return FOUND | np.uint64(start) << HALF_BITS | np.uint64(end)


@kernel(i8(types.uint32, BOOK_TYPES[0], BOOK_TYPES[2]))
def _find(key: np.uint32, records: NDArray[np.uint8], spans: NDArray[np.uint64]) -> int:
    """Return the number of the record with this key, or -1."""
    bucket = key >> INDEX_SHIFT
    span: Word = spans[bucket]
    if span == ZERO:
        # Threads may do this at the same time: they write the same word.
        span = _span_of(records, bucket)
        spans[bucket] = span
    end = int(span & HALF_MASK)
    at = _first_from(records, key, int((span & ~FOUND) >> HALF_BITS), end)
    return at if at < end and _key_at(records, at) == key else -1


@kernel(i8(u8, u8, *BOOK_TYPES))
def probe(
    mover: Word,
    occupied: Word,
    records: NDArray[np.uint8],
    scores: NDArray[np.int8],
    spans: NDArray[np.uint64],
) -> int:
    """Return the exact score for the side to move of a 7x6 position, or ``MISSING``.

    Missing are positions without exactly twelve stones, those no game leads to (unless they win
    at once), and all positions where the arrays are those of ``NO_BOOK``.
    """
    if len(records) == 0 or popcount(occupied) != BOOK_PLY:
        return MISSING
    key, mirrored = key_pair(mover, occupied)
    at = _find(key, records, spans)
    if at < 0:
        at = _find(mirrored, records, spans)
    if at >= 0:
        return int(scores[records[RECORD_BYTES * at + KEY_BYTES]])
    if winning_cells(mover, occupied, SHAPE) & landing_cells(occupied, SHAPE) != ZERO:
        return WIN_AT_ONCE
    return MISSING


@kernel(types.int8[::1](u8[::1], u8[::1], *BOOK_TYPES))
def _probe_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    records: NDArray[np.uint8],
    scores: NDArray[np.int8],
    spans: NDArray[np.uint64],
) -> NDArray[np.int8]:
    """Return the probes of [n] positions."""
    found = np.empty(len(mover), dtype=np.int8)
    for i in range(len(mover)):
        found[i] = probe(mover[i], occupied[i], records, scores, spans)
    return found


@dataclass(frozen=True, eq=False)
class Book:
    """The exact scores of all positions with twelve stones on the standard board."""

    arrays: BookArrays
    """For kernels: ``probe(mover, occupied, *book.arrays)``."""

    @classmethod
    def load(cls, geometry: Geometry = STANDARD) -> "Book | None":
        """Return the book of this board; None if there is none or its package is not installed.

        It is opened once in a process and shared.
        """
        return _load_standard() if geometry == STANDARD else None

    def __len__(self) -> int:
        """Number of records in the file."""
        return len(self.arrays.records) // RECORD_BYTES

    def score(self, mover: int, occupied: int) -> int | None:
        """Return the exact score for the side to move; None if the book does not know it."""
        found = probe(np.uint64(mover), np.uint64(occupied), *self.arrays)
        return None if found == MISSING else int(found)

    def scores(self, mover: NDArray[np.uint64], occupied: NDArray[np.uint64]) -> NDArray[np.int8]:
        """Return int8 [n] exact scores for the side to move of [n] positions, or ``MISSING``."""
        mover = np.require(mover, np.uint64, ["C", "W"])
        occupied = np.require(occupied, np.uint64, ["C", "W"])
        if mover.ndim != 1 or mover.shape != occupied.shape:
            raise ValueError(
                f"mover and occupied must be 1-D and alike, not {mover.shape} and {occupied.shape}"
            )
        return _probe_all(mover, occupied, *self.arrays)


@cache
def _load_standard() -> Book | None:
    try:
        file = resources.files(PACKAGE).joinpath(FILE)
    except ModuleNotFoundError:
        return None
    return Book(_read(file)) if file.is_file() else None


def _read(file: Traversable) -> BookArrays:
    with resources.as_file(file) as path:
        size = path.stat().st_size
        if size != ENTRIES * RECORD_BYTES:
            raise UserError(
                f"the opening book {path.name} has {size:,} bytes instead of "
                f"{ENTRIES * RECORD_BYTES:,}; reinstall bitbully-databases"
            )
        with path.open("rb") as opened:
            # Private and writable for the kernels' sake, which take no read-only arrays.
            mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_COPY)
    return BookArrays(
        np.frombuffer(mapped, dtype=np.uint8),
        _score_of_value(),
        np.zeros(1 << INDEX_BITS, dtype=np.uint64),
    )


def _score_of_value() -> NDArray[np.int8]:
    """Return int8 [256] the score for every fifth byte of a record, the byte read as unsigned."""
    stones_each = STANDARD.cells // 2
    scores = np.zeros(256, dtype=np.int8)
    for plies in range(1, STANDARD.cells - BOOK_PLY + 1):
        stones_of_winner = (BOOK_PLY + plies + 1) // 2
        score = stones_each + 1 - stones_of_winner
        if plies % 2 == 1:
            scores[100 - plies] = score
        else:
            scores[256 + plies - 100] = -score
    return scores


NO_BOOK = BookArrays(
    np.empty(0, dtype=np.uint8), np.zeros(256, dtype=np.int8), np.zeros(1, dtype=np.uint64)
)
"""Arrays for a search without a book: every probe answers ``MISSING``."""
