"""The learning curve of a run as a picture."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from connectlab.storage.files import save_png
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation, best_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

Point: TypeAlias = tuple[int, Figure, Measurement]
"""Games of training, the figure then, and what it is part of."""

LINE_COLOUR = "#2166ac"
BEST_COLOUR = "#b2182b"
QUIET_COLOUR = "#777777"
OLD_COLOURS = ("#1b7837", "#762a83", "#b35806")
"""Of measures that gave way to another within the run."""

LABELS = {
    "success_rate": "success against perfect play",
    "exact_success_rate": "exact success against perfect play",
    "win_rate": "share of games won",
    "winning_quota": "games won / games lost",
    "score_rate": "mean score",
    "outcome_accuracy": "moves that keep the outcome",
    "best_move_accuracy": "moves of the best score",
    "held_rate": "positions held against anything",
    "met_held_rate": "positions met that are held against anything",
}


def save_curve(
    evaluations: Sequence[Evaluation], title: str, path: Path, *, key: str | None = None
) -> None:
    """Draw a figure over games, with the band of its 95 % intervals, into a PNG file.

    ``key`` names the figure; without it the first one that is measured is drawn.
    """
    save_png(draw_curve(evaluations, title, key), path)


def draw_curve(evaluations: Sequence[Evaluation], title: str, key: str | None = None) -> "Picture":
    """Return the picture; where the measure changed, line and band break off."""
    points = _points(evaluations, key)
    picture, axes = new_axes()
    _draw_limit(axes, evaluations[-1])
    _draw_measures(axes, points)
    _draw_best(axes, evaluations, key)
    games, figure, _ = points[-1]
    opponent = evaluations[-1].first.opponent
    label = curve_label(figure.key, None if key else opponent)
    draw_frame(axes, games, title, label, [figure for _, figure, _ in points])
    return picture


def new_axes() -> "tuple[Picture, Axes]":
    """Return an empty picture for a curve."""
    from matplotlib.figure import Figure as Picture

    picture = Picture(figsize=(7.2, 4.2), layout="constrained")
    return picture, picture.add_subplot()


def curve_label(key: str, opponent: str | None = None) -> str:
    """Return what the vertical axis says of a figure."""
    label = LABELS.get(key, key.replace("_", " "))
    named = opponent is not None and "perfect" not in opponent
    return f"{label} against {opponent}" if named else label


def _points(evaluations: Sequence[Evaluation], key: str | None) -> list[Point]:
    """Return games, figure and measurement of each evaluation that has a finite one."""
    points: list[Point] = []
    for each in evaluations:
        asked = ((m.figure if key is None else m.find(key), m) for m in each.measurements)
        points += [(each.games, figure, m) for figure, m in asked if figure is not None][:1]
    return [point for point in points if point[1].value is not None] or points


def _draw_limit(axes: "Axes", evaluation: Evaluation) -> None:
    """Show what a perfect player would have, where that is not success in every game."""
    limit = evaluation.first.facts.get("perfect_success_rate")
    if isinstance(limit, int | float) and limit < 1:
        axes.axhline(limit, color=QUIET_COLOUR, linestyle="--", linewidth=1, label="perfect play")


def _draw_measures(axes: "Axes", points: Sequence[Point]) -> None:
    """Draw each stretch of the run that one measure judged as a line of its own."""
    names = list(dict.fromkeys(m.name for _, _, m in reversed(points)))  # the last one first
    palette = (LINE_COLOUR, *OLD_COLOURS)
    colours = {name: palette[number % len(palette)] for number, name in enumerate(names)}
    labels = {m.name: _measure_label(figure, m) for _, figure, m in points}
    has_band = False
    for name, stretch in groupby(points, key=lambda point: point[2].name):
        found = [(games, figure) for games, figure, _ in stretch]
        label = labels.pop(name, None)  # a measure that comes back is named once
        has_band |= _draw_points(axes, found, colours[name], label)
    if has_band:
        axes.fill_between([], [], color=LINE_COLOUR, alpha=0.18, label="95 % interval")


def _measure_label(figure: Figure, measurement: Measurement) -> str:
    """Name a figure and the games it rests on, such as "success over 200 games"."""
    words = figure.key.replace("_", " ")
    name = words.removesuffix(" rate") if words.endswith("success rate") else words
    games = measurement.counts.get("games")
    return name if games is None else f"{name} over {games:,} games"


def _draw_points(
    axes: "Axes", points: Sequence[tuple[int, Figure]], colour: str, label: str | None
) -> bool:
    """Draw a line and the band around it; return whether there is one."""
    games = [at for at, _ in points]
    values = [figure.value or 0.0 for _, figure in points]
    bounds = [figure.interval or (figure.value or 0.0, None) for _, figure in points]
    ends = zip(bounds, values, strict=True)
    lows, highs = zip(*((low, v if high is None else high) for (low, high), v in ends), strict=True)
    has_band = (lows, highs) != (tuple(values), tuple(values))
    if has_band:
        axes.fill_between(games, lows, highs, color=colour, alpha=0.18, linewidth=0)
    axes.plot(games, values, color=colour, linewidth=1.8, marker="o", markersize=3.5, label=label)
    return has_band


def _draw_best(axes: "Axes", evaluations: Sequence[Evaluation], key: str | None) -> None:
    best = best_of(evaluations)
    if best is None or key is not None or best.first.value is None:
        return
    value = best.first.value
    label = f"best: {value:.3f} after {best.games:,} games"
    axes.plot([best.games], [value], "o", color=BEST_COLOUR, markersize=6, label=label)


def draw_frame(
    axes: "Axes", games: int, title: str, label: str, figures: Sequence[Figure] = ()
) -> None:
    """Draw titles, grid and legend; shares have an axis from 0 to 1."""
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("games of training")
    axes.set_ylabel(label)
    if all((figure.value or 0.0) <= 1 for figure in figures):
        axes.set_ylim(-0.02, 1.04)
    axes.set_xlim(0, 1.02 * max(1, games))
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", fontsize=8.5, framealpha=0.9, edgecolor="none")
