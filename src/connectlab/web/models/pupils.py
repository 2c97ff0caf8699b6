"""Pupils and lessons as the page sees them."""

from typing import Annotated

from pydantic import Field

from connectlab.web.models.games import Game, GameId
from connectlab.web.models.position import Model, SpecText


class PupilIn(Model):
    """A pupil to be made."""

    source: SpecText = "qtable:cheng-known"
    """The table it begins with, as the spec of a player."""
    name: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    """Name of its folder; null for a free one."""


class PupilOut(Model):
    """A table that learns from games."""

    player: str
    """The spec it plays by."""
    board: str
    lessons: int
    """Games it has learned from."""
    began_from: str | None


class PupilsOut(Model):
    """All pupils of the runs folder."""

    pupils: list[PupilOut]


class NewPupil(Model):
    """What a worker makes a pupil of, and where."""

    source: str
    path: str


class LessonIn(Model):
    """A finished game for a pupil to learn from."""

    player: SpecText
    """The spec of the pupil."""
    id: GameId
    """A name for the game: it is learned from once, however often it is sent."""
    game: Game
    """The record of the game."""


class LessonStepOut(Model):
    """What changed at one position."""

    moves: str
    column: int
    before: float
    after: float
    was_known: bool


class LessonOut(Model):
    """What a pupil learned."""

    game: str
    again: bool
    """Whether it knew the game already, so that nothing changed now."""
    alpha: float
    states_added: int
    states: int
    mean_change: float
    reward_win: float
    steps: list[LessonStepOut]
