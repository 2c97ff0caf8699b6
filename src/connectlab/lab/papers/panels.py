"""Pictures of several panels, for experiments with more lines than one panel can show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from connectlab.lab.compare import Comparison, RunGroup
from connectlab.lab.compare_plot import LEGEND_COLUMNS, draw_groups, legend_below
from connectlab.lab.papers.lines import games_text
from connectlab.lab.statistics import FEWEST, Spread, TimeTo

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

WIDTH, HEIGHT = 4.6, 3.9
"""Of a panel, in inches."""
LEGEND_ROW = 0.19
"""Height of a row of the legend below a panel, in inches."""
MOST_ACROSS = 3
"""More panels than these stand in two rows."""
PART = ", "
"""Between the parts of the name of a line, such as "[et], lambda 0.8"."""
TICKS = 4
"""Numbers of games are wide: more of them would run into each other."""
COLOURS = ("#4d4d4d", "#b2182b", "#2166ac", "#1b7837", "#b35806", "#762a83", "#35978f")


@dataclass(frozen=True)
class Panel:
    """Some lines of a comparison, under a title of their own."""

    title: str
    names: Sequence[str]
    colours: Sequence[str] = COLOURS
    late: float | None = None
    """A published late mean: a dashed line."""
    onset: tuple[float, float] | None = None
    """The games after which a published curve reached a level: a cross."""

    @property
    def published(self) -> int:
        """How many of its entries in the legend were published."""
        return sum(each is not None for each in (self.late, self.onset))


def draw_panels(comparison: Comparison, panels: Sequence[Panel]) -> "Drawing":
    """Draw curves of learning in panels side by side, on the same axes, legends below them."""
    from matplotlib.ticker import MaxNLocator

    most = max((len(panel.names) + panel.published for panel in panels), default=0)
    drawing, row = new_panels(len(panels), legend_rows=-(-most // LEGEND_COLUMNS))
    judged = [curve.games[-1] for group in comparison.groups for curve in group.measured]
    longest = max(judged, default=1)
    for axes, panel in zip(row, panels, strict=True):
        shown = replace(comparison, groups=_shown(comparison, panel))
        draw_groups(axes, shown, panel.title, panel.colours)
        axes.set(xlim=(0, 1.02 * longest), ylim=(-0.02, 1.04))
        axes.xaxis.set_major_locator(MaxNLocator(TICKS, steps=[1, 2, 5, 10]))
        _draw_published(axes, panel)
        legend_below(axes)
    for number, axes in enumerate(row):
        if number % _across(len(panels)):
            axes.set_ylabel("")
    return drawing


def _draw_published(axes: "Axes", panel: Panel) -> None:
    if panel.late is not None:
        label = f"{panel.late:.2f} published, late"
        axes.axhline(panel.late, color="black", linewidth=1, linestyle="--", label=label)
    if panel.onset is not None:
        games, level = panel.onset
        label = f"{100 * level:.0f} % published"
        axes.plot([games], [level], "X", color="black", markersize=9, zorder=5, label=label)


def _shown(comparison: Comparison, panel: Panel) -> tuple[RunGroup, ...]:
    """Return the lines of a panel, named by what tells them apart: its title says the rest."""
    chosen = [group for group in comparison.groups if group.name in panel.names]
    parts = [group.name.split(PART) for group in chosen]
    beginnings = zip(*(each[:-1] for each in parts), strict=False)  # some have fewer parts
    alike = takewhile(lambda each: len(set(each)) == 1, beginnings)
    said = len(list(alike)) if len(chosen) > 1 else 0
    return tuple(
        replace(group, name=PART.join(each[said:]))
        for group, each in zip(chosen, parts, strict=True)
    )


def new_panels(count: int, legend_rows: int = 3) -> "tuple[Drawing, Sequence[Axes]]":
    """Return an empty picture with panels side by side, and room for legends below them."""
    from matplotlib.figure import Figure as Drawing

    across = _across(count)
    rows = -(-count // across)
    size = (WIDTH * across, rows * (HEIGHT + LEGEND_ROW * legend_rows))
    drawing = Drawing(figsize=size, layout="constrained")
    panels = list(drawing.subplots(rows, across, squeeze=False).flat)
    for axes in panels[count:]:
        axes.remove()
    return drawing, panels[:count]


def _across(count: int) -> int:
    """Return how many panels stand beside each other."""
    return max(1, count) if count <= MOST_ACROSS else -(-count // 2)


def draw_against(
    axes: "Axes",
    name: str,
    spreads: Mapping[float, Spread | None],
    colour: str,
    *,
    aside: float = 0.0,
) -> None:
    """Draw what came out over a setting: means with their 95 % intervals.

    Of fewer than five runs a line goes from the lowest to the highest. All is drawn a little
    ``aside``, so that intervals of several lines stand beside each other.
    """
    found = {at + aside: spread for at, spread in spreads.items() if spread is not None}
    means = [spread.mean for spread in found.values()]
    axes.plot(list(found), means, "o-", color=colour, linewidth=2.2, label=name)
    for at, spread in found.items():
        low, high = spread.mean_interval or (spread.lowest, spread.highest)
        axes.plot([at, at], [low, high], color=colour, linewidth=1.2)


def draw_times(
    groups: Sequence[RunGroup], levels: Mapping[float, str], longest: float
) -> "Drawing":
    """Draw how many games each line takes to each level (by colour), the line in rows.

    A dot is the median over runs, its line the 95 % interval, which only five runs or more have; an
    arrow begins where the interval is open: longer than the runs were watched. On the right stands
    how many runs reached the level.
    """
    from matplotlib.figure import Figure as Drawing
    from matplotlib.ticker import MaxNLocator

    drawing = Drawing(figsize=(7.2, 1.2 + 0.36 * len(groups)), layout="constrained")
    axes = drawing.add_subplot()
    for number, (level, colour) in enumerate(levels.items()):
        axes.plot([], [], "o-", color=colour, label=f"{100 * level:.0f} % of perfect play")
        for row, group in enumerate(groups):
            height = row + 0.3 * number - 0.15
            _draw_time(axes, height, group.games_to(level), longest, colour)
    axes.set_yticks(range(len(groups)), [group.name for group in groups])
    axes.set_ylim(len(groups) - 0.5, -0.5)  # the first line on top
    axes.set(xlim=(0, 1.04 * longest), xlabel="games of training")
    axes.xaxis.set_major_locator(MaxNLocator(TICKS, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(lambda x, _: games_text(x))
    axes.grid(axis="x", color="#e5e5e5", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=2, fontsize=8.5, edgecolor="none")
    return drawing


def _draw_time(
    axes: "Axes", height: float, time: TimeTo | None, longest: float, colour: str
) -> None:
    if time is None:
        return
    if time.runs >= FEWEST:
        low, high = time.median_interval
        beyond = 1.02 * longest  # where a dot at the end of the runs leaves the arrow free
        begin, end = beyond if low is None else low, beyond if high is None else high
        axes.plot([begin, end], [height, height], color=colour, linewidth=1.4)
        if high is None:
            axes.plot([beyond], [height], ">", color=colour, markersize=5, fillstyle="none")
    if time.median is not None:
        axes.plot([time.median], [height], "o", color=colour, markersize=5)
    axes.annotate(
        f"{time.reached} of {time.runs}",
        (1.01, height),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=7,
        color=colour,
    )
