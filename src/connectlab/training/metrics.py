"""What a run measures, one JSON object a line, and the evaluations among the lines."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from connectlab.errors import UserError
from connectlab.storage.files import write_text

Line: TypeAlias = Mapping[str, Any]
"""Plain data with at least ``games``: how many games the learner had learned from."""

MEASURE = "success_rate"


class RunError(UserError):
    """A run that cannot begin or go on."""


@dataclass(frozen=True)
class Evaluation:
    """How well the player did after some games of training."""

    games: int
    measures: Mapping[str, Any]
    """``success_rate``, ``success_rate_interval`` and whatever else the referee counts."""

    @property
    def success_rate(self) -> float:
        """Mean score."""
        return float(self.measures[MEASURE])

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the mean score."""
        low, high = self.measures[f"{MEASURE}_interval"]
        return float(low), float(high)

    def to_json(self) -> dict[str, Any]:
        """Return the line of this evaluation."""
        return {"games": self.games, **self.measures}

    @classmethod
    def of(cls, line: Line) -> "Evaluation":
        """Read the line of an evaluation."""
        measures = dict(line)
        return cls(measures.pop("games"), measures)


class MetricsLog:
    """The file ``metrics.jsonl``: lines are added, and those after a saved state are dropped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = _read(path)

    def add(self, line: Line, *, durable: bool = False) -> None:
        """Add a line; a durable one is on the disk when this returns."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, allow_nan=False) + "\n")
            file.flush()
            if durable:
                os.fsync(file.fileno())
        self.lines.append(line)

    def cut(self, games: int) -> None:
        """Drop what was measured after ``games`` games, and a last line cut short."""
        self.lines = [line for line in self.lines if line["games"] <= games]
        write_text(self.path, "".join(json.dumps(line) + "\n" for line in self.lines))

    @property
    def evaluations(self) -> list[Evaluation]:
        """All evaluations, by games."""
        found = [Evaluation.of(line) for line in self.lines if MEASURE in line]
        return sorted(found, key=lambda evaluation: evaluation.games)

    @property
    def progress(self) -> list[Line]:
        """All lines that are no evaluations."""
        return [line for line in self.lines if MEASURE not in line]


def best_of(evaluations: list[Evaluation]) -> Evaluation | None:
    """Return the best evaluation; among equals the last."""
    return max(evaluations, key=lambda each: (each.success_rate, each.games), default=None)


def _read(path: Path) -> list[Line]:
    """Read all lines; the last one may be cut short, as a crash leaves it."""
    if not path.is_file():
        return []
    written = path.read_text(encoding="utf-8", errors="replace").split("\n")
    lines: list[Line] = []
    for number, text in enumerate(written, start=1):
        try:
            line = json.loads(text)
            line["games"] + 0
        except (ValueError, KeyError, TypeError):
            if number == len(written):
                break
            raise RunError(f"{path} is damaged in line {number}") from None
        lines.append(line)
    return lines
