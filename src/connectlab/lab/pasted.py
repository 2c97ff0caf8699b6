"""Games from whatever people paste: moves, a record of a game, or a drawing of a board.

Which of them it is shows in the text alone. Every legal drawing has an ``X`` or a dot, and neither
is ever a move.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from connectlab.errors import GameError
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.notation import DIGITS
from connectlab.game.variants import Variant
from connectlab.lab.records import GameRecord, geometry_record

Source: TypeAlias = Literal["moves", "game", "drawing"]

EMPTY = "."
DRAWN = frozenset(f"xXoO{EMPTY}{DIGITS} \t\r\n")
NEVER_A_MOVE = frozenset(f"xX{EMPTY}")


@dataclass(frozen=True)
class PastedGame:
    """A game that somebody pasted."""

    source: Source
    record: GameRecord
    note: str = ""
    """What was added to the text to make a game of it; blank if nothing was."""


def read_pasted(text: str, board: Geometry = STANDARD) -> PastedGame:
    """Read a game; moves, and a drawing as wide as the board, are taken to be of this board."""
    if is_drawing(text):
        return _read_drawing(text, board)
    if text.lstrip().startswith("{"):
        return PastedGame("game", GameRecord.from_json(text))
    return PastedGame("moves", GameRecord.of_moves("".join(text.split()), board))


def is_drawing(text: str) -> bool:
    """Say whether a text shows a board, be it a single row of one."""
    return set(text) <= DRAWN and not NEVER_A_MOVE.isdisjoint(text)


def drawn_start(text: str, connect: int, variant: Variant) -> Position:
    """Return the position of a drawing, whose size is the board's, in a variant of the game."""
    drawn = Position.from_drawing(text, connect)
    if variant.drop_row:
        raise GameError("a drawing does not tell whose turn it is where rows fall: give the moves")
    return Position(replace(drawn.geometry, variant=variant), drawn.mover, drawn.occupied)


def _read_drawing(text: str, board: Geometry) -> PastedGame:
    """Read a drawing; rows that it lacks are empty if it is as wide as the board."""
    position = drawn_start(text, board.connect, board.variant)
    columns, rows = position.geometry.columns, position.geometry.rows
    note = ""
    if columns == board.columns and rows < board.rows:
        missing = f"{EMPTY * columns}\n" * (board.rows - rows)
        position = drawn_start(missing + text, board.connect, board.variant)
        note = f"The drawing has only {rows} of {board.rows} rows: those above are empty."
    record = GameRecord(
        geometry=geometry_record(position.geometry),
        start_moves=None,
        start_drawing=position.drawing(),
    )
    return PastedGame("drawing", record, note)
