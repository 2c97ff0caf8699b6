"""The compiled readings of a board: indices, values and the best move.

Everything here works on a position that is kept in three forms at once: the bitboards, the *key*
(per column, its content as :mod:`~connectlab.agents.ntuple.layout` defines it) and the weight index
of every slot. A move updates all three; only the slots that look at its column are touched.

Arrays are taken out of their named tuple before a loop: inside one, Numba would count a reference
for each access.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, record_type, tuple_type
from connectlab.agents.ntuple.layout import Layout
from connectlab.game import Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    WORDS,
    ZERO,
    popcount,
)
from connectlab.game.streams import GAMMA, below

REASSOCIATE = {"reassoc", "contract", "nsz", "arcp"}
"""Sums may be reordered for vector units; infinities and NaN keep their meaning."""

TIE = np.float32(1e-5)
"""Totals closer than this are equal: mirror images differ by the rounding of a reordered sum."""

INFINITY = np.float32(np.inf)

UInt32s = NDArray[np.uint32]
Floats = NDArray[np.float32]
Words = NDArray[np.uint64]


class Views(NamedTuple):
    """A ``Layout`` as the kernels take it.

    The *watchers* of a cell are the slots whose index changes when a stone lands there: they look
    at that cell, or (with P = 4) at the one above, which then can be reached.
    """

    slots: int
    contents: int
    """Number of contents of a column that is not full, plus one."""
    size: int
    """Weights of one table."""
    second_table: int
    """Where the weights for the second player to move begin: ``size``, or 0 with one table."""
    start: UInt32s
    """Indices of the empty board, uint32[slots]."""
    watchers: UInt32s
    """The watchers of each cell, one cell after the other, in the order of their bits."""
    first_watcher: NDArray[np.int64]
    """Where the watchers of each bit begin, int64[bits + 1]."""
    deltas: UInt32s
    """What a stone adds to each watcher's index, modulo 2**32."""
    width: int
    """Entries of ``deltas`` for one (player, column, content)."""


VIEWS = record_type(
    (
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.uint32[::1],
        types.uint32[::1],
        types.int64[::1],
        types.uint32[::1],
        types.int64,
    ),
    Views,
)

_u8, _i8, _f4 = types.uint64, types.int64, types.float32
_indices = types.uint32[::1]
_MOVE = tuple_type(_u8, _u8, _f4)
_floats = types.float32[::1]


def make_views(layout: Layout, tables: int) -> Views:
    """Turn a layout into the arrays of :class:`Views`; ``tables`` is 1 or 2."""
    geometry = layout.geometry
    contents = 1 << geometry.rows
    changes = _changes(layout)
    watchers: list[NDArray[np.intp]] = []
    for column in range(geometry.columns):
        for row in range(geometry.rows):
            low = changes[:, column, 1 << row : 2 << row]
            watchers.append(np.nonzero(low.any(axis=(0, 1)))[0])
        watchers.append(np.zeros(0, dtype=np.intp))
    width = max(map(len, watchers))
    deltas = np.zeros((2, geometry.columns, contents, width), dtype=np.uint32)
    for bit, slots in enumerate(watchers):
        column, row = divmod(bit, geometry.rows + 1)
        rows = slice(1 << row, 2 << row)
        deltas[:, column, rows, : len(slots)] = changes[:, column, rows][..., slots]
    return Views(
        layout.slots,
        contents,
        layout.weights,
        layout.weights if tables == 2 else 0,
        layout.empty_index.view(np.uint32),
        np.concatenate(watchers).astype(np.uint32),
        np.cumsum([0, *map(len, watchers)], dtype=np.int64),
        deltas.ravel(),
        width,
    )


def _changes(layout: Layout) -> UInt32s:
    """Return what a stone adds to every slot's index: [player, column, content, slot]."""
    contents = 1 << layout.geometry.rows
    old = np.arange(1, contents)
    height = np.array([int(content).bit_length() - 1 for content in old])
    changes = np.zeros((2, layout.geometry.columns, contents, layout.slots), dtype=np.uint32)
    for player in (0, 1):
        new = old + (1 << (height + 1 - player))
        changes[player, :, 1:] = (layout.steps[:, new] - layout.steps[:, old]).view(np.uint32)
    return changes


@kernel(_u8(_i8, _u8, _u8, VIEWS, SHAPE))
def _delta_row(player: int, bit: Word, key: Word, views: Views, shape: Shape) -> Word:
    """Return where in ``deltas`` the changes by a stone of ``player`` on a cell begin."""
    column = bit // shape.column_bits
    content = (key >> (column * shape.column_bits)) & np.uint64(2 * views.contents - 1)
    row = (np.uint64(player * shape.columns) + column) * np.uint64(views.contents) + content
    return row * np.uint64(views.width)


@kernel(types.void(_indices, _i8, _u8, _u8, VIEWS, SHAPE))
def move_indices(
    index: UInt32s, player: int, cell: Word, key: Word, views: Views, shape: Shape
) -> None:
    """Update all indices in place for a stone of ``player`` (0 or 1) on ``cell``."""
    bit = np.uint64(popcount(cell - ONE))
    row = _delta_row(player, bit, key, views, shape)
    watchers, deltas = views.watchers, views.deltas
    first = np.uint64(views.first_watcher[bit])
    for k in range(np.uint64(views.first_watcher[bit + ONE]) - first):
        index[watchers[first + k]] += deltas[row + k]


@kernel(_u8(_u8, _u8, _i8))
def move_key(key: Word, cell: Word, player: int) -> Word:
    """Return the key after a stone: its bit (first player only), and the marker one up."""
    return key + (cell << ONE if player == 0 else cell)


@kernel(_u8(_u8, _u8, SHAPE))
def make_key(first: Word, occupied: Word, shape: Shape) -> Word:
    """Return the key of a position from the first player's stones."""
    return first + occupied + shape.bottom


@kernel(types.void(_indices, _u8, _u8, VIEWS, SHAPE))
def read_indices(index: UInt32s, first: Word, occupied: Word, views: Views, shape: Shape) -> None:
    """Find the indices of any position by placing its stones one by one, bottom up."""
    index[:] = views.start
    key = shape.bottom
    for column in range(shape.columns):
        cell = ONE << (np.uint64(column) * shape.column_bits)
        while occupied & cell:
            player = 0 if first & cell else 1
            move_indices(index, player, cell, key, views, shape)
            key = move_key(key, cell, player)
            cell <<= ONE


@kernel(_f4(_floats, _i8, _indices, VIEWS), fastmath=REASSOCIATE)
def total(weights: Floats, table: int, index: UInt32s, views: Views) -> Real:
    """Return the sum of the active weights: the value before tanh, for the first player."""
    origin = np.uint64(table)
    f = np.float32(0)
    for slot in range(np.uint64(views.slots)):
        f += weights[origin + index[slot]]
    return f


@kernel(types.void(_floats, _i8, _indices, VIEWS, _floats))
def read_weights(weights: Floats, table: int, index: UInt32s, views: Views, active: Floats) -> None:
    """Copy the active weight of every slot to ``active``, float32[slots]."""
    origin = np.uint64(table)
    for slot in range(np.uint64(views.slots)):
        active[slot] = weights[origin + index[slot]]


@kernel(_f4(_floats, _i8, _indices, _floats, _i8, _u8, _u8, VIEWS, SHAPE), fastmath=REASSOCIATE)
def change(
    weights: Floats,
    table: int,
    index: UInt32s,
    active: Floats,
    player: int,
    cell: Word,
    key: Word,
    views: Views,
    shape: Shape,
) -> Real:
    """Return how a stone on ``cell`` changes the total, given the ``active`` weights."""
    origin = np.uint64(table)
    bit = np.uint64(popcount(cell - ONE))
    row = _delta_row(player, bit, key, views, shape)
    watchers, deltas = views.watchers, views.deltas
    first = np.uint64(views.first_watcher[bit])
    f = np.float32(0)
    for k in range(np.uint64(views.first_watcher[bit + ONE]) - first):
        slot = watchers[first + k]
        moved = np.uint64(np.uint32(index[slot] + deltas[row + k]))
        f += weights[origin + moved] - active[slot]
    return f


@kernel(
    _MOVE(_floats, _i8, _indices, _floats, _i8, _u8, _u8, _u8, VIEWS, SHAPE),
    fastmath=REASSOCIATE,
)
def best_move(
    weights: Floats,
    table: int,
    index: UInt32s,
    active: Floats,
    player: int,
    key: Word,
    landing: Word,
    state: Word,
    views: Views,
    shape: Shape,
) -> tuple[Word, Word, Real]:
    """Return the cell with the best after-state, the random state, and the after-state's total.

    ``table`` is that of the other side to move; ``active`` is scratch. Ties are drawn by lot: cells
    within ``TIE`` of the best so far count as equal.
    """
    read_weights(weights, table, index, views, active)
    here = np.float32(0)
    for slot in range(np.uint64(views.slots)):
        here += active[slot]
    best, best_cell, chosen, ties = -INFINITY, landing & (~landing + ONE), INFINITY, 0
    sign = np.float32(1 - 2 * player)
    rest = landing
    while rest != ZERO:
        cell = rest & (~rest + ONE)
        rest ^= cell
        f = sign * (here + change(weights, table, index, active, player, cell, key, views, shape))
        if f > best + TIE:
            best, best_cell, chosen, ties = f, cell, f, 1
        elif f >= best - TIE:
            ties += 1
            state += GAMMA
            if below(state, ties) == 0:
                best_cell, chosen = cell, f
    return best_cell, state, sign * chosen


@kernel(types.void(WORDS, WORDS, _floats, VIEWS, SHAPE, _floats))
def total_many(
    mover: Words, occupied: Words, weights: Floats, views: Views, shape: Shape, totals: Floats
) -> None:
    """Write the total of each position, the value before tanh for the first player."""
    index = np.empty(views.slots, np.uint32)
    for i in range(len(mover)):
        player = popcount(occupied[i]) % 2
        first = mover[i] if player == 0 else mover[i] ^ occupied[i]
        read_indices(index, first, occupied[i], views, shape)
        totals[i] = total(weights, 0 if player == 0 else views.second_table, index, views)
