"""Tables of text that lose nothing on a narrow terminal.

A table that is too wide first moves its columns of words below each row, and if that is not enough
becomes a list of "heading: cell" lines. Nothing is ever cut off.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

GAP = 2
INDENT = 4


class Column(NamedTuple):
    """The heading of a column, and whether it holds words or numbers."""

    heading: str
    words: bool = False


class Line(NamedTuple):
    """A line of a listing, and the number of the row it belongs to; None for headings."""

    text: str
    row: int | None


def list_rows(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> Iterator[Line]:
    """Yield the lines of a table no wider than ``width``; columns without any text are left out."""
    used = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    columns = [columns[i] for i in used]
    rows = [[row[i] for i in used] for row in rows]
    if _total(columns, rows) <= width:
        yield from _one_line_each(columns, rows)
        return
    numbers = [i for i, column in enumerate(columns) if i == 0 or not column.words]
    shorter = [[row[i] for i in numbers] for row in rows]
    if _total([columns[i] for i in numbers], shorter) <= width:
        yield from _words_below(columns, rows, numbers, width)
    else:
        yield from _records(columns, rows, range(len(columns)), width)


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(len(column.heading), *(len(row[i]) for row in rows), 0)
        for i, column in enumerate(columns)
    ]


def _total(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> int:
    return sum(_widths(columns, rows)) + GAP * (len(columns) - 1)


def _one_line_each(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    widths = _widths(columns, rows)

    def aligned(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if column.words else cell.rjust(width)
            for cell, column, width in zip(cells, columns, widths, strict=True)
        ]
        return (" " * GAP).join(padded).rstrip()

    yield Line(aligned([column.heading for column in columns]), None)
    yield from (Line(aligned(row), number) for number, row in enumerate(rows))


def _words_below(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], numbers: Sequence[int], width: int
) -> Iterator[Line]:
    """Yield a line of numbers for each row, and below it what else it holds."""
    kept = [columns[i] for i in numbers]
    others = [i for i in range(len(columns)) if i not in numbers]
    for line in _one_line_each(kept, [[row[i] for i in numbers] for row in rows]):
        yield line
        if line.row is not None:
            yield from _cells_below(columns, rows[line.row], others, line.row, width)


def _records(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], which: Sequence[int], width: int
) -> Iterator[Line]:
    for number, row in enumerate(rows):
        heading = f"{columns[0].heading} {row[0]}"
        yield from (Line(text, number) for text in wrap(heading, width))
        yield from _cells_below(columns, row, which[1:], number, width)


def _cells_below(
    columns: Sequence[Column], row: Sequence[str], which: Sequence[int], number: int, width: int
) -> Iterator[Line]:
    for i in which:
        label = f"{columns[i].heading}: " if columns[i].heading else ""
        if row[i]:
            for text in wrap(label + row[i], max(width - INDENT, 1)):
                yield Line(" " * INDENT + text, number)
