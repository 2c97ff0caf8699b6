"""Players as the page sees them: who there is, what can be set, who fits which board."""

from typing import Annotated, TypeAlias

from pydantic import Field, JsonValue

from connectlab.web.models.position import Board, Model, SpecText

SettingName: TypeAlias = Annotated[str, Field(min_length=1, max_length=40)]
SettingValue: TypeAlias = Annotated[str, Field(max_length=500)] | int | float | bool | None


class PlayerEntry(Model):
    """A kind of player, with what can be set."""

    name: str
    summary: str
    title: str
    """A name for people."""
    available: bool
    """Whether it can be loaded here."""
    needs_source: bool
    """Whether it must be told which trained player is meant, as in ntuple:champion."""
    sources: list[str]
    """Trained players of this kind that come with connectlab, the best first."""
    variants: list[str]
    """The variants of the game that it plays, besides the plain one."""
    json_schema: dict[str, JsonValue]
    """JSON schema of its settings, with the limits that hold here."""


class TrainedPlayer(Model):
    """A player that can sit down as it is."""

    spec: str
    title: str
    player: str
    """The kind of player."""
    board: Board | None
    """The only board that it plays on; null for any."""
    shipped: bool
    """Whether it comes with connectlab; else it is in the runs folder."""


class DefaultPlayer(Model):
    """Who sits across the table on a board, unless somebody else is chosen."""

    board: Board | None
    """null for all boards that are not named."""
    spec: str


class PlayersOut(Model):
    """Everybody who can sit down."""

    players: list[PlayerEntry]
    trained: list[TrainedPlayer]
    """Those that come along, and those of the runs folder, newest first."""
    defaults: list[DefaultPlayer]
    hint: str
    """A player that answers on every board, for hints where perfect play is too slow."""


class CheckIn(Model):
    """A player by its spec, or by its name and settings; and the board where it shall play."""

    spec: SpecText | None = None
    name: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    settings: dict[SettingName, SettingValue] = Field(default_factory=dict, max_length=60)
    board: Board = Board()


class CheckOut(Model):
    """A player that can sit down."""

    spec: str
    """In the shortest words."""
    label: str
    """For people."""


class SpecsIn(Model):
    """Specs whose home boards are wanted."""

    specs: list[str]


class HomeBoards(Model):
    """The only board that each plays on; null for any."""

    boards: list[Board | None]
    variants: dict[str, list[str]]
    """The variants that each kind of player plays."""


class SeatIn(Model):
    """A player by its spec, to sit down on a board."""

    spec: str
    board: Board
