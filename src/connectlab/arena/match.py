"""Matches: two agents, many games, and who won how many of them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.arena.games import Pairing, play_games, play_pairings
from connectlab.arena.statistics import Interval, mean_interval, wilson
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry, Outcome
from connectlab.game.lockstep import GameRecords
from connectlab.solver import Progress
from connectlab.training.measurement import mapping, number, whole

__all__ = [
    "GameRecords",
    "MatchResult",
    "Sides",
    "Tally",
    "count_outcomes",
    "play_games",
    "play_match",
]

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


def play_match(
    agent: Agent,
    opponent: Agent,
    games: int,
    *,
    sides: Sides = "alternate",
    seed: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match; with alternating sides ``agent`` moves first in games 0, 2, 4, …"""
    if sides not in get_args(Sides):
        raise ArenaError(f"sides must be {' or '.join(get_args(Sides))}, not {sides!r}")
    began = time.perf_counter()
    step = 2 if sides == "alternate" else 1
    pairings = [Pairing(agent, opponent, range(0, games, step))]
    if sides == "alternate":
        pairings.append(Pairing(opponent, agent, range(1, games, step)))
    before = agent.forfeits.so_far(), opponent.forfeits.so_far()
    records = play_pairings(pairings, seed=seed, threads=threads, chunk=chunk, progress=progress)
    moved_first = np.arange(games) % step == 0
    return MatchResult(
        agent=agent.spec,
        opponent=opponent.spec,
        geometry=agent.geometry,
        sides=sides,
        seed=seed,
        first=count_outcomes(records.outcomes[moved_first], Outcome.FIRST_WINS),
        second=count_outcomes(records.outcomes[~moved_first], Outcome.SECOND_WINS),
        mean_plies=float(records.plies.mean()),
        distinct_games=records.distinct_games,
        seconds=time.perf_counter() - began,
        agent_forfeits=agent.forfeits.so_far() - before[0],
        opponent_forfeits=opponent.forfeits.so_far() - before[1],
    )


def count_outcomes(outcomes: NDArray[np.int8], win: Outcome) -> Tally:
    """Count wins, draws and losses of the side whose win is the outcome ``win``."""
    counts = np.bincount(outcomes, minlength=len(Outcome))
    loss = Outcome.SECOND_WINS if win is Outcome.FIRST_WINS else Outcome.FIRST_WINS
    return Tally(int(counts[win]), int(counts[Outcome.DRAW]), int(counts[loss]))
