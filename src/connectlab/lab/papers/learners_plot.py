"""Pictures of all learners: right moves over games and over time."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from connectlab.lab.compare_plot import COLOURS
from connectlab.lab.papers.learners_told import (
    ACCURACY,
    Reached,
    by_games,
    by_seconds,
    pace_of,
    value_of,
)
from connectlab.lab.papers.page import Picture
from connectlab.lab.papers.results import Trained
from connectlab.training.curve import new_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def pictures(runs: Mapping[str, Sequence[Trained]]) -> list[Picture]:
    """Return the two pictures."""
    over: dict[str, tuple[str, Reached]] = {
        "over-games.png": ("games of training", by_games),
        "over-time.png": ("seconds of learning", by_seconds),
    }
    return [
        Picture(file, _draw(runs, label, reached), f"Right moves over {label}")
        for file, (label, reached) in over.items()
    ]


def _draw(runs: Mapping[str, Sequence[Trained]], label: str, reached: Reached) -> "Drawing":
    """Draw every run, in the colour of its learner."""
    drawing, axes = new_axes()
    for number, (name, each) in enumerate(runs.items()):
        for place, run in enumerate(each):
            pace = pace_of(run, each)
            rows = run.evaluations
            points = [(reached(row, pace), value_of(row, ACCURACY)) for row in rows]
            known = [(x, y) for x, y in points if y is not None and x > 0]
            axes.plot(
                [x for x, _ in known],
                [y for _, y in known],
                color=COLOURS[number % len(COLOURS)],
                marker="o",
                markersize=3,
                linewidth=1.4,
                label=name if place == 0 else None,
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.10g}")  # powers would be set in other fonts
    axes.xaxis.set_minor_formatter(lambda x, _: "")
    axes.set_xlabel(label)
    axes.set_ylabel("moves that keep the outcome")
    axes.set_title("Six learners, each by its own preset", fontsize=11, loc="left")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    if runs:
        axes.legend(loc="best", fontsize=8.5, framealpha=0.9, edgecolor="none")
    return drawing
