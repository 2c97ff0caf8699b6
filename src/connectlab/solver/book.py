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

Here the top bit of a key is flipped, so that the order is that of unsigned numbers, and an index
over the leading bits narrows the search to a few dozen neighbours.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
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

SHAPE = STANDARD.shape
COLUMNS = STANDARD.columns
WIN_AT_ONCE = (STANDARD.cells + 1 - BOOK_PLY) // 2
ZERO = np.uint64(0)
ONE = np.uint64(1)
COLUMN_BITS = np.uint64(STANDARD.rows + 1)
COLUMN_MASK = np.uint64((1 << (STANDARD.rows + 1)) - 1)

u8 = types.uint64
i8 = types.int64
BOOK_TYPES = (types.uint32[::1], types.int8[::1], types.int32[::1])
"""Numba's types of the three ``BookArrays``, for kernel signatures."""


class BookArrays(NamedTuple):
    """The book as kernels take it: ``probe(mover, occupied, *arrays)``."""

    keys: NDArray[np.uint32]
    """[n] keys with the top bit flipped, ascending."""
    scores: NDArray[np.int8]
    """[n] score for the side to move."""
    starts: NDArray[np.int32]
    """[2**INDEX_BITS + 1] position in ``keys`` of the first with these leading bits or more."""


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


@kernel(i8(types.uint32, BOOK_TYPES[0], BOOK_TYPES[2]))
def _find(key: np.uint32, keys: NDArray[np.uint32], starts: NDArray[np.int32]) -> int:
    """Return where the key is, or -1."""
    bucket = int(key >> INDEX_SHIFT)
    low, end = int(starts[bucket]), int(starts[bucket + 1])
    high = end
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < end and keys[low] == key else -1


@kernel(i8(u8, u8, *BOOK_TYPES))
def probe(
    mover: Word,
    occupied: Word,
    keys: NDArray[np.uint32],
    scores: NDArray[np.int8],
    starts: NDArray[np.int32],
) -> int:
    """Return the exact score for the side to move of a 7x6 position, or ``MISSING``.

    Missing are positions without exactly twelve stones, those no game leads to (unless they win
    at once), and all positions where the arrays are those of ``NO_BOOK``.
    """
    if len(keys) == 0 or popcount(occupied) != BOOK_PLY:
        return MISSING
    key, mirrored = key_pair(mover, occupied)
    at = _find(key, keys, starts)
    if at < 0:
        at = _find(mirrored, keys, starts)
    if at >= 0:
        return int(scores[at])
    if winning_cells(mover, occupied, SHAPE) & landing_cells(occupied, SHAPE) != ZERO:
        return WIN_AT_ONCE
    return MISSING


@kernel(types.int8[::1](u8[::1], u8[::1], *BOOK_TYPES))
def _probe_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    keys: NDArray[np.uint32],
    scores: NDArray[np.int8],
    starts: NDArray[np.int32],
) -> NDArray[np.int8]:
    """Return the probes of [n] positions."""
    found = np.empty(len(mover), dtype=np.int8)
    for i in range(len(mover)):
        found[i] = probe(mover[i], occupied[i], keys, scores, starts)
    return found


@dataclass(frozen=True, eq=False)
class Book:
    """The exact scores of all positions with twelve stones on the standard board."""

    arrays: BookArrays
    """For kernels: ``probe(mover, occupied, *book.arrays)``."""

    @classmethod
    def load(cls, geometry: Geometry = STANDARD) -> "Book | None":
        """Return the book of this board; None if there is none or its package is not installed.

        It is read once in a process (21 MB) and shared.
        """
        return _load_standard() if geometry == STANDARD else None

    def __len__(self) -> int:
        """Number of records in the file."""
        return len(self.arrays.keys)

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
        if size != ENTRIES * RECORD.itemsize:
            raise UserError(
                f"the opening book {path.name} has {size:,} bytes instead of "
                f"{ENTRIES * RECORD.itemsize:,}; reinstall bitbully-databases"
            )
        records = np.fromfile(path, dtype=RECORD)
    keys = records["key"].astype(np.uint32) ^ TOP_BIT
    return BookArrays(
        keys, _score_of_value()[records["value"].view(np.uint8)], _bucket_starts(keys)
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


def _bucket_starts(keys: NDArray[np.uint32]) -> NDArray[np.int32]:
    first_of_bucket = np.arange(1 << INDEX_BITS, dtype=np.uint32) << INDEX_SHIFT
    starts = np.searchsorted(keys, first_of_bucket)
    return np.append(starts, len(keys)).astype(np.int32)


NO_BOOK = BookArrays(
    np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.int8), np.zeros(1, dtype=np.int32)
)
"""Arrays for a search without a book: every probe answers ``MISSING``."""
