"""How a trained multi-layer perceptron plays and explains itself."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.mlp.config import MLPSettings
from connectlab.agents.mlp.network import KIND, Network
from connectlab.agents.mlp.play import share_all, value_all
from connectlab.agents.settings import AgentSettings
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry, PositionBatch

SHIPPED = {name: f"mlp-{name}.safetensors" for name in ("1", "2", "3", "4", "5", "best")}
"""Files that come along, by the name that spec strings use: the networks of Table 2."""

SOURCES = Sources(KIND, Network.from_checkpoint, package="connectlab.agents.mlp", shipped=SHIPPED)


class MLPAgent(Agent):
    """Plays the move whose after-state has the highest value, Eq. (2) of Faußer 2008.

    Equal values are equally likely. A win at once is played only if the network values it most, as
    in the paper.
    """

    Settings = MLPSettings
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
        """Return 2 V - 1 for the best successor's V: the network's chance to win, from -1 to 1.

        V belongs to the player who has just moved, so a position is worth what its best move is.
        """
        best = np.empty(len(batch), dtype=np.float64)
        value_all(batch.mover, batch.occupied, self._potentials(), self.network.brain, best)
        return 2 * best - 1

    def _potentials(self) -> NDArray[np.float32]:
        """Return working memory for one call: threads must not share it."""
        return np.empty(self.network.parameters.shape[1], dtype=np.float32)


def load_network(source: str) -> Network:
    """Read the network a spec string names: "best", a run folder, or a checkpoint file."""
    return SOURCES.open(source)
