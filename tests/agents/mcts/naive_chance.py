"""Tree search with chance nodes once more, in plain Python, by the rules of the naive game.

Only the random numbers are shared with the package, in the order in which the search draws them.
"""

import math
from copy import deepcopy
from dataclasses import dataclass, field

from connectlab.game.streams import GAMMA, below, uniform
from naive import NaiveGame

MASK = 2**64 - 1


@dataclass
class Dice:
    """A random state that counts on."""

    state: int

    def next(self) -> int:
        self.state = (self.state + int(GAMMA)) & MASK
        return self.state

    def below(self, n: int) -> int:
        return int(below(self.next(), n))

    def uniform(self) -> float:
        return float(uniform(self.next()))


@dataclass
class Node:
    """A position: who came of each choice, and what was found."""

    game: NaiveGame
    visits: dict[int, int] = field(default_factory=dict)
    totals: dict[int, float] = field(default_factory=dict)
    children: dict[tuple[int, bool], "Node"] = field(default_factory=dict)


@dataclass
class NaiveSearch:
    """UCT whose edges are choices and whose children are what may come of them."""

    slip: float
    drop: float
    exploration: float
    stop_at_win: bool

    def run(self, root: Node, iterations: int, dice: Dice) -> None:
        for _ in range(iterations):
            self.visit(root, dice)

    def visit(self, node: Node, dice: Dice) -> float:
        """Simulate once from a node; return the value for the side to move there."""
        column = self.choose(node, dice)
        name, after = self.move(node.game, column, dice)
        if name in node.children:
            known = self.known(node.children[name].game)
            value = known if known is not None else self.visit(node.children[name], dice)
        else:
            node.children[name] = Node(after)
            known = self.known(after)
            value = known if known is not None else self.play_out(after, dice)
        node.visits[column] = node.visits.get(column, 0) + 1
        node.totals[column] = node.totals.get(column, 0.0) - value
        return -value

    def choose(self, node: Node, dice: Dice) -> int:
        untried = [c for c in node.game.legal_columns() if c not in node.visits]
        if untried:
            return untried[dice.below(len(untried))]
        log_n = math.log(sum(node.visits.values()))

        def score(column: int) -> float:
            n = node.visits[column]
            return node.totals[column] / n + self.exploration * math.sqrt(log_n / n)

        return max(sorted(node.visits), key=score)

    def move(self, game: NaiveGame, column: int, dice: Dice) -> tuple[tuple[int, bool], NaiveGame]:
        """Let chance decide: where the stone landed, if a row fell, and the board then."""
        after = deepcopy(game)
        if self.slip:
            lot = dice.uniform()
            if lot < self.slip:
                column = game.slip(column, -1 if lot < self.slip / 2 else 1)
        after.play(column)
        fell = bool(self.drop) and not after.winner() and dice.uniform() < self.drop
        if fell:
            after.fall()
        return (column, fell), after

    def known(self, game: NaiveGame) -> float | None:
        """The value for the side to move where it can be seen at once."""
        if game.winner():
            return -1.0
        if game.is_full():
            return 0.0
        wins = game.winning_cells(game.player) & game.landing_cells()
        return 1.0 if wins and self.stop_at_win and not self.slip else None

    def play_out(self, game: NaiveGame, dice: Dice) -> float:
        side = game.player
        while not game.winner() and not game.is_full():
            column = dice.below(game.columns)
            if column in game.legal_columns():
                _, game = self.move(game, column, dice)
        return 0.0 if not game.winner() else 1.0 if game.winner() == side else -1.0
