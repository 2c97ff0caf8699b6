"""What a run measures, one JSON object a line: rows of progress, and evaluations among them."""

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from connectlab.errors import UserError
from connectlab.storage.files import write_text
from connectlab.training.config import MOST_TRAINING_GAMES
from connectlab.training.learner import Metrics
from connectlab.training.measurement import Figure, Measurement, mapping, number, whole

OWN_KEYS = ("games", "seconds", "games_per_second")
"""What a row of progress says beside the metrics of the learner."""
DIGITS = 6
"""Significant digits of what the learner reports: the rest is rounding."""
MEASURES = "measures"
"""The key that only evaluations have."""


class RunError(UserError):
    """A run that cannot begin or go on."""


@dataclass(frozen=True)
class ProgressRow:
    """How far the learner was, and what it reported since the row before."""

    games: int
    seconds: float
    """Time of the run, over all its sessions."""
    games_per_second: float
    metrics: Metrics
    """Means over the games since the row before; not a number where the learner had none."""

    def to_json(self) -> dict[str, object]:
        """Return the row as plain data; what is no number is null."""
        plain: dict[str, object] = {key: getattr(self, key) for key in OWN_KEYS}
        for name, value in self.metrics.items():
            plain.setdefault(name, value if math.isfinite(value) else None)
        return plain

    @classmethod
    def of(cls, plain: Mapping[str, object]) -> "ProgressRow":
        """Read a row; raise ``ValueError`` or ``KeyError`` for one that is none."""
        metrics = {
            name: math.nan if value is None else number(value)
            for name, value in plain.items()
            if name not in OWN_KEYS
        }
        games = whole(plain["games"], MOST_TRAINING_GAMES)
        return cls(games, number(plain["seconds"]), number(plain["games_per_second"]), metrics)


@dataclass(frozen=True)
class Evaluation:
    """How the player was judged after some games of training: at least one measurement."""

    games: int
    measurements: tuple[Measurement, ...]
    seconds: float = 0.0
    """Time of the run until the player was as it was judged."""

    @property
    def first(self) -> Measurement:
        """The measurement that chooses the best checkpoint."""
        return self.measurements[0]

    def find(self, key: str) -> Figure | None:
        """Return the first figure of a name."""
        found = (measurement.find(key) for measurement in self.measurements)
        return next((figure for figure in found if figure is not None), None)

    def to_json(self) -> dict[str, object]:
        """Return every figure under its name (the first of each), and all that was measured."""
        plain: dict[str, object] = {"games": self.games, "seconds": self.seconds}
        for measurement in self.measurements:
            for figure in measurement.figures:
                if figure.key not in plain:
                    plain |= figure.to_json()
        return {**plain, MEASURES: [each.to_json() for each in self.measurements]}

    @classmethod
    def of(cls, plain: Mapping[str, object]) -> "Evaluation":
        """Read a row; raise ``ValueError`` or ``KeyError`` for one that is none."""
        measures = plain[MEASURES]
        if not isinstance(measures, list) or not measures:
            raise ValueError("an evaluation needs a measurement")
        found = tuple(Measurement.of(each) for each in measures)
        return cls(whole(plain["games"], MOST_TRAINING_GAMES), found, number(plain["seconds"]))


Row: TypeAlias = ProgressRow | Evaluation


class MetricsLog:
    """The file ``metrics.jsonl``: rows are added, and those after a saved state are dropped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Row] = read_rows(path)

    def add(self, row: Row) -> None:
        """Add a row, and have all of them on the disk when this returns."""
        text = json.dumps(row.to_json(), allow_nan=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.rows.append(row)

    def cut(self, games: int) -> None:
        """Drop what was measured after ``games`` games, and a last line cut short."""
        self.rows = [row for row in self.rows if row.games <= games]
        texts = (json.dumps(row.to_json(), allow_nan=False) for row in self.rows)
        write_text(self.path, "".join(f"{text}\n" for text in texts))

    @property
    def evaluations(self) -> list[Evaluation]:
        """All evaluations, by games."""
        found = [row for row in self.rows if isinstance(row, Evaluation)]
        return sorted(found, key=lambda evaluation: evaluation.games)

    @property
    def progress(self) -> list[ProgressRow]:
        """All rows that are no evaluations."""
        return [row for row in self.rows if isinstance(row, ProgressRow)]


class Averages:
    """Means of the learner's metrics over the games since they were last taken."""

    def __init__(self) -> None:
        self._means: dict[str, float] = {}
        self._games: dict[str, int] = {}

    def add(self, metrics: Metrics, games: int) -> None:
        """Count the metrics of a step; one without a finished game weighs as one."""
        weight = max(1, games)
        for name, value in metrics.items():
            self._games[name] = self._games.get(name, 0) + weight
            mean = self._means.get(name, float(value))
            # In this form the mean of equal values is that value, to the last bit.
            self._means[name] = mean + (float(value) - mean) * (weight / self._games[name])

    @property
    def means(self) -> dict[str, float]:
        """The means so far."""
        return dict(self._means)

    def take(self) -> dict[str, float]:
        """Return the means, to six digits, and begin anew."""
        means = {name: float(f"{mean:.{DIGITS}g}") for name, mean in self._means.items()}
        self._means, self._games = {}, {}
        return means


def best_of(evaluations: Sequence[Evaluation]) -> Evaluation | None:
    """Return the best evaluation by the measure that was used last; among equals the last."""
    if not evaluations:
        return None
    measure = evaluations[-1].first.name
    judged = [each for each in evaluations if each.first.name == measure]
    return max(judged, key=lambda each: (each.first.rank, each.games))


def read_rows(path: Path) -> list[Row]:
    """Read all rows; the last line may be cut short, as a crash leaves it."""
    if not path.is_file():
        return []
    written = path.read_bytes().split(b"\n")
    return list(_parse(path, written))


def _parse(path: Path, written: list[bytes]) -> Iterable[Row]:
    for index, text in enumerate(written, start=1):
        try:
            plain = mapping(json.loads(text))
            yield Evaluation.of(plain) if MEASURES in plain else ProgressRow.of(plain)
        except (ValueError, KeyError, RecursionError):
            if index == len(written):
                return
            raise RunError(
                f"{path} is damaged in line {index}: put it right, or remove the file (the run "
                "then goes on without what was measured so far)"
            ) from None
