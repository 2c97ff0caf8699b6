"""Winning cells and lines for the search: the rules' own, with a short cut for connect four.

The general kernels of :mod:`connectlab.game.bitboard` are right for every board; on the boards that
matter most these answer the same questions in about half the time.
"""

import numpy as np
from numba import types

from connectlab._jit import Word, kernel, popcount
from connectlab.game import bitboard
from connectlab.game.bitboard import SHAPE
from connectlab.game.geometry import Shape

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
MAX_FOUR_BITS = np.uint64(20)
"""Beyond so many bits a column, shifts by three diagonal steps would leave the word."""

u8 = types.uint64


@kernel(u8(u8, u8))
def _fours(stones: Word, step: Word) -> Word:
    """Return the cells with three of these stones beside or around them, ``step`` bits apart."""
    before = (stones << step) & (stones << (TWO * step))
    after = (stones >> step) & (stones >> (TWO * step))
    return (before & (stones << (THREE * step) | stones >> step)) | (
        after & (stones >> (THREE * step) | stones << step)
    )


@kernel(u8(u8, u8, SHAPE), inline=True)
def winning_cells(stones: Word, occupied: Word, shape: Shape) -> Word:
    """Return the empty cells, reachable or not, where one more of these stones makes a line."""
    bits = shape.column_bits
    if shape.connect != 4 or bits > MAX_FOUR_BITS:
        return bitboard.winning_cells(stones, occupied, shape)
    cells = (stones << ONE) & (stones << TWO) & (stones << THREE)
    cells |= _fours(stones, bits) | _fours(stones, bits - ONE) | _fours(stones, bits + ONE)
    return cells & (shape.board ^ occupied)


@kernel(u8(u8, u8))
def _runs(stones: Word, step: Word) -> Word:
    """Return the first cell of every four of these stones that are ``step`` bits apart."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (TWO * step))


@kernel(types.boolean(u8, SHAPE), inline=True)
def has_line(stones: Word, shape: Shape) -> bool:
    """Say whether these stones hold ``connect`` in a line."""
    bits = shape.column_bits
    if shape.connect != 4 or bits > MAX_FOUR_BITS:
        return bitboard.has_line(stones, shape)
    rising = _runs(stones, bits - ONE) | _runs(stones, bits + ONE)
    return bool(rising | _runs(stones, bits) | _runs(stones, ONE))


@kernel(types.int64(u8, u8, SHAPE))
def open_pairs(stones: Word, occupied: Word, shape: Shape) -> int:
    """Count the sloping and level fours, free of the other side, with two of these stones or more.

    Only a hint for the order of moves: it looks at fours whatever ``connect`` is.
    """
    usable = stones | (shape.board ^ occupied)
    count = 0
    for slope in range(3):
        step = shape.column_bits + np.uint64(slope) - ONE
        one = stones ^ (stones >> step)
        two = stones & (stones >> step)
        far = TWO * step
        count += popcount(_runs(usable, step) & (two | two >> far | (one & one >> far)))
    return count
