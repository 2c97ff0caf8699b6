"""What a table tells: how it stands, and why a player moved as it did."""

from dataclasses import dataclass

from connectlab.agents.analysis import Analysis
from connectlab.game import Position
from connectlab.game.notation import column_name, format_moves
from connectlab.lab.history import Move
from connectlab.lab.records import HUMAN, Result, geometry_record
from connectlab.lab.verdicts import Verdicts


@dataclass(frozen=True)
class Explanation:
    """What a player saw when it made a move."""

    mover: str
    column: int
    """What it played, 0-based."""
    analysis: Analysis
    """Of the position before the move, with the stream of the game."""
    verdicts: Verdicts | None
    """What perfect play says of that position, as far as it was found in time; None in variants,
    which it does not know."""


@dataclass(frozen=True)
class State:
    """How a table stands at one moment; nothing in it changes."""

    position: Position
    players: tuple[str, str]
    moves: tuple[Move, ...]
    game: int
    """Number of the game at this table, from 0."""
    result: Result | None
    seconds: tuple[float, float]
    """Time each side took for the moves that stand."""
    can_redo: bool
    thinking: bool
    """Whether a player is thinking about its move."""
    failure: str | None
    """What the player to move did instead of a move, if it failed."""

    @property
    def is_hidden(self) -> bool:
        """Whether the board is told in counts: while a person plays on it."""
        counts = self.position.geometry.variant.counts
        return counts and self.result is None and HUMAN in self.players

    def to_json(self) -> dict[str, object]:
        """Return the state as plain data; columns are named as people type them."""
        geometry = self.position.geometry
        last = self.moves[-1].column if self.moves else None
        return {
            "geometry": geometry_record(geometry).model_dump(),
            "drawing": self.position.drawing(),
            "players": list(self.players),
            "to_move": None if self.result else self._side_to_move(),
            "legal_columns": [column_name(c, geometry) for c in self.position.legal_columns],
            "last_column": None if last is None else column_name(last, geometry),
            "moves": format_moves((step for move in self.moves for step in move.steps), geometry),
            "winning_cells": [
                [column_name(column, geometry), row + 1]
                for column, row in self.position.winning_line
            ],
            "game": self.game,
            "result": self.result,
            "seconds": list(self.seconds),
            "can_undo": bool(self.moves),
            "can_redo": self.can_redo,
            "thinking": self.thinking,
            "failure": self.failure,
            **self._what_happened(),
        }

    def _side_to_move(self) -> str:
        return "first" if self.position.first_to_move else "second"

    def _what_happened(self) -> dict[str, object]:
        """Return what chance made of the last move, where there is any."""
        if not self.position.geometry.variant.by_chance:
            return {}
        last = self.moves[-1] if self.moves else None
        chosen = None if last is None or last.chosen is None else last.chosen
        return {
            "row_fell": last is not None and last.fell,
            "slipped_from": None if chosen is None else column_name(chosen, self.position.geometry),
        }
