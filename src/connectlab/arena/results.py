"""Results of contests: tallies, matches, cross tables and ratings. Nothing here needs a kernel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from connectlab.arena.statistics import Interval, Ratings, bradley_terry, mean_interval, wilson
from connectlab.game.geometry import Geometry
from connectlab.training.measurement import mapping, number, whole

Sides: TypeAlias = Literal["alternate", "fixed"]


class Tally(NamedTuple):
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """Share of games won; 0 of no games."""
        return self.wins / max(1, self.games)

    @property
    def win_rate_interval(self) -> Interval:
        """Wilson's 95 % interval for the share of games won."""
        return wilson(self.wins, self.games)

    @property
    def score_rate(self) -> float:
        """Mean score with 1 for a win and 1/2 for a draw; 0 of no games."""
        return (self.wins + self.draws / 2) / max(1, self.games)

    @property
    def score_rate_interval(self) -> Interval:
        """95 % interval for the mean score."""
        return mean_interval(self.wins, self.draws, self.losses)

    @property
    def seen_by_opponent(self) -> "Tally":
        """The same games from the other side."""
        return Tally(self.losses, self.draws, self.wins)

    def plus(self, other: "Tally") -> "Tally":
        """Return both tallies together."""
        return Tally(*(a + b for a, b in zip(self, other, strict=True)))

    def counts_to_json(self) -> dict[str, int]:
        """Return the bare counts."""
        return {"games": self.games, **self._asdict()}

    def to_json(self) -> dict[str, object]:
        """Return counts and rates with their intervals."""
        return {
            **self.counts_to_json(),
            "win_rate": self.win_rate,
            "win_rate_interval": list(self.win_rate_interval),
            "score_rate": self.score_rate,
            "score_rate_interval": list(self.score_rate_interval),
        }


@dataclass(frozen=True)
class MatchResult:
    """How ``agent`` did against ``opponent``, both given by their spec strings."""

    agent: str
    opponent: str
    geometry: Geometry
    sides: Sides
    seed: int
    first: Tally
    """The games in which ``agent`` moved first."""
    second: Tally
    """The games in which ``agent`` moved second."""
    mean_plies: float
    distinct_games: int
    """Number of different move sequences; two players without chance repeat one game."""
    seconds: float
    agent_forfeits: Mapping[str, int] = field(default_factory=dict)
    """Games that ``agent`` lost by what is no move, for each reason."""
    opponent_forfeits: Mapping[str, int] = field(default_factory=dict)
    """Games that ``opponent`` lost so."""

    @property
    def tally(self) -> Tally:
        """All games, from the side of ``agent``."""
        return self.first.plus(self.second)

    @property
    def seen_by_opponent(self) -> "MatchResult":
        """The same games as a match of ``opponent`` against ``agent``."""
        return replace(
            self,
            agent=self.opponent,
            opponent=self.agent,
            first=self.second.seen_by_opponent,
            second=self.first.seen_by_opponent,
            agent_forfeits=self.opponent_forfeits,
            opponent_forfeits=self.agent_forfeits,
        )

    def to_json(self) -> dict[str, object]:
        """Return the result as plain data; docs/arena.md explains the keys."""
        return {
            "agent": self.agent,
            "opponent": self.opponent,
            "geometry": self.geometry.to_json(),
            "sides": self.sides,
            "seed": self.seed,
            **self.tally.to_json(),
            "first": self.first.counts_to_json(),
            "second": self.second.counts_to_json(),
            "mean_plies": self.mean_plies,
            "distinct_games": self.distinct_games,
            "agent_forfeits": dict(self.agent_forfeits),
            "opponent_forfeits": dict(self.opponent_forfeits),
            "seconds": self.seconds,
        }

    @classmethod
    def of(cls, plain: Mapping[str, object], geometry: Geometry) -> "MatchResult":
        """Read what ``to_json`` gave of a match with alternating sides on this board.

        Raises ``ValueError`` or ``KeyError`` for anything else.
        """
        if plain["sides"] != "alternate":
            raise ValueError("the sides of a pairing alternate")
        return cls(
            agent=str(plain["agent"]),
            opponent=str(plain["opponent"]),
            geometry=geometry,
            sides="alternate",
            seed=whole(plain["seed"], 2**64),
            first=_tally(plain["first"]),
            second=_tally(plain["second"]),
            mean_plies=number(plain["mean_plies"]),
            distinct_games=whole(plain["distinct_games"]),
            seconds=number(plain["seconds"]),
            agent_forfeits=_counts(plain["agent_forfeits"]),
            opponent_forfeits=_counts(plain["opponent_forfeits"]),
        )


def _counts(plain: object) -> dict[str, int]:
    return {name: whole(count) for name, count in mapping(plain).items()}


def _tally(plain: object) -> Tally:
    counts = _counts(plain)
    return Tally(counts["wins"], counts["draws"], counts["losses"])


@dataclass(frozen=True)
class Rating:
    """The rating of one agent and what it rests on."""

    agent: str
    rating: float
    interval: Interval
    """95 % interval, relative to the mean of the tournament."""
    tally: Tally
    """All games of this agent."""

    def to_json(self) -> dict[str, object]:
        """Return the rating as plain data."""
        return {
            "agent": self.agent,
            "rating": self.rating,
            "rating_interval": list(self.interval),
            **self.tally.to_json(),
        }


def all_pairs(n: int) -> list[tuple[int, int]]:
    """Return who meets whom in a tournament of so many, by their numbers, in order."""
    return list(combinations(range(n), 2))


def cross_table(n: int, matches: Mapping[tuple[int, int], MatchResult]) -> NDArray[np.int64]:
    """Return int64[n, n, 3]: wins, draws and losses of the row's agent against the column's."""
    results = np.zeros((n, n, 3), dtype=np.int64)
    for (a, b), match in matches.items():
        results[a, b] = match.tally
        results[b, a] = match.tally[::-1]
    return results


def score_rates(results: NDArray[np.int64]) -> list[list[dict[str, object] | None]]:
    """Return rows of plain data: the row's mean score against the column, with its interval.

    ``results`` is int64[n, n, 3] of wins, draws and losses; None stands where nobody has played.
    """
    tallies = [[Tally(*map(int, counts)) for counts in row] for row in results]
    return [
        [
            {"rate": tally.score_rate, "interval": list(tally.score_rate_interval)}
            if tally.games
            else None
            for tally in row
        ]
        for row in tallies
    ]


def rate(names: Sequence[str], results: NDArray[np.int64]) -> tuple[Rating, ...]:
    """Rate agents by their results, int64[n, n, 3] of wins, draws and losses; strongest first."""
    fitted: Ratings = bradley_terry(results[..., 0] + results[..., 1] / 2)
    ratings = [
        Rating(
            name,
            float(fitted.ratings[i]),
            fitted.interval(i),
            Tally(*(int(count) for count in results[i].sum(axis=0))),
        )
        for i, name in enumerate(names)
    ]
    return tuple(sorted(ratings, key=lambda rating: -rating.rating))
