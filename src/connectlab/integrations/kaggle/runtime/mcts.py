"""Monte Carlo tree search: UCT with rollouts, and MCTS-Solver."""

import random
from collections.abc import Callable
from math import log, sqrt
from typing import NamedTuple

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock

OPEN = 2
"""The result of a position of which nothing is proven; others are 1, 0 and -1 for its mover."""


class TreePlan(NamedTuple):
    """How the tree is searched."""

    iterations: int | None
    """Simulations that are always made; None to think for the time alone."""
    exploration: float
    heuristic: bool
    """Whether rollouts win, block and else keep to the middle, or are random."""
    stop_at_win: bool
    forced_blocks: bool
    solver: bool
    transpositions: bool
    temperature: float


class Node:
    """A position of the tree; the numbers of its edges are those of the side to move."""

    __slots__ = ("children", "mover", "occupied", "result", "totals", "untried", "visits")

    def __init__(self, mover: int, occupied: int, result: int, untried: list[int]) -> None:
        self.mover, self.occupied, self.result = mover, occupied, result
        self.untried = untried
        """The cells of moves never made, in random order."""
        self.children: dict[int, Node] = {}
        self.visits: dict[int, int] = {}
        self.totals: dict[int, float] = {}


class MCTSPlayer:
    """Grows a tree of simulated games and plays the move that was simulated most."""

    def __init__(self, board: Board, plan: TreePlan) -> None:
        self.board, self.plan = board, plan
        self.roll = self._heuristic_rollout if plan.heuristic else self._random_rollout
        self._positions: dict[tuple[int, int], Node] = {}

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Simulate as often as asked for, then on while there is time; share by visits."""
        self._positions.clear()
        root = self._new_node(mover, occupied)
        made = 0
        if self.plan.iterations is None:
            clock.hurry()
        while root.result == OPEN and not clock.is_over():
            self.simulate(root)
            made += 1
            if made == self.plan.iterations:
                clock.hurry()
        return self._chances(root)

    def _add_child(self, node: Node, cell: int) -> bool:
        """Enter the position after a move into the tree; say whether it is new there."""
        mover, occupied = node.mover ^ node.occupied, node.occupied | cell
        known = self._positions.get((mover, occupied)) if self.plan.transpositions else None
        child = self._new_node(mover, occupied) if known is None else known
        node.children[cell] = child
        if self.plan.transpositions:
            self._positions[mover, occupied] = child
        return known is None

    def _new_node(self, mover: int, occupied: int) -> Node:
        board = self.board
        result = self._known_result(mover, occupied)
        untried: list[int] = []
        if result == OPEN:
            cells = self._candidates(mover, occupied)
            untried = [cell for mask in board.masks if (cell := cells & mask)]
            random.shuffle(untried)
        return Node(mover, occupied, result, untried)

    def _known_result(self, mover: int, occupied: int) -> int:
        """Return the result that can be seen without a search."""
        board = self.board
        if board.has_line(mover ^ occupied):
            return -1
        if occupied == board.cells:
            return 0
        won = self.plan.stop_at_win and board.winning(mover, occupied) & board.landing(occupied)
        return 1 if won else OPEN

    def _candidates(self, mover: int, occupied: int) -> int:
        """Return the cells of the moves that are considered."""
        board = self.board
        landing = board.landing(occupied)
        if self.plan.forced_blocks:
            blocks = board.winning(mover ^ occupied, occupied) & landing
            if blocks:
                return blocks | board.winning(mover, occupied) & landing
        return landing

    def simulate(self, root: Node) -> None:
        """Walk down to a new or decided position, judge it, and carry its value up."""
        node, path, is_new = root, [], False
        while node.result == OPEN and not is_new:
            if node.untried:
                cell = node.untried.pop()
                is_new = self._add_child(node, cell)
            else:
                cell = self.best_by_uct(node)
                if not cell:  # proven through another order of moves
                    self.settle(node)
                    break
            path.append((node, cell))
            node = node.children[cell]
        value = float(node.result)
        if node.result == OPEN:
            value = self.roll(node.mover, node.occupied)
        self._back_up(path, value)

    def best_by_uct(self, node: Node) -> int:
        """Return the cell of the highest UCT score; 0 if all are proven to lose."""
        visits, totals, solver = node.visits, node.totals, self.plan.solver
        log_n = log(sum(visits.values()))
        best, best_score = 0, -1e9
        for cell, child in node.children.items():
            if solver and child.result != OPEN:
                if child.result == -1:
                    return cell
                if child.result == 1:
                    continue
            n = visits[cell]
            score = totals[cell] / n + self.plan.exploration * sqrt(log_n / n)
            if score > best_score:
                best, best_score = cell, score
        return best

    def _back_up(self, path: list[tuple[Node, int]], value: float) -> None:
        for node, cell in reversed(path):
            value = -value
            node.visits[cell] = node.visits.get(cell, 0) + 1
            node.totals[cell] = node.totals.get(cell, 0.0) + value
            if self.plan.solver and node.children[cell].result != OPEN:
                self.settle(node)
                if node.result != OPEN:
                    value = float(node.result)

    @staticmethod
    def settle(node: Node) -> None:
        """Write the result of a position if its moves prove it."""
        results = [child.result for child in node.children.values()]
        best = max((-result for result in results if result != OPEN), default=-1)
        if best == 1 or not (node.untried or OPEN in results):
            node.result = best

    def _random_rollout(self, mover: int, occupied: int) -> float:
        """Play random moves to the end; return the value for the side to move."""
        board, value = self.board, 1.0
        choose: Callable[[list[int]], int] = random.choice
        masks, bottom, cells = board.masks, board.bottom, board.cells
        while occupied != cells:
            cell = 0
            while not cell:
                cell = (occupied + bottom) & choose(masks)
            mover |= cell
            occupied |= cell
            if board.has_line(mover):
                return value
            mover ^= occupied
            value = -value
        return 0.0

    def _heuristic_rollout(self, mover: int, occupied: int) -> float:
        """Play to the end: win, block, or the one of two columns that is nearer to the middle."""
        board, value = self.board, 1.0
        while occupied != board.cells:
            landing = board.landing(occupied)
            if board.winning(mover, occupied) & landing:
                return value
            cells = board.winning(mover ^ occupied, occupied) & landing
            if cells & (cells - 1):
                return -value
            if not cells:
                listed = [cell for mask in board.masks if (cell := landing & mask)]
                cells, other = random.choice(listed), random.choice(listed)
                if self._away(other) < self._away(cells):
                    cells = other
            mover ^= occupied
            occupied |= cells
            value = -value
        return 0.0

    def _away(self, cell: int) -> int:
        """Return twice the distance of a cell's column from the middle."""
        return abs(2 * self.board.column_of(cell) - self.board.columns + 1)

    def _chances(self, root: Node) -> list[float]:
        """Return how likely each column is played, by the visits of those that may be played."""
        board, plan = self.board, self.plan
        cells = self._eligible(root)
        most = max((root.visits.get(cell, 0) for cell in cells), default=0)
        if most == 0:
            return board.share(sum(cells) or board.landing(root.occupied))
        weights = [0.0] * board.columns
        for cell in cells:
            share = root.visits.get(cell, 0) / most
            weight = share ** (1.0 / plan.temperature) if plan.temperature else float(share == 1.0)
            weights[board.column_of(cell)] = weight
        return [weight / sum(weights) for weight in weights]

    def _eligible(self, root: Node) -> list[int]:
        """Return the cells that may be played: by what is proven, none that is worse."""
        board = self.board
        if self.plan.stop_at_win:
            wins = board.winning(root.mover, root.occupied) & board.landing(root.occupied)
            if wins:
                return [cell for mask in board.masks if (cell := wins & mask)]
        cells = list(root.untried) if root.result == OPEN else []
        for cell, child in root.children.items():
            worth = -child.result
            good = worth == root.result if root.result != OPEN else worth != -1
            if good or not self.plan.solver:
                cells.append(cell)
        return cells
