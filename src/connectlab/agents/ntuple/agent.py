"""How a trained n-tuple network plays and explains itself."""

from dataclasses import dataclass

import numpy as np

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.ntuple.config import NTupleSettings
from connectlab.agents.ntuple.evaluator import Evaluator, make_memory
from connectlab.agents.ntuple.explain import explain
from connectlab.agents.ntuple.network import KIND, Network
from connectlab.agents.ntuple.search import search_root, share_all
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.storage.checkpoint import Checkpoint

UNIT = "value from -1 (lost) to 1 (won); 2 - n/100 for a win proven in n plies"


@dataclass(frozen=True, eq=False)
class Trained:
    """A network read from a checkpoint, ready to play."""

    network: Network
    evaluator: Evaluator

    @classmethod
    def read(cls, checkpoint: Checkpoint) -> "Trained":
        """Read and prepare a network."""
        network = Network.from_checkpoint(checkpoint)
        return cls(network, Evaluator.of(network))

    @property
    def geometry(self) -> Geometry:
        """The board it was trained on."""
        return self.network.geometry


SOURCES = Sources(
    KIND,
    Trained.read,
    package="connectlab.agents.ntuple",
    shipped={"champion": "champion.safetensors"},
)


class NTupleAgent(Agent):
    """Plays the move that the network, or a search on top of it, values most.

    Depth 1 is the player of Thill, Koch and Konen (2012): a winning move, or else the one whose
    after-state has the highest value. Deeper, the values are those of minimax with the network
    at the leaves, as :mod:`~connectlab.agents.ntuple.search` defines them. Equal values are equally
    likely.
    """

    Settings = NTupleSettings
    settings: NTupleSettings

    def __init__(self, settings: NTupleSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        trained = SOURCES.load(settings.source, geometry)
        self.network, self._evaluator = trained.network, trained.evaluator

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns of the highest value."""
        chances = np.empty((len(batch), self.geometry.columns))
        brain, beyond = self._evaluator.brain, self.settings.depth - 1
        memory = make_memory(brain, beyond)
        share_all(batch.mover, batch.occupied, beyond, brain, memory, chances)
        return chances

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Value every column, and tell what the tuples see in the position itself."""
        policy = self.policy_of(position, stream=stream)
        evaluator, beyond = self._evaluator, self.settings.depth - 1
        memory = make_memory(evaluator.brain, beyond)
        worth = np.zeros(self.geometry.columns, dtype=np.int64)
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        search_root(mover, occupied, beyond, True, evaluator.brain, memory, worth)
        found = dict(zip(position.legal_columns, worth.tolist(), strict=False))
        values = {c: evaluator.value(w, position.ply) for c, w in found.items()}
        explained = explain(self.network, position)
        return Analysis(
            position,
            policy,
            tuple(values.get(column) for column in range(self.geometry.columns)),
            UNIT,
            column_notes=self._proven(found, position.ply),
            sentences=explained.sentences,
            facts={
                "depth": self.settings.depth,
                "nodes": int(memory.nodes[0]),
                **explained.facts,
            },
            groups=explained.groups,
            legend=explained.legend,
        )

    def _proven(self, worth: dict[int, int], ply: int) -> dict[int, str]:
        """Say when each column that is decided ends the game."""
        ends = {column: self._evaluator.plies_to_end(w, ply) for column, w in worth.items()}
        return {
            column: _ending(plies, won=worth[column] > 0)
            for column, plies in ends.items()
            if plies is not None
        }


def _ending(plies: int, *, won: bool) -> str:
    return f"{'wins' if won else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"


def load_network(source: str) -> Network:
    """Read the network a spec string names: "champion", a run folder, or a checkpoint file."""
    return SOURCES.open(source).network
