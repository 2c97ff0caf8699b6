"""A player that crashes, as another package could bring it along."""

from connectlab.agents import Agent, AgentSettings
from connectlab.agents.choice import Chances
from connectlab.game import PositionBatch


class CrashingSettings(AgentSettings):
    """Nothing to set."""

    name = "fake"
    summary = "crashes"


class Crashing(Agent):
    """Never comes to a move."""

    Settings = CrashingSettings

    def policy(self, batch: PositionBatch) -> Chances:
        raise RuntimeError("out of\nideas")
