"""Boards on a terminal: coloured discs where there are colours, letters elsewhere."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from connectlab.game import Position

FIRST_COLOUR = "red"
SECOND_COLOUR = "yellow"
FRAME = "blue"
DISC = "●"
WINNING = "*"
"""A stone of the winning line where there are neither colours nor room for brackets."""

WIDE, NARROW, TIGHT = 4, 2, 1
"""How far columns are apart: room for notes, for a blank, or for nothing but the stones."""
DEFAULT_WIDTH = 80


def print_board(
    console: "Console", position: "Position", notes: Sequence[str] | None = None
) -> None:
    """Draw a position; ``notes`` has up to three letters to stand below each column."""
    lines = board_lines(position, coloured=has_colours(console), notes=notes, width=console.width)
    for line in lines:
        console.print(line)


def has_colours(console: "Console") -> bool:
    """Whether red and yellow can be told apart; without, the stones are drawn as X and O."""
    return console.color_system is not None and not console.no_color


def stone(first: bool, *, coloured: bool) -> "Text":
    """Return the stone of one side as it is drawn on the board."""
    from rich.text import Text

    if not coloured:
        return Text("X" if first else "O")
    return Text(DISC, style=f"bold {FIRST_COLOUR if first else SECOND_COLOUR}")


def board_lines(
    position: "Position",
    *,
    coloured: bool,
    notes: Sequence[str] | None = None,
    width: int | None = None,
) -> "list[Text]":
    """Return the drawing line by line, with the last move and the winning line marked.

    A board that is wider than ``width`` is drawn with less room between its columns.
    """
    from rich.text import Text

    from connectlab.game.notation import column_name

    geometry = position.geometry
    pitch = _pitch(geometry.columns, width)
    margin = "" if pitch == TIGHT else " "
    rule = ("─" if coloured else "-") * (pitch * (geometry.columns - 1) + _cell_width(pitch))
    corners = "╭╮╰╯" if coloured else "++++"
    names = [column_name(column, geometry) for column in range(geometry.columns)]
    lines = [
        *_pointer(position, pitch, coloured),
        Text(f"{margin}{corners[0]}{rule}{corners[1]}", style=FRAME),
        *(_row(position, row, pitch, coloured) for row in reversed(range(geometry.rows))),
        Text(f"{margin}{corners[2]}{rule}{corners[3]}", style=FRAME),
        Text(f"{margin} {_cells(names, pitch)}", style="bold"),
    ]
    if notes is not None:
        lines += [Text(line, style="cyan") for line in _note_lines(names, notes, pitch, width)]
    for line in lines:
        line.rstrip()
    return lines


def _pitch(columns: int, width: int | None) -> int:
    """Return how far columns are apart: the widest drawing that has room."""
    fitting = (pitch for pitch in (WIDE, NARROW) if width is None or pitch * columns + 2 <= width)
    return next(fitting, TIGHT)


def _cell_width(pitch: int) -> int:
    return 3 if pitch == WIDE else 1


def _pointer(position: "Position", pitch: int, coloured: bool) -> "list[Text]":
    """Return a line that points at the column of the last move, if that is known."""
    from rich.text import Text

    if position.last_column is None:
        return []
    indent = {WIDE: 3, NARROW: 2, TIGHT: 1}[pitch]
    blanks = " " * (pitch * position.last_column + indent)
    return [Text(blanks + ("▼" if coloured else "v"), style="bold")]


def _cells(words: Sequence[str], pitch: int) -> str:
    """Set words so that they stand below the columns: three letters wide if there is room."""
    if pitch != WIDE:
        return (" " * (pitch - 1)).join(words)
    return " ".join(f"{word:>2} " if len(word) < 3 else word for word in words)


def _note_lines(
    names: Sequence[str], notes: Sequence[str], pitch: int, width: int | None
) -> list[str]:
    """Return the notes as a line below the columns, or as a list where there is no room."""
    if pitch == WIDE:
        return [f"  {_cells(notes, pitch)}"]
    pairs = zip(names, notes, strict=True)
    listed = ", ".join(f"{name}:\N{NO-BREAK SPACE}{note}" for name, note in pairs if note)
    lines = textwrap.wrap(listed, (width or DEFAULT_WIDTH) - 1)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _row(position: "Position", row: int, pitch: int, coloured: bool) -> "Text":
    from rich.text import Text

    side = Text("│" if coloured else "|", style=FRAME)
    columns = range(position.geometry.columns)
    cells = [_cell(position, column, row, pitch, coloured) for column in columns]
    gap = Text("" if pitch == TIGHT else " ")
    return Text.assemble("" if pitch == TIGHT else " ", side, gap.join(cells), side)


def _cell(position: "Position", column: int, row: int, pitch: int, coloured: bool) -> "Text":
    from rich.text import Text

    side = position.holds(column, row)
    room = " " if pitch == WIDE else ""
    if side is None:
        return Text(f"{room}{'·' if coloured else '.'}{room}", style="dim")
    first = side == "first"
    colour = FIRST_COLOUR if first else SECOND_COLOUR
    winning = (column, row) in position.winning_line
    if coloured:
        style = f"bold {colour} reverse" if winning else f"bold {colour}"
        return Text(f"{room}{DISC}{room}", style=style)
    mark = "X" if first else "O"
    if winning:
        return Text(f"[{mark}]" if pitch == WIDE else WINNING)
    return Text(f"{room}{mark}{room}")
