"""Shares of games won, drawn and lost, as papers print them and as our games gave them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import Literal, NamedTuple, TypeAlias

from connectlab.arena.results import Tally
from connectlab.arena.statistics import Interval, fisher_exact, wilson
from connectlab.lab.papers.cells import Cell, MatchCell
from connectlab.lab.papers.page import Compared, interval_text
from connectlab.lab.papers.results import CellResult, Found, Played, measured_of
from connectlab.lab.statistics import FEWEST, SIGNIFICANT, prediction_interval
from connectlab.lab.wording import count

MOST_GAMES = 10_000
"""Shares with four decimals need no more games than these."""
NOT_COMPUTED = "not computed"
RowVerdict: TypeAlias = Literal["differ", "may agree", "one game may be all", "too few runs"]
"""What can be told of an outcome beside the published one."""
DECIDED: tuple[RowVerdict, ...] = ("differ", "may agree")


class Shares(NamedTuple):
    """Shares of games won, drawn and lost."""

    wins: float
    draws: float
    losses: float

    def distance(self, other: "Shares") -> float:
        """Return the share of games that would have to end otherwise."""
        return sum(abs(a - b) for a, b in zip(self, other, strict=True)) / 2

    def text(self, digits: int) -> str:
        """Write them as the papers do."""
        return " / ".join(f"{share:.{digits}f}" for share in self)


SIGNIFICANT_SHARE = SIGNIFICANT / len(Shares._fields)
"""Bonferroni's: wins, draws and losses are three questions, and all three count.

Two of them determine the third, yet half the level for each would not hold the chance that any of
the three differs to ``SIGNIFICANT``.
"""


@dataclass(frozen=True)
class Published:
    """What was printed, such as "0.139 / 0.351 / 0.51"."""

    text: str

    @property
    def shares(self) -> Shares:
        """The numbers."""
        wins, draws, losses = (float(part) for part in self.text.split("/"))
        return Shares(wins, draws, losses)

    @property
    def fewest_games(self) -> int:
        """The fewest games that give exactly these shares; the papers seldom say how many."""
        return math.lcm(*(Fraction(part).denominator for part in self.text.split("/")))

    @property
    def tally(self) -> Tally:
        """The fewest games as they were won, drawn and lost."""
        games = self.fewest_games
        return Tally(*(round(share * games) for share in self.shares))

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """Wilson's 95 % of wins, draws and losses, as if they came from the fewest games."""
        tally = self.tally
        return tuple(wilson(part, tally.games) for part in tally)


@dataclass(frozen=True)
class Ours:
    """What came out of a match, or of as many as there were runs of a learner."""

    tallies: tuple[Tally, ...]
    """One for each run; one alone where nobody learned."""
    distinct_games: tuple[int, ...]
    learned: bool = False
    """The tallies are those of runs of a learner, which differ by far more than games do."""

    @property
    def shares(self) -> Shares:
        """All games together: the runs have played equally many."""
        total = self.total
        return Shares(*(part / total.games for part in total))

    @property
    def total(self) -> Tally:
        """All games."""
        total = Tally()
        for tally in self.tallies:
            total = total.plus(tally)
        return total

    @property
    def written(self) -> str:
        """The shares, with as many decimals as the games are worth."""
        return self.shares.text(4 if self.total.games >= MOST_GAMES else 3)

    @property
    def win_interval(self) -> Interval | None:
        """Wilson's of the games of a match; None of a learner, whose games hang together."""
        return None if self.learned else self.total.win_rate_interval

    @property
    def win_range(self) -> Interval:
        """The shares of wins of the worst and the best run.

        It holds the median run of such a learner in 1 - 2^(1 - n) of all cases with n runs: 94 % of
        five, 75 % of three.
        """
        rates = [tally.win_rate for tally in self.tallies]
        return Interval(min(rates), max(rates))

    @property
    def of_one_more(self) -> tuple[Interval, ...]:
        """Where the wins, draws and losses of one more run like two or more of these will lie.

        All three do in 1 - ``SIGNIFICANT`` of all cases, if the shares of runs are normal.
        """
        runs = [[part / tally.games for part in tally] for tally in self.tallies]
        level = 1 - SIGNIFICANT_SHARE
        return tuple(prediction_interval(part, level) for part in zip(*runs, strict=True))

    @property
    def text(self) -> str:
        """Shares, the interval of the wins or their range over runs, and what it rests on."""
        return f"{self.written}{self._wins} ({self.basis})"

    @property
    def _wins(self) -> str:
        if self.win_interval is not None:
            return f"; wins {interval_text(self.win_interval)}"
        low, high = self.win_range
        return f"; wins of the runs {low:.3f} to {high:.3f}" if len(self.tallies) > 1 else ""

    @property
    def basis(self) -> str:
        """How many games, and how many different ones."""
        distinct = f"{fmean(self.distinct_games):,.0f} distinct"
        games = count(self.tallies[0].games, "game")
        if not self.learned:
            return f"{games}, {distinct}"
        return f"{count(len(self.tallies), 'run')}, {games} each, {distinct} in a run"

    @property
    def short(self) -> str:
        """Shares with the interval of a match, or with the wins of the worst and best run."""
        low, high = self.win_interval or self.win_range
        between = f" [{low:.3f}, {high:.3f}]" if not self.learned else f" ({low:.3f} to {high:.3f})"
        return self.written + between


@dataclass(frozen=True)
class Contest:
    """Games that a paper tells the outcome of, and the cells that play them."""

    name: str
    """Who played, as the paper calls it."""
    cells: tuple[Cell, ...]
    """One match, or runs of a learner that were measured at their end."""
    published: Published | None = None
    measure: str = ""
    """Spec of the measurement to read, where the cells are runs."""
    seen_by_opponent: bool = False
    """The paper tells the outcome from the side of the other player."""

    def ours(self, found: Found) -> Ours | None:
        """Return what the cells gave, as far as they were computed; None of none."""
        results = [result for cell in self.cells if (result := found.get(cell)) is not None]
        read = [pair for result in results for pair in self._read(result)]
        if not read:
            return None
        tallies = tuple(t.seen_by_opponent if self.seen_by_opponent else t for t, _ in read)
        return Ours(tallies, tuple(distinct for _, distinct in read), bool(self.measure))

    def compared(self, found: Found) -> Compared:
        """Put ours beside what was published."""
        ours = self.ours(found)
        printed = "nothing" if self.published is None else self.published.text
        if ours is None:
            return Compared(self.name, printed, NOT_COMPUTED)
        return Compared(self.name, printed, ours.text, ours.shares.wins, ours.win_interval)

    def _read(self, result: CellResult) -> list[tuple[Tally, int]]:
        """Return tally and distinct games; nothing of a run that broke down."""
        if not self.measure:
            played = Played.of(result)
            return [(played.tally, played.distinct_games)]
        counts = [m.counts for m in measured_of(result) if m.name == self.measure]
        return [(Tally(c["wins"], c["draws"], c["losses"]), c["distinct_games"]) for c in counts]


@dataclass(frozen=True)
class Beside:
    """A contest whose published shares stand beside ours."""

    contest: Contest
    published: Published
    ours: Ours

    @property
    def off_by(self) -> float:
        """Share of games that would have to end otherwise."""
        return self.ours.shares.distance(self.published.shares)

    @property
    def verdict(self) -> RowVerdict:
        """What can be told, if the paper played the fewest games that give its shares.

        Wins, draws and losses all count, so it is the same from either side of the board. With more
        games of theirs a difference would only be surer, and "may agree" might not last.
        """
        if self.published.fewest_games == 1:
            return "one game may be all"
        if self.ours.learned and len(self.ours.tallies) < FEWEST:
            return "too few runs"
        return "differ" if self.apart else "may agree"

    @property
    def agrees(self) -> bool | None:
        """Whether the outcome is that of the paper; None where that is not decided."""
        return self.verdict == "may agree" if self.verdict in DECIDED else None

    @property
    def apart(self) -> tuple[str, ...]:
        """Which of wins, draws and losses are not the published ones.

        Those of games by Fisher's exact test at ``SIGNIFICANT_SHARE``; those of runs where the
        95 % interval of what was published lies beyond where one more run of ours would.
        """
        each = self._runs_apart() if self.ours.learned else self._games_apart()
        return tuple(name for name, apart in zip(Shares._fields, each, strict=True) if apart)

    def _games_apart(self) -> list[bool]:
        ours, theirs = self.ours.total, self.published.tally
        return [
            fisher_exact((mine, ours.games), (printed, theirs.games)) < SIGNIFICANT_SHARE
            for mine, printed in zip(ours, theirs, strict=True)
        ]

    def _runs_apart(self) -> list[bool]:
        pairs = zip(self.ours.of_one_more, self.published.intervals, strict=True)
        return [lowest > high or highest < low for (lowest, highest), (low, high) in pairs]


def beside(contests: Sequence[Contest], found: Found) -> list[Beside]:
    """Return the contests of which both a published outcome and ours are there."""
    pairs = [(contest, contest.published, contest.ours(found)) for contest in contests]
    return [
        Beside(contest, published, ours)
        for contest, published, ours in pairs
        if published is not None and ours is not None
    ]


def match(cell: MatchCell, name: str, printed: str = "", *, flip: bool = False) -> Contest:
    """Return the contest of a match; with ``flip`` it is told by who moves second."""
    return Contest(name, (cell,), Published(printed) if printed else None, seen_by_opponent=flip)
