"""Scores against the size of the board, a panel for each opponent."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from connectlab.lab.compare_plot import COLOURS
from connectlab.lab.statistics import Spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

COLUMNS = 2


def draw_panels(
    panels: Mapping[str, Mapping[str, Sequence[Spread | None]]], labels: Sequence[str]
) -> "Drawing":
    """Draw ``panels[opponent][line]``, a score for each board; boards without one are left out."""
    from matplotlib.figure import Figure

    rows = -(-len(panels) // COLUMNS)
    drawing = Figure(figsize=(10.5, 3.6 * rows), layout="constrained")
    grid = drawing.subplots(rows, COLUMNS, sharey=True, squeeze=False)
    for axes, (opponent, lines) in zip(grid.flat, panels.items(), strict=False):
        _draw_panel(axes, opponent, lines, labels)
    handles, names = grid.flat[0].get_legend_handles_labels()
    drawing.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return drawing


def _draw_panel(
    axes: "Axes", opponent: str, lines: Mapping[str, Sequence[Spread | None]], labels: Sequence[str]
) -> None:
    for number, (name, spreads) in enumerate(lines.items()):
        there = [(x, spread) for x, spread in enumerate(spreads) if spread is not None]
        axes.errorbar(
            [x for x, _ in there],
            [spread.mean for _, spread in there],
            [spread.standard_deviation for _, spread in there],
            color=COLOURS[number % len(COLOURS)],
            marker="o",
            markersize=4,
            capsize=2,
            label=name,
        )
    axes.axhline(0.5, color="#777777", linestyle="--", linewidth=1)
    axes.set_title(f"against {opponent}", fontsize=10)
    axes.set_xticks(range(len(labels)), labels, fontsize=8)
    axes.set_ylim(0, 1)
    axes.set_ylabel("score")
