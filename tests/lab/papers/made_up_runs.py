"""Runs that nobody made: their success is a function, and reports tell what follows from it."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from connectlab.lab.papers.cells import Cell, TrainingCell
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.page import Report
from connectlab.lab.papers.registry import find_experiments
from connectlab.lab.papers.results import CellResult, Found
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation

Success: TypeAlias = Callable[[TrainingCell, float], float]
"""The success rate of a run after a share of its games."""
ByMeasure: TypeAlias = Callable[[str], float]
"""How much more a measure of several says."""
WEIGHTS = {"all": 9_175_040, "realisable": 660_000, "non_zero": 650_000}


def alike(_measure: str) -> float:
    """Let all measures say the same."""
    return 0.0


def made_up(
    cell: Cell,
    success: Success,
    *,
    broken_after: int | None = None,
    core_seconds: float = 1.0,
    by_measure: ByMeasure = alike,
) -> CellResult:
    """Return a run, or the beginning of one that broke down."""
    assert isinstance(cell, TrainingCell)
    total = cell.learner_config.games
    games = total if broken_after is None else broken_after
    every = cell.evaluation_every
    rows = [
        _judged(at, {name: success(cell, at / total) + by_measure(name) for name in cell.measures})
        for at in range(every, games + 1, every)
    ]
    data = {
        "games": games,
        "seconds": games / 1000,
        "evaluations": [row.to_json() for row in rows],
        "final": [],
        "weights": WEIGHTS,
        **({} if broken_after is None else {"broke_down": "exploded"}),
    }
    return CellResult.now(data, core_seconds)


def _judged(games: int, values: Mapping[str, float]) -> Evaluation:
    facts = {"perfect_success_rate": 1.0}
    found = tuple(
        Measurement(name, (Figure("success_rate", value),), opponent="perfect", facts=facts)
        for name, value in values.items()
    )
    return Evaluation(games, found, seconds=games / 1000)


def report_on(
    name: str,
    size: Size,
    success: Success,
    *,
    runs: int | None = None,
    broken: Callable[[TrainingCell], int | None] = lambda _cell: None,
    by_measure: ByMeasure = alike,
) -> Report:
    """Return what an experiment says of made-up runs, the first ``runs`` of each line."""
    (experiment,) = find_experiments([name])
    cells = [
        cell
        for cell in experiment.cells(size)
        if isinstance(cell, TrainingCell) and (runs is None or number(cell, "seed") <= runs)
    ]
    results = {
        cell.key: made_up(cell, success, broken_after=broken(cell), by_measure=by_measure)
        for cell in cells
    }
    return experiment.report(Found(tuple(cells), results), size)


def number(cell: TrainingCell, key: str) -> float:
    """Return a setting that is a number."""
    return float(str(cell.config[key]))
