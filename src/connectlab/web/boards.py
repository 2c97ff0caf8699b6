"""Boards as requests write them, as the rules have them; no kernel is needed for that."""

from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant
from connectlab.web.models.position import Board


def board_of(asked: Board) -> Geometry:
    """Return the board of a request; raise ``GameError`` if there is none like it."""
    return Geometry(asked.columns, asked.rows, asked.connect, Variant.parse(asked.variant))
