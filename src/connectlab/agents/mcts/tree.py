"""The search trees: arrays of nodes, one tree beside the other, and how a node is added.

A node is a position. Its edges are the columns; each counts its visits and adds up what came of
them for the side that moves. What is proven of a position is its *result* for the side to move: 1
won, 0 drawn, -1 lost, or ``OPEN``. With transpositions the tree is a graph in which a position has
one node, found through a table; a stone never leaves the board, so it has no cycles.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    ZERO,
    has_line,
    landing_cell,
    landing_cells,
    winning_cells,
)

OPEN = 2
"""The result of a position of which nothing is proven."""
NONE = -1
"""In place of a node or a column."""

_SCATTER = np.uint64(0x9E3779B97F4A7C15)

_u8, _i8 = types.uint64, types.int64


class Plan(NamedTuple):
    """What the kernels need to know besides the positions."""

    shape: Shape
    exploration: float
    puct: bool
    stop_at_win: bool
    forced_blocks: bool
    transpositions: bool
    solver: bool
    heuristic: bool


PLAN: Any = types.NamedTuple(  # type: ignore[no-untyped-call]
    (SHAPE, types.float64) + 6 * (types.boolean,), Plan
)


class Forest(NamedTuple):
    """Trees of equal room: the nodes of tree t begin at t * ``capacity``, with its root."""

    mover: NDArray[np.uint64]
    """[nodes]"""
    occupied: NDArray[np.uint64]
    """[nodes]"""
    untried: NDArray[np.uint64]
    """[nodes]: the cells of the moves to consider that were never made."""
    result: NDArray[np.int8]
    """[nodes]: 1, 0, -1 for the side to move, or ``OPEN``."""
    children: NDArray[np.int32]
    """[nodes, columns]: the node a column leads to, or ``NONE``."""
    visits: NDArray[np.int32]
    """[nodes, columns]"""
    totals: NDArray[np.float64]
    """[nodes, columns]: the sum of all values, each for the side that moves."""
    priors: NDArray[np.float64]
    """[nodes, columns] with PUCT, else [1, columns]."""
    sizes: NDArray[np.int64]
    """[trees]: nodes in use."""
    path: NDArray[np.int32]
    """[trees, plies, 2]: node and column of each step of the latest descent, then its leaf."""
    lengths: NDArray[np.int64]
    """[trees]: the steps of that descent."""
    table: NDArray[np.int32]
    """[trees, a power of two] with transpositions, else [trees, 1]: nodes by position, 0 none."""
    capacity: int
    """Nodes a tree has room for."""


FOREST: Any = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        *3 * (types.uint64[::1],),
        types.int8[::1],
        *2 * (types.int32[:, ::1],),
        *2 * (types.float64[:, ::1],),
        types.int64[::1],
        types.int32[:, :, ::1],
        types.int64[::1],
        types.int32[:, ::1],
        _i8,
    ),
    Forest,
)


def make_forest(geometry: Geometry, plan: Plan, trees: int, capacity: int) -> Forest:
    """Return room for some trees; memory that no node uses is never touched."""
    nodes, columns = trees * capacity, geometry.columns
    slots = 1 << (2 * capacity - 1).bit_length() if plan.transpositions else 1
    return Forest(
        np.empty(nodes, dtype=np.uint64),
        np.empty(nodes, dtype=np.uint64),
        np.empty(nodes, dtype=np.uint64),
        np.empty(nodes, dtype=np.int8),
        np.empty((nodes, columns), dtype=np.int32),
        np.empty((nodes, columns), dtype=np.int32),
        np.empty((nodes, columns)),
        np.empty((nodes if plan.puct else 1, columns)),
        np.zeros(trees, dtype=np.int64),
        np.empty((trees, columns * geometry.rows + 1, 2), dtype=np.int32),
        np.zeros(trees, dtype=np.int64),
        np.zeros((trees, slots), dtype=np.int32),
        capacity,
    )


@kernel(_u8(_u8, _u8, PLAN))
def candidates(mover: Word, occupied: Word, plan: Plan) -> Word:
    """Return the cells of the moves that are considered in a position that is not over."""
    landing = landing_cells(occupied, plan.shape)
    if plan.forced_blocks:
        blocks = winning_cells(mover ^ occupied, occupied, plan.shape) & landing
        if blocks != ZERO:
            return blocks | (winning_cells(mover, occupied, plan.shape) & landing)
    return landing


@kernel(_i8(_u8, _u8, PLAN))
def _known_result(mover: Word, occupied: Word, plan: Plan) -> int:
    """Return the result that can be seen without a search."""
    shape = plan.shape
    if has_line(mover ^ occupied, shape):
        return -1
    if occupied == shape.board:
        return 0
    if plan.stop_at_win:
        wins = winning_cells(mover, occupied, shape) & landing_cells(occupied, shape)
        if wins != ZERO:
            return 1
    return OPEN


@kernel(_i8(_i8, _u8, _u8, FOREST, PLAN), borrows=True)
def add_node(tree: int, mover: Word, occupied: Word, forest: Forest, plan: Plan) -> int:
    """Append a position to a tree that has room; return its node."""
    node = tree * forest.capacity + forest.sizes[tree]
    forest.sizes[tree] += 1
    forest.mover[node], forest.occupied[node] = mover, occupied
    result = _known_result(mover, occupied, plan)
    forest.result[node] = result
    forest.untried[node] = candidates(mover, occupied, plan) if result == OPEN else ZERO
    for column in range(plan.shape.columns):
        forest.children[node, column] = NONE
        forest.visits[node, column] = 0
        forest.totals[node, column] = 0.0
    return int(node)


@kernel(types.void(_i8, _u8, _u8, FOREST, PLAN), borrows=True)
def plant(tree: int, mover: Word, occupied: Word, forest: Forest, plan: Plan) -> None:
    """Begin a tree anew with this position as its root."""
    forest.sizes[tree] = 0
    forest.lengths[tree] = 0
    forest.table[tree, :] = 0
    root = add_node(tree, mover, occupied, forest, plan)
    forest.path[tree, 0, 0] = root


@kernel(_i8(_i8, _i8, _i8, FOREST, PLAN), borrows=True)
def follow(tree: int, node: int, column: int, forest: Forest, plan: Plan) -> int:
    """Return the node that a column leads to, an old one or a new one, and link it."""
    shape = plan.shape
    forest.untried[node] &= ~landing_cell(forest.occupied[node], column, shape)
    mover = forest.mover[node] ^ forest.occupied[node]
    occupied = forest.occupied[node] | landing_cell(forest.occupied[node], column, shape)
    if not plan.transpositions:
        child = add_node(tree, mover, occupied, forest, plan)
        forest.children[node, column] = child
        return child
    table = forest.table[tree]
    last = np.uint64(table.shape[0] - 1)
    # The key of Pons: unique, since the heights of the columns lie below the mover's stones.
    place = ((mover + occupied + shape.bottom) * _SCATTER) >> np.uint64(32) & last
    while table[place] != 0:
        old = tree * forest.capacity + table[place] - 1
        if forest.mover[old] == mover and forest.occupied[old] == occupied:
            forest.children[node, column] = old
            return int(old)
        place = (place + ONE) & last
    child = add_node(tree, mover, occupied, forest, plan)
    table[place] = child - tree * forest.capacity + 1
    forest.children[node, column] = child
    return child
