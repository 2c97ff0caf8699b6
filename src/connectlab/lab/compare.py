"""Runs side by side: where they ended, how fast they got there, and their curves in one picture."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from connectlab.lab.plans import PLAN_FILE, Plan
from connectlab.storage.files import save_png
from connectlab.training.curve import curve_label, draw_frame, new_axes
from connectlab.training.folder import METRICS_FILE, RUN_FILE, RunRecord
from connectlab.training.measurement import Figure
from connectlab.training.metrics import Evaluation, ProgressRow, RunError, read_rows

LEVELS = (0.8, 0.9)
"""Figures for which the games are counted that it took to reach them."""
COLOURS = ("#2166ac", "#b2182b", "#1b7837", "#762a83", "#b35806", "#35978f", "#c51b7d", "#4d4d4d")


@dataclass(frozen=True)
class Spread:
    """What several numbers have in common."""

    mean: float
    standard_deviation: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread | None":
        """Return the spread of some numbers; None of none."""
        if not values:
            return None
        spread = stdev(values) if len(values) > 1 else 0.0
        return cls(fmean(values), spread, min(values), max(values))

    def to_json(self) -> dict[str, float]:
        """Return the four numbers."""
        return {
            "mean": self.mean,
            "standard_deviation": self.standard_deviation,
            "lowest": self.lowest,
            "highest": self.highest,
        }


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

    @property
    def values(self) -> tuple[float, ...]:
        """The figure at each evaluation."""
        return tuple(figure.value or 0.0 for figure in self.figures)

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
        """Return the games at the first evaluation that reached a level; None if none did."""
        pairs = zip(self.games, self.values, strict=True)
        return next((games for games, value in pairs if value >= level), None)

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
            "games_to": {f"{level:g}": self.games_to(level) for level in LEVELS},
        }


@dataclass(frozen=True)
class RunGroup:
    """Runs that belong together: repeats of each other."""

    name: str
    curves: tuple[Curve, ...]

    def spread(self, what: str) -> Spread | None:
        """Return the spread of ``last``, ``best`` or ``games_per_second`` over the runs."""
        found = [getattr(curve, what) for curve in self.curves]
        return Spread.of([value for value in found if value is not None])

    def games_to(self, level: float) -> tuple[Spread | None, int]:
        """Return the games it took to reach a level, and how many runs never did."""
        found = [curve.games_to(level) for curve in self.curves]
        reached = [games for games in found if games is not None]
        return Spread.of(reached), len(found) - len(reached)

    def mean_curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return games, mean and standard deviation where every run was judged, float64[n] each.

        Runs are judged where their steps end; between two evaluations a run is on the line
        that joins them.
        """
        judged = [curve for curve in self.curves if curve.games]
        low = max((curve.games[0] for curve in judged), default=0)
        high = min((curve.games[-1] for curve in judged), default=0)
        at = sorted({games for curve in judged for games in curve.games if low <= games <= high})
        games = np.array(at, dtype=np.float64)
        rows = np.array([np.interp(games, curve.games, curve.values) for curve in judged])
        if not len(rows) or not len(games):
            return games[:0], games[:0], games[:0]
        spread = rows.std(axis=0, ddof=1) if len(rows) > 1 else np.zeros(len(games))
        return games, rows.mean(axis=0), spread

    def to_json(self) -> dict[str, object]:
        """Return mean and spread of everything, and the runs."""
        document: dict[str, object] = {"name": self.name, "repeat": len(self.curves)}
        for what in ("last", "best", "games_per_second"):
            spread = self.spread(what)
            document[what] = None if spread is None else spread.to_json()
        document["games_to"] = {f"{level:g}": self._reached(level) for level in LEVELS}
        document["runs"] = [curve.to_json() for curve in self.curves]
        return document

    def _reached(self, level: float) -> dict[str, object]:
        spread, never = self.games_to(level)
        return {**({} if spread is None else spread.to_json()), "never": never}


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

    def save_plot(self, path: Path) -> None:
        """Draw every curve, and for each group the mean with a band of one standard deviation."""
        picture, axes = new_axes()
        most = 1
        for number, group in enumerate(self.groups):
            colour = COLOURS[number % len(COLOURS)]
            for curve in group.curves:
                axes.plot(curve.games, curve.values, color=colour, linewidth=0.7, alpha=0.35)
                most = max(most, *curve.games, 1)
            games, mean, spread = group.mean_curve()
            label = f"{group.name} ({len(group.curves)})"
            axes.plot(games, mean, color=colour, linewidth=2.2, label=label)
            axes.fill_between(
                games, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0
            )
        figures = [f for group in self.groups for curve in group.curves for f in curve.figures]
        title = "mean of the runs, and one standard deviation"
        draw_frame(axes, most, title, curve_label(self.key, self.opponent), figures)
        save_png(picture, path)


def compare(paths: Sequence[Path], key: str | None = None) -> Comparison:
    """Read runs, or folders with several of them, and put them side by side.

    ``key`` names the figure to compare by; without it, it is what the runs are judged by.
    Single runs that differ in their seeds alone form a group; of a folder with a plan, each
    combination of its grid does.
    """
    groups = _find(paths)
    chosen = key or _common_key([path for found in groups.values() for path in found])
    curves = {
        name: tuple(read_curve(path, chosen) for path in found) for name, found in groups.items()
    }
    some = next((each for found in curves.values() for each in found if each.games), None)
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
    return Curve(
        path,
        key,
        _opponent(points[-1][0], key) if points else None,
        seed if isinstance(seed, int) else 0,
        tuple(row.games for row, _ in points),
        tuple(figure for _, figure in points),
        progress[-1].games if progress else 0,
        progress[-1].seconds if progress else 0.0,
    )


def _opponent(evaluation: Evaluation, key: str) -> str | None:
    return next((each.opponent for each in evaluation.measurements if each.find(key)), None)


def _find(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the runs of each group by its name."""
    groups: dict[str, list[Path]] = {}
    single: list[Path] = []
    for path in paths:
        if (path / RUN_FILE).is_file():
            single.append(path)
        elif (path / PLAN_FILE).is_file():
            groups |= _planned(path)
        elif runs := sorted(file.parent for file in path.glob(f"*/{RUN_FILE}")):
            groups[str(path)] = runs
        else:
            raise RunError(f"{path} holds no run, and no folder with one")
    return {**_alike(single), **groups}


def _alike(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """Group single runs that differ in their seeds alone, under the name of the first."""
    groups: dict[str, list[Path]] = {}
    for path in paths:
        record = RunRecord.read(path)
        config = {k: v for k, v in record.config.items() if not k.endswith("seed")}
        groups.setdefault(json.dumps([record.learner, config], sort_keys=True), []).append(path)
    return {str(found[0]): found for found in groups.values()}


def _planned(folder: Path) -> dict[str, list[Path]]:
    groups: dict[str, list[Path]] = {}
    for variant in Plan.read(folder).variants():
        if (folder / variant.name / RUN_FILE).is_file():
            name = _group_name(folder, variant.group)
            groups.setdefault(name, []).append(folder / variant.name)
    if not groups:
        raise RunError(f"{folder} holds a plan, but no run was begun")
    return groups


def _group_name(folder: Path, group: Mapping[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in group.items()) or str(folder)


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
