"""Experiments that are curves of learning, as most figures of the n-tuple papers are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from connectlab.lab.compare import Comparison, RunGroup
from connectlab.lab.compare_plot import MOST_GROUPS_WITH_RUNS
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.lines import (
    SUCCESS,
    Line,
    by_repeat,
    compare_lines,
    draw_lines,
    line_table,
    onset_text,
)
from connectlab.lab.papers.page import Compared, Picture, Report, Table, spread_text
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.verdict import Claim, verdict_of
from connectlab.lab.statistics import Spread

LATE = 0.6
"""The papers speak of the mean from here on, as a share of the run."""
CAPTION = "Mean over the runs and one standard deviation, as far as they were computed"
WITH_RUNS = (
    "Mean over the runs (thick), one standard deviation, and every run (thin), as far as they were "
    "computed"
)
ONE_RUN = "One run of each line, as far as they were computed"


@dataclass(frozen=True)
class Curves:
    """The lines of an experiment side by side, by name."""

    comparison: Comparison
    size: Size
    found: Found

    def __getitem__(self, name: str) -> RunGroup:
        return next(group for group in self.comparison.groups if group.name == name)

    @property
    def late(self) -> tuple[float, float]:
        """The last part of the run, in games."""
        return LATE * self.size.games, float(self.size.games)

    @property
    def caption(self) -> str:
        """What a picture of all lines shows."""
        runs = [len(group.measured) for group in self.comparison.groups]
        if max(runs, default=0) == 1:
            return ONE_RUN
        return WITH_RUNS if len(runs) <= MOST_GROUPS_WITH_RUNS else CAPTION

    def late_mean(self, name: str) -> Spread | None:
        """Return the mean of a line over the last part of the run."""
        return self[name].mean_between(*self.late)

    def end(self, name: str) -> Spread | None:
        """Return the last judgements of a line."""
        return self[name].spread("last")

    def deviation_at_points(self, name: str) -> float | None:
        """Return the standard deviation of a line's runs at a point, as papers draw error bars.

        It is the mean over the points of the last part of the run; None of fewer than two runs.
        """
        games, _, deviations = self[name].mean_curve()
        low, high = self.late
        late = (games >= low) & (games <= high)
        if len(self[name].measured) < 2 or not late.any():
            return None
        return float(deviations[late].mean())

    def compared_late(self, name: str, what: str, published: str) -> Compared:
        """Put the late mean of a line beside a published one."""
        return _compared_spread(what, published, self.late_mean(name))

    def compared_end(self, name: str, what: str, published: str) -> Compared:
        """Put the last judgements of a line beside a published number."""
        return _compared_spread(what, published, self.end(name))

    def compared_onset(self, name: str, level: float, what: str, published: str) -> Compared:
        """Put the games at which a line's mean reaches a level beside the published number."""
        onset = self[name].onset(level)
        games = None if onset is None else onset.games
        ours = f"{onset_text(self[name], level)}{self._share(games)}"
        return Compared(what, published, ours, games, None if onset is None else onset.interval)

    def _share(self, games: float | None) -> str:
        return "" if games is None else f" ({100 * games / self.size.games:.0f} % of the run)"


def _compared_spread(what: str, published: str, spread: Spread | None) -> Compared:
    if spread is None:
        return Compared(what, published, "not computed")
    return Compared(what, published, spread_text(spread), spread.mean, spread.mean_interval)


Told: TypeAlias = tuple[Sequence[Compared], str, str]
"""What is compared, where and why it differs, and one line for the index."""


@dataclass(frozen=True, kw_only=True)
class CurvesExperiment(Experiment):
    """Lines of runs, drawn into one picture."""

    lines: Callable[[Size], Sequence[Line]]
    settings: Callable[[Size], str]
    tell: Callable[[Curves], Told]
    levels: dict[str, float] | None = None
    """Published levels to draw, by label."""
    tables: Callable[[Curves, Found], Sequence[Table]] = lambda _curves, _found: ()
    key: str = SUCCESS
    claims: Callable[[Curves], Sequence[Claim]] | None = None
    """Says of each published figure whether ours agrees; without it the page gives no verdict."""
    pictures: Callable[[Curves], Sequence[Picture]] | None = None
    """Draws in place of the one picture with all lines, where those are too many."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the runs of all lines, first repeats first."""
        return by_repeat(self.lines(size))

    def report(self, found: Found, size: Size) -> Report:
        """Draw the curves, and put what they show beside what was published."""
        comparison = compare_lines(self.lines(size), found, self.key)
        curves = Curves(comparison, size, found)
        compared, differences, summary = self.tell(curves)
        claims = None if self.claims is None else self.claims(curves)
        return Report(
            settings=self.settings(size),
            compared=compared,
            differences=differences,
            tables=[line_table(comparison, late=curves.late), *self.tables(curves, found)],
            pictures=self._picture(curves) if self.pictures is None else self.pictures(curves),
            data=comparison.to_json(),
            summary=summary,
            verdict=None if claims is None else verdict_of([each.agrees for each in claims]),
            claims=claims or (),
        )

    def _picture(self, curves: Curves) -> list[Picture]:
        drawing = draw_lines(curves.comparison, f"{self.paper}: {self.title}", self.levels)
        return [Picture("curves.png", drawing, curves.caption)]
