"""The rules as compiled functions on (mover, occupied) pairs of uint64.

``mover`` holds the stones of the side to move, ``occupied`` those of both; the drawing at the top
of :mod:`connectlab.game.geometry` says which bit is which cell. Boards come in as a ``Shape``.
All functions are pure; none checks its input (that is the work of ``Position``).

A stone on the cell ``c`` turns a position into ``(mover ^ occupied, occupied | c)``. Searches write
that where they need it; every other move of the package goes through :func:`step`, which takes a
column and tells how the game then stands.
"""

import numpy as np
from numba import types

from connectlab._jit import NumbaType, Word, kernel, popcount, record_type, tuple_type
from connectlab.game.geometry import Shape

__all__ = [
    "DRAW",
    "FIRST_WINS",
    "ILLEGAL_MOVE",
    "ONGOING",
    "SECOND_WINS",
    "SHAPE",
    "WORDS",
    "column_cells",
    "column_of",
    "four_starts",
    "has_line",
    "landing_cell",
    "landing_cells",
    "line_cells",
    "mirror",
    "outcome_of",
    "pick_cell",
    "popcount",
    "step",
    "winning_cells",
]

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
WORD_BITS = np.uint64(64)
MAX_FOUR_BITS = np.uint64(20)
"""Up to so many bits a column, connect four has a short cut: its shifts stay within the word."""

u8 = types.uint64
i8 = types.int64
SHAPE = record_type((i8, i8, i8, u8, u8, u8), Shape)
"""Numba's type of a ``Shape``, for kernel signatures."""
WORDS: NumbaType = types.Array(u8, 1, "C", readonly=True)
"""Numba's type of uint64[n] that a kernel only reads, such as the arrays of a batch."""

_STEPPED = tuple_type(u8, u8, i8)

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = range(4)
"""How a game stands, as :class:`connectlab.game.position.Outcome` names it."""
ILLEGAL_MOVE = -1
"""What :func:`step` returns in place of an outcome for a column that is full or not there."""


@kernel(u8(u8, u8, i8))
def _line_starts(stones: Word, step: Word, connect: int) -> Word:
    """Return the first cell of every run of ``connect`` stones that are ``step`` bits apart."""
    if step * np.uint64(connect - 1) >= WORD_BITS:
        return ZERO
    run = stones
    length = 1
    while 2 * length <= connect:
        run &= run >> (step * np.uint64(length))
        length *= 2
    if length < connect:
        run &= run >> (step * np.uint64(connect - length))
    return run


@kernel(u8(u8, u8))
def four_starts(stones: Word, step: Word) -> Word:
    """Return the first cell of every four of these stones that are ``step`` bits apart."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (TWO * step))


@kernel(types.boolean(u8, SHAPE))
def _has_any_line(stones: Word, shape: Shape) -> bool:
    bits = shape.column_bits
    return bool(
        _line_starts(stones, ONE, shape.connect)
        | _line_starts(stones, bits - ONE, shape.connect)
        | _line_starts(stones, bits, shape.connect)
        | _line_starts(stones, bits + ONE, shape.connect)
    )


@kernel(types.boolean(u8, SHAPE), inline=True)
def has_line(stones: Word, shape: Shape) -> bool:
    """Say whether these stones hold ``connect`` in a line."""
    bits = shape.column_bits
    if shape.connect != 4 or bits > MAX_FOUR_BITS:
        return _has_any_line(stones, shape)
    sloping = four_starts(stones, bits - ONE) | four_starts(stones, bits + ONE)
    return bool(sloping | four_starts(stones, bits) | four_starts(stones, ONE))


@kernel(u8(u8, SHAPE))
def line_cells(stones: Word, shape: Shape) -> Word:
    """Return every stone that is part of a winning line."""
    cells = ZERO
    for direction in range(4):
        step = ONE if direction == 0 else shape.column_bits + np.uint64(direction) - TWO
        starts = _line_starts(stones, step, shape.connect)
        if starts != ZERO:
            for i in range(shape.connect):
                cells |= starts << (step * np.uint64(i))
    return cells


@kernel(u8(u8, u8, i8))
def _completes(stones: Word, step: Word, connect: int) -> Word:
    """Return the cells that would finish a run of ``connect`` in one direction."""
    if step * np.uint64(connect - 1) >= WORD_BITS:
        return ZERO
    cells = ZERO
    for below in range(connect):
        full = ALL
        for i in range(1, below + 1):
            full &= stones << (step * np.uint64(i))
        for i in range(1, connect - below):
            full &= stones >> (step * np.uint64(i))
        cells |= full
    return cells


@kernel(u8(u8, u8))
def _completes_four(stones: Word, step: Word) -> Word:
    """Return the cells with three of these stones beside or around them, ``step`` bits apart."""
    before = (stones << step) & (stones << (TWO * step))
    after = (stones >> step) & (stones >> (TWO * step))
    return (before & (stones << (THREE * step) | stones >> step)) | (
        after & (stones >> (THREE * step) | stones << step)
    )


@kernel(u8(u8, SHAPE))
def _completes_any(stones: Word, shape: Shape) -> Word:
    bits = shape.column_bits
    return (
        _completes(stones, ONE, shape.connect)
        | _completes(stones, bits - ONE, shape.connect)
        | _completes(stones, bits, shape.connect)
        | _completes(stones, bits + ONE, shape.connect)
    )


@kernel(u8(u8, u8, SHAPE), inline=True)
def winning_cells(stones: Word, occupied: Word, shape: Shape) -> Word:
    """Return the empty cells, reachable or not, where one more of these stones makes a line."""
    bits = shape.column_bits
    if shape.connect != 4 or bits > MAX_FOUR_BITS:
        return _completes_any(stones, shape) & (shape.board ^ occupied)
    cells = _completes_four(stones, ONE) | _completes_four(stones, bits)
    cells |= _completes_four(stones, bits - ONE) | _completes_four(stones, bits + ONE)
    return cells & (shape.board ^ occupied)


@kernel(u8(u8, SHAPE))
def landing_cells(occupied: Word, shape: Shape) -> Word:
    """Return the cell where a stone would come to rest, for every column with room."""
    return (occupied + shape.bottom) & shape.board


@kernel(u8(i8, SHAPE))
def column_cells(column: int, shape: Shape) -> Word:
    """Return all cells of one column."""
    lowest = ONE << (np.uint64(column) * shape.column_bits)
    return (lowest << np.uint64(shape.rows)) - lowest


@kernel(u8(u8, i8, SHAPE))
def landing_cell(occupied: Word, column: int, shape: Shape) -> Word:
    """Return the cell where a stone dropped into ``column`` comes to rest; 0 if it is full."""
    return landing_cells(occupied, shape) & column_cells(column, shape)


@kernel(i8(u8, SHAPE))
def column_of(cell: Word, shape: Shape) -> int:
    """Return the column of a single cell."""
    return popcount(cell - ONE) // (shape.rows + 1)


@kernel(u8(u8, i8))
def pick_cell(cells: Word, index: int) -> Word:
    """Return the cell number ``index`` of a set, counted from column 0 upward."""
    for _ in range(index):
        cells &= cells - ONE
    return cells & (~cells + ONE)


@kernel(u8(u8, SHAPE))
def mirror(stones: Word, shape: Shape) -> Word:
    """Return the stones with left and right exchanged."""
    if shape.columns == 1:  # a column of 64 bits cannot be shifted out of the word
        return stones
    mirrored = ZERO
    one_column = (ONE << shape.column_bits) - ONE
    for _ in range(shape.columns):
        mirrored = (mirrored << shape.column_bits) | (stones & one_column)
        stones >>= shape.column_bits
    return mirrored


@kernel(i8(u8, u8, SHAPE))
def outcome_of(mover: Word, occupied: Word, shape: Shape) -> int:
    """Return how a game stands: ``ONGOING``, ``FIRST_WINS``, ``SECOND_WINS`` or ``DRAW``."""
    if has_line(mover ^ occupied, shape):
        return SECOND_WINS if popcount(occupied) % 2 == 0 else FIRST_WINS
    return DRAW if occupied == shape.board else ONGOING


@kernel(_STEPPED(u8, u8, i8, SHAPE))
def step(mover: Word, occupied: Word, column: int, shape: Shape) -> tuple[Word, Word, int]:
    """Drop a stone of the side to move into a column: the rules of the game in one function.

    Returns the new ``mover``, the new ``occupied`` and how the game then stands. A column that is
    full or not there leaves the stones alone and returns ``ILLEGAL_MOVE``. The game must go on.
    """
    if column < 0 or column >= shape.columns:
        return mover, occupied, ILLEGAL_MOVE
    cell = landing_cell(occupied, column, shape)
    if cell == ZERO:
        return mover, occupied, ILLEGAL_MOVE
    mover ^= occupied
    occupied |= cell
    return mover, occupied, outcome_of(mover, occupied, shape)
