"""Curves of learning: runs that differ in their seeds alone make a line, lines make a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.lab.compare import Comparison, Curve, RunGroup
from connectlab.lab.onset import SMOOTHED
from connectlab.lab.papers.cells import Cell, TrainingCell, training_cell
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.page import Table, spread_text
from connectlab.lab.papers.results import Found, Trained
from connectlab.lab.statistics import FEWEST, Spread, TimeTo
from connectlab.training.measurement import Figure
from connectlab.training.metrics import Evaluation

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SUCCESS = "success_rate"
FAR = 0.02
"""Where the mean of the middle runs lies so far from that of all, both are told."""
LABEL_HEIGHT = 0.05
"""Of the label of a level, on an axis from 0 to 1."""


@dataclass(frozen=True)
class Line:
    """Runs of the same settings."""

    name: str
    cells: tuple[TrainingCell, ...]
    judge: int | None = None
    """Which of a run's measures makes the curve; without it the first that has the figure."""


def make_line(
    name: str,
    learner: str,
    preset: str | None,
    size: Size,
    changes: Mapping[str, object] | None = None,
    *,
    measures: tuple[str, ...],
    vary: Sequence[str] = ("seed",),
    final: tuple[str, ...] = (),
    counts_weights: bool = False,
) -> Line:
    """Return as many runs of a preset as there are repeats; ``vary`` counts up from 1 in each."""
    cells = [
        training_cell(
            learner,
            preset,
            {"games": size.games, **(changes or {}), **dict.fromkeys(vary, number)},
            measures=measures,
            evaluation_every=size.evaluation_every,
            final=final,
            counts_weights=counts_weights,
        )
        for number in range(1, size.repeats + 1)
    ]
    return Line(name, tuple(cells))


def by_repeat(lines: Sequence[Line]) -> tuple[Cell, ...]:
    """Return the cells of all lines, the first repeat of each before the second of any."""
    most = max((len(line.cells) for line in lines), default=0)
    return tuple(
        line.cells[number] for number in range(most) for line in lines if number < len(line.cells)
    )


def compare_lines(lines: Sequence[Line], found: Found, key: str = SUCCESS) -> Comparison:
    """Return the curves of all lines side by side, as far as they were computed."""
    groups = tuple(
        RunGroup(
            line.name, tuple(curve_of(cell, trained, key, line.judge) for cell, trained in each)
        )
        for line, each in ((line, trained_of(line, found)) for line in lines)
    )
    curves = [curve for group in groups for curve in group.measured]
    return Comparison(key, curves[0].opponent if curves else None, groups)


def trained_of(line: Line, found: Found) -> list[tuple[TrainingCell, Trained]]:
    """Return the runs of a line that were computed."""
    results = [(cell, found.get(cell)) for cell in line.cells]
    return [(cell, Trained.of(result)) for cell, result in results if result is not None]


def curve_of(
    cell: TrainingCell, trained: Trained, key: str = SUCCESS, judge: int | None = None
) -> Curve:
    """Return one figure of a run over its games; ``judge`` as in a ``Line``."""
    points = [(row, _figure_of(row, key, judge)) for row in trained.evaluations]
    judged = [(row, figure) for row, figure in points if figure is not None]
    config = cell.learner_config
    source = judged[-1][0].measurements[judge or 0] if judged else None
    possible = None if source is None else source.facts.get("perfect_success_rate")
    lost = _lost_points(cell, trained, key)
    return Curve(
        Path(cell.key),
        key,
        None if source is None else source.opponent,
        config.seed,
        (*(row.games for row, _ in judged), *(games for games, _ in lost)),
        (*(figure for _, figure in judged), *(figure for _, figure in lost)),
        trained.games,
        trained.seconds,
        str(config.geometry),
        float(possible) if isinstance(possible, int | float) else 1.0,
    )


def _figure_of(row: Evaluation, key: str, judge: int | None) -> Figure | None:
    return row.find(key) if judge is None else row.measurements[judge].find(key)


def _lost_points(cell: TrainingCell, trained: Trained, key: str) -> list[tuple[int, Figure]]:
    """Return zeros for the judgements that a run which broke down did not live to see."""
    if not trained.broke_down:
        return []
    every, games = cell.evaluation_every, cell.learner_config.games
    judged = max((row.games for row in trained.evaluations), default=0)
    lost = range((judged // every + 1) * every, games + 1, every)
    return [(at, Figure(key, 0.0)) for at in lost]


def draw_lines(
    comparison: Comparison, title: str, levels: Mapping[str, float] | None = None
) -> "Drawing":
    """Draw the mean of each line and one standard deviation; ``levels`` are dashed, by label.

    A label stands above its level, or below it where the next level would run through it.
    """
    from connectlab.lab.compare_plot import draw_comparison, legend_below

    drawing = draw_comparison(comparison, title)
    axes = drawing.axes[0]
    if comparison.groups:
        legend_below(axes)
    ordered = sorted((levels or {}).items(), key=lambda item: item[1])
    above = [level for _, level in ordered[1:]]
    for (label, level), next_level in zip_longest(ordered, above):
        axes.axhline(level, color="#777777", linestyle="--", linewidth=1)
        is_close = next_level is not None and next_level - level < LABEL_HEIGHT
        axes.annotate(
            label,
            (0.005, level),
            xycoords=("axes fraction", "data"),
            xytext=(0, -2.5 if is_close else 2.5),
            textcoords="offset points",
            va="top" if is_close else "bottom",
            fontsize=8,
        )
    return drawing


def line_table(
    comparison: Comparison, *, late: tuple[float, float] | None = None, title: str = "Curves"
) -> Table:
    """Return a row for each line: at the end, late in the run, and games to reach the levels."""
    levels = comparison.levels or ()
    headings = [
        "line",
        "at the end",
        *([] if late is None else [f"mean from {_millions(late[0])} to {_millions(late[1])}"]),
        *(f"mean reaches {100 * level:.0f} %" for level in levels),
        *(f"runs reach {100 * level:.0f} %" for level in levels),
        "games/s",
    ]
    rows = [_row(group, levels, late) for group in comparison.groups]
    return Table(title, headings, rows, note=_NOTE)


_NOTE = (
    "Success against perfect play: mean over the runs, its 95 % bootstrap interval (from five runs "
    "on), ± the standard deviation of the runs; IQM, the mean without the highest and the lowest "
    "quarter of the runs (of five, without one at either end), where it lies more than "
    f"{FAR} from that. *Mean reaches*: games at which the mean curve, "
    f"itself a mean over {100 * SMOOTHED:.0f} % of the run, first reaches the level, and the 95 % "
    "bootstrap interval from five runs on. *Runs reach*: median of the first judgement that "
    "reached it, where runs that never did count as longer ones (Kaplan and Meier), its 95 % "
    "interval from five runs on, and how many did. A curve that jumps reaches a level sooner than "
    "one that is calm. *games/s* are those of the clock on the wall, on a machine that may have "
    "done other work."
)


def _row(
    group: RunGroup, levels: Sequence[float], late: tuple[float, float] | None
) -> tuple[str, ...]:
    speed = group.spread("games_per_second")
    return (
        group.name,
        spread_text(group.spread("last")),
        *([] if late is None else [_late_text(group.mean_between(*late))]),
        *(onset_text(group, level) for level in levels),
        *(time_text(group.games_to(level)) for level in levels),
        "-" if speed is None else f"{speed.mean:,.0f}",
    )


def _late_text(spread: Spread | None) -> str:
    """Write a mean; with the mean of its middle runs beside it, where single ones move it far."""
    text = spread_text(spread)
    if spread is None or spread.n < FEWEST:
        return text
    middle = spread.interquartile_mean
    return f"{text}, IQM {middle:.3f}" if abs(middle - spread.mean) > FAR else text


def onset_text(group: RunGroup, level: float) -> str:
    """Write when the mean of a line reaches a level: "400,000 [300,000, …]"."""
    onset = group.onset(level)
    return "not computed" if onset is None else f"{games_text(onset.games)}{onset.interval_text}"


def games_text(games: float | None) -> str:
    """Write a number of games, or that it never came so far."""
    return "never" if games is None else f"{games:,.0f}"


def time_text(time: TimeTo | None) -> str:
    """Write the games that runs take to a level: "400,000 [300,000, …], 9 of 10"."""
    if time is None:
        return "not computed"
    median = "no median" if time.median is None else f"{time.median:,.0f}"
    return f"{median}{time.interval_text}, {time.reached} of {time.runs}"


def _millions(games: float) -> str:
    return f"{games / 1e6:g} M" if games >= 100_000 else f"{games:,.0f}"
