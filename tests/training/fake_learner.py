"""A learner that learns nothing in no time, and evaluators for other processes."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from connectlab.errors import UserError
from connectlab.storage.files import write_text

GAMES = 6


class FakeConfig(BaseModel):
    games: int = GAMES
    seed: int = 1


@dataclass(frozen=True)
class FakeFile:
    content: Mapping[str, Any]

    def save(self, path: Path) -> None:
        write_text(path, json.dumps(self.content))


class FakeLearner:
    """Its only weight is a number that depends on every game and on their order."""

    Config: ClassVar[type[BaseModel]] = FakeConfig
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(self, games: int = GAMES, seed: int = 1) -> None:
        self.settings: Mapping[str, Any] = {"games": games, "seed": seed}
        self.games_done = 0
        self.plies_done = 0
        self.weight = seed

    def learn(self, games: int) -> None:
        for _ in range(games):
            self.weight = (self.weight * 6364136223846793005 + self.games_done) % 2**64
            self.games_done += 1
            self.plies_done += 2

    def rates(self) -> dict[str, float]:
        return {"alpha": 1 / (1 + self.games_done)}

    def checkpoint(self) -> FakeFile:
        return FakeFile({"weight": self.weight})

    def state(self) -> FakeFile:
        settings = dict(self.settings)
        return FakeFile({"weight": self.weight, "games": self.games_done, "settings": settings})

    @classmethod
    def load(cls, path: Path, *, threads: int = 1) -> "FakeLearner":
        del threads
        state = json.loads(path.read_text())
        learner = cls(**state["settings"])
        learner.games_done, learner.weight = state["games"], state["weight"]
        learner.plies_done = 2 * learner.games_done
        return learner


def judge(path: Path, seed: int) -> dict[str, Any]:
    """Take a success rate from a checkpoint and a seed; some are equal."""
    rate = (json.loads(path.read_text())["weight"] % 1009 + seed) % 3 / 2
    return {
        "success_rate": rate,
        "success_rate_interval": [0.5 * rate, 1.0],
        "evaluation_games": 200,
        "distinct_games": 7,
    }


def refuse(path: Path, seed: int) -> dict[str, Any]:
    raise UserError("the board is too hard")


def stumble(path: Path, seed: int) -> dict[str, Any]:
    raise ZeroDivisionError("one by none")


def vanish(path: Path, seed: int) -> dict[str, Any]:
    os._exit(7)
