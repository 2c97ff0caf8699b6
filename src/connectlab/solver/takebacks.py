"""What the book says about a position with one stone more.

A position is one of the moves of every position that it comes from by taking back a stone of the
side that moved last, whether the game went that way or not. None of those scores less than this
move is worth to it, so the best of their scores, seen from the other side, is a lower bound. Most
often it is the score itself: whoever moved last chose well in one of the orders of play.
"""

import numpy as np
from numba import types

from connectlab._jit import Word, kernel
from connectlab.game.bitboard import column_cells, popcount
from connectlab.solver.book import BOOK, BOOK_PLY, MISSING, BookArrays, probe
from connectlab.solver.path import BOARD, Board
from connectlab.solver.table import MAX_SCORE

ZERO = np.uint64(0)
ONE = np.uint64(1)
u8 = types.uint64
i8 = types.int64


@kernel(i8(u8, u8, BOOK, BOARD))
def lower_bound(mover: Word, occupied: Word, book: BookArrays, board: Board) -> int:
    """Return a score that a position with one stone more than the book's has at least.

    It is ``-MAX_SCORE``, which says nothing, for any other position or without a book. Nobody may
    have won yet.
    """
    least = -MAX_SCORE
    if board.book_ply != BOOK_PLY or popcount(occupied) != BOOK_PLY + 1:
        return least
    other = mover ^ occupied
    for column in range(board.shape.columns):
        stones = occupied & column_cells(column, board.shape)
        last = stones & ~(stones >> ONE) & other
        if last == ZERO:
            continue
        score = probe(other ^ last, occupied ^ last, book.records, book.scores, book.spans)
        if score != MISSING:
            least = max(least, -score)
    return least
