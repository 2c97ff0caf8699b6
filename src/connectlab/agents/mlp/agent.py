"""How a trained multi-layer perceptron plays and explains itself."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.contents import Contents
from connectlab.agents.mlp.config import MLPSettings
from connectlab.agents.mlp.contents import mlp_contents
from connectlab.agents.mlp.explain import explain
from connectlab.agents.mlp.network import KIND, Network
from connectlab.agents.mlp.play import share_all, value_all, value_columns
from connectlab.agents.settings import AgentSettings
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.variants import COUNTS, DROP_ROW, SLIP

UNIT = "from -1 (lost) to 1 (won soon): 2 V - 1, V the discounted chance to win"

SOURCES = Sources(KIND, Network.from_checkpoint, MLPSettings)


class MLPAgent(Agent):
    """Plays the move whose after-state has the highest value, Eq. (2) of Faußer 2008.

    Equal values are equally likely. A win at once is played only if the network values it most, as
    in the paper. Where stones slip or rows fall, moves are valued as if nothing happened to them.
    Where counts are told, a column is valued together with what is seen before the move.
    """

    Settings = MLPSettings
    variants = frozenset({SLIP, DROP_ROW, COUNTS})
    settings: MLPSettings

    def __init__(self, settings: MLPSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        self.network = SOURCES.load(settings.source, geometry)

    @classmethod
    def home_board(cls, settings: AgentSettings) -> Geometry | None:
        """Return the board that the network was trained on."""
        assert isinstance(settings, MLPSettings)
        return SOURCES.open(settings.source).geometry

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns of the highest value."""
        chances = np.empty((len(batch), self.geometry.columns))
        share_all(batch.mover, batch.occupied, self._potentials(), self.network.brain, chances)
        return chances

    def values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return 2 V - 1, from -1 to 1, for the best successor's V: a discounted chance to win.

        V belongs to the player who has just moved, so a position is worth what its best move is.
        """
        best = np.empty(len(batch), dtype=np.float64)
        value_all(batch.mover, batch.occupied, self._potentials(), self.network.brain, best)
        return 2 * best - 1

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Value every column, and tell what the hidden neurons say to the choice."""
        policy = self.policy_of(position, stream=stream)
        chances = np.empty(self.geometry.columns)
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        value_columns(mover, occupied, self._potentials(), self.network.brain, chances)
        known = {column: float(chances[column]) for column in position.legal_columns}
        explained = explain(self.network, position, known)
        return Analysis(
            position,
            policy,
            tuple(2 * known[c] - 1 if c in known else None for c in range(self.geometry.columns)),
            UNIT,
            win_value=1.0,
            column_notes={c: f"V {value:.3f}" for c, value in known.items()},
            sentences=explained.sentences,
            facts=explained.facts,
            groups=explained.groups,
            legend=explained.legend,
        )

    def contents(self) -> Contents:
        """Count the weights and list the hidden neurons."""
        return mlp_contents(self.network)

    def _potentials(self) -> NDArray[np.float32]:
        """Return working memory for one call: threads must not share it."""
        return np.empty(self.network.parameters.shape[1], dtype=np.float32)


def load_network(source: str) -> Network:
    """Read the network a spec string names: "best", a run folder, or a checkpoint file."""
    return SOURCES.open(source)
