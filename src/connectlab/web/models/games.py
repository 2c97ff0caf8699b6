"""Games: read from whatever people paste, and kept when they are over."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from connectlab.web.models.position import Board, Model

MOST_STONES = 10_000
Name: TypeAlias = Annotated[str, Field(max_length=500)]
GameId: TypeAlias = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", examples=["c0ffee00-4453"])
]
"""Made by the page, so that a game that is sent twice is kept once."""


class Game(Model):
    """A game as the files of ``connectlab play --save`` hold it."""

    kind: Literal["connectlab game"] = "connectlab game"
    geometry: Board
    players: list[Name] | None = Field(default=None, min_length=2, max_length=2)
    """Specs, or "human", the first player first."""
    start_moves: str | None = Field(default="", max_length=20_000)
    """The moves that led to where the game began; null if it began on a drawing."""
    start_drawing: str | None = Field(default=None, max_length=1_000)
    moves: str = Field(default="", max_length=20_000, examples=["4453"])
    """The moves from there on."""
    movers: list[Name] = Field(default_factory=list, max_length=MOST_STONES)
    """Who made each of the moves, as somebody may have left in between."""
    move_seconds: list[Annotated[float, Field(ge=0)]] = Field(
        default_factory=list, max_length=MOST_STONES
    )
    seed: int | None = Field(default=None, ge=0, lt=2**63)
    game: int = Field(default=0, ge=0, lt=2**62)
    result: Literal["first", "second", "draw"] | None = None


class GameIn(Model):
    """A finished game to keep."""

    id: GameId
    record: Game


class GameOut(Model):
    """A game that is kept."""

    id: str
    saved: str
    """When it was kept, in UTC."""
    record: Game


class GamesOut(Model):
    """Games that are kept, the newest first."""

    total: int
    games: list[GameOut]


class KeepIn(Model):
    """A game for the archive in a folder."""

    folder: str
    most_games: int
    most_bytes: int
    id: str
    record: Game


class FindIn(Model):
    """One game of the archive in a folder."""

    folder: str
    id: str


class ListIn(Model):
    """Some games of the archive in a folder."""

    folder: str
    n: int
    offset: int


class ReadIn(Model):
    """What somebody pasted: moves, a saved game, a replay of Kaggle, or a drawing of a board."""

    text: str = Field(max_length=1_000_000, examples=["4453"])
    board: Board = Board()
    """The board of moves and drawings; all else says it itself."""


class ReadOut(Model):
    """The game that was read."""

    source: Literal["moves", "game", "kaggle", "drawing"]
    record: Game
    names: list[str] | None
    """Who played, if a replay tells; first player first."""
    note: str
    """What the record cannot say, such as that a side ran out of time; else blank."""
