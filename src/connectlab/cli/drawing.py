"""Boards on a terminal: coloured discs where there are colours, letters elsewhere."""

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


def print_board(
    console: "Console", position: "Position", notes: Sequence[str] | None = None
) -> None:
    """Draw a position; ``notes`` has up to three letters to stand below each column."""
    for line in board_lines(position, coloured=has_colours(console), notes=notes):
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
    position: "Position", *, coloured: bool, notes: Sequence[str] | None = None
) -> "list[Text]":
    """Return the drawing line by line, with the last move and the winning line marked."""
    from rich.text import Text

    from connectlab.game.notation import column_name

    geometry = position.geometry
    rule = ("─" if coloured else "-") * (4 * geometry.columns - 1)
    corners = "╭╮╰╯" if coloured else "++++"
    names = [column_name(column, geometry) for column in range(geometry.columns)]
    lines = [
        *_pointer(position, coloured),
        Text(f" {corners[0]}{rule}{corners[1]}", style=FRAME),
        *(_row(position, row, coloured) for row in reversed(range(geometry.rows))),
        Text(f" {corners[2]}{rule}{corners[3]}", style=FRAME),
        Text(f"  {_cells(names)}", style="bold"),
    ]
    if notes is not None:
        lines.append(Text(f"  {_cells(notes)}", style="cyan"))
    for line in lines:
        line.rstrip()
    return lines


def _pointer(position: "Position", coloured: bool) -> "list[Text]":
    """Return a line that points at the column of the last move, if that is known."""
    from rich.text import Text

    if not position.history:
        return []
    return [Text(" " * (4 * position.history[-1] + 3) + ("▼" if coloured else "v"), style="bold")]


def _cells(words: Sequence[str]) -> str:
    """Set words three letters wide so that they stand below the columns."""
    return " ".join(f"{word:>2} " if len(word) < 3 else word for word in words)


def _row(position: "Position", row: int, coloured: bool) -> "Text":
    from rich.text import Text

    side = Text("│" if coloured else "|", style=FRAME)
    columns = range(position.geometry.columns)
    cells = [_cell(position, column, row, coloured) for column in columns]
    return Text.assemble(" ", side, Text(" ").join(cells), side)


def _cell(position: "Position", column: int, row: int, coloured: bool) -> "Text":
    from rich.text import Text

    bit = position.geometry.cell(column, row)
    if not position.occupied & bit:
        return Text(" · " if coloured else " . ", style="dim")
    first = bool(position.first_stones & bit)
    colour = FIRST_COLOUR if first else SECOND_COLOUR
    winning = (column, row) in position.winning_line
    if coloured:
        return Text(f" {DISC} ", style=f"bold {colour} reverse" if winning else f"bold {colour}")
    mark = "X" if first else "O"
    return Text(f"[{mark}]" if winning else f" {mark} ")
