"""A picture of what any player thinks of a position.

It draws what an ``Analysis`` holds and knows nothing of the kinds of players: the position, how
likely and how good each column is, what perfect play says if that was asked, the sentences, and the
groups as small boards. Parts of the figure are named (``gid``) after what they show.
"""

from math import log1p
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.agents.analysis import Analysis
from connectlab.agents.contents import Contents
from connectlab.game import Position
from connectlab.game.notation import FIRST, SECOND, column_name
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
from connectlab.lab.sheet import FAINT, INK, PALE, Sheet, fitting_size, save_png, wrap
from connectlab.lab.verdicts import Verdicts
from connectlab.solver import distance_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN, GAP = 0.4, 0.45
BOARD, TALLEST, NARROWEST = 4.7, 4.3, 0.3
"""Inches: the width and greatest height of the large board, and the least of a column."""
POLICY_HEIGHT, VALUE_HEIGHT = 0.5, 1.15
STEEP = 200
"""Values that differ by this factor are drawn on a logarithmic scale."""

ALARM = "#c2410c"
FRAME, HOLE = "#dfe5ee", "#ffffff"


def save_picture(
    analysis: Analysis, path: Path, title: str, verdicts: Verdicts | None = None
) -> None:
    """Write the picture of an analysis as a PNG file; ``title`` says whose it is."""
    save_png(draw_analysis(analysis, title, verdicts), path)


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
    y = _draw_policy(sheet, grid, y, analysis)
    if analysis.values is not None:
        y = _draw_values(sheet, grid, y, analysis)
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


def draw_part(contents: Contents, number: int, title: str, top: int) -> "Figure":
    """Draw one part of a player: under each heading the entries that weigh most."""
    sheet = Sheet()
    sheet.text(MARGIN, 0.45, f"{title}: {contents.noun} {number}", size=14, bold=True)
    y = sheet.paragraph(MARGIN, 0.65, GROUPS_WIDTH, f"{_capital(contents.legend)}.")
    key = "Green weights are above 0, violet ones below; a deeper tint weighs more."
    y = sheet.paragraph(MARGIN, y, GROUPS_WIDTH, key, size=9, colour=FAINT)
    for entries in contents.entries(number, top):
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
    """Draw the position, and dashed stones where the player may move."""
    position, geometry, pad = analysis.position, grid.geometry, 0.06
    sheet.box(
        grid.left - pad,
        grid.top - pad,
        grid.width + 2 * pad,
        grid.bottom - grid.top + 2 * pad,
        fill=FRAME,
        rounding=0.14,
        name="board",
    )
    stones, radius = stones_of(position), 0.41 * grid.cell
    for column in range(geometry.columns):
        for row in range(geometry.rows):
            x, y = grid.x(column), grid.y(row)
            if (column, row) in stones:
                draw_stone(sheet, x, y, radius, stones[column, row], name="stone")
            else:
                sheet.disc(x, y, radius, fill=HOLE, edge=PALE, line=0.6)
        colour = GOOD if column in analysis.best else INK
        sheet.text(
            grid.x(column),
            grid.bottom + 0.2,
            column_name(column, geometry),
            size=11,
            bold=column in analysis.best,
            colour=colour,
            align="center",
        )
    side = FIRST if position.first_to_move else SECOND
    for column in analysis.best:
        row = sum((column, r) in stones for r in range(geometry.rows))
        sheet.disc(
            grid.x(column),
            grid.y(row),
            0.9 * radius,
            edge=STONES[side][1],
            line=1.4,
            fill=STONES[side][0],
            alpha=0.35,
            dashed=True,
            name="move",
        )


def _draw_verdicts(
    sheet: Sheet, grid: Grid, y: float, analysis: Analysis, verdicts: Verdicts
) -> float:
    """Draw a row of what perfect play says, with the columns marked that the player sees wrong."""
    wrong = wrong_columns(analysis, verdicts)
    y = _caption(sheet, grid, y, "perfect play: + wins, − loses in so many plies, = draws")
    for column in analysis.position.legal_columns:
        score, marked = verdicts.scores[column], column in wrong
        colour = EVEN if not score else GOOD if score > 0 else BAD
        width = min(0.56, 0.86 * grid.step)
        sheet.box(
            grid.x(column) - width / 2,
            y,
            width,
            0.25,
            rounding=0.08,
            fill=colour,
            edge=ALARM if marked else "none",
            line=2.4,
            name=f"verdict {column}",
        )
        sheet.text(
            grid.x(column),
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
                grid.x(column),
                y + 0.36,
                "≠",
                size=11,
                bold=True,
                colour=ALARM,
                align="center",
                name=f"disagreement {column}",
            )
    return y + (0.58 if wrong else 0.42)


def _short_verdict(verdicts: Verdicts, column: int) -> str:
    score, position = verdicts.scores[column], verdicts.position
    if score is None:
        return "?"
    if score == 0:
        return "="
    return f"{'+' if score > 0 else '−'}{distance_of(score, position.ply, position.geometry)}"


def _caption(sheet: Sheet, grid: Grid, y: float, words: str) -> float:
    width = max(grid.width, BOARD)
    return sheet.paragraph(grid.left, y, width, words, size=9, colour=FAINT) + 0.06


def _draw_policy(sheet: Sheet, grid: Grid, y: float, analysis: Analysis) -> float:
    """Draw a bar for each column the player may play, as high as that is likely."""
    y = _caption(sheet, grid, y, "how likely it plays each column")
    floor = y + 0.2 + max(analysis.policy) * POLICY_HEIGHT
    texts = {column: _percent(analysis.policy[column]) for column in analysis.best}
    size = fitting_size(texts.values(), 0.9 * grid.step, 9)
    for column, words in texts.items():
        height = analysis.policy[column] * POLICY_HEIGHT
        _bar(sheet, grid, column, floor, height, GOOD, 1.0, f"policy {column}")
        sheet.text(grid.x(column), floor - height - 0.1, words, size=size, align="center")
    sheet.line((grid.left, floor), (grid.left + grid.width, floor), PALE)
    return floor + 0.22


def _percent(chance: float) -> str:
    return f"{100 * chance:.3g} %" if chance >= 0.01 else "<1 %"


def _bar(
    sheet: Sheet,
    grid: Grid,
    column: int,
    floor: float,
    height: float,
    colour: str,
    alpha: float,
    name: str,
) -> None:
    width = min(0.5, 0.7 * grid.step)
    top = min(floor, floor - height)
    sheet.box(
        grid.x(column) - width / 2,
        top,
        width,
        max(abs(height), 0.01),
        fill=colour,
        alpha=alpha,
        name=name,
    )


def _draw_values(sheet: Sheet, grid: Grid, y: float, analysis: Analysis) -> float:
    """Draw a bar for each value, up or down from zero, with what is to be said of the column."""
    values = {c: v for c, v in enumerate(analysis.values or ()) if v is not None}
    heights, steep = bar_heights(values)
    unit = f": {analysis.unit}" if analysis.unit else ""
    steep_note = " (bars on a logarithmic scale)" if steep else ""
    y = _caption(sheet, grid, y, f"value of each column{unit}{steep_note}")
    highest, lowest = max(heights.values(), default=0), min(heights.values(), default=0)
    room = VALUE_HEIGHT / ((max(highest, 0) - min(lowest, 0)) or 1)
    floor = y + 0.2 + max(highest, 0) * room
    size = fitting_size(analysis.value_texts, 0.92 * grid.step, 9)
    for column, height in heights.items():
        chosen, up = column in analysis.best, height >= 0
        end = floor - height * room
        _bar(
            sheet,
            grid,
            column,
            floor,
            height * room,
            GOOD if up else BAD,
            1.0 if chosen else 0.45,
            f"value {column}",
        )
        sheet.text(
            grid.x(column),
            end + (-0.1 if up else 0.1),
            analysis.value_texts[column],
            size=size,
            bold=chosen,
            align="center",
        )
    sheet.line((grid.left, floor), (grid.left + grid.width, floor), EVEN)
    below = floor - min(lowest, 0) * room + (0.24 if lowest < 0 else 0.08)
    notes = {column: analysis.column_notes.get(column, "") for column in values}
    full = dict.fromkeys(set(range(grid.geometry.columns)) - set(values), "full")
    return max(_draw_note(sheet, grid, c, below, note) for c, note in (notes | full).items()) + 0.1


def _draw_note(sheet: Sheet, grid: Grid, column: int, y: float, note: str) -> float:
    """Write what is to be said of a column below its bar; return the height below."""
    for line in wrap(note, 0.95 * grid.step, 8):
        sheet.text(
            grid.x(column),
            y + 0.07,
            line,
            size=8,
            colour=FAINT,
            align="center",
            within=0.95 * grid.step,
        )
        y += 0.14
    return y


def bar_heights(values: dict[int, float]) -> tuple[dict[int, float], bool]:
    """Return the height of each bar, from -1 to 1, and whether the scale is logarithmic."""
    sizes = [abs(value) for value in values.values() if value]
    if not sizes:
        return dict.fromkeys(values, 0.0), False
    least, most = min(sizes), max(sizes)
    if most < STEEP * least or most < STEEP:
        return {column: value / most for column, value in values.items()}, False
    return {
        column: (1 if value > 0 else -1) * log1p(abs(value)) / log1p(most) if value else 0.0
        for column, value in values.items()
    }, True


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
    facts = " · ".join(f"{_spaced(key)} {_plain(fact)}" for key, fact in analysis.facts.items())
    return sheet.paragraph(left, y + 0.04, width, facts, size=9, colour=FAINT)


def _plain(fact: object) -> str:
    return f"{fact:.4g}" if isinstance(fact, float) else "–" if fact is None else str(fact)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
