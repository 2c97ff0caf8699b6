"""How a trained deep Q-network plays and explains itself; no torch is needed for that."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.contents import Contents
from connectlab.agents.dqn.config import DQNSettings
from connectlab.agents.dqn.contents import dqn_contents
from connectlab.agents.dqn.explain import explain
from connectlab.agents.dqn.kernels import make_brain, make_scratch, share_best, value_columns
from connectlab.agents.dqn.network import KIND, Network
from connectlab.agents.settings import AgentSettings
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry, Position, PositionBatch

SOURCES = Sources(KIND, Network.from_checkpoint, DQNSettings)


class DQNAgent(Agent):
    """Plays the column of the highest Q (Dangel 2021); equal values are equally likely.

    With ``invalid=allow`` full columns count too, and the game is given up where one is the best.
    """

    Settings = DQNSettings
    may_forfeit: ClassVar[bool] = True
    settings: DQNSettings

    def __init__(self, settings: DQNSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        self.network = SOURCES.load(settings.source, geometry)
        self._brain = make_brain(self.network)

    @classmethod
    def home_board(cls, settings: AgentSettings) -> Geometry | None:
        """Return the board that the network was trained on."""
        assert isinstance(settings, DQNSettings)
        return SOURCES.open(settings.source).geometry

    def action_values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return Q of every column, float64[n, columns], of full ones too."""
        values = np.empty((len(batch), self.geometry.columns))
        scratch = make_scratch(self.network)  # for one call: threads must not share it
        value_columns(batch.mover, batch.occupied, scratch, self._brain, values)
        return values

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns of the highest value; none where a full one is chosen."""
        chances = self.action_values(batch)
        allow = self.settings.invalid == "allow"
        share_best(batch.occupied, self.geometry.shape, allow, chances)
        return chances

    def values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return the highest Q of a column with room over the reward for a win, cut to [-1, 1]."""
        values = np.where(batch.legal, self.action_values(batch), -np.inf)
        best: NDArray[np.float64] = values.max(axis=1, initial=-np.inf)
        return np.clip(best / self.network.header.reward_win, -1.0, 1.0)

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Tell Q of every column, and which stones the choice hangs on."""
        policy = self.policy_of(position, stream=stream)
        return explain(self.network, position, policy, self.action_values)

    def contents(self) -> Contents:
        """Count the weights and list the layers."""
        return dqn_contents(self.network)
