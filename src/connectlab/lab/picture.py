"""A picture of what any player thinks of a position.

It draws what an ``Analysis`` holds and knows nothing of the kinds of players: the position, how
likely and how good each column is, what perfect play says if that was asked, the sentences, and the
groups as small boards. Parts of the figure are named (``gid``) after what they show.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.agents.analysis import Analysis, Cell
from connectlab.agents.contents import Contents, Page
from connectlab.game import Position
from connectlab.game.notation import FIRST, SECOND, column_name
from connectlab.lab.bars import BOARD, caption, draw_policy, draw_values
from connectlab.lab.boards import (
    BAD,
    EVEN,
    GOOD,
    GROUPS_WIDTH,
    STONES,
    Grid,
    draw_groups,
    draw_stone,
    stones_of,
)
from connectlab.lab.disagreement import disagreements, wrong_columns
from connectlab.lab.sheet import DPI, FAINT, INK, PALE, Sheet
from connectlab.lab.verdicts import Verdicts
from connectlab.lab.wording import fact
from connectlab.solver import distance_of
from connectlab.storage.files import save_png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN, GAP = 0.4, 0.45
TALLEST, NARROWEST = 4.3, 0.3
"""Inches: the greatest height of the large board, and the least width of a column."""

ALARM = "#c2410c"
FRAME, HOLE = "#dfe5ee", "#ffffff"


def save_picture(
    analysis: Analysis, path: Path, title: str, verdicts: Verdicts | None = None
) -> None:
    """Write the picture of an analysis as a PNG file; ``title`` says whose it is."""
    save_png(draw_analysis(analysis, title, verdicts), path, dpi=DPI)


def draw_analysis(analysis: Analysis, title: str, verdicts: Verdicts | None = None) -> "Figure":
    """Draw an analysis: the board with its columns on the left, words and groups on the right."""
    sheet, geometry = Sheet(), analysis.position.geometry
    cell = min(BOARD / geometry.columns, TALLEST / geometry.rows)
    step = max(cell, min(BOARD / geometry.columns, 0.75), NARROWEST)
    grid = Grid(geometry, MARGIN, _draw_heading(sheet, analysis, title), step, cell)
    _draw_board(sheet, grid, analysis)
    y = grid.bottom + 0.42
    if verdicts is not None:
        y = _draw_verdicts(sheet, grid, y, analysis, verdicts)
    y = draw_policy(sheet, grid, y, analysis)
    if analysis.values is not None:
        y = draw_values(sheet, grid, y, analysis)
    if analysis.groups:
        _draw_right(sheet, grid.left + max(grid.width, BOARD) + GAP, analysis, verdicts)
    else:
        _draw_words(sheet, grid.left, y, max(grid.width, BOARD), analysis, verdicts)
    return sheet.finish()


def _draw_right(sheet: Sheet, left: float, analysis: Analysis, verdicts: Verdicts | None) -> None:
    """Draw the words, and below them the groups."""
    geometry, position = analysis.position.geometry, analysis.position
    y = _draw_words(sheet, left, 0.3, GROUPS_WIDTH, analysis, verdicts)
    y = sheet.paragraph(left, y + 0.12, GROUPS_WIDTH, f"{_capital(analysis.legend)}.")
    if any(group.weight is not None for group in analysis.groups):
        y = sheet.paragraph(left, y, GROUPS_WIDTH, _KEY, size=9, colour=FAINT)
    draw_groups(sheet, left, y + 0.1, geometry, analysis.groups, position)


def draw_part(contents: Contents, number: int, title: str, page: Page) -> "Figure":
    """Draw one part of a player: a page of its entries under each heading."""
    sheet = Sheet()
    sheet.text(MARGIN, 0.45, f"{title}: {contents.noun} {number}", size=14, bold=True)
    y = sheet.paragraph(MARGIN, 0.65, GROUPS_WIDTH, f"{_capital(contents.legend)}.")
    key = "Green weights are above 0, violet ones below; a deeper tint weighs more."
    y = sheet.paragraph(MARGIN, y, GROUPS_WIDTH, key, size=9, colour=FAINT)
    for entries in contents.entries(number, page):
        sheet.text(MARGIN, y + 0.3, _capital(entries.title), size=11, bold=True)
        y = draw_groups(sheet, MARGIN, y + 0.5, contents.geometry, entries.groups)
    return sheet.finish()


_KEY = "Green weighs for the side to move, violet against it; a deeper tint weighs more."


def _draw_heading(sheet: Sheet, analysis: Analysis, title: str) -> float:
    """Write whose opinion this is and what it is about; return the height below."""
    position = analysis.position
    shown = title if len(title) < 60 else f"…{title[-58:]}"
    sheet.text(MARGIN, 0.42, shown, size=15, bold=True, within=BOARD, name="title")
    side = "first" if position.first_to_move else "second"
    draw_stone(sheet, MARGIN + 0.1, 0.74, 0.1, FIRST if position.first_to_move else SECOND)
    about = f"{side} player to move, {position.geometry}{_reached(position)}"
    sheet.text(MARGIN + 0.28, 0.74, about, size=10, colour=FAINT, within=BOARD, name="about")
    return 1.12


def _reached(position: Position) -> str:
    if position.history is None:
        return ""
    return f", after {position.moves}" if position.history else ", empty board"


def _draw_board(sheet: Sheet, grid: Grid, analysis: Analysis) -> None:
    """Draw the position, the names of its columns, and where the player may move."""
    pad = 0.06
    sheet.box(
        grid.left - pad,
        grid.top - pad,
        grid.width + 2 * pad,
        grid.bottom - grid.top + 2 * pad,
        fill=FRAME,
        rounding=0.14,
        name="board",
    )
    stones, radius = stones_of(analysis.position), 0.41 * grid.cell
    for column in range(grid.geometry.columns):
        for row in range(grid.geometry.rows):
            x, y = grid.x(column), grid.y(row)
            if (column, row) in stones:
                draw_stone(sheet, x, y, radius, stones[column, row], name="stone")
            else:
                sheet.disc(x, y, radius, fill=HOLE, edge=PALE, line=0.6)
        _draw_name(sheet, grid, column, chosen=column in analysis.best)
    for column in analysis.best:
        row = sum((column, r) in stones for r in range(grid.geometry.rows))
        _draw_move(sheet, grid, (column, row), first=analysis.position.first_to_move)


def _draw_name(sheet: Sheet, grid: Grid, column: int, *, chosen: bool) -> None:
    """Write the name of a column below it."""
    sheet.text(
        grid.x(column),
        grid.bottom + 0.2,
        column_name(column, grid.geometry),
        size=11,
        bold=chosen,
        colour=GOOD if chosen else INK,
        align="center",
    )


def _draw_move(sheet: Sheet, grid: Grid, cell: Cell, *, first: bool) -> None:
    """Draw a dashed stone where the player may move."""
    fill, edge = STONES[FIRST if first else SECOND]
    sheet.disc(
        grid.x(cell[0]),
        grid.y(cell[1]),
        0.9 * 0.41 * grid.cell,
        edge=edge,
        line=1.4,
        fill=fill,
        alpha=0.35,
        dashed=True,
        name="move",
    )


def _draw_verdicts(
    sheet: Sheet, grid: Grid, y: float, analysis: Analysis, verdicts: Verdicts
) -> float:
    """Draw a row of what perfect play says, with the columns marked that the player sees wrong."""
    wrong = wrong_columns(analysis, verdicts)
    y = caption(sheet, grid, y, "perfect play: + wins, − loses in so many plies, = draws")
    for column in analysis.position.legal_columns:
        _draw_verdict(sheet, grid, y, column, verdicts, marked=column in wrong)
    return y + (0.58 if wrong else 0.42)


def _draw_verdict(
    sheet: Sheet, grid: Grid, y: float, column: int, verdicts: Verdicts, *, marked: bool
) -> None:
    """Draw what perfect play says of one column."""
    score, x, width = verdicts.scores[column], grid.x(column), min(0.56, 0.86 * grid.step)
    sheet.box(
        x - width / 2,
        y,
        width,
        0.25,
        rounding=0.08,
        fill=EVEN if not score else GOOD if score > 0 else BAD,
        edge=ALARM if marked else "none",
        line=2.4,
        name=f"verdict {column}",
    )
    sheet.text(
        x,
        y + 0.125,
        _short_verdict(verdicts, column),
        size=9.5,
        bold=True,
        colour="white",
        align="center",
        within=width - 0.08,
    )
    if marked:
        sheet.text(
            x,
            y + 0.36,
            "≠",
            size=11,
            bold=True,
            colour=ALARM,
            align="center",
            name=f"disagreement {column}",
        )


def _short_verdict(verdicts: Verdicts, column: int) -> str:
    score, position = verdicts.scores[column], verdicts.position
    if score is None:
        return "?"
    if score == 0:
        return "="
    return f"{'+' if score > 0 else '−'}{distance_of(score, position.ply, position.geometry)}"


def _draw_words(
    sheet: Sheet,
    left: float,
    y: float,
    width: float,
    analysis: Analysis,
    verdicts: Verdicts | None,
) -> float:
    """Write the sentences, where perfect play disagrees, and the facts; return the height below."""
    for sentence in analysis.sentences:
        y = sheet.paragraph(left, y, width, sentence, size=11) + 0.04
    for found in disagreements(analysis, verdicts) if verdicts is not None else ():
        words = f"{'' if found.kind == 'speed' else '≠ '}{found.sentence}"
        y = sheet.paragraph(left, y, width, words, size=10.5, colour=ALARM) + 0.02
    facts = " · ".join(
        f"{key.replace('_', ' ')} {fact(value)}" for key, value in analysis.facts.items()
    )
    return sheet.paragraph(left, y + 0.04, width, facts, size=9, colour=FAINT)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
