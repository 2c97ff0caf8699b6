"""What a simulation leaves behind: visits and values on its path, and what is proven by it.

MCTS-Solver (Winands 2008): a position is won if one of its moves leads to a lost one, and has the
best result of its moves once all of them are proven. Beyond the paper, draws are proven too, and
from the node where something is proven its exact result goes on upward.
"""

from numba import types

from connectlab._jit import kernel
from connectlab.agents.mcts.tree import FOREST, NONE, OPEN, PLAN, Forest, Plan
from connectlab.game.bitboard import ZERO

_i8 = types.int64


@kernel(types.void(_i8, FOREST, PLAN), borrows=True)
def settle(node: int, forest: Forest, plan: Plan) -> None:
    """Write the result of a node if its moves prove it."""
    best, complete = -1, forest.untried[node] == ZERO
    for column in range(plan.shape.columns):
        child = forest.children[node, column]
        if child == NONE:
            continue
        if forest.result[child] == OPEN:
            complete = False
        else:
            best = max(best, -forest.result[child])
    if best == 1 or complete:
        forest.result[node] = best


@kernel(types.void(_i8, types.float64, FOREST, PLAN), borrows=True)
def back_up(tree: int, value: float, forest: Forest, plan: Plan) -> None:
    """Carry the value of the leaf, for the side to move there, up the path to the root."""
    path = forest.path[tree]
    for step in range(forest.lengths[tree] - 1, -1, -1):
        node, column = path[step, 0], path[step, 1]
        value = -value
        forest.visits[node, column] += 1
        forest.totals[node, column] += value
        if plan.solver and forest.result[forest.children[node, column]] != OPEN:
            settle(node, forest, plan)
            if forest.result[node] != OPEN:
                value = float(forest.result[node])
