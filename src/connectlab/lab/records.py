"""The record of a game: enough to set it up again, move by move, with the same lots.

As a file it is one JSON object, or only the moves as a string such as ``4453``.
"""

import json
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from connectlab.errors import GameError
from connectlab.game import STANDARD, Geometry, Outcome, Position
from connectlab.game.notation import FALL, format_moves, parse_moves
from connectlab.game.variants import Variant
from connectlab.lab.history import History
from connectlab.storage.files import write_text

HUMAN = "human"
"""What stands for a person where a player's spec would stand."""
UNKNOWN = "unknown"
"""What stands for a mover of whom nothing is known."""

Result: TypeAlias = Literal["first", "second", "draw"]
Seconds: TypeAlias = Annotated[float, Field(ge=0)]
RESULTS: dict[Outcome, Result] = {
    Outcome.FIRST_WINS: "first",
    Outcome.SECOND_WINS: "second",
    Outcome.DRAW: "draw",
}
KIND: Literal["connectlab game"] = "connectlab game"
MOVES_SUFFIX = ".txt"
"""A file with this ending holds the moves alone, all others the JSON object."""
MAX_CHARACTERS = 1_000_000
"""No record is nearly as long; what is longer is some other file."""


class GeometryRecord(BaseModel):
    """The board."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    columns: int
    rows: int
    connect: int
    variant: str = ""
    """As :class:`Variant` writes it; left out of the file for the plain game."""

    @model_serializer(mode="wrap")
    def _without_plain(self, write: SerializerFunctionWrapHandler) -> dict[str, int | str]:
        written: dict[str, int | str] = write(self)
        return {name: value for name, value in written.items() if value != ""}


class GameRecord(BaseModel):
    """A game as data: who played, where it began, what was played, and how it ended."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False
    )

    kind: Literal["connectlab game"] = KIND
    """Tells such a file from any other."""
    geometry: GeometryRecord
    players: tuple[str, str] | None = None
    """Who sat at the table at the end, the first player first: specs, or "human"."""
    start_moves: str | None = ""
    """The moves that led to where the game began; None if that is known as a drawing only."""
    start_drawing: str | None = None
    """The board on which the game began, if no moves led to it."""
    moves: str = ""
    """The moves from there on, 1-based, such as "4453": where stones landed, and "_" after a move
    with which the bottom row fell."""
    movers: tuple[str, ...] = ()
    """Who made each of the moves, as somebody may have left in between; or "unknown"."""
    move_seconds: tuple[Seconds, ...] = ()
    """Time each of the moves took."""
    seed: int | None = None
    """Seed of the lots; None if that is not known."""
    game: Annotated[int, Field(ge=0, lt=2**62)] = 0
    """The number of the game among those of its seed; both together give the lots."""
    result: Result | None = None
    """Who won, or "draw"; None if the game is not over."""

    @classmethod
    def of_moves(cls, moves: str, geometry: Geometry = STANDARD) -> "GameRecord":
        """Take a move string as a game of which nothing else is known."""
        position = Position.from_moves(moves, geometry)
        return cls(
            geometry=geometry_record(geometry),
            moves=position.moves,
            movers=(UNKNOWN,) * position.n_moves,
            move_seconds=(0.0,) * position.n_moves,
            result=RESULTS.get(position.outcome),
        )

    @classmethod
    def of_game(
        cls, history: History, players: tuple[str, str], *, seed: int, game: int
    ) -> "GameRecord":
        """Write down a game as it stands, without moves that were taken back."""
        start, moves = history.start, history.moves
        drawn = start.history is None
        return cls(
            geometry=geometry_record(start.geometry),
            players=players,
            start_moves=None if drawn else start.moves,
            start_drawing=start.drawing() if drawn else None,
            moves=format_moves((step for move in moves for step in move.steps), start.geometry),
            movers=tuple(move.mover for move in moves),
            move_seconds=tuple(round(move.seconds, 3) for move in moves),
            seed=seed,
            game=game,
            result=RESULTS.get(history.position.outcome),
        )

    @classmethod
    def parse(cls, text: str, geometry: Geometry = STANDARD) -> "GameRecord":
        """Read a record: a JSON object, or a move string on this board."""
        if text.lstrip().startswith("{"):
            return cls.from_json(text)
        words = text.split()
        if len(words) > 1:
            raise GameError("a game is a JSON object or one move string, and this is neither")
        return cls.of_moves("".join(words), geometry)

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Read the JSON object that ``to_json`` wrote, and see that the game can be played."""
        try:
            document = json.loads(text)
            record = cls.model_validate(document)
        except (ValidationError, RecursionError, ValueError) as error:
            raise GameError(f"this is no record of a game: {_reason(error)}") from None
        record.check()
        return record

    def to_json(self) -> dict[str, object]:
        """Return the record as plain data."""
        return self.model_dump(mode="json")

    def to_text(self) -> str:
        """Return the record as the text of a JSON file."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"

    def to_moves(self) -> str:
        """Return all moves from the empty board; the rest of the record is lost."""
        if self.start_moves is None:
            raise GameError("a game that began on a drawn board has no move string: use .json")
        return self.start_moves + self.moves

    @property
    def board(self) -> Geometry:
        """The board that was played on."""
        size = self.geometry.columns, self.geometry.rows, self.geometry.connect
        return Geometry(*size, Variant.parse(self.geometry.variant))

    @property
    def start(self) -> Position:
        """The position in which the game began."""
        if self.start_drawing is None:
            return Position.from_moves(self.start_moves or "", self.board)
        position = Position.from_drawing(self.start_drawing, self.board.connect)
        if position.geometry != self.board.plain:
            raise GameError(f"the drawing shows a board of {position.geometry}, not {self.board}")
        return Position(self.board, position.mover, position.occupied)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns after the start where stones landed, 0-based."""
        return tuple(column for column in parse_moves(self.moves, self.board) if column != FALL)

    @property
    def falls(self) -> tuple[bool, ...]:
        """Whether a row fell after each of the moves."""
        steps = parse_moves(self.moves, self.board)
        return tuple(
            steps[number : number + 1] == (FALL,)
            for number, column in enumerate(steps, start=1)
            if column != FALL
        )

    @property
    def end(self) -> Position:
        """The position after the last move."""
        position = self.start
        for number, step in enumerate(parse_moves(self.moves, self.board), start=1):
            try:
                position = position.fall() if step == FALL else position.play(step)
            except GameError as error:
                raise GameError(f"move {number} of the game: {error}") from None
        return position

    def check(self) -> None:
        """Raise ``GameError`` unless the moves can be played and the rest agrees with them."""
        if (self.start_moves is None) == (self.start_drawing is None):
            raise GameError("a record has either start_moves or start_drawing, and null for one")
        if parse_moves(self.moves, self.board)[:1] == (FALL,):
            raise GameError("a row falls after a move: moves cannot begin with a fall")
        n = len(self.columns)
        if len(self.movers) != n or len(self.move_seconds) != n:
            raise GameError(
                f"the record has {n} moves, {len(self.movers)} movers and "
                f"{len(self.move_seconds)} move_seconds: there is one of each a move"
            )
        found = RESULTS.get(self.end.outcome)
        if found != self.result:
            raise GameError(f"the record says result {self.result!r}, its moves say {found!r}")


def geometry_record(geometry: Geometry) -> GeometryRecord:
    """Return a board as part of a record."""
    return GeometryRecord.model_validate(geometry.to_json())


def save_game(record: GameRecord, path: Path) -> None:
    """Write a game: the moves alone into ``.txt``, else JSON; only a game is written over."""
    text = f"{record.to_moves()}\n" if path.suffix == MOVES_SUFFIX else record.to_text()
    check_place(path, record.board)
    write_text(path, text)


def check_place(path: Path, geometry: Geometry = STANDARD) -> None:
    """Raise ``GameError`` if something else than a game would be lost by saving here."""
    if path.is_file() and path.stat().st_size:
        try:
            load_game(path, geometry)
        except GameError:
            raise GameError(f"{path} exists and holds no game: choose another name") from None


def load_game(path: Path, geometry: Geometry = STANDARD) -> GameRecord:
    """Read a game from a file: a JSON record, or a move string on this board."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_CHARACTERS)
        return GameRecord.parse(text, geometry)
    except UnicodeDecodeError:
        raise GameError(f"{path} is not a text file") from None
    except GameError as error:
        raise GameError(f"{path}: {error}") from None


def _reason(error: Exception) -> str:
    """Tell in one line what a reader found first."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{place}: {first['msg'].lower()}" if place else first["msg"].lower()
    return " ".join(str(error).split())
