"""Runs side by side: where they ended, how fast they got there, and their curves in one picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from connectlab.lab.grouping import board_of, find_groups
from connectlab.lab.onset import Onset
from connectlab.lab.statistics import FEWEST, Spread, TimeTo, bootstrap_band
from connectlab.training.folder import METRICS_FILE, RunRecord
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation, ProgressRow, RunError, read_rows

LEVELS = (0.8, 0.9)
"""Shares of the success of perfect play: the games are counted that it took to reach them."""
LEVEL_KEYS = ("success_rate", "exact_success_rate")
"""The figures that have levels: of no other is it known how high it can rise."""


@dataclass(frozen=True)
class Curve:
    """One figure of one run, over games."""

    path: Path
    key: str
    opponent: str | None
    seed: int
    games: tuple[int, ...]
    """Games of training at each evaluation."""
    figures: tuple[Figure, ...]
    total: int
    """Games learned from."""
    seconds: float
    board: str
    possible: float = 1.0
    """What perfect play would reach."""

    @property
    def is_measured(self) -> bool:
        """Whether the figure was measured at all."""
        return bool(self.games)

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels that can be reached: none where even perfect play loses."""
        return LEVELS if self.key in LEVEL_KEYS and self.possible > 0 else ()

    @property
    def values(self) -> tuple[float, ...]:
        """The figure at each evaluation; of one beyond all numbers, what is surely reached."""
        return tuple(_known(figure) for figure in self.figures)

    @property
    def last(self) -> float | None:
        """The figure at the end."""
        return self.values[-1] if self.values else None

    @property
    def best(self) -> float | None:
        """The highest figure."""
        return max(self.values, default=None)

    @property
    def games_per_second(self) -> float:
        """Speed of the run."""
        return self.total / self.seconds if self.seconds else 0.0

    def games_to(self, level: float) -> int | None:
        """Return the games at the first evaluation that reached a level; None if none did.

        A level is a share of what perfect play would reach.
        """
        pairs = zip(self.games, self.values, strict=True)
        wanted = level * self.possible
        return next((games for games, value in pairs if value >= wanted), None)

    def to_json(self) -> dict[str, object]:
        """Return the run as plain data."""
        return {
            "run": str(self.path),
            "seed": self.seed,
            "games": self.total,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "last": self.last,
            "best": self.best,
            "games_to": {f"{level:g}": self.games_to(level) for level in self.levels},
        }


@dataclass(frozen=True)
class RunGroup:
    """Runs that belong together: repeats of each other."""

    name: str
    curves: tuple[Curve, ...]

    @property
    def measured(self) -> tuple[Curve, ...]:
        """The runs that have the figure."""
        return tuple(curve for curve in self.curves if curve.is_measured)

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels that its runs can reach."""
        return max((curve.levels for curve in self.measured), key=len, default=())

    @property
    def board(self) -> str:
        """The board of the runs."""
        return common_board(self.curves)

    def spread(self, what: str) -> Spread | None:
        """Return the spread of ``last``, ``best`` or ``games_per_second`` over the runs."""
        found = [getattr(curve, what) for curve in self.curves]
        return Spread.of([value for value in found if value is not None])

    def games_to(self, level: float) -> TimeTo | None:
        """Return the games it takes to reach a level; runs that never did were watched so long."""
        found = [curve.games_to(level) for curve in self.measured]
        times = [
            curve.games[-1] if games is None else games
            for curve, games in zip(self.measured, found, strict=True)
        ]
        return TimeTo.of(times, [games is not None for games in found])

    def rows(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return games, float64[n], where every run was judged, and their values, float64[runs, n].

        Runs are judged where their steps end; between two evaluations a run is on the line
        that joins them.
        """
        judged = self.measured
        low = max((curve.games[0] for curve in judged), default=0)
        high = min((curve.games[-1] for curve in judged), default=0)
        at = sorted({games for curve in judged for games in curve.games if low <= games <= high})
        games = np.array(at, dtype=np.float64)
        values = [np.interp(games, curve.games, curve.values) for curve in judged]
        return games, np.array(values, dtype=np.float64).reshape(len(judged), len(games))

    def mean_curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return games, mean and standard deviation where every run was judged, float64[n] each."""
        games, rows = self.rows()
        if not rows.size:
            return games[:0], games[:0], games[:0]
        spread = rows.std(axis=0, ddof=1) if len(rows) > 1 else np.zeros(len(games))
        return games, rows.mean(axis=0), spread

    def mean_between(self, low: float, high: float) -> Spread | None:
        """Return the spread over runs of each run's mean from ``low`` to ``high`` games."""
        games, rows = self.rows()
        chosen = (games >= low) & (games <= high)
        return Spread.of(rows[:, chosen].mean(axis=1).tolist() if chosen.any() else [])

    def onset(self, level: float) -> Onset | None:
        """Return when the mean of the runs first reaches a level; None where there are no runs."""
        wanted = level * max((curve.possible for curve in self.measured), default=1.0)
        return Onset.of(*self.rows(), wanted)

    def to_json(self) -> dict[str, object]:
        """Return mean and spread of everything, and the runs."""
        document: dict[str, object] = {
            "name": self.name,
            "board": self.board,
            "repeat": len(self.curves),
            "not_measured": len(self.curves) - len(self.measured),
        }
        for what in ("last", "best", "games_per_second"):
            spread = self.spread(what)
            document[what] = None if spread is None else spread.to_json()
        document["games_to"] = {f"{level:g}": self._reached(level) for level in self.levels}
        document["curve"] = self._curve()
        document["runs"] = [curve.to_json() for curve in self.curves]
        return document

    def _reached(self, level: float) -> dict[str, object] | None:
        found = self.games_to(level)
        return None if found is None else found.to_json()

    def _curve(self) -> dict[str, object]:
        """Return mean, spread and bootstrap interval over the runs, point by point."""
        games, mean, spread = self.mean_curve()
        document = {"games": games, "mean": mean, "standard_deviation": spread}
        if len(self.measured) >= FEWEST and len(games):
            low, high = bootstrap_band(self.rows()[1])
            document |= {"mean_low": low, "mean_high": high}
        return {key: [round(value, 6) for value in each] for key, each in document.items()}


@dataclass(frozen=True)
class Comparison:
    """Groups of runs, judged by one figure."""

    key: str
    opponent: str | None
    groups: tuple[RunGroup, ...]

    def to_json(self) -> dict[str, object]:
        """Return the comparison as plain data; docs/cli.md explains the keys."""
        return {
            "key": self.key,
            "opponent": self.opponent,
            "groups": [group.to_json() for group in self.groups],
        }

    @property
    def board(self) -> str:
        """The board of all runs."""
        return common_board([curve for group in self.groups for curve in group.curves])

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels that some runs can reach."""
        return max((group.levels for group in self.groups), key=len, default=())


def common_board(curves: Sequence[Curve]) -> str:
    """Return the board of some runs, or say that they have no board in common."""
    boards = {curve.board for curve in curves}
    return boards.pop() if len(boards) == 1 else "several boards"


def compare(paths: Sequence[Path], key: str | None = None) -> Comparison:
    """Read runs, or folders with several of them, and put them side by side.

    ``key`` names the figure to compare by; without it, it is what the runs are judged by.
    Runs that differ in their seeds alone form a group; of a folder with a plan, each combination
    of its grid does.
    """
    groups = find_groups(paths)
    chosen = key or _common_key([path for found in groups.values() for path in found])
    curves = {
        name: tuple(read_curve(path, chosen) for path in found) for name, found in groups.items()
    }
    some = next((each for found in curves.values() for each in found if each.is_measured), None)
    opponent = None if some is None else some.opponent
    return Comparison(chosen, opponent, tuple(RunGroup(*item) for item in curves.items()))


def read_curve(path: Path, key: str) -> Curve:
    """Read one figure of the run in a folder."""
    record = RunRecord.read(path)
    rows = read_rows(path / METRICS_FILE)
    progress = [row for row in rows if isinstance(row, ProgressRow)]
    judged = sorted((row for row in rows if isinstance(row, Evaluation)), key=lambda row: row.games)
    found = [(row, row.find(key)) for row in judged]
    points = [(row, figure) for row, figure in found if figure is not None]
    if judged and not points:
        known = sorted({each.key for row in judged for m in row.measurements for each in m.figures})
        raise RunError(f"{path} has no figure {key!r}: choose from {', '.join(known)}")
    seed = record.config.get("seed")
    source = _source(points[-1][0], key) if points else None
    return Curve(
        path,
        key,
        None if source is None else source.opponent,
        seed if isinstance(seed, int) else 0,
        tuple(row.games for row, _ in points),
        tuple(figure for _, figure in points),
        progress[-1].games if progress else 0,
        progress[-1].seconds if progress else 0.0,
        board_of(path, record),
        1.0 if source is None else _possible(source),
    )


def _known(figure: Figure) -> float:
    """Return a figure; the lower end of its interval where it is beyond all numbers."""
    if figure.value is not None:
        return figure.value
    return figure.interval[0] if figure.interval else 0.0


def _source(evaluation: Evaluation, key: str) -> Measurement | None:
    """Return the measurement that a figure comes from."""
    return next((each for each in evaluation.measurements if each.find(key)), None)


def _possible(source: Measurement) -> float:
    found = source.facts.get("perfect_success_rate")
    return float(found) if isinstance(found, int | float) else 1.0


def _common_key(paths: Sequence[Path]) -> str:
    """Return the figure that all runs are judged by."""
    keys: dict[str, None] = {}
    for path in paths:
        judged = [r for r in read_rows(path / METRICS_FILE) if isinstance(r, Evaluation)]
        if judged:
            keys[judged[-1].first.key] = None
    if len(keys) > 1:
        raise RunError(
            f"the runs are judged by different figures: choose one by --key {' or '.join(keys)}"
        )
    return next(iter(keys), "success_rate")
