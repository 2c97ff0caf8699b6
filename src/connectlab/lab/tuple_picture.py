"""A picture of a tuple set: every tuple on a small board, and what the set sees of the whole.

The numbers in the cells of a tuple are the order in which it lists them, which the papers' index
goes by. Above them stand two larger boards: how many tuples look at each cell, and the winning
lines that no reading sees whole.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.agents.analysis import Group
from connectlab.agents.ntuple.coverage import Coverage
from connectlab.game.notation import DIGITS, column_name
from connectlab.lab.boards import BAD, BETWEEN, GOOD, SMALL, Grid, draw_groups, mixed_with_white
from connectlab.lab.sheet import DPI, FAINT, PALE, Sheet
from connectlab.lab.tuple_sets import TupleSet
from connectlab.lab.wording import count
from connectlab.storage.files import save_png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_DRAWN = 300
"""Tuples of one picture; more would be a sheet that no viewer opens."""
MARGIN = 0.4
ACROSS = 10
WIDTH = ACROSS * (SMALL + BETWEEN) - BETWEEN
LARGE, LARGE_GAP = 3.0, 0.6
"""Inches: the width and greatest height of the two boards of the whole, and the room between."""
DEEPEST = 0.75
"""Share of its colour that the cell has that most tuples look at."""


def save_tuples(found: TupleSet, groups: Sequence[Group], path: Path) -> None:
    """Write the picture of a set, with these of its tuples, as a PNG file."""
    save_png(draw_tuples(found, groups), path, dpi=DPI)


def tuple_groups(found: TupleSet, skip: int = 0, top: int | None = None) -> tuple[Group, ...]:
    """Return tuples as groups of cells, each marked with its place in the order."""
    end = len(found.tuples) if top is None else skip + top
    told = list(zip(found.tuples, found.lines_held, strict=True))
    return tuple(
        Group(f"tuple {number}", cells, tuple(DIGITS[1 : len(cells) + 1]), note=count(held, "line"))
        for number, (cells, held) in enumerate(told[skip:end], start=skip + 1)
    )


def draw_tuples(found: TupleSet, groups: Sequence[Group]) -> "Figure":
    """Draw the whole above and these of its tuples below."""
    sheet, coverage = Sheet(), found.coverage
    sheet.text(MARGIN, 0.45, found.source, size=15, bold=True, within=WIDTH, name="title")
    y = sheet.paragraph(MARGIN, 0.65, WIDTH, _summary(found, coverage), colour=FAINT)
    bottom = _draw_whole(sheet, y + 0.25, found, coverage)
    legend = "Each tuple: its cells in their order, and the winning lines within it."
    y = sheet.paragraph(MARGIN, bottom + 0.2, WIDTH, legend)
    shown = tuple(groups[:MOST_DRAWN])
    draw_groups(sheet, MARGIN, y + 0.1, found.geometry, shown, shown=MOST_DRAWN, across=ACROSS)
    return sheet.finish()


def _summary(found: TupleSet, coverage: Coverage) -> str:
    """Tell the board, the counts and what is seen."""
    seen = coverage.lines - len(coverage.unseen)
    return " · ".join(
        (
            str(found.geometry),
            count(len(found.tuples), "tuple"),
            f"P = {found.states}, {count(found.tables, 'table')}, "
            f"{'also' if found.mirror else 'not'} read in the mirror",
            f"{seen} of {coverage.lines} lines seen",
            f"{found.weights:,} weights, {coverage.weights:,} realisable",
        )
    )


def _draw_whole(sheet: Sheet, top: float, found: TupleSet, coverage: Coverage) -> float:
    """Draw how often each cell is looked at, and the lines that are missed."""
    geometry = found.geometry
    cell = min(LARGE / geometry.columns, LARGE / geometry.rows)
    often = Grid(geometry, MARGIN, top + 0.25, cell, cell)
    missed = Grid(geometry, MARGIN + LARGE + LARGE_GAP, top + 0.25, cell, cell)
    sheet.text(often.left, top, "tuples that look at each cell", size=9, bold=True)
    _draw_often(sheet, often, coverage)
    unseen = len(coverage.unseen)
    words = f"{count(unseen, 'line')} that no tuple sees whole" if unseen else "every line is seen"
    sheet.text(missed.left, top, words, size=9, bold=True)
    _draw_missed(sheet, missed, coverage)
    return often.bottom + 0.3


def _draw_often(sheet: Sheet, grid: Grid, coverage: Coverage) -> None:
    most = max(map(max, coverage.cells)) or 1
    for column, counts in enumerate(coverage.cells):
        for row, often in enumerate(counts):
            x, y, share = grid.x(column), grid.y(row), DEEPEST * often / most
            corner = x - grid.cell / 2, y - grid.cell / 2
            tint = mixed_with_white(GOOD, share)
            sheet.box(*corner, grid.cell, grid.cell, fill=tint, edge="white", name="often")
            sheet.text(x, y, str(often), size=8, align="center", within=0.9 * grid.cell)
    _draw_names(sheet, grid)


def _draw_missed(sheet: Sheet, grid: Grid, coverage: Coverage) -> None:
    sheet.box(grid.left, grid.top, grid.width, grid.bottom - grid.top, edge=PALE)
    for column in range(grid.geometry.columns):
        for row in range(grid.geometry.rows):
            sheet.disc(grid.x(column), grid.y(row), 0.3 * grid.cell, edge=PALE)
    for line in coverage.unseen:
        start, end = ((grid.x(column), grid.y(row)) for column, row in (line[0], line[-1]))
        sheet.line(start, end, BAD, 1.4)
    _draw_names(sheet, grid)


def _draw_names(sheet: Sheet, grid: Grid) -> None:
    for column in range(grid.geometry.columns):
        name = column_name(column, grid.geometry)
        sheet.text(grid.x(column), grid.bottom + 0.12, name, size=8, align="center", colour=FAINT)
