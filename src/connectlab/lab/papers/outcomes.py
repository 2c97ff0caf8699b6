"""Shares of games won, drawn and lost, as papers print them and as our games gave them."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from connectlab.arena.results import Tally
from connectlab.arena.statistics import Interval, wilson
from connectlab.lab.papers.cells import Cell, MatchCell
from connectlab.lab.papers.page import Compared, interval_text
from connectlab.lab.papers.results import CellResult, Found, Played, measured_of
from connectlab.lab.statistics import bootstrap_interval
from connectlab.lab.wording import count

MOST_GAMES = 10_000
"""Shares with four decimals need no more games than these."""
ROUNDING = 1e-9
NOT_COMPUTED = "not computed"


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
        return next(n for n in range(1, MOST_GAMES + 1) if self._fits(n))

    @property
    def win_interval(self) -> Interval:
        """Wilson's interval of the share of wins, as if it came from the fewest games."""
        return wilson(self.shares.wins * self.fewest_games, self.fewest_games)

    def _fits(self, games: int) -> bool:
        return all(abs(share * games - round(share * games)) < ROUNDING for share in self.shares)


@dataclass(frozen=True)
class Ours:
    """What came out of a match, or of as many as there were runs of a learner."""

    tallies: tuple[Tally, ...]
    """One for each run; one alone where nobody learned."""
    distinct_games: tuple[int, ...]

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
        """Wilson's of the games of one match; over runs a bootstrap, as they differ by far more."""
        if len(self.tallies) == 1:
            return self.total.win_rate_interval
        return bootstrap_interval([tally.win_rate for tally in self.tallies])

    @property
    def text(self) -> str:
        """Shares, the interval of the wins, and what it rests on."""
        interval = self.win_interval
        wins = "" if interval is None else f"; wins {interval_text(interval)}"
        return f"{self.written}{wins} ({self.basis})"

    @property
    def basis(self) -> str:
        """How many games, and how many different ones."""
        distinct = f"{fmean(self.distinct_games):,.0f} distinct"
        games = count(self.tallies[0].games, "game")
        if len(self.tallies) == 1:
            return f"{games}, {distinct}"
        return f"{len(self.tallies)} runs, {games} each, {distinct} in a run"

    @property
    def short(self) -> str:
        """Shares with the interval of one match, or with the wins of the worst and best run."""
        rates = [tally.win_rate for tally in self.tallies]
        low, high = self.total.win_rate_interval if len(rates) == 1 else (min(rates), max(rates))
        return f"{self.written} [{low:.3f}, {high:.3f}]"


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
        return Ours(tallies, tuple(distinct for _, distinct in read))

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
    def wins_agree(self) -> bool | None:
        """Whether the interval of our wins meets that of the published ones; None of one game."""
        if self.published.fewest_games == 1:
            return None
        theirs, interval = self.published.win_interval, self.ours.win_interval
        low, high = interval or (self.ours.shares.wins, self.ours.shares.wins)
        return low <= theirs.high and theirs.low <= high


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
