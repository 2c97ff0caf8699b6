"""Cells as people write them: column and row from 1, such as "4/1"; or "d1", as the papers do.

``parse_cells`` reads what ``format_cells`` writes.
"""

import re
from collections.abc import Iterable

from connectlab.agents.analysis import Cell
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.game.notation import DIGITS, column_name, no_column

LETTERS = "abcdefghi"
"""Columns by letters, on boards where no column has a letter for its own name."""
MOST_CHARACTERS = 1_000

_SLASHED = re.compile(r"([0-9a-z])/([0-9]{1,2})")
_LETTERED = re.compile(r"([a-z])([0-9]{1,2})")


class CellError(UserError):
    """Text that names no cell of a board."""


def format_cell(cell: Cell, geometry: Geometry) -> str:
    """Name a cell by column and row, from the bottom left, such as "4/1"."""
    return f"{column_name(cell[0], geometry)}/{cell[1] + 1}"


def format_cells(cells: Iterable[Cell], geometry: Geometry) -> str:
    """Name cells in their order, with blanks between them."""
    return " ".join(format_cell(cell, geometry) for cell in cells)


def parse_cells(text: str, geometry: Geometry) -> tuple[Cell, ...]:
    """Read cells with commas or blanks between them, such as "1/1,1/2,2/2" or "a1 a2 b2"."""
    words = text[:MOST_CHARACTERS].lower().replace(",", " ").split()
    if not words:
        raise CellError("there are no cells: write for example 1/1,1/2,2/2")
    return tuple(_parse_cell(word, geometry) for word in words)


def _parse_cell(word: str, geometry: Geometry) -> Cell:
    slashed, lettered = _SLASHED.fullmatch(word), _LETTERED.fullmatch(word)
    if slashed is not None:
        column, row = DIGITS.index(slashed[1]) - 1, int(slashed[2]) - 1
    elif lettered is not None and geometry.columns <= len(LETTERS):
        column, row = ord(lettered[1]) - ord("a"), int(lettered[2]) - 1
    else:
        raise CellError(f"{word[:40]!r} is no cell: write column/row, such as 4/1")
    if not 0 <= column < geometry.columns:
        raise CellError(f"cell {word}: {no_column(word[0], geometry)}")
    if not 0 <= row < geometry.rows:
        raise CellError(f"cell {word}: there is no row {row + 1}: choose 1 to {geometry.rows}")
    return column, row
