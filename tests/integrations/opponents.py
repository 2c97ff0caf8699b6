"""Opponents for the tests of environments."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent, AgentSettings
from connectlab.game import PositionBatch


class QuitterSettings(AgentSettings):
    name = "quitter"
    summary = "gives up after a number of stones"

    stones: int = 0


class QuitterAgent(Agent):
    """Plays the first column with room, and gives up once so many stones lie on the board."""

    Settings = QuitterSettings
    settings: QuitterSettings
    may_forfeit = True

    def policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        chances = np.eye(self.geometry.columns)[np.argmax(batch.legal, axis=1)]
        chances[batch.plies >= self.settings.stones] = 0.0
        return chances
