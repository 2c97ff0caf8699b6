"""Outcomes as bars: won, drawn and lost, published above and ours below."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectlab.lab.papers.outcomes import Contest, Shares
from connectlab.lab.papers.results import Found

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

COLOURS = ("#2166ac", "#bdbdbd", "#b2182b")
PARTS = ("won", "drawn", "lost")
HEIGHT = 0.36
INCHES_A_ROW = 0.52
FAINT = 0.55
"""Published bars are paler than ours."""


def draw_outcomes(contests: Sequence[Contest], found: Found, title: str) -> "Drawing":
    """Return two bars for each contest, as far as the outcomes are there."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    drawing = Figure(figsize=(7.2, 1.3 + INCHES_A_ROW * len(contests)), layout="constrained")
    axes = drawing.add_subplot()
    for y, contest in enumerate(contests):
        ours = contest.ours(found)
        if contest.published is not None:
            _bar(axes, y - HEIGHT / 2, contest.published.shares, FAINT)
        if ours is not None:
            _bar(axes, y + HEIGHT / 2, ours.shares, 1.0)
    _frame(axes, [contest.name for contest in contests], title)
    handles = [Patch(color=c, label=part) for c, part in zip(COLOURS, PARTS, strict=True)]
    drawing.legend(handles=handles, ncols=3, loc="outside lower center", frameon=False)
    return drawing


def _bar(axes: "Axes", y: float, shares: Shares, alpha: float) -> None:
    left = 0.0
    for share, colour in zip(shares, COLOURS, strict=True):
        axes.barh(y, share, HEIGHT * 0.92, left=left, color=colour, alpha=alpha)
        left += share


def _frame(axes: "Axes", names: Sequence[str], title: str) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of games")
    axes.set_title(title, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
