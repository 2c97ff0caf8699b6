"""Showing a board in the ways that Gymnasium and PettingZoo have names for."""

from typing import TypeAlias

from connectlab.errors import UserError
from connectlab.integrations.board import Board
from connectlab.integrations.picture import Image, draw_board

RENDER_MODES = ("human", "ansi", "rgb_array")
"""``human`` prints the drawing, ``ansi`` returns it, ``rgb_array`` returns an image."""

Frame: TypeAlias = str | Image


def check_mode(mode: str | None) -> str | None:
    """Return a render mode that there is, or None for no rendering."""
    if mode is not None and mode not in RENDER_MODES:
        raise UserError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")
    return mode


def render(board: Board, mode: str | None) -> Frame | None:
    """Show a board; without a mode nothing is shown."""
    position = board.position()
    if mode == "rgb_array":
        return draw_board(position, board.last)
    if mode == "ansi":
        return position.drawing()
    if mode == "human":
        print(position.drawing())
    return None
