"""The search tree of a game with chance: an edge is the column that was chosen.

What comes of a choice is drawn anew in every simulation, by the same rules that the game has
(:mod:`connectlab.game.chance`): where the stone lands, and if the bottom row falls. Both together
tell which position follows, so a node has one child for each of them, and columns that slip into
each other share it. Visits and values stay with the columns that were chosen: their mean is the
expected value that UCT needs.

Proofs need certainty, so there are none here, and a move that wins at once ends the look ahead only
where no stone slips.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type, tuple_type
from connectlab.agents.mcts.selection import log_of_all, uct_score
from connectlab.agents.mcts.tree import NONE, OPEN
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import (
    ONGOING,
    SHAPE,
    ZERO,
    column_cells,
    column_of,
    landing_cells,
    pick_cell,
    popcount,
    winning_cells,
)
from connectlab.game.chance import ODDS, WON, chance_move, chance_step
from connectlab.game.streams import GAMMA, below
from connectlab.game.variants import Odds

_u8, _i8, _f8 = types.uint64, types.int64, types.float64

LONGEST_ROLLOUT = 10
"""A rollout of so many times the cells of the board is a draw: falling rows may prolong it."""


class Chances(NamedTuple):
    """What the kernels need to know besides the positions."""

    shape: Shape
    odds: Odds
    exploration: float
    stop_at_win: bool


CHANCES = record_type((SHAPE, ODDS, _f8, types.boolean), Chances)


class ChanceTree(NamedTuple):
    """A tree; its root is node 0."""

    mover: NDArray[np.uint64]
    """[nodes]"""
    occupied: NDArray[np.uint64]
    """[nodes]"""
    untried: NDArray[np.uint64]
    """[nodes]: the cells above the columns that were never chosen."""
    result: NDArray[np.int8]
    """[nodes]: 1, 0, -1 for the side to move where the game is over or won at once, or ``OPEN``."""
    children: NDArray[np.int32]
    """[nodes, 2 * columns]: the node after a stone has landed in a column, twice: as the board
    stays, and after its bottom row has fallen; or ``NONE``."""
    visits: NDArray[np.int32]
    """[nodes, columns], by the column that was chosen."""
    totals: NDArray[np.float64]
    """[nodes, columns]: the sum of all values, each for the side that moves."""
    path: NDArray[np.int32]
    """[nodes, 2]: node and column of each step of a descent."""
    size: NDArray[np.int64]
    """[1]: nodes in use."""


CHANCE_TREE = record_type(
    (
        *3 * (types.uint64[::1],),
        types.int8[::1],
        *2 * (types.int32[:, ::1],),
        types.float64[:, ::1],
        types.int32[:, ::1],
        types.int64[::1],
    ),
    ChanceTree,
)


def make_chance_tree(geometry: Geometry, capacity: int) -> ChanceTree:
    """Return room for a tree; memory that no node uses is never touched."""
    words = np.empty((3, capacity), dtype=np.uint64)
    return ChanceTree(
        words[0],
        words[1],
        words[2],
        np.empty(capacity, dtype=np.int8),
        np.empty((capacity, 2 * geometry.columns), dtype=np.int32),
        np.empty((capacity, geometry.columns), dtype=np.int32),
        np.empty((capacity, geometry.columns)),
        np.empty((capacity, 2), dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


@kernel(_i8(_u8, _u8, _i8, CHANCE_TREE, CHANCES), borrows=True)
def add_position(
    mover: Word, occupied: Word, result: int, tree: ChanceTree, chances: Chances
) -> int:
    """Append a position, of which ``result`` is known, to a tree; return its node."""
    node = tree.size[0]
    tree.size[0] += 1
    tree.mover[node], tree.occupied[node] = mover, occupied
    landing = landing_cells(occupied, chances.shape)
    sees_wins = chances.stop_at_win and chances.odds.slip == 0.0
    if result == OPEN and sees_wins and winning_cells(mover, occupied, chances.shape) & landing:
        result = 1
    tree.result[node] = result
    tree.untried[node] = landing
    tree.children[node, :] = NONE
    tree.visits[node, :] = 0
    tree.totals[node, :] = 0.0
    return int(node)


@kernel(_i8(_i8, CHANCE_TREE, CHANCES), borrows=True)
def _most_promising(node: int, tree: ChanceTree, chances: Chances) -> int:
    """Return the column of the highest UCT score; all with room are tried, and none is proven."""
    visits, totals = tree.visits[node], tree.totals[node]
    log_n = log_of_all(visits)
    best, best_score = NONE, -np.inf
    for column in range(chances.shape.columns):
        if visits[column] == 0:
            continue
        score = uct_score(totals[column], float(visits[column]), log_n, chances.exploration)
        if score > best_score:
            best, best_score = column, score
    return best


@kernel(tuple_type(_i8, _u8)(_i8, _u8, CHANCE_TREE, CHANCES), borrows=True)
def _select(node: int, state: Word, tree: ChanceTree, chances: Chances) -> tuple[int, Word]:
    """Return the column to choose in a node, and the random state after it."""
    untried = tree.untried[node]
    if untried == ZERO:
        return _most_promising(node, tree, chances), state
    state += GAMMA
    cell = pick_cell(untried, below(state, popcount(untried)))
    tree.untried[node] &= ~cell
    return column_of(cell, chances.shape), state


@kernel(tuple_type(_f8, _u8)(_u8, _u8, _u8, CHANCES))
def chance_rollout(
    mover: Word, occupied: Word, state: Word, chances: Chances
) -> tuple[float, Word]:
    """Choose random columns to the end; return the value for the side to move, and the state."""
    shape, value = chances.shape, 1.0
    for _ in range(LONGEST_ROLLOUT * shape.columns * shape.rows):
        landing = landing_cells(occupied, shape)
        column = 0
        while True:  # drawing again is quicker than counting the columns with room
            state += GAMMA
            column = below(state, shape.columns)
            if landing & column_cells(column, shape) != ZERO:
                break
        mover, occupied, state, stands = chance_step(
            mover, occupied, column, state, shape, chances.odds
        )
        if stands == WON:
            return value, state
        if stands != ONGOING:
            return 0.0, state
        value = -value
    return 0.0, state


@kernel(_u8(_u8, CHANCE_TREE, CHANCES), borrows=True)
def _simulate(state: Word, tree: ChanceTree, chances: Chances) -> Word:
    """Go down to a leaf, play it out and carry its value up; return the state after it."""
    node, steps, columns = 0, 0, chances.shape.columns
    while tree.result[node] == OPEN:
        column, state = _select(node, state, tree, chances)
        tree.path[steps, 0], tree.path[steps, 1] = node, column
        steps += 1
        mover, occupied, state, stands, landed, fell = chance_move(
            tree.mover[node], tree.occupied[node], column, state, chances.shape, chances.odds
        )
        place = landed + columns if fell else landed
        child = tree.children[node, place]
        if child != NONE:
            node = child
            continue
        result = OPEN if stands == ONGOING else -1 if stands == WON else 0
        child = add_position(mover, occupied, result, tree, chances)
        tree.children[node, place] = child
        node = child
        break
    value = float(tree.result[node])
    if tree.result[node] == OPEN:
        value, state = chance_rollout(tree.mover[node], tree.occupied[node], state, chances)
    for step in range(steps - 1, -1, -1):
        value = -value
        tree.visits[tree.path[step, 0], tree.path[step, 1]] += 1
        tree.totals[tree.path[step, 0], tree.path[step, 1]] += value
    return state


@kernel(types.void(_u8, _u8, CHANCE_TREE, CHANCES), borrows=True)
def plant_chance(mover: Word, occupied: Word, tree: ChanceTree, chances: Chances) -> None:
    """Begin a tree anew with this position as its root."""
    tree.size[0] = 0
    add_position(mover, occupied, OPEN, tree, chances)


@kernel(types.boolean(CHANCE_TREE), borrows=True)
def goes_on_chance(tree: ChanceTree) -> bool:
    """Say whether a tree has room and its root is not yet decided.

    One that has stopped growing goes on: its values are means over chance, and become better.
    """
    return bool(tree.result[0] == OPEN and tree.size[0] < tree.mover.shape[0])


@kernel(_u8(_i8, _u8, CHANCE_TREE, CHANCES), borrows=True)
def simulate_chance(iterations: int, state: Word, tree: ChanceTree, chances: Chances) -> Word:
    """Run simulations while there is room; return the random state after them."""
    for _ in range(iterations):
        if not goes_on_chance(tree):
            break
        state = _simulate(state, tree, chances)
    return state
