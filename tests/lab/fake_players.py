"""Players that answer as a test tells them to, well or badly."""

import threading

import numpy as np

from connectlab.agents import Agent, AgentSettings, Analysis
from connectlab.agents.choice import Chances
from connectlab.game import STANDARD, Geometry, Position, PositionBatch


class FakeSettings(AgentSettings):
    """Nothing to set."""

    name = "fake"
    summary = "for tests"


class Fake(Agent):
    """Plays the first column with room."""

    Settings = FakeSettings

    def __init__(self, geometry: Geometry = STANDARD) -> None:
        super().__init__(FakeSettings(), geometry)

    def policy(self, batch: PositionBatch) -> Chances:
        chances = np.zeros((len(batch), self.geometry.columns))
        for row, position in enumerate(batch.positions()):
            chances[row, position.legal_columns[0]] = 1
        return chances


class Crashing(Fake):
    """Raises what it is told to, over two lines."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def policy(self, batch: PositionBatch) -> Chances:
        raise self.error


class Lying(Fake):
    """Names what is no playable column, past all checks of the base class."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def choose_one(self, position: Position, *, stream: int = 0) -> int:  # type: ignore[misc]
        return self.answer  # type: ignore[return-value]

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        return "because"  # type: ignore[return-value]


class Slow(Fake):
    """Thinks until it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Semaphore(0)
        self.release = threading.Event()

    def policy(self, batch: PositionBatch) -> Chances:
        self.asked.release()
        assert self.release.wait(60)
        return super().policy(batch)


class Nameless(Crashing):
    """Cannot even tell its spec."""

    @property
    def spec(self) -> str:
        raise RuntimeError("no name")
