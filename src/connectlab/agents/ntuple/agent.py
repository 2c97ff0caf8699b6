"""How a trained n-tuple network plays and explains itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.contents import Contents
from connectlab.agents.ntuple.config import NTupleSettings
from connectlab.agents.ntuple.contents import ntuple_contents
from connectlab.agents.ntuple.evaluator import Evaluator, Memory, make_memory
from connectlab.agents.ntuple.explain import explain
from connectlab.agents.ntuple.network import KIND, Network
from connectlab.agents.ntuple.search import search_root, share_all, value_all
from connectlab.agents.settings import AgentError, AgentSettings
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.variants import SLIP
from connectlab.storage.checkpoint import Checkpoint

UNIT = "from -1 (lost) to 1 (won); 2 - n/100 for a win proven in n plies"


@dataclass(frozen=True, eq=False)
class Trained:
    """A network read from a checkpoint, ready to play."""

    network: Network
    evaluator: Evaluator

    @classmethod
    def read(cls, checkpoint: Checkpoint) -> "Trained":
        """Read and prepare a network; refuse one that the kernels could not read."""
        network = Network.from_checkpoint(checkpoint)
        expected = network.tables * network.layout.weights
        if network.weights.shape != (expected,):
            raise AgentError(f"damaged: its tuples need {expected:,} weights")
        if not np.isfinite(network.weights).all():
            raise AgentError("cannot play, some of its weights are no numbers")
        return cls(network, Evaluator.of(network))

    @property
    def geometry(self) -> Geometry:
        """The board it was trained on."""
        return self.network.geometry


SOURCES = Sources(KIND, Trained.read, NTupleSettings)


class NTupleAgent(Agent):
    """Plays the move that the network, or a search on top of it, values most.

    Depth 1 is the player of Thill, Koch and Konen (2012): a winning move, or else the one whose
    after-state has the highest value. Deeper, the values are those of minimax with the network
    at the leaves, as :mod:`~connectlab.agents.ntuple.search` defines them. Equal values are equally
    likely. Where stones slip, it plays as if they did not; the network is one for each side, told
    by the number of stones, so it does not play where rows fall.
    """

    Settings = NTupleSettings
    variants = frozenset({SLIP})
    settings: NTupleSettings

    def __init__(self, settings: NTupleSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        trained = SOURCES.load(settings.source, geometry)
        self.network, self._evaluator = trained.network, trained.evaluator
        self.symmetric = self.network.layout.mirror
        self._memories: list[Memory] = []
        """Working memory that no thread uses now; what a table holds changes no value."""

    @classmethod
    def home_board(cls, settings: AgentSettings) -> Geometry | None:
        """Return the board that the network was trained on."""
        assert isinstance(settings, NTupleSettings)
        return SOURCES.open(settings.source).geometry

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns of the highest value."""
        chances = np.empty((len(batch), self.geometry.columns))
        with self._memory() as memory:
            brain, beyond = self._evaluator.brain, self.settings.depth - 1
            share_all(batch.mover, batch.occupied, beyond, brain, memory, chances)
        return chances

    def values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return the value of the best column; 1 and -1 for wins and losses the search proves."""
        best = np.empty(len(batch), dtype=np.int64)
        with self._memory() as memory:
            brain, beyond = self._evaluator.brain, self.settings.depth - 1
            value_all(batch.mover, batch.occupied, beyond, brain, memory, best)
        return self._evaluator.bounded(best)

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Value every column, and tell what the tuples see in the position itself."""
        policy = self.policy_of(position, stream=stream)
        found, nodes = self._fixed_point_values(position)
        readable = {c: self._evaluator.readable(value, position.ply) for c, value in found.items()}
        explained = explain(self.network, position)
        return Analysis(
            position,
            policy,
            tuple(readable.get(column) for column in range(self.geometry.columns)),
            UNIT,
            win_value=1.0,
            column_notes=self._proven(found, position.ply),
            sentences=explained.sentences,
            facts={"depth": self.settings.depth, "nodes": nodes, **explained.facts},
            groups=explained.groups,
            legend=explained.legend,
        )

    def contents(self) -> Contents:
        """Count the weights and list the tuples."""
        return ntuple_contents(self.network)

    @contextmanager
    def _memory(self) -> Iterator[Memory]:
        """Lend working memory to one search."""
        try:
            memory = self._memories.pop()
        except IndexError:
            memory = make_memory(self._evaluator.brain, self.settings.depth - 1)
        yield memory
        self._memories.append(memory)

    def _fixed_point_values(self, position: Position) -> tuple[dict[int, int], int]:
        """Return the exact value of each playable column, and the nodes it took."""
        brain, beyond = self._evaluator.brain, self.settings.depth - 1
        memory = make_memory(brain, beyond)
        values = np.zeros(self.geometry.columns, dtype=np.int64)
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        search_root(mover, occupied, beyond, True, brain, memory, values)
        found = zip(position.legal_columns, values.tolist(), strict=False)
        return dict(found), int(memory.nodes[0])

    def _proven(self, values: dict[int, int], ply: int) -> dict[int, str]:
        """Say when each column that is decided ends the game."""
        ends = {column: self._evaluator.plies_to_end(v, ply) for column, v in values.items()}
        return {
            column: _ending(plies, won=values[column] > 0)
            for column, plies in ends.items()
            if plies is not None
        }


def _ending(plies: int, *, won: bool) -> str:
    return f"{'wins' if won else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"


def load_network(source: str) -> Network:
    """Read the network a spec string names: one that comes along, a run folder or a checkpoint."""
    return SOURCES.open(source).network
