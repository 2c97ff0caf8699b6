"""The curves of compared runs in one picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from connectlab.lab.compare import Comparison, RunGroup
from connectlab.storage.files import save_png
from connectlab.training.curve import curve_label, draw_frame, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

COLOURS = ("#2166ac", "#b2182b", "#1b7837", "#762a83", "#b35806", "#35978f", "#c51b7d", "#4d4d4d")
SHARE_ENDINGS = ("_rate", "_accuracy")
"""How the names of figures between 0 and 1 end."""
MOST_GROUPS_WITH_RUNS = 2
"""With more groups than these the lines of single runs would hide the means."""
LEGEND_COLUMNS = 2
"""Of a legend below what is drawn."""


def save_plot(found: Comparison, path: Path) -> None:
    """Draw each group's mean with a band of one standard deviation, and few groups' runs too."""
    save_png(draw_comparison(found), path)


def draw_comparison(found: Comparison, title: str | None = None) -> "Picture":
    """Return the picture; its title names the board unless another is given."""
    picture, axes = new_axes()
    draw_groups(axes, found, title or _title(found))
    return picture


def draw_groups(
    axes: "Axes", found: Comparison, title: str, colours: Sequence[str] = COLOURS
) -> None:
    """Draw the groups of a comparison into a picture, or into one panel of it."""
    for number, group in enumerate(found.groups):
        colour = colours[number % len(colours)]
        if len(group.measured) > 1:
            if len(found.groups) <= MOST_GROUPS_WITH_RUNS:
                _draw_runs(axes, group, colour)
            _draw_band(axes, group, colour, is_share=found.key.endswith(SHARE_ENDINGS))
        games, mean, _ = group.mean_curve()
        marker = "o" if len(games) == 1 else None  # a line through one point is not seen
        axes.plot(games, mean, color=colour, linewidth=2.2, marker=marker, label=_label(group))
    curves = [curve for group in found.groups for curve in group.measured]
    most = max((curve.games[-1] for curve in curves), default=1)
    figures = [figure for curve in curves for figure in curve.figures]
    draw_frame(axes, most, title, curve_label(found.key, found.opponent), figures)


def _draw_runs(axes: "Axes", group: RunGroup, colour: str) -> None:
    for curve in group.measured:
        axes.plot(curve.games, curve.values, color=colour, linewidth=0.7, alpha=0.35)


def _draw_band(axes: "Axes", group: RunGroup, colour: str, *, is_share: bool) -> None:
    games, mean, spread = group.mean_curve()
    low, high = mean - spread, mean + spread
    if is_share:
        low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
    axes.fill_between(games, low, high, color=colour, alpha=0.15, linewidth=0)


def _label(group: RunGroup) -> str:
    if not group.measured:
        return f"{group.name} (not measured)"
    runs = len(group.measured)
    return f"{group.name} ({runs} runs)" if runs > 1 else group.name


def _title(found: Comparison) -> str:
    averaged = any(len(group.measured) > 1 for group in found.groups)
    return f"{found.board}{', mean of the runs and one standard deviation' * averaged}"


def legend_below(axes: "Axes", columns: int = LEGEND_COLUMNS) -> None:
    """Put the legend under the axes, where it covers nothing that is drawn."""
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.16),
        ncol=columns,
        fontsize=8,
        edgecolor="none",
        borderaxespad=0,
    )
