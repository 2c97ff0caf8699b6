"""The working memory of a search: the nodes on its path and the moves yet to be searched."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.game.bitboard import SHAPE, mirror, popcount
from connectlab.game.geometry import Geometry, Shape
from connectlab.solver.book import BOOK_PLY
from connectlab.solver.table import WORDS, Words, scatter

ZERO = np.uint64(0)
MIRROR_PLIES = 14
"""Mirror images share a table entry while there are fewer stones; later they hardly ever meet."""

MOVER, OCCUPIED, THREATS, SCATTERED, SIDE, RANK, STONES, CREATED, NODE_WORDS = range(9)
COUNT, BEST, SLOT, FRAME_WORDS = range(4)
DEPTH, NODES, STATE_WORDS = range(3)

u8 = types.uint64
i8 = types.int64
NODES_TYPE = types.uint64[:, :, ::1]
FRAMES_TYPE = types.int64[:, ::1]

Frames: TypeAlias = NDArray[np.int64]


class Board(NamedTuple):
    """What the search needs to know of the board, its table and its book."""

    shape: Shape
    n_cells: int
    key_bits: Word
    tag_bits: Word
    book_ply: int
    """The number of stones at which to look into the book; -1 without one."""


class Path(NamedTuple):
    """The nodes between the root and where a search is, with the moves yet to search.

    A node is a row of words: stones of the side to move, all stones, winning cells of the other
    side, scattered key (0: not in the table), side to move (0: that of the root), rank among its
    siblings (0: done with); then, of the move that led to it, the mover's stones and winning
    cells right after it.
    """

    columns: Words
    """[columns] the cells of each column, the most central first."""
    nodes: Words
    """[depth, slot, NODE_WORDS] the root at [0, 0], below it the children of each open node."""
    frames: Frames
    """[depth, FRAME_WORDS] children left in ``nodes[depth + 1]``, best score yet, own slot."""
    state: NDArray[np.int64]
    """[STATE_WORDS] depth of the node to open next, nodes opened."""


BOARD = record_type((SHAPE, i8, u8, u8, i8), Board)
PATH_ARRAYS = (WORDS, NODES_TYPE, FRAMES_TYPE, types.int64[::1])
PATH = record_type(PATH_ARRAYS, Path)


def make_board(geometry: Geometry, tag_bits: int, *, has_book: bool) -> Board:
    """Gather the numbers of a board for the search kernels."""
    return Board(
        geometry.shape,
        geometry.cells,
        np.uint64(geometry.columns * (geometry.rows + 1)),
        np.uint64(tag_bits),
        BOOK_PLY if has_book else -1,
    )


def make_path(geometry: Geometry) -> Path:
    """Return the working memory of one search."""
    depth = geometry.cells + 2
    order = sorted(range(geometry.columns), key=lambda c: abs(2 * c - geometry.columns + 1))
    whole_column = (1 << geometry.rows) - 1
    return Path(
        np.array([whole_column * geometry.cell(c, 0) for c in order], dtype=np.uint64),
        np.zeros((depth, geometry.columns, NODE_WORDS), dtype=np.uint64),
        np.zeros((depth, FRAME_WORDS), dtype=np.int64),
        np.zeros(STATE_WORDS, dtype=np.int64),
    )


@kernel(u8(u8, u8, i8, BOARD), inline=True)
def scattered_key(mover: Word, occupied: Word, n_stones: int, board: Board) -> Word:
    """Return the scattered key under which the table knows a position."""
    key = mover + occupied + board.shape.bottom
    if n_stones < MIRROR_PLIES:
        key = min(key, mirror(key, board.shape))
    return scatter(key, board.key_bits)


@kernel(types.void(u8, u8, u8, BOARD, *PATH_ARRAYS))
def begin(
    mover: Word,
    occupied: Word,
    threats: Word,
    board: Board,
    columns: Words,
    nodes: Words,
    frames: Frames,
    state: NDArray[np.int64],
) -> None:
    """Make a position with a safe cell and without a win in one move the root of a path."""
    nodes[0, 0, MOVER] = mover
    nodes[0, 0, OCCUPIED] = occupied
    nodes[0, 0, THREATS] = threats
    nodes[0, 0, SCATTERED] = scattered_key(mover, occupied, popcount(occupied), board)
    nodes[0, 0, SIDE] = ZERO
    frames[0, SLOT] = 0
    state[DEPTH] = 0
