"""Which way a simulation goes down the tree, as far as its leaf.

UCT (Kocsis 2006): moves that were never made come first, in random order; then the highest
Q + C sqrt(ln N / n), with Q the mean of an edge for the side that moves, n its visits and N those
of all edges of the node. PUCT (Silver 2017): the highest Q + C P sqrt(1 + N) / (1 + n), with P the
prior and Q = 0 for a move that was never made. Of equal scores the leftmost counts.
"""

import math
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.mcts.backup import settle
from connectlab.agents.mcts.tree import FOREST, NONE, OPEN, PLAN, Forest, Plan, follow
from connectlab.game.bitboard import ZERO, column_cells, column_of, pick_cell, popcount
from connectlab.game.streams import GAMMA, below

_u8, _i8, _f8 = types.uint64, types.int64, types.float64
_COLUMN_AND_STATE: Any = types.Tuple((_i8, _u8))  # type: ignore[no-untyped-call]


@kernel(_f8(types.int32[::1]), borrows=True)
def log_of_all(visits: NDArray[np.int32]) -> float:
    """Return ln N of UCT for the visits of a node, [columns]; 0 if there are none."""
    n_all = 0
    for column in range(visits.shape[0]):
        n_all += visits[column]
    return math.log(float(n_all)) if n_all > 0 else 0.0


@kernel(_f8(_f8, _f8, _f8, _f8))
def uct_score(total: float, n: float, log_n: float, exploration: float) -> float:
    """Return the UCT score of an edge with n visits, n > 0, and this sum of values."""
    return total / n + exploration * math.sqrt(log_n / n)


@kernel(_i8(_i8, FOREST, PLAN), borrows=True)
def _best_by_uct(node: int, forest: Forest, plan: Plan) -> int:
    """Return the column of the highest UCT score among those tried; ``NONE`` if all are lost."""
    children, visits, totals = forest.children[node], forest.visits[node], forest.totals[node]
    log_n = log_of_all(visits)
    best, best_score = NONE, -np.inf
    for column in range(plan.shape.columns):
        child = children[column]
        if child == NONE:
            continue
        if plan.solver and forest.result[child] != OPEN:
            if forest.result[child] == -1:
                return column
            if forest.result[child] == 1:
                continue
        score = uct_score(totals[column], float(visits[column]), log_n, plan.exploration)
        if score > best_score:
            best, best_score = column, score
    return best


@kernel(_i8(_i8, FOREST, PLAN), borrows=True)
def _best_by_puct(node: int, forest: Forest, plan: Plan) -> int:
    """Return the column of the highest PUCT score; ``NONE`` if all are proven to lose."""
    children, visits, totals = forest.children[node], forest.visits[node], forest.totals[node]
    n_all = 0
    for column in range(plan.shape.columns):
        n_all += visits[column]
    breadth = plan.exploration * math.sqrt(1.0 + n_all)
    best, best_score = NONE, -np.inf
    for column in range(plan.shape.columns):
        child = children[column]
        if child == NONE:
            if forest.untried[node] & column_cells(column, plan.shape) == ZERO:
                continue
        elif plan.solver and forest.result[child] != OPEN:
            if forest.result[child] == -1:
                return column
            if forest.result[child] == 1:
                continue
        n = float(visits[column])
        mean = totals[column] / n if n > 0.0 else 0.0
        score = mean + breadth * forest.priors[node, column] / (1.0 + n)
        if score > best_score:
            best, best_score = column, score
    return best


@kernel(_COLUMN_AND_STATE(_i8, _u8, FOREST, PLAN), borrows=True)
def select(node: int, state: Word, forest: Forest, plan: Plan) -> tuple[int, Word]:
    """Return the column to go on with from an open node, and the random state after it."""
    if plan.puct:
        return _best_by_puct(node, forest, plan), state
    untried = forest.untried[node]
    if untried != ZERO:
        state += GAMMA
        cell = pick_cell(untried, below(state, popcount(untried)))
        return column_of(cell, plan.shape), state
    return _best_by_uct(node, forest, plan), state


@kernel(_u8(_i8, _u8, FOREST, PLAN), borrows=True)
def descend(tree: int, state: Word, forest: Forest, plan: Plan) -> Word:
    """Walk from the root to a leaf, write the path, and return the random state after it.

    The leaf is a node whose result is known, or one that this descent has added.
    """
    path = forest.path[tree]
    node = tree * forest.capacity
    steps = 0
    while forest.result[node] == OPEN:
        column, state = select(node, state, forest, plan)
        if column == NONE:  # proven through another order of moves
            settle(node, forest, plan)
            break
        path[steps, 0], path[steps, 1] = node, column
        steps += 1
        child = forest.children[node, column]
        if child != NONE:
            node = child
            continue
        size = forest.sizes[tree]
        node = follow(tree, node, column, forest, plan)
        if forest.sizes[tree] > size:
            break
    path[steps, 0] = node
    forest.lengths[tree] = steps
    return state
