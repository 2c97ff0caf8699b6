"""The cross table of a tournament as a picture."""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from connectlab.arena.tournament import TournamentResult
from connectlab.storage.files import save_png

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL_INCHES = 0.85
NAME_WIDTH = 22
"""Characters of an agent's name on one line."""
COLOURS = "RdBu"
"""Red below one half, blue above, pale between: safe for red-green blindness."""
EMPTY_COLOUR = "#d9d9d9"


def save_heatmap(result: TournamentResult, path: Path) -> None:
    """Draw who scored how much against whom, the strongest first, into a PNG file."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    n = len(result.agents)
    # The constants hold the names beside and below the cells, the title and the colour bar.
    figure = Figure(
        figsize=(CELL_INCHES * n + 4.2, CELL_INCHES * n + 2.4),
        layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12),
    )
    axes = figure.add_subplot()
    order = list(result.ranking)
    rates = result.score_rates[np.ix_(order, order)]
    _draw_cells(figure, axes, rates)
    _draw_names(axes, result)
    subtitle = f"{result.geometry}, {result.games:,} games a pairing"
    axes.set_title(f"Score of each row against each column\n{subtitle}", fontsize=11, pad=12)
    save_png(figure, path)


def _draw_cells(figure: "Figure", axes: "Axes", rates: NDArray[np.float64]) -> None:
    from matplotlib import colormaps

    colours = colormaps[COLOURS].with_extremes(bad=EMPTY_COLOUR)
    image = axes.imshow(np.ma.masked_invalid(rates), cmap=colours, vmin=0, vmax=1)
    for (row, column), rate in np.ndenumerate(rates):
        if not np.isnan(rate):
            ink = _ink(colours(rate))
            axes.text(column, row, _percent(rate), ha="center", va="center", color=ink, fontsize=10)
    edges = np.arange(len(rates) + 1) - 0.5
    axes.set_xticks(edges, minor=True)
    axes.set_yticks(edges, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, ticks=[0, 0.25, 0.5, 0.75, 1])
    bar.ax.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
    bar.set_label("score of the row", fontsize=9)
    bar.outline.set_visible(False)


def _draw_names(axes: "Axes", result: TournamentResult) -> None:
    names = [_wrap(rating.agent) for rating in result.ratings]
    places = range(len(names))
    rows = [
        f"{name}\n{rating.rating:.0f} ± {(rating.interval.high - rating.interval.low) / 2:.0f}"
        for name, rating in zip(names, result.ratings, strict=True)
    ]
    axes.set_yticks(places, rows, fontsize=9)
    axes.set_xticks(places, names, fontsize=9, rotation=35, ha="right", rotation_mode="anchor")


def _percent(rate: float) -> str:
    """Write a share in percent; only 0 and 1 themselves become 0 and 100."""
    if rate in (0, 1):
        return "0" if rate == 0 else "100"
    if rate < 0.0005 or rate > 0.9995:
        return "<0.1" if rate < 0.5 else ">99.9"
    return f"{100 * rate:.1f}"


def _wrap(name: str) -> str:
    """Break a long spec string after a colon or comma."""
    spaced = name.replace(":", ": ").replace(",", ", ")
    lines = textwrap.wrap(spaced, NAME_WIDTH, break_on_hyphens=False)
    return "\n".join(line.replace(": ", ":").replace(", ", ",") for line in lines)


def _ink(colour: tuple[float, float, float, float]) -> str:
    """Return black or white, whichever reads better on a colour (WCAG relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear))
    return "black" if luminance > 0.179 else "white"
