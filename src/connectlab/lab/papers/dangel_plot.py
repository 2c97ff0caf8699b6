"""Numbers of Dangel's hundred games and ours beside each other, with the intervals of both."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from connectlab.arena.statistics import wilson
from connectlab.lab.papers.dangel_runs import OPPONENTS, PAPER, PUBLISHED_GAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

FIRST, BETWEEN = -0.24, 0.16
"""Where the marks of a run stand beside its middle."""


class Point(NamedTuple):
    """How often something happened in the paper's hundred games, and in ours."""

    run: str
    opponent: str
    published: int
    ours: tuple[int, int] | None
    """How often, and in how many games; None if they were not played."""


def draw_points(points: Sequence[Point], label: str, title: str) -> "Drawing":
    """Draw crosses as published and dots for ours, a colour for each opponent."""
    from connectlab.lab.compare_plot import COLOURS
    from connectlab.training.curve import new_axes

    drawing, axes = new_axes()
    runs = list(dict.fromkeys(point.run for point in points))
    for number, (opponent, colour) in enumerate(zip(OPPONENTS, COLOURS, strict=False)):
        place = FIRST + 2 * number * BETWEEN
        met = [point for point in points if point.opponent == opponent]
        published = [
            (runs.index(point.run) + place, (point.published, PUBLISHED_GAMES)) for point in met
        ]
        ours = [
            (runs.index(point.run) + place + BETWEEN, point.ours)
            for point in met
            if point.ours is not None
        ]
        _draw_marks(axes, published, "x", colour, f"{opponent}, published")
        _draw_marks(axes, ours, "o", colour, f"{opponent}, ours")
    axes.set_xticks(range(len(runs)), [run.replace(", ", ",\n") for run in runs])
    axes.set_xlim(-0.5, len(runs) - 0.5)
    axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])  # marks at 0 are to be seen whole
    axes.set_ylabel(label)
    axes.set_title(f"{PAPER}: {title}")
    axes.grid(axis="y", alpha=0.25)
    axes.legend(fontsize=8)
    return drawing


def _draw_marks(
    axes: "Axes",
    marks: Sequence[tuple[float, tuple[int, int]]],
    mark: str,
    colour: str,
    label: str,
) -> None:
    """Draw shares in a hundred with their 95 % intervals; published ones are paler."""
    shares = [100 * happened / games for _, (happened, games) in marks]
    ends = [wilson(*counted) for _, counted in marks]
    below = [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, ends, strict=True)]
    above = [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, ends, strict=True)]
    axes.errorbar(
        [place for place, _ in marks],
        shares,
        yerr=[below, above],
        fmt=mark,
        capsize=3,
        color=colour,
        alpha=0.6 if mark == "x" else 1.0,
        label=label,
    )
