"""Players for the tests of the arena: some simple, some that break the rules on purpose."""

from collections.abc import Callable
from typing import Any

import numpy as np

from connectlab.agents import Agent
from connectlab.game import STANDARD, Geometry, PositionBatch


class LowestAgent(Agent):
    """Always the leftmost column with room: no chance at all."""

    name = "lowest"
    summary = "leftmost column with room"

    def choose(self, batch: PositionBatch) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.argmax(batch.legal, axis=1)


class HighestAgent(Agent):
    """Always the rightmost column with room."""

    name = "highest"
    summary = "rightmost column with room"

    def choose(self, batch: PositionBatch) -> np.ndarray[Any, np.dtype[np.int64]]:
        return self.geometry.columns - 1 - np.argmax(batch.legal[:, ::-1], axis=1)


class AnswerAgent(Agent):
    """Answers whatever the test wants."""

    name = "answer"
    summary = "whatever the test wants"

    def __init__(
        self, answer: Callable[[PositionBatch], Any], geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(None, geometry)
        self.answer = answer

    def choose(self, batch: PositionBatch) -> Any:
        return self.answer(batch)
