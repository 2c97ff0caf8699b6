"""How Monte Carlo tree search plays."""

from collections.abc import Iterator

import numpy as np

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.mcts.advice import Advisers, search_in_lock_step
from connectlab.agents.mcts.clock import BETWEEN_LOOKS, looks
from connectlab.agents.mcts.config import MOST_ITERATIONS, MCTSSettings
from connectlab.agents.mcts.explain import explain, explain_variant
from connectlab.agents.mcts.search import goes_on, plant_all, read_chances, search_all, simulate
from connectlab.agents.mcts.tree import Forest, Plan, make_forest
from connectlab.agents.mcts.variants import VariantSearch
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.variants import COUNTS, DROP_ROW, SLIP

MOST_NODES = MOST_ITERATIONS + 1
"""Nodes of all trees that are searched at a time."""
MOST_TIMED_TREES = 64
"""Trees that share a time budget in lock step: each still has room for many nodes."""


class MCTSAgent(Agent):
    """Grows a tree of simulated games and plays the move that was simulated most.

    UCT of Kocsis and Szepesvári (2006), as Cheng et al. use it in *Connect-N*: random rollouts
    and, as their extension, no further look where a move wins at once. Beyond the paper: forced
    blocks, transpositions, MCTS-Solver, heuristic rollouts, values of any player that has them at
    the leaves (the first item of the paper's future work), and PUCT with any player's policy as
    prior. Columns with equally many visits are equally likely, and a column proven to be worse
    than another is not played.

    The policy comes from chance: the numbers belong to the game's stream and the ply, so that the
    same game and ply give the same search. With ``seconds`` the clock decides how far a search
    gets; that is the one thing here that is not reproducible.

    Where stones slip or rows fall, chance is in the tree, and where the board is told in counts,
    boards that fit are searched: :mod:`~connectlab.agents.mcts.variants`.
    """

    Settings = MCTSSettings
    variants = frozenset({SLIP, DROP_ROW, COUNTS})
    settings: MCTSSettings
    sampled = True

    def __init__(self, settings: MCTSSettings | None = None, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        self._in_variants: VariantSearch | None = None
        if not geometry.variant.is_plain:
            self._in_variants = VariantSearch(self.settings, geometry)
        self._advisers = Advisers.of(self.settings, geometry)
        self._plan = make_plan(self.settings, geometry)

    def policy(self, batch: PositionBatch) -> Chances:
        """Search every position; share among the columns of most visits."""
        if self._in_variants is not None:
            return self._in_variants.policy(batch)
        chances = np.empty((len(batch), self.geometry.columns))
        if self._advisers or self.settings.seconds is not None:
            for part, forest in self._searched_parts(batch):
                for tree, row in enumerate(range(*part.indices(len(batch)))):
                    self._read(forest, tree, chances[row])
        elif len(batch):
            settings = self.settings
            forest = make_forest(self.geometry, self._plan, 1, settings.iterations + 1)
            search_all(
                batch.mover,
                batch.occupied,
                batch.streams,
                settings.iterations,
                settings.temperature,
                forest,
                self._plan,
                chances,
            )
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Give visits, values and the principal line of a search, and what it has proven."""
        self.check_position(position)
        if self._in_variants is not None:
            return explain_variant(position, self._in_variants, stream=stream)
        forest = self.search(position, stream=stream)
        chances = np.empty(self.geometry.columns)
        self._read(forest, 0, chances)
        return explain(position, forest, self.settings, chances)

    def search(self, position: Position, *, stream: int = 0) -> Forest:
        """Return the tree that the policy of this position of a plain game is read from."""
        self.check_position(position)
        (_, forest), *_ = self._searched_parts(PositionBatch.of([position], streams=[stream]))
        return forest

    def _searched_parts(self, batch: PositionBatch) -> Iterator[tuple[slice, Forest]]:
        """Search as many positions at a time as memory allows; yield each part with its trees."""
        seconds = self.settings.seconds
        per_tree = self.settings.iterations + 1 if seconds is None else MOST_NODES
        size = max(1, MOST_NODES // per_tree)
        if self._advisers and seconds is not None:
            size = min(MOST_TIMED_TREES, max(1, len(batch)))
            per_tree = MOST_NODES // size
        if not self._advisers:
            size = 1
        for start in range(0, len(batch), size):
            part = slice(start, start + size)
            yield part, self._search(batch[part], per_tree)

    def _search(self, batch: PositionBatch, per_tree: int) -> Forest:
        seconds = self.settings.seconds
        if self._advisers:
            limit_s = None if seconds is None else seconds * len(batch)
            forest = make_forest(self.geometry, self._plan, len(batch), per_tree)
            iterations = None if seconds is not None else self.settings.iterations
            search_in_lock_step(batch, self._advisers, forest, self._plan, iterations, limit_s)
            return forest
        return self._search_one(batch, per_tree)

    def _search_one(self, batch: PositionBatch, capacity: int) -> Forest:
        """Search the only position of a batch with rollouts, looking at the clock if asked to."""
        settings, plan = self.settings, self._plan
        forest = make_forest(self.geometry, plan, 1, capacity)
        states = np.empty(1, dtype=np.uint64)
        plant_all(batch.mover, batch.occupied, batch.streams, forest, plan, states)
        if settings.seconds is None:
            simulate(0, settings.iterations, states[0], forest, plan)
            return forest
        state = states[0]
        for _ in looks(settings.seconds):
            if not goes_on(0, forest):
                break
            state = np.uint64(simulate(0, BETWEEN_LOOKS, state, forest, plan))
        return forest

    def _read(self, forest: Forest, tree: int, chances: Chances) -> None:
        read_chances(tree, self.settings.temperature, forest, self._plan, chances)


def make_plan(settings: MCTSSettings, geometry: Geometry) -> Plan:
    """Return the settings as the kernels take them."""
    return Plan(
        geometry.shape,
        settings.exploration,
        settings.prior is not None,
        settings.stop_at_win,
        settings.forced_blocks,
        settings.transpositions,
        settings.solver,
        settings.rollouts == "heuristic",
    )
