"""An experiment: a table or figure of a paper, as cells to compute and a report of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.page import Report
from connectlab.lab.papers.results import Found

Scale: TypeAlias = Literal["mini", "quick", "full"]
SCALES: tuple[Scale, ...] = get_args(Scale)
"""A miniature to try whether it works, some minutes for a look, and the numbers of the paper."""


@dataclass(frozen=True)
class Size:
    """How much is computed."""

    games: int = 1
    """Games of training of each run, or games of each match where nobody is trained."""
    repeats: int = 1
    """Runs that differ in their seeds alone."""
    tests: int = 50
    """Games of a judgement."""
    points: int = 1
    """Judgements of a run, the last at its end."""

    @property
    def evaluation_every(self) -> int:
        """Games of training between two judgements."""
        return max(1, self.games // self.points)

    @property
    def seeds(self) -> str:
        """The seeds of the runs in words, such as "seeds 1 to 5"."""
        return "seed 1" if self.repeats == 1 else f"seeds 1 to {self.repeats}"


@dataclass(frozen=True, kw_only=True)
class Experiment(ABC):
    """A table or figure, and how to compute it."""

    name: str
    paper: str
    """Who wrote it and when, such as "Thill 2012"."""
    title: str
    """What the table or figure shows, in one line."""
    published: str
    """What was published, in one line."""
    sizes: Mapping[Scale, Size]
    core_minutes: Mapping[Scale, float] = field(default_factory=dict)
    """About how long one core takes; measured, or computed from what was."""

    @abstractmethod
    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return what must be computed, first repeats first: a part of it is then worth something.

        Nothing, where the report is a matter of moments.
        """

    @abstractmethod
    def report(self, found: Found, size: Size) -> Report:
        """Put what was found beside what was published.

        ``verdict`` of the report says whether it was reproduced, as if the size were the paper's;
        whoever writes the report takes it back at the smaller scales.
        """
