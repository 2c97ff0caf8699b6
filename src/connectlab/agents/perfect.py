"""The perfect player: the solver's best moves, drawn at random."""

from collections.abc import Iterator
from threading import Lock
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.settings import AgentError, PerfectSettings
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.variants import DROP_ROW, SLIP
from connectlab.solver import ILLEGAL, Solver, distance_of
from connectlab.solver.expectation import EQUAL, Expectation, expectation_of
from connectlab.solver.moves import can_win_at_once, spread_children
from connectlab.solver.solver import Stones

OPENING_STONES = 10
"""With more stones the framework's perfect player takes the most distant loss."""
FRAMEWORKS_BOOKS = (8, 12)
"""Stones of the positions in its opening books, at which its search for near losses ends."""


class PerfectAgent(Agent):
    """Plays one of the solver's best moves, each equally likely.

    By ``distance`` the best moves have the highest score: the quickest win, else a draw, else the
    slowest loss. By ``outcome`` every move that keeps a win, a draw or a loss is as good as
    any other, so this player errs never but may take its time, and a lost game it plays at random.

    As the ``framework`` of Thill and Konen has it in evaluations, it plays by distance, but in a
    lost position with up to ten stones draws among all moves after which the opponent cannot win
    with its very next stone. With ``framework-books`` these moves must also not lose by force to a
    stone that the framework's search sees: up to the one put on a position of its next opening
    book, the ninth or the thirteenth. There the framework takes the first of several most distant
    losses; here they are drawn by lot.

    Where stones slip or rows fall, the best moves are those of the highest expected value, for any
    objective; that takes a board small enough for :mod:`connectlab.solver.expectation`.
    """

    Settings = PerfectSettings
    symmetric = True
    variants = frozenset({SLIP, DROP_ROW})
    settings: PerfectSettings

    def __init__(
        self, settings: PerfectSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        by_chance = geometry.variant.by_chance
        self._expectation = expectation_of(geometry) if by_chance else None
        self.solver = shared_solver(geometry.plain, self.settings.table_mb)

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the best columns of each position."""
        if self._expectation is not None:
            return share_best(self._expectation.column_values(batch))
        # Games of one batch often agree in their opening: solve each position once.
        distinct, where = batch.distinct()
        best = self.best_moves(distinct)
        chances: Chances = best / best.sum(axis=1, keepdims=True)
        return chances[where]

    def best_moves(self, batch: PositionBatch) -> NDArray[np.bool_]:
        """Return bool[n, columns]: the moves among which to draw, on a board without chance."""
        best = np.empty((len(batch), self.geometry.columns), dtype=np.bool_)
        for part in _growing_parts(len(batch)):
            best[part] = self._best_of(batch[part])
        return best

    def _best_of(self, batch: PositionBatch) -> NDArray[np.bool_]:
        found = self.solver.best_moves_many(
            batch,
            outcome_only=self.settings.objective == "outcome",
            max_nodes=self.settings.max_nodes,
        )
        self._check_known(found.known, batch.plies)
        if self.settings.objective in ("framework", "framework-books"):
            careless = (found.scores < 0) & (batch.plies <= OPENING_STONES)
            found.moves[careless] |= self._not_soon(batch[careless])
        return found.moves

    def _not_soon(self, batch: PositionBatch) -> NDArray[np.bool_]:
        """Return bool[n, columns]: the moves of lost openings that do not lose soon."""
        shape = self.geometry.shape
        rows, columns, children = spread_children(batch.mover, batch.occupied, shape)
        if self.settings.objective == "framework":
            soon = can_win_at_once(*children, shape)
        else:
            soon = self._lose_before_a_book(children)
        slow = np.zeros((len(batch), shape.columns), dtype=np.bool_)
        slow[rows, columns] = ~soon
        return slow

    def _lose_before_a_book(self, children: Stones) -> NDArray[np.bool_]:
        """Return bool[n]: whether the side to move wins before the framework asks a book."""
        found = self.solver.solve_many(children, max_nodes=self.settings.max_nodes)
        stones = np.bitwise_count(children[1]).astype(np.int64)
        self._check_known(found.known, stones)
        first, second = FRAMEWORKS_BOOKS
        seen = np.where(stones <= first, first, second) + 1
        # The side to move wins with its own stone, so with every other one.
        last = self.geometry.cells + 2 - 2 * found.scores.astype(np.int64)
        last -= (last - stones + 1) % 2
        soon: NDArray[np.bool_] = (found.scores > 0) & (last <= seen)
        return soon

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Give the solver's score of each column; by ``outcome`` 1, 0 or -1."""
        policy = self.policy_of(position, stream=stream)
        if self._expectation is not None:
            return _expected(position, policy, self._expectation)
        scores = self._scores_of(PositionBatch.of([position]))
        score = max(scores)
        by_distance = self.settings.objective != "outcome"
        distance = distance_of(score, position.ply, self.geometry) if by_distance else None
        return Analysis(
            position,
            policy,
            values=tuple(None if score == ILLEGAL else score for score in scores),
            unit="half the stones still to place at the end, + won, - lost"
            if by_distance
            else "1 won, 0 drawn, -1 lost",
            win_value=None if by_distance else 1,
            sentences=(_prospect(score, distance),),
            facts={"objective": self.settings.objective, "score": score, "distance": distance},
        )

    def values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return 1 where the side to move wins, 0 where it draws and -1 where it loses.

        Where stones slip or rows fall, the expected value.
        """
        if self._expectation is not None:
            return self._expectation.values(batch)
        distinct, where = batch.distinct()
        found = self.solver.solve_many(
            distinct, outcome_only=True, max_nodes=self.settings.max_nodes
        )
        self._check_known(found.known, distinct.plies)
        return np.sign(found.scores[where]).astype(np.float64)

    def _scores_of(self, one: PositionBatch) -> list[int]:
        """Return the score of each column of a single position, ``ILLEGAL`` where it is full."""
        _, columns, children = spread_children(one.mover, one.occupied, self.geometry.shape)
        found = self.solver.solve_many(
            children,
            outcome_only=self.settings.objective == "outcome",
            max_nodes=self.settings.max_nodes,
        )
        self._check_known(found.known, np.bitwise_count(children[1]))
        scores = np.full(self.geometry.columns, ILLEGAL, dtype=np.int8)
        scores[columns] = -found.scores
        return scores.tolist()

    def _check_known(self, known: NDArray[np.bool_], stones: NDArray[np.integer]) -> None:
        if not known.all():
            raise AgentError(
                f"{self.spec} cannot solve {self.geometry} after {stones[~known][0]} moves within "
                f"{self.settings.max_nodes:,} nodes: take a smaller board or raise max_nodes"
            )


def share_best(values: NDArray[np.float64]) -> Chances:
    """Share among the columns of the highest value, float64[n, columns], as good as equal."""
    best = values >= values.max(axis=1, keepdims=True) - EQUAL
    chances: Chances = best / best.sum(axis=1, keepdims=True)
    return chances


def _expected(position: Position, policy: tuple[float, ...], expectation: Expectation) -> Analysis:
    """Explain a position of a game with chance."""
    values = expectation.column_values(PositionBatch.of([position]))[0].tolist()
    best = max(values)
    return Analysis(
        position,
        policy,
        values=tuple(None if value == -np.inf else value for value in values),
        unit="expected value, from -1 (lost) to 1 (won)",
        win_value=1,
        sentences=(f"With best play the side to move can expect {best:+.4f}.",),
        facts={"expected_value": best, "positions": len(expectation)},
    )


def _prospect(score: int, distance: int | None) -> str:
    """Say what the side to move can expect."""
    if score == 0:
        return "With perfect play the game is drawn."
    when = "" if distance is None else f" in {distance} {'ply' if distance == 1 else 'plies'}"
    return f"With perfect play the side to move {'wins' if score > 0 else 'loses'}{when}."


def _growing_parts(n: int) -> Iterator[slice]:
    """Cut n items into parts of 1, 2, 4, …: on a board that is too hard the first one tells."""
    start, size = 0, 1
    while start < n:
        yield slice(start, start + size)
        start, size = start + size, 2 * size


_solvers: WeakValueDictionary[tuple[Geometry, int], Solver] = WeakValueDictionary()
_solvers_lock = Lock()


def shared_solver(geometry: Geometry, table_mb: int) -> Solver:
    """Return the one solver of this process for a board and a table size, while anyone holds it."""
    with _solvers_lock:
        solver = _solvers.get((geometry, table_mb))
        if solver is None:
            solver = _solvers[geometry, table_mb] = Solver(geometry, table_mb=table_mb)
        return solver
