"""A learner that learns nothing in no time, its player, and judges for other processes."""

import json
import os
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from connectlab.agents.base import Agent
from connectlab.agents.settings import AgentSettings
from connectlab.errors import UserError
from connectlab.game import Geometry, PositionBatch
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.config import MOST_TRAINING_GAMES, LearnerConfig
from connectlab.training.learner import Learner, LearnerError, Metrics
from connectlab.training.measurement import Figure, Measurement

GAMES = 6


class FakeConfig(LearnerConfig):
    """A step is a number of games; some learners cannot stop in the middle of one."""

    name = "fake"
    summary = "learns nothing"

    games: int = Field(default=GAMES, ge=1, le=MOST_TRAINING_GAMES)
    step_games: int = 1
    other_seed: int = 1
    pause: float = 0.0
    """Seconds that a step takes at least."""


class FakeLearner(Learner):
    """Its only weight is a number that depends on every game and on their order."""

    Config = FakeConfig
    config: FakeConfig

    def __init__(self, config: FakeConfig | None = None, *, threads: int = 1) -> None:
        super().__init__(config or FakeConfig(), threads=threads)
        self.weight = self.config.seed

    def step(self) -> Metrics:
        time.sleep(self.config.pause)
        games = min(self.config.step_games, self.config.games - self.games_done)
        for _ in range(games):
            self.weight = (self.weight * 6364136223846793005 + self.games_done) % 2**64
            self.games_done += 1
        return {"loss": float(self.games_done), "alpha": 1 / (1 + self.games_done)}

    def checkpoint(self) -> Checkpoint:
        return Checkpoint("fake", {"weight": self.weight}, {"weights": np.zeros(1)})

    def state(self) -> Checkpoint:
        header = {
            "weight": self.weight,
            "games_done": self.games_done,
            "config": self.config.plain(),
        }
        return Checkpoint("fake-state", header, {"weights": np.zeros(1)})

    def restore(self, state: Checkpoint) -> None:
        if state.kind != "fake-state":
            raise LearnerError("this is no state of a fake learner")
        self.weight, self.games_done = state.header["weight"], state.header["games_done"]

    def begin_from(self, checkpoint: Checkpoint) -> None:
        self.weight = checkpoint.header["weight"]


class FakeSettings(AgentSettings):
    name = "fake"
    summary = "plays anything"

    source: str


class FakeAgent(Agent):
    """Plays any column, once it has read its checkpoint."""

    Settings = FakeSettings
    settings: FakeSettings

    def __init__(self, settings: FakeSettings, geometry: Geometry) -> None:
        super().__init__(settings, geometry)
        self.weight = weight_in(Path(settings.source))

    def policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        chances: NDArray[np.float64] = batch.legal / batch.legal.sum(axis=1, keepdims=True)
        return chances


def weight_in(path: Path) -> int:
    """Return what was learned, as a file has it."""
    return int(Checkpoint.load(path).header["weight"])


def measurement(rate: float, name: str = "success", games: int = 200) -> Measurement:
    figure = Figure("success_rate", rate, (0.5 * rate, 1.0))
    counts = {"games": games, "distinct_games": 7}
    return Measurement(name, (figure,), "perfect", counts, {"perfect_success_rate": 1.0})


def judge(path: Path, seed: int) -> tuple[Measurement, ...]:
    """Take a success rate from a checkpoint and a seed; some are equal."""
    return (measurement((weight_in(path) % 1009 + seed) % 3 / 2),)


def refuse(path: Path, seed: int) -> tuple[Measurement, ...]:
    raise UserError("the board is too hard")


def stumble(path: Path, seed: int) -> tuple[Measurement, ...]:
    raise ZeroDivisionError("one by none")


def vanish(path: Path, seed: int) -> tuple[Measurement, ...]:
    os._exit(7)


def lines(path: Path) -> list[dict[str, object]]:
    """Return the lines of a file of metrics."""
    return [json.loads(line) for line in path.read_text().splitlines()]
