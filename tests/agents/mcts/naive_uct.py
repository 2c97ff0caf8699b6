"""Monte Carlo tree search as one would write it on a blackboard: recursive, with dictionaries.

It takes the same random numbers in the same order as the compiled search, and nothing else of it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from connectlab.game import Geometry
from connectlab.game.streams import GAMMA, at_ply, below
from naive import NaiveGame

Key = tuple[int, ...]
Judge = Callable[[NaiveGame], float]
Prior = Callable[[NaiveGame], list[float]]


@dataclass
class Node:
    untried: list[int]
    result: int | None
    visits: dict[int, int] = field(default_factory=dict)
    totals: dict[int, float] = field(default_factory=dict)
    prior: list[float] = field(default_factory=list)


@dataclass
class NaiveUCT:
    """One search; ``nodes`` is its tree, by moves, or by position with transpositions."""

    geometry: Geometry
    exploration: float = 1.0
    stop_at_win: bool = True
    forced_blocks: bool = False
    transpositions: bool = False
    solver: bool = True
    heuristic: bool = False
    value: Judge | None = None
    prior: Prior | None = None
    nodes: dict[Key, Node] = field(default_factory=dict)
    state: int = 0

    def search(self, moves: list[int], iterations: int, stream: int) -> Node:
        root = self.game(moves)
        self.state = int(at_ply(np.uint64(stream), len(moves)))
        self.add(root)
        while iterations > 0 and self.node(root).result is None:
            self.simulate(root)
            iterations -= 1
        return self.node(root)

    def game(self, moves: list[int]) -> NaiveGame:
        board = self.geometry
        return NaiveGame(board.columns, board.rows, board.connect, list(moves))

    def after(self, game: NaiveGame, column: int) -> NaiveGame:
        return self.game([*game.history, column])

    def key(self, game: NaiveGame) -> Key:
        if self.transpositions:
            return tuple(value for row in game.grid for value in row)
        return tuple(game.history)

    def node(self, game: NaiveGame) -> Node:
        return self.nodes[self.key(game)]

    def draw(self, n: int) -> int:
        self.state = (self.state + int(GAMMA)) % 2**64
        return int(below(np.uint64(self.state), n))

    def columns_won(self, game: NaiveGame, player: int) -> list[int]:
        """Columns where a stone of this player would make a line now."""
        return sorted(c for c, _ in game.winning_cells(player) & game.landing_cells())

    def add(self, game: NaiveGame) -> Node:
        result = None
        if game.winner() != 0:
            result = -1
        elif game.is_full():
            result = 0
        elif self.stop_at_win and self.columns_won(game, game.player):
            result = 1
        untried = [] if result is not None else self.considered(game)
        node = self.nodes[self.key(game)] = Node(untried, result)
        if self.prior is not None and result is None:
            node.prior = self.prior(game)
        return node

    def considered(self, game: NaiveGame) -> list[int]:
        blocks = self.columns_won(game, 3 - game.player)
        if self.forced_blocks and blocks:
            return sorted({*blocks, *self.columns_won(game, game.player)})
        return game.legal_columns()

    def simulate(self, game: NaiveGame) -> float:
        """Run one simulation from here on; return its value for the side to move."""
        node = self.node(game)
        if node.result is not None:
            return node.result
        column = self.select(game, node)
        if column is None:
            self.settle(game, node)
            assert node.result is not None
            return node.result
        after = self.after(game, column)
        if column in node.untried:
            node.untried.remove(column)
        if self.key(after) in self.nodes:
            value = -self.simulate(after)
        else:
            child = self.add(after)
            value = -(self.judge(after) if child.result is None else child.result)
        node.visits[column] = node.visits.get(column, 0) + 1
        node.totals[column] = node.totals.get(column, 0.0) + value
        if self.solver and self.node(after).result is not None:
            self.settle(game, node)
        return value if node.result is None else node.result

    def select(self, game: NaiveGame, node: Node) -> int | None:
        if self.prior is None and node.untried:
            return node.untried[self.draw(len(node.untried))]
        best, highest = None, -math.inf
        for column in sorted({*node.untried, *node.visits}):
            if column in node.visits and self.solver:
                result = self.node(self.after(game, column)).result
                if result == -1:
                    return column
                if result == 1:
                    continue
            score = self.score(node, column)
            if score > highest:
                best, highest = column, score
        return best

    def score(self, node: Node, column: int) -> float:
        n, everything = node.visits.get(column, 0), sum(node.visits.values())
        mean = node.totals[column] / n if n else 0.0
        if self.prior is None:
            return mean + self.exploration * math.sqrt(math.log(everything) / n)
        return mean + self.exploration * math.sqrt(1 + everything) * node.prior[column] / (1 + n)

    def settle(self, game: NaiveGame, node: Node) -> None:
        results = [self.node(self.after(game, column)).result for column in node.visits]
        if -1 in results:
            node.result = 1
        elif not node.untried and None not in results:
            node.result = max(-result for result in results if result is not None)

    def judge(self, game: NaiveGame) -> float:
        if self.value is not None or self.prior is not None:
            self.draw(1)  # the number for whoever is asked
        if self.value is not None:
            return self.value(game)
        return self.play_out(self.game(game.history), game.player)

    def play_out(self, game: NaiveGame, player: int) -> float:
        while game.winner() == 0 and not game.is_full():
            game.play(self.sensible(game) if self.heuristic else self.random(game))
        return 0.0 if game.winner() == 0 else 1.0 if game.winner() == player else -1.0

    def random(self, game: NaiveGame) -> int:
        column = self.draw(game.columns)
        while column not in game.legal_columns():
            column = self.draw(game.columns)
        return column

    def sensible(self, game: NaiveGame) -> int:
        for player in (game.player, 3 - game.player):
            if columns := self.columns_won(game, player):
                return columns[0]
        legal, last = game.legal_columns(), game.columns - 1
        one, two = legal[self.draw(len(legal))], legal[self.draw(len(legal))]
        return two if abs(2 * two - last) < abs(2 * one - last) else one
