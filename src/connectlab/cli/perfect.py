"""What perfect play says of a position, in the words of people."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectlab.cli import console

if TYPE_CHECKING:
    from connectlab.game import Position
    from connectlab.solver import Solver

UNKNOWN = "?"


def column_scores(
    solver: "Solver",
    position: "Position",
    *,
    outcome_only: bool = False,
    max_nodes: int | None = None,
    deadline_s: float | None = None,
) -> list[int | None]:
    """Return the score of each playable column in turn; None where a limit was hit first."""
    started = time.perf_counter()
    scores: list[int | None] = []
    with console.progress("columns") as progress:
        for column in position.legal_columns:
            used = time.perf_counter() - started
            found = solver.solve(
                position.play(column),
                outcome_only=outcome_only,
                max_nodes=max_nodes,
                deadline_s=None if deadline_s is None else deadline_s - used,
            )
            scores.append(None if found.score is None else -found.score)
            progress(len(scores), len(position.legal_columns))
    return scores


def column_names(position: "Position") -> list[str]:
    """Name the playable columns as people type them."""
    from connectlab.game.notation import column_name

    return [column_name(column, position.geometry) for column in position.legal_columns]


def column_notes(position: "Position", values: Sequence[int | str | None]) -> list[str]:
    """Return a note of up to three letters to stand below each column of the board."""
    notes = [""] * position.geometry.columns
    for column, value in zip(position.legal_columns, values, strict=True):
        notes[column] = _note(value)
    return notes


def _note(value: int | str | None) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return {"win": "+", "draw": "=", "loss": "-"}[value]
    return f"{value:+d}" if value else "0"


def best_columns(position: "Position", scores: list[int | None]) -> list[str]:
    """Name the columns with the best score; none if any score is unknown."""
    known = [score for score in scores if score is not None]
    if not known or len(known) < len(scores):
        return []
    pairs = zip(column_names(position), scores, strict=True)
    return [name for name, score in pairs if score == max(known)]


def outcome_word(score: int) -> str:
    """Return "win", "draw" or "loss" for the side to move."""
    return "draw" if score == 0 else "win" if score > 0 else "loss"


def verdict(position: "Position", score: int, distance: int | None) -> str:
    """Tell a score in a sentence without its full stop."""
    if position.is_over:
        value = position.outcome.first_player_value
        result = "a draw" if value == 0 else f"{_side(value > 0)} has won"
        return f"the game is over, {result}"
    return f"{_side(position.first_to_move)} is to move and {prospect(score, distance)}"


def prospect(score: int, distance: int | None) -> str:
    """Tell what the side to move can expect, such as "wins in 7 plies"."""
    if score == 0:
        return "draws"
    when = "" if distance is None else f" in {distance} {'ply' if distance == 1 else 'plies'}"
    return f"{'wins' if score > 0 else 'loses'}{when}"


def _side(first: bool) -> str:
    return "the first player" if first else "the second player"
