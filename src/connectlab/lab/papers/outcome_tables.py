"""Experiments that are tables of games won, drawn and lost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.outcome_plot import draw_outcomes
from connectlab.lab.papers.outcomes import DECIDED, NOT_COMPUTED, Beside, Contest, beside
from connectlab.lab.papers.page import Picture, Report, Table
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.verdict import Verdict, verdict_of
from connectlab.lab.statistics import FEWEST
from connectlab.lab.wording import count

BRACKETS = (
    "In square brackets the 95 % interval (Wilson) of the wins of a match; in round ones, where a "
    "learner had runs, the shares of wins of its worst and its best run."
)
DISTANCES = (
    "*Wins off by*: mean distance of the shares of wins from the published ones. *Outcomes off "
    "by*: mean share of games that would have to end otherwise."
)


@dataclass(frozen=True)
class Grid:
    """Outcomes in rows and columns, such as readings of the paper against opponents."""

    title: str
    corner: str
    """What the rows are."""
    columns: Sequence[str]
    rows: Mapping[str, Sequence[Contest]]
    note: str = ""

    @property
    def contests(self) -> tuple[Contest, ...]:
        """All contests, row by row."""
        return tuple(contest for row in self.rows.values() for contest in row)

    def table(self, found: Found) -> Table:
        """Return the table; where something was published, how far off each row is."""
        printed = any(contest.published for contest in self.contests)
        headings = [self.corner, *self.columns]
        headings += ["wins off by", "outcomes off by"] if printed else []
        rows = [self._published_row()] if printed else []
        rows += [self._row(name, row, found, printed) for name, row in self.rows.items()]
        note = " ".join(part for part in (self.note, BRACKETS, DISTANCES * printed) if part)
        return Table(self.title, headings, rows, note)

    def _published_row(self) -> list[str]:
        first = next(iter(self.rows.values()))
        printed = ["" if each.published is None else each.published.text for each in first]
        return ["*published*", *printed, "", ""]

    def _row(self, name: str, row: Sequence[Contest], found: Found, printed: bool) -> list[str]:
        ours = [contest.ours(found) for contest in row]
        texts = [NOT_COMPUTED if each is None else each.short for each in ours]
        return [name, *texts, *(_distances(beside(row, found)) if printed else [])]


def _distances(pairs: Sequence[Beside]) -> list[str]:
    if not pairs:
        return ["", ""]
    wins = fmean(abs(pair.ours.shares.wins - pair.published.shares.wins) for pair in pairs)
    return [f"{wins:.3f}", f"{fmean(pair.off_by for pair in pairs):.3f}"]


@dataclass(frozen=True, kw_only=True)
class OutcomesExperiment(Experiment):
    """A printed table of outcomes, and more tables that explain it."""

    contests: Callable[[Size], Sequence[Contest]]
    """The rows of the printed table."""
    grids: Callable[[Size], Sequence[Grid]]
    settings: Callable[[Size], str]
    differences: Callable[[Found, Size], str]

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the cells of all tables, first repeats first."""
        contests = [*self.contests(size), *(c for grid in self.grids(size) for c in grid.contests)]
        most = max(len(contest.cells) for contest in contests)
        ordered = [c.cells[n] for n in range(most) for c in contests if n < len(c.cells)]
        return tuple(dict.fromkeys(ordered))

    def report(self, found: Found, size: Size) -> Report:
        """Put the outcomes of our games beside the printed ones."""
        contests = self.contests(size)
        pairs = beside(contests, found)
        caption = "Games won (left), drawn and lost: published above, ours below"
        drawing = draw_outcomes(contests, found, f"{self.paper}: {self.title}")
        return Report(
            settings=self.settings(size),
            compared=[contest.compared(found) for contest in contests],
            differences=self.differences(found, size),
            tables=[*_apart(pairs), *(grid.table(found) for grid in self.grids(size))],
            pictures=[Picture("outcomes.png", drawing, caption)],
            data={"off_by": {pair.contest.name: pair.off_by for pair in pairs}},
            summary=summary(pairs),
            verdict=_verdict(contests, pairs),
        )


def _verdict(contests: Sequence[Contest], pairs: Sequence[Beside]) -> Verdict:
    """Return the verdict on all rows with a printed outcome, those without games of ours too."""
    agrees = {pair.contest.name: pair.agrees for pair in pairs}
    return verdict_of([agrees.get(each.name) for each in contests if each.published is not None])


def summary(pairs: Sequence[Beside]) -> str:
    """Say in a line in how many rows the outcomes differ, and how far off they are in the mean."""
    if not pairs:
        return NOT_COMPUTED
    off = fmean(pair.off_by for pair in pairs)
    return f"{_verdict_line(pairs)}; {off:.2f} of the games end otherwise"


def _verdict_line(pairs: Sequence[Beside]) -> str:
    decided = [pair.verdict for pair in pairs if pair.verdict in DECIDED]
    open_rows = count(len(pairs) - len(decided), "row")
    if not decided:
        return f"outcomes are not decided in {open_rows} (too few runs, or one printed game)"
    left = f", not decided in {open_rows}" if len(decided) < len(pairs) else ""
    rows = f"{decided.count('differ')} of {count(len(decided), 'row')}{left}"
    return f"outcomes differ in {rows}, if the paper played no more games than its shares need"


def _apart(pairs: Sequence[Beside]) -> list[Table]:
    """Return how far each row is from the printed one; nothing of no rows."""
    rows = [
        (
            pair.contest.name,
            f"{pair.published.fewest_games:,}",
            f"{pair.off_by:.3f}",
            _row_verdict(pair),
        )
        for pair in pairs
    ]
    headings = ("row", "games of the paper, at least", "outcomes off by", "verdict")
    return [Table("How far apart", headings, rows, _APART)] if rows else []


def _row_verdict(pair: Beside) -> str:
    """Write the verdict on a row, and what differs: "differ: draws, losses"."""
    return f"differ: {', '.join(pair.apart)}" if pair.verdict == "differ" else pair.verdict


_APART = (
    "The paper does not say how many games it played: *at least* is the smallest number that gives "
    "the printed shares exactly. *Outcomes off by*: share of games that would have to end "
    "otherwise. The *verdict* takes the paper to have played that smallest number of games, and "
    "counts wins, draws and losses alike, so it is the same from either side. Those of a match "
    "differ by Fisher's exact test (two-sided, 5 % for all three together: a third of that for "
    "each); those of a learner where the 95 % interval (Wilson) of a published share lies beyond "
    "where one more run like ours would (Student's t, again 5 % for all three together), of which "
    f"{FEWEST} are the fewest to decide by. "
    "*May agree* is not the same as equal: few games of the paper leave room for much."
)
