"""Proof-number search with the rules as its leaves (level c).

Allis, van der Meulen and van den Herik, "Proof-Number Search" (1994): a tree whose nodes count how
many leaves must still be proven, or disproven, to settle them; the leaf that helps both ways is
opened next. One question at a time is put to it: does the side to move win, or does it hold at
least a draw? A leaf is settled where the game is over, where the side to move wins at once, and
where the rules prove enough for the follower. A position reached in two ways has two nodes.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.agents.allis.control import DESK, HOLDS, NOTHING, WINS, Desk, prove
from connectlab.game.bitboard import ONE, ZERO, has_line, landing_cells, popcount, winning_cells

DISPROVEN, PROVEN, UNSETTLED = range(3)
FOREVER = 1 << 40
"""The number of a node that can never be proven (or disproven)."""
NO_NODE = -1

_u8, _i8 = types.uint64, types.int64


class Tree(NamedTuple):
    """The nodes; children of a node stand side by side."""

    mover: NDArray[np.uint64]
    """[nodes]"""
    occupied: NDArray[np.uint64]
    """[nodes]"""
    proof: NDArray[np.int64]
    """[nodes]: leaves that must be proven to prove the node, at least."""
    disproof: NDArray[np.int64]
    """[nodes]"""
    parent: NDArray[np.int64]
    """[nodes]"""
    first: NDArray[np.int64]
    """[nodes]: the first child, or ``NO_NODE`` while it is a leaf."""
    children: NDArray[np.int64]
    """[nodes]: how many."""
    size: NDArray[np.int64]
    """[1]"""


TREE = record_type((*2 * (types.uint64[::1],), *6 * (types.int64[::1],)), Tree)


def make_tree(nodes: int, columns: int) -> Tree:
    """Return room for a search of so many positions."""
    n = nodes + columns + 1
    return Tree(
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(1, np.int64),
    )


@kernel(_i8(_u8, _u8, types.boolean, _i8, DESK), borrows=True)
def _settle(mover: Word, occupied: Word, asker_moves: bool, goal: int, desk: Desk) -> int:
    """Say whether the asker reaches its goal, ``HOLDS`` or ``WINS``, in a position."""
    shape = desk.shape
    if has_line(mover ^ occupied, shape):
        return DISPROVEN if asker_moves else PROVEN
    if occupied == shape.board:
        return PROVEN if goal == HOLDS else DISPROVEN
    if winning_cells(mover, occupied, shape) & landing_cells(occupied, shape) != ZERO:
        return PROVEN if asker_moves else DISPROVEN
    proven = prove(mover, occupied, desk)
    if asker_moves:
        enough = WINS if goal == HOLDS else HOLDS
        return DISPROVEN if proven >= enough and proven != NOTHING else UNSETTLED
    return PROVEN if proven >= goal else UNSETTLED


@kernel(types.void(_i8, _u8, _u8, types.boolean, _i8, TREE, DESK), borrows=True)
def _add(
    parent: int, mover: Word, occupied: Word, asker_moves: bool, goal: int, tree: Tree, desk: Desk
) -> None:
    node = tree.size[0]
    tree.size[0] += 1
    tree.mover[node], tree.occupied[node], tree.parent[node] = mover, occupied, parent
    tree.first[node], tree.children[node] = NO_NODE, 0
    settled = _settle(mover, occupied, asker_moves, goal, desk)
    tree.proof[node] = 0 if settled == PROVEN else (FOREVER if settled == DISPROVEN else 1)
    tree.disproof[node] = FOREVER if settled == PROVEN else (0 if settled == DISPROVEN else 1)


@kernel(types.void(_i8, types.boolean, _i8, TREE, DESK), borrows=True)
def _open(node: int, asker_moves: bool, goal: int, tree: Tree, desk: Desk) -> None:
    """Add the children of a leaf; where the other side threatens to win, only the blocks."""
    mover, occupied = tree.mover[node], tree.occupied[node]
    moves = landing_cells(occupied, desk.shape)
    blocks = winning_cells(mover ^ occupied, occupied, desk.shape) & moves
    if blocks != ZERO:
        moves = blocks
    tree.first[node], tree.children[node] = tree.size[0], popcount(moves)
    while moves != ZERO:
        move = moves & (~moves + ONE)
        moves ^= move
        _add(node, mover ^ occupied, occupied | move, not asker_moves, goal, tree, desk)


@kernel(types.void(_i8, types.boolean, TREE), borrows=True)
def _sum_up(node: int, asker_moves: bool, tree: Tree) -> None:
    """Set the numbers of a node from those of its children."""
    first = tree.first[node]
    least, total = FOREVER, 0
    for child in range(first, first + tree.children[node]):
        easy = tree.proof[child] if asker_moves else tree.disproof[child]
        hard = tree.disproof[child] if asker_moves else tree.proof[child]
        least, total = min(least, easy), min(FOREVER, total + hard)
    tree.proof[node] = least if asker_moves else total
    tree.disproof[node] = total if asker_moves else least


@kernel(_i8(_i8, types.boolean, TREE), borrows=True)
def _easiest_child(node: int, asker_moves: bool, tree: Tree) -> int:
    first = tree.first[node]
    best = first
    for child in range(first, first + tree.children[node]):
        numbers = tree.proof if asker_moves else tree.disproof
        if numbers[child] < numbers[best]:
            best = child
    return int(best)


@kernel(_i8(_u8, _u8, _i8, _i8, TREE, DESK), borrows=True)
def ask(mover: Word, occupied: Word, goal: int, nodes: int, tree: Tree, desk: Desk) -> int:
    """Say whether the side to move reaches ``HOLDS`` or ``WINS``, looking at so many positions.

    Returns ``PROVEN``, ``DISPROVEN`` or ``UNSETTLED``. The game must go on, and the side to move
    must not be able to win at once.
    """
    tree.size[0] = 0
    _add(NO_NODE, mover, occupied, True, goal, tree, desk)
    if tree.disproof[0] == 0:
        return DISPROVEN
    _open(0, True, goal, tree, desk)
    _sum_up(0, True, tree)
    while tree.proof[0] != 0 and tree.disproof[0] != 0 and tree.size[0] < nodes:
        node, asker_moves = 0, True
        while tree.first[node] != NO_NODE:
            node = _easiest_child(node, asker_moves, tree)
            asker_moves = not asker_moves
        _open(node, asker_moves, goal, tree, desk)
        while node != NO_NODE:
            _sum_up(node, asker_moves, tree)
            node = tree.parent[node]
            asker_moves = not asker_moves
    if tree.proof[0] == 0:
        return PROVEN
    return DISPROVEN if tree.disproof[0] == 0 else UNSETTLED


@kernel(_u8(TREE), borrows=True)
def proven_cells(tree: Tree) -> Word:
    """Return the cells of the moves that were proven to reach the goal."""
    cells = ZERO
    first = tree.first[0]  # of no children while the root is a leaf
    for child in range(first, first + tree.children[0]):
        if tree.proof[child] == 0:
            cells |= tree.occupied[child] ^ tree.occupied[0]
    return cells
