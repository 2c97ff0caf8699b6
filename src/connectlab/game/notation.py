"""How people, arrays and Kaggle write moves and boards.

Functions come in pairs that undo each other: ``parse_moves`` / ``format_moves``, ``parse_drawing``
/ ``format_drawing``, ``array_to_stones`` / ``stones_to_array``, ``kaggle_to_stones`` /
``stones_to_kaggle``. Stones travel as two ints of bits, (first player, second player).
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from connectlab.errors import GameError
from connectlab.game.geometry import Geometry

Int8Board = np.ndarray[tuple[int, int], np.dtype[np.int8]]

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FIRST, SECOND, EMPTY = "X", "O", "."
FALL, FALL_MARK = -1, "_"
"""What stands for the fall of the bottom row among columns, and in a move string."""


def column_name(column: int, geometry: Geometry) -> str:
    """Name a 0-based column as people type it: "1" to "9", then "a" to "w" on wide boards."""
    if not 0 <= column < geometry.columns:
        raise GameError(no_column(str(int(column) + 1), geometry))
    return DIGITS[column + 1]


def no_column(name: str, geometry: Geometry) -> str:
    """Say that a board has no such column, and which it has."""
    return f"there is no column {name}: choose 1 to {DIGITS[geometry.columns]}"


def parse_moves(text: str, geometry: Geometry) -> tuple[int, ...]:
    """Read a move string such as "4453" (1-based, base 36) into 0-based columns.

    Where rows fall, ``_`` after a move tells that one did, and becomes ``FALL``. Only the names are
    checked here; whether a move is legal is for ``Position`` to say.
    """
    return tuple(
        _parse_column(character, number, geometry)
        for number, character in enumerate(text.strip(), start=1)
    )


def _parse_column(character: str, number: int, geometry: Geometry) -> int:
    if character == FALL_MARK and geometry.variant.drop_row:
        return FALL
    column = DIGITS.find(character.lower()) - 1
    if not 0 <= column < geometry.columns:
        raise GameError(f"move {number}: {no_column(repr(character), geometry)}")
    return column


def format_moves(columns: Iterable[int], geometry: Geometry) -> str:
    """Write 0-based columns, and ``FALL`` where a row fell, as a move string."""
    falls = geometry.variant.drop_row > 0
    return "".join(
        FALL_MARK if falls and column == FALL else column_name(column, geometry)
        for column in columns
    )


def format_drawing(geometry: Geometry, first: int, second: int) -> str:
    """Draw a board, top row first, with the names of the columns below."""
    names = [column_name(column, geometry) for column in range(geometry.columns)]
    rows = [
        " ".join(
            _mark(geometry.cell(column, row), first, second) for column in range(geometry.columns)
        )
        for row in reversed(range(geometry.rows))
    ]
    return "\n".join([*rows, " ".join(names)])


def _mark(cell: int, first: int, second: int) -> str:
    if cell & first:
        return FIRST
    return SECOND if cell & second else EMPTY


def parse_drawing(text: str, connect: int) -> tuple[Geometry, int, int]:
    """Read a drawing into its geometry and the stones of both players.

    Rows hold ``X``, ``O`` and ``.`` in either case, with or without blanks between; the line of
    column names is passed over, as are empty lines.
    """
    lines = ["".join(line.split()).upper() for line in text.splitlines() if line.strip()]
    names = DIGITS[1 : len(lines[0]) + 1].upper() if lines else ""
    rows = [line for line in lines if line != names]
    if not rows:
        raise GameError("the drawing has no rows: use X, O and . for the cells")
    for number, row in enumerate(rows, start=1):
        _check_row(row, number, len(rows[0]))
    geometry = Geometry(len(rows[0]), len(rows), connect)
    values = {EMPTY: 0, FIRST: 1, SECOND: 2}
    return geometry, *array_to_stones([[values[c] for c in row] for row in rows], geometry)


def _check_row(row: str, number: int, width: int) -> None:
    wrong = [c for c in row if c not in (FIRST, SECOND, EMPTY)]
    if wrong:
        raise GameError(f"row {number} of the drawing has {wrong[0]!r}: use only X, O and .")
    if len(row) != width:
        raise GameError(f"row {number} of the drawing has {len(row)} cells, the first has {width}")


def stones_to_array(geometry: Geometry, first: int, second: int, second_value: int) -> Int8Board:
    """Return int8[rows, columns], top row first: 0 empty, 1 first, ``second_value`` second."""
    board = np.zeros((geometry.rows, geometry.columns), dtype=np.int8)
    for column in range(geometry.columns):
        for row in range(geometry.rows):
            cell = geometry.cell(column, row)
            value = 1 if cell & first else second_value if cell & second else 0
            board[geometry.rows - 1 - row, column] = value
    return board


def parse_array(array: ArrayLike, connect: int) -> tuple[Geometry, int, int]:
    """Read a 2-D array into its geometry and the stones of both players."""
    shape = _as_board(array).shape
    if len(shape) != 2:
        raise GameError(f"the array has {len(shape)} dimensions; a board has 2: rows, then columns")
    geometry = Geometry(shape[1], shape[0], connect)
    return geometry, *array_to_stones(array, geometry)


def array_to_stones(array: ArrayLike, geometry: Geometry) -> tuple[int, int]:
    """Read a 2-D array, top row first, of 0/1/-1 or 0/1/2 into the stones of both players."""
    board = _as_board(array)
    if board.shape != (geometry.rows, geometry.columns):
        raise GameError(
            f"the array has shape {board.shape}; a {geometry} board is "
            f"({geometry.rows}, {geometry.columns}): rows, then columns"
        )
    first = second = 0
    for (line, column), value in np.ndenumerate(board):
        row = geometry.rows - 1 - line
        if value == 1:
            first |= geometry.cell(column, row)
        elif value in (2, -1):
            second |= geometry.cell(column, row)
        elif value != 0:
            name = cell_name(column, row, geometry)
            raise GameError(f"{name} holds {value!r}: use 0, 1 and -1, or 0, 1 and 2")
    if (board == 2).any() and (board == -1).any():
        raise GameError("the array mixes 2 and -1 for the second player: use one of them")
    return first, second


def _as_board(array: ArrayLike) -> NDArray[np.object_]:
    """Take anything like an array as one of plain Python values, which print as people wrote."""
    try:
        return np.asarray(array).astype(object)
    except ValueError:
        raise GameError("the rows of the array differ in length") from None


def cell_name(column: int, row: int, geometry: Geometry) -> str:
    """Name a cell, given 0-based from the bottom left, as people count: from 1."""
    return f"column {column_name(column, geometry)}, row {row + 1}"


def stones_to_kaggle(geometry: Geometry, first: int, second: int) -> list[int]:
    """Write the board as Kaggle ConnectX does: one flat list, top row first, of 0, 1 and 2."""
    values: list[int] = stones_to_array(geometry, first, second, 2).ravel().tolist()
    return values


def kaggle_to_stones(board: Sequence[int], geometry: Geometry) -> tuple[int, int]:
    """Read Kaggle's flat list of 0, 1 and 2 into the stones of both players."""
    if len(board) != geometry.cells:
        raise GameError(f"the list has {len(board)} cells; a {geometry} board has {geometry.cells}")
    for index, value in enumerate(np.asarray(board, dtype=object)):
        if value not in (0, 1, 2):
            line, column = divmod(index, geometry.columns)
            name = cell_name(column, geometry.rows - 1 - line, geometry)
            raise GameError(f"{name} (entry {index}) holds {value!r}: Kaggle uses 0, 1 and 2")
    return array_to_stones(np.reshape(board, (geometry.rows, geometry.columns)), geometry)
