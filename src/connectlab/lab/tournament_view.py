"""A tournament as it stands: what is played, and what has been played so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from connectlab.arena.results import (
    MatchResult,
    Rating,
    all_pairs,
    cross_table,
    rate,
    score_rates,
)
from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant


class TournamentPlan(BaseModel):
    """What is played."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    players: list[str] = Field(min_length=2)
    """Specs, as they entered."""
    columns: int
    rows: int
    connect: int
    variant: str = ""
    games: int = Field(ge=1)
    """Games of a pairing, half of them with either player first."""
    seed: int = Field(default=0, ge=0)
    made: str
    """When it was asked for, in UTC."""

    @model_validator(mode="after")
    def _check_board(self) -> Self:
        _ = self.geometry
        return self

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return Geometry(self.columns, self.rows, self.connect, Variant.parse(self.variant))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom, by their numbers, in order."""
        return all_pairs(len(self.players))


@dataclass(frozen=True)
class TournamentView:
    """A tournament as it stands."""

    name: str
    plan: TournamentPlan
    names: tuple[str, ...]
    """Who plays, each under a name of its own."""
    matches: Mapping[tuple[int, int], MatchResult]
    now: Mapping[str, object] | None
    """The pairing that is being played: the numbers ``first`` and ``second``, ``done``."""
    is_going: bool
    """Whether it shall go on."""
    is_busy: bool
    """Whether a process is at it."""
    problem: str | None = None

    @property
    def is_finished(self) -> bool:
        """Whether everybody has met everybody."""
        return len(self.matches) == len(self.plan.pairs)

    @property
    def state(self) -> str:
        """How it stands, in a word."""
        if self.is_finished:
            return "finished"
        if self.problem is not None:
            return "failed"
        if self.is_busy:
            return "running" if self.is_going else "stopping"
        return "waiting" if self.is_going else "stopped"

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """Ratings of all who have played, the strongest first."""
        present = sorted({number for pair in self.matches for number in pair})
        results = cross_table(len(self.names), self.matches)[present][:, present]
        return rate([self.names[number] for number in present], results) if present else ()

    def to_json(self) -> dict[str, object]:
        """Return what was played so far as plain data, as ``connectlab tournament`` does."""
        results = cross_table(len(self.names), self.matches)
        return {
            **self.brief(),
            "agents": list(self.names),
            "geometry": self.plan.geometry.to_json(),
            "seed": self.plan.seed,
            "wins": results[..., 0].tolist(),
            "draws": results[..., 1].tolist(),
            "losses": results[..., 2].tolist(),
            "score_rates": score_rates(results),
            "ratings": [rating.to_json() for rating in self.ratings],
            "matches": [self.matches[pair].to_json() for pair in sorted(self.matches)],
            "now": self.now if self.is_busy else None,
        }

    def brief(self) -> dict[str, object]:
        """Return what a list of tournaments shows."""
        return {
            "name": self.name,
            "state": self.state,
            "problem": self.problem,
            "players": self.plan.players,
            "board": str(self.plan.geometry),
            "games": self.plan.games,
            "pairings": len(self.plan.pairs),
            "played": len(self.matches),
            "made": self.plan.made,
            "seconds": sum(match.seconds for match in self.matches.values()),
        }
