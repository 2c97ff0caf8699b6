"""Players for the tests of the arena: some simple, some that break the rules on purpose."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent, AgentSettings
from connectlab.game import STANDARD, Geometry, PositionBatch

Policy = NDArray[np.float64]


class PlainSettings(AgentSettings):
    """Nothing to set."""

    name = "test"
    summary = "for tests"


def certain(columns: NDArray[np.int64], geometry: Geometry) -> Policy:
    """Return the policy that plays these columns."""
    return np.eye(geometry.columns)[columns]


class LowestSettings(PlainSettings):
    name = "lowest"


class LowestAgent(Agent):
    """Always the leftmost column with room: no chance at all."""

    Settings = LowestSettings

    def policy(self, batch: PositionBatch) -> Policy:
        return certain(np.argmax(batch.legal, axis=1), self.geometry)


class HighestSettings(PlainSettings):
    name = "highest"


class HighestAgent(Agent):
    """Always the rightmost column with room."""

    Settings = HighestSettings

    def policy(self, batch: PositionBatch) -> Policy:
        last = self.geometry.columns - 1
        return certain(last - np.argmax(batch.legal[:, ::-1], axis=1), self.geometry)


class AnswerSettings(PlainSettings):
    name = "answer"


class AnswerAgent(Agent):
    """Answers whatever the test wants."""

    Settings: ClassVar[type[AgentSettings]] = AnswerSettings

    def __init__(
        self, answer: Callable[[PositionBatch], object], geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(None, geometry)
        self.answer = answer

    def policy(self, batch: PositionBatch) -> Policy:
        return self.answer(batch)  # type: ignore[return-value]
