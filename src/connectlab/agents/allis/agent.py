"""How Allis's player plays."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.allis.config import LOOK_AHEAD, RULE_NODES, AllisSettings
from connectlab.agents.allis.control import Desk, make_desk
from connectlab.agents.allis.decide import SIGHT, SOLVER, settle_all, share_all
from connectlab.agents.allis.explain import explain
from connectlab.agents.allis.judge import Verdicts, judge, make_verdicts
from connectlab.agents.allis.proof_search import Tree, make_tree
from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.perfect import PerfectAgent
from connectlab.agents.settings import PerfectSettings
from connectlab.game import STANDARD, Geometry, Position, PositionBatch


class Bench(NamedTuple):
    """The working memory of one thread."""

    desk: Desk
    tree: Tree
    verdicts: Verdicts


class AllisAgent(Agent):
    """Plays by the rules of Allis, "A Knowledge-based Approach of Connect-Four" (1988).

    Levels after those of Velena, the program of Bertolotti that Fausser and Schwenker (2008) play
    against, in our own way:

    - **a** looks two plies ahead for forced wins and losses; of the moves left it prefers those
      after which the rules prove that it wins, then those after which they prove that it holds,
      then those with the better lines and threats.
    - **b** looks six plies ahead, and also asks what the rules would prove for the other side after
      any of its replies.
    - **c** keeps the outcome of every position: proof-number search, with the rules at its leaves,
      settles what it can within ``nodes`` positions; otherwise the perfect solver is asked, with
      its opening book. Of the moves that keep the outcome it plays the one that b likes best.

    Moves that are judged alike are equally likely. The rules speak of every board: they count
    from the top of a column (see docs/allis.md).
    """

    Settings = AllisSettings
    settings: AllisSettings

    def __init__(
        self, settings: AllisSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        self._depth = LOOK_AHEAD[self.settings.level]
        self._replies = self.settings.level != "a"
        self._benches: list[Bench] = []
        self._referee = None
        if self.settings.level == "c":
            asked = PerfectSettings(objective="outcome", max_nodes=self.settings.max_nodes)
            self._referee = PerfectAgent(asked, geometry)

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the moves that are judged best."""
        distinct, where = batch.distinct()
        chances = np.empty((len(distinct), self.geometry.columns))
        with self.bench() as bench:
            allowed, _ = self.settle(distinct, bench)
            share_all(
                distinct.mover,
                distinct.occupied,
                allowed,
                self._depth,
                self._replies,
                bench.desk,
                bench.verdicts,
                chances,
            )
        return chances[where]

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Name the rules that hold the position after its move, or the groups they leave."""
        policy = self.policy_of(position, stream=stream)
        with self.bench() as bench:
            _, who = self.settle(PositionBatch.of([position]), bench)
            mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
            judge(mover, occupied, self._depth, self._replies, bench.desk, bench.verdicts)
            return explain(position, policy, self.settings, int(who[0]), bench.verdicts, bench.desk)

    def settle(
        self, batch: PositionBatch, bench: Bench
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return the cells of the moves to choose from, uint64[n], and who settled that, int64[n].

        Levels a and b choose from all moves.
        """
        allowed = np.full(len(batch), self.geometry.shape.board)
        who = np.full(len(batch), SIGHT)
        if self._referee is not None:
            nodes = self.settings.nodes
            settle_all(batch.mover, batch.occupied, nodes, bench.tree, bench.desk, allowed, who)
            unsettled = np.flatnonzero(who == SOLVER)
            if len(unsettled):
                best = self._referee.best_moves(batch[unsettled])
                allowed[unsettled] = best @ self._column_cells()
        return allowed, who

    def _column_cells(self) -> NDArray[np.uint64]:
        """Return all cells of each column, uint64[columns]."""
        one = (1 << self.geometry.rows) - 1
        bits = [one << (c * (self.geometry.rows + 1)) for c in range(self.geometry.columns)]
        return np.array(bits, dtype=np.uint64)

    @contextmanager
    def bench(self) -> Iterator[Bench]:
        """Lend working memory that no other thread uses meanwhile."""
        try:
            bench = self._benches.pop()
        except IndexError:
            bench = self._make_bench()
        yield bench
        self._benches.append(bench)

    def _make_bench(self) -> Bench:
        columns = self.geometry.columns
        nodes = self.settings.nodes if self.settings.level == "c" else 1
        return Bench(
            make_desk(self.geometry, RULE_NODES),
            make_tree(nodes, columns),
            make_verdicts(columns),
        )
