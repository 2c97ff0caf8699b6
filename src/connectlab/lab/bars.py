"""Bars below a large board: how likely each column is, and what it is worth to the player."""

from math import log1p

from connectlab.agents.analysis import Analysis
from connectlab.lab.boards import BAD, EVEN, GOOD, Grid
from connectlab.lab.sheet import FAINT, PALE, Sheet, fitting_size, wrap
from connectlab.lab.wording import chance

BOARD = 4.7
"""Inches: the width of a large board, and of its captions even where it is narrower."""
POLICY_HEIGHT, VALUE_HEIGHT = 0.5, 1.15
STEEP = 200
"""Values that differ by this factor are drawn on a logarithmic scale."""


def caption(sheet: Sheet, grid: Grid, y: float, words: str) -> float:
    """Write what stands below; return the height where it begins."""
    width = max(grid.width, BOARD)
    return sheet.paragraph(grid.left, y, width, words, size=9, colour=FAINT) + 0.06


def draw_policy(sheet: Sheet, grid: Grid, y: float, analysis: Analysis) -> float:
    """Draw a bar for each column the player may play, as high as that is likely."""
    y = caption(sheet, grid, y, "how likely it plays each column")
    floor = y + 0.2 + max(analysis.policy) * POLICY_HEIGHT
    texts = {column: chance(analysis.policy[column]) for column in analysis.best}
    size = fitting_size(texts.values(), 0.9 * grid.step, 9)
    for column, words in texts.items():
        height = analysis.policy[column] * POLICY_HEIGHT
        _bar(sheet, grid, column, floor, height, GOOD, 1.0, f"policy {column}")
        sheet.text(grid.x(column), floor - height - 0.1, words, size=size, align="center")
    sheet.line((grid.left, floor), (grid.left + grid.width, floor), PALE)
    return floor + 0.22


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


def draw_values(sheet: Sheet, grid: Grid, y: float, analysis: Analysis) -> float:
    """Draw a bar for each value, up or down from zero, with what is to be said of the column."""
    values = {c: v for c, v in enumerate(analysis.values or ()) if v is not None}
    heights, steep = bar_heights(values)
    unit = f": {analysis.unit}" if analysis.unit else ""
    steep_note = " (bars on a logarithmic scale)" if steep else ""
    y = caption(sheet, grid, y, f"value of each column{unit}{steep_note}")
    highest, lowest = max(heights.values(), default=0), min(heights.values(), default=0)
    room = VALUE_HEIGHT / ((max(highest, 0) - min(lowest, 0)) or 1)
    floor = y + 0.2 + max(highest, 0) * room
    for column, height in heights.items():
        _draw_value(sheet, grid, column, floor, height * room, analysis)
    sheet.line((grid.left, floor), (grid.left + grid.width, floor), EVEN)
    below = floor - min(lowest, 0) * room + (0.24 if lowest < 0 else 0.08)
    notes = {column: analysis.column_notes.get(column, "") for column in values}
    full = dict.fromkeys(set(range(grid.geometry.columns)) - set(values), "full")
    return max(_draw_note(sheet, grid, c, below, note) for c, note in (notes | full).items()) + 0.1


def _draw_value(
    sheet: Sheet, grid: Grid, column: int, floor: float, height: float, analysis: Analysis
) -> None:
    """Draw the bar of one value, and the value at its end."""
    chosen, up = column in analysis.best, height >= 0
    colour, alpha = GOOD if up else BAD, 1.0 if chosen else 0.45
    _bar(sheet, grid, column, floor, height, colour, alpha, f"value {column}")
    sheet.text(
        grid.x(column),
        floor - height + (-0.1 if up else 0.1),
        analysis.value_texts[column],
        size=fitting_size(analysis.value_texts, 0.92 * grid.step, 9),
        bold=chosen,
        align="center",
    )


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
