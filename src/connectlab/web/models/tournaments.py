"""Tournaments as the page sees them."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from connectlab.web.models.position import Board, Model, SpecText

TournamentState: TypeAlias = Literal[
    "waiting", "running", "stopping", "stopped", "finished", "failed"
]


class TournamentIn(Model):
    """A tournament to be held."""

    players: list[SpecText] = Field(min_length=2, max_length=64)
    board: Board = Board()
    games: Annotated[int, Field(ge=1, le=100_000_000)] = 20
    """Games of a pairing, half of them with either player first."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class TournamentBrief(Model):
    """A tournament in a list."""

    name: str
    state: TournamentState
    problem: str | None
    players: list[str]
    board: str
    games: int
    pairings: int
    played: int
    made: str
    seconds: float


class RatingOut(Model):
    """The rating of a player, from the games it has played so far."""

    agent: str
    rating: float
    rating_interval: tuple[float, float]
    games: int
    wins: int
    draws: int
    losses: int
    win_rate: float
    win_rate_interval: tuple[float, float]
    score_rate: float
    score_rate_interval: tuple[float, float]


class ScoreRate(Model):
    """A mean score, with 1 for a win and 1/2 for a draw, and its 95 % interval."""

    rate: float
    interval: tuple[float, float]


class TournamentOut(TournamentBrief):
    """A tournament with all that has been played; the keys are those of the command."""

    agents: list[str]
    geometry: Board
    seed: int
    wins: list[list[int]]
    """Games that the row won against the column."""
    draws: list[list[int]]
    losses: list[list[int]]
    score_rates: list[list[ScoreRate | None]]
    """Mean score of the row against the column; null where nobody has played."""
    ratings: list[RatingOut]
    """The strongest first; only who has played."""
    matches: list[dict[str, JsonValue]]
    now: dict[str, JsonValue] | None
    """The pairing that is being played: ``first``, ``second`` (numbers in agents), ``done``."""


class TournamentsOut(Model):
    """All tournaments, the newest first."""

    tournaments: list[TournamentBrief]
