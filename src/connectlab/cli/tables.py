"""Tables for people, at any width.

Where there is room a table has columns, and long words fold. Where there is not, each row becomes
a few lines of its own. Nothing is ever cut off: neither a name nor an interval.
"""

import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

GAP = 2
"""Blanks between two columns."""
NARROWEST_WORDS = 14
"""Characters that a column of words keeps at least, before rows are printed one by one."""
INDENT = "  "


class _Row(NamedTuple):
    cells: tuple[str, ...]
    style: str | None


class Table:
    """Headings and rows; the first ``left`` columns hold words, the others numbers."""

    def __init__(self, headings: Sequence[str], *, title: str | None = None, left: int = 1) -> None:
        self.headings = tuple(headings)
        self.title = title
        self.left = left
        self._rows: list[_Row] = []

    def add_row(self, *cells: str, style: str | None = None) -> None:
        """Add a row; cells that are left out are empty, and no cell at all makes an empty line."""
        missing = len(self.headings) - len(cells)
        self._rows.append(_Row(tuple(cells) + ("",) * missing, style))

    def print(self, out: "Console") -> None:
        """Print on a console; plain text has no blanks at the end of a line."""
        fits = self._narrowest() <= out.width
        if out.is_terminal:
            if fits:
                out.print(self._columns(), soft_wrap=False)
            else:
                out.print("\n".join(self._lines(out.width)), soft_wrap=True)
            return
        if not fits:
            sys.stdout.write("".join(f"{line}\n" for line in self._lines(out.width)))
            return
        with out.capture() as captured:
            out.print(self._columns(), soft_wrap=False)
        lines = captured.get().rstrip().splitlines()
        sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))

    def _narrowest(self) -> int:
        """Return the least width at which no number is cut and words can still be read."""
        widths = [self._width(number) for number in range(len(self.headings))]
        words = [min(width, NARROWEST_WORDS) for width in widths[: self.left]]
        return sum(words) + sum(widths[self.left :]) + GAP * (len(widths) - 1)

    def _columns(self) -> "RichTable":
        from rich.table import Table as RichTable

        made = RichTable(
            title=self.title,
            title_justify="left",
            title_style="bold",
            box=None,
            padding=(0, GAP, 0, 0),
            pad_edge=False,
            header_style="bold",
        )
        for number, heading in enumerate(self.headings):
            words = number < self.left
            made.add_column(
                heading,
                justify="left" if words else "right",
                overflow="fold",
                no_wrap=not words,
                min_width=min(NARROWEST_WORDS, self._width(number)) if words else None,
            )
        for row in self._rows:
            made.add_row(*row.cells, style=row.style)
        return made

    def _width(self, number: int) -> int:
        from rich.cells import cell_len

        cells = [self.headings[number], *(row.cells[number] for row in self._rows)]
        return max(cell_len(cell) for cell in cells)

    def _lines(self, width: int) -> Iterator[str]:
        """Yield each row on lines of its own: its words, then its numbers with their headings."""
        if self.title:
            yield from textwrap.wrap(self.title, width)
        for row in self._rows:
            words = [cell for cell in row.cells[: self.left] if cell]
            yield from textwrap.wrap("  ".join(words), width, subsequent_indent=INDENT) or [""]
            named = zip(self.headings[self.left :], row.cells[self.left :], strict=True)
            pairs = [f"{heading} {cell}".strip() for heading, cell in named if cell]
            yield from _flow(pairs, width)


def _flow(pairs: Sequence[str], width: int) -> Iterator[str]:
    """Put as many pairs on a line as there is room for, and break none that fits on one."""
    lines: list[str] = []
    for pair in pairs:
        if lines and len(lines[-1]) + GAP + len(pair) <= width:
            lines[-1] += " " * GAP + pair
        else:
            lines.append(INDENT + pair)
    for line in lines:
        yield from textwrap.wrap(line, width, subsequent_indent=INDENT * 2)
