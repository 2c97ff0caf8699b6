"""The report of an experiment: published figures beside ours, tables, pictures, differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectlab.arena.statistics import Interval
from connectlab.lab.papers.verdict import Claim, Verdict
from connectlab.lab.statistics import FEWEST, Spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


LONGEST_SUMMARY = 160
"""Characters: the index is read at a glance, and details have pages of their own."""


@dataclass(frozen=True)
class Compared:
    """One published figure and ours."""

    what: str
    published: str
    """As it was printed; with words where the paper gives no number."""
    ours: str
    """With its interval where it was sampled, and on how much it rests."""
    value: float | None = None
    """Ours as a number, for who reads the data."""
    interval: tuple[float | None, float | None] | None = None

    def to_json(self) -> dict[str, object]:
        """Return the comparison as plain data."""
        return {
            "what": self.what,
            "published": self.published,
            "ours": self.ours,
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
        }


@dataclass(frozen=True)
class Table:
    """A table; its first column holds words and the others numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A plot, and what is to be seen on it."""

    file: str
    """Name of the PNG file."""
    drawing: "Drawing"
    caption: str


@dataclass(frozen=True)
class Report:
    """What an experiment says."""

    settings: str
    """What was done, in a sentence or two: learner, games, runs, judges."""
    compared: Sequence[Compared]
    differences: str
    """Where and why our figures differ, and what was assumed where the paper is silent."""
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    """What a reader may want to compute with: curves, counts."""
    summary: str = ""
    """One line for the index, of at most ``LONGEST_SUMMARY`` characters: does it hold?"""
    verdict: Verdict | None = None
    """The same in a word: ``verdict_of`` whether each published figure agrees with ours.

    None where nothing was published to hold ours against, or the experiment does not judge.
    """
    claims: Sequence[Claim] = ()
    """What the verdict counts, where the other tables do not tell."""


def spread_text(spread: Spread | None, digits: int = 3) -> str:
    """Write a mean with its interval, spread and number of runs: "0.901 [0.88, 0.92] ± 0.03".

    Of fewer than five runs the lowest and the highest take the place of an interval.
    """
    if spread is None:
        return "not computed"
    mean = f"{spread.mean:.{digits}f}"
    if spread.n == 1:
        return f"{mean} (one run)"
    if spread.n < FEWEST:
        ends = f"{spread.lowest:.{digits}f} to {spread.highest:.{digits}f}"
        return f"{mean} ± {spread.standard_deviation:.{digits}f} ({spread.n} runs, {ends})"
    interval = "" if spread.mean_interval is None else f" {interval_text(spread.mean_interval)}"
    return f"{mean}{interval} ± {spread.standard_deviation:.{digits}f} ({spread.n} runs)"


def interval_text(interval: Interval, digits: int = 3) -> str:
    """Write an interval, such as "[0.880, 0.921]"."""
    return f"[{interval.low:.{digits}f}, {interval.high:.{digits}f}]"
