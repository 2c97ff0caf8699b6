"""Search trees as plain data: visits, sum of values and result of each position, by its moves."""

from connectlab.agents.mcts.tree import NONE, OPEN, Forest
from connectlab.game import Geometry
from connectlab.game.notation import format_moves

Tree = dict[str, tuple[dict[str, tuple[int, float]], int | None]]


def tree_of(forest: Forest, geometry: Geometry, tree: int = 0) -> Tree:
    """Every node of a tree by the moves below its root: edges (visits, total) and result."""
    found: Tree = {}

    def walk(node: int, moves: list[int]) -> None:
        edges = {
            format_moves([column], geometry): (
                int(forest.visits[node, column]),
                float(forest.totals[node, column]),
            )
            for column in range(geometry.columns)
            if forest.children[node, column] != NONE
        }
        result = int(forest.result[node])
        found[format_moves(moves, geometry)] = (edges, None if result == OPEN else result)
        for column, child in enumerate(forest.children[node].tolist()):
            if child != NONE:
                walk(child, [*moves, column])

    walk(tree * forest.capacity, [])
    return found
