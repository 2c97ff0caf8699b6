"""Boards on a sheet of paper: cells, stones, and groups of cells as small boards."""

from dataclasses import dataclass

from connectlab.agents.analysis import Cell, Group
from connectlab.game import Geometry, Position
from connectlab.game.notation import FIRST, SECOND
from connectlab.lab.sheet import FAINT, PALE, Sheet

GROUPS, ACROSS = 25, 5
"""Groups that are drawn, and how many stand in a row."""
SMALL, BETWEEN = 1.22, 0.22
"""Inches: the width and greatest height of a small board, and the room to the next."""
GROUPS_WIDTH = ACROSS * (SMALL + BETWEEN) - BETWEEN

GOOD, EVEN, BAD = "#1b7f6b", "#8a929c", "#8e44ad"
"""For and against the side to move: kept apart by all eyes, and unlike the stones."""
STONES = {FIRST: ("#d9442f", "#8f2415"), SECOND: ("#f5c543", "#9a7410")}
"""Fill and edge of the stones; the first player's have a cross (X), the second's a ring (O)."""


@dataclass(frozen=True)
class Grid:
    """Where the cells of a board lie on the sheet."""

    geometry: Geometry
    left: float
    top: float
    step: float
    """Inches from one column to the next."""
    cell: float
    """Inches from one row to the next, and the size of what a cell holds."""

    @property
    def width(self) -> float:
        """Inches from the left side to the right."""
        return self.step * self.geometry.columns

    @property
    def bottom(self) -> float:
        """The height of the lower edge."""
        return self.top + self.cell * self.geometry.rows

    def x(self, column: int) -> float:
        """The middle of a column."""
        return self.left + (column + 0.5) * self.step

    def y(self, row: int) -> float:
        """The middle of a row, counted from the bottom."""
        return self.bottom - (row + 0.5) * self.cell


def stones_of(position: Position) -> dict[Cell, str]:
    """Return whose stone lies on each cell that is not empty."""
    geometry = position.geometry
    return {
        (column, row): FIRST if side == "first" else SECOND
        for column in range(geometry.columns)
        for row in range(geometry.rows)
        if (side := position.holds(column, row)) is not None
    }


def draw_stone(
    sheet: Sheet, x: float, y: float, radius: float, side: str, alpha: float = 1.0, name: str = ""
) -> None:
    """Draw a stone; a pale one without its cross or ring."""
    fill, edge = STONES[side]
    sheet.disc(x, y, radius, fill=fill, edge=edge, alpha=alpha, line=0.8, name=name)
    if alpha < 1:
        return
    if side == SECOND:
        sheet.disc(x, y, 0.58 * radius, edge=edge, line=max(0.6, 6 * radius))
    else:
        arm = 0.36 * radius
        for slope in (1, -1):
            ends = (x - arm, y - slope * arm), (x + arm, y + slope * arm)
            sheet.line(*ends, edge, max(0.6, 6 * radius))


def draw_groups(
    sheet: Sheet,
    left: float,
    top: float,
    geometry: Geometry,
    groups: tuple[Group, ...],
    position: Position | None = None,
    *,
    shown: int = GROUPS,
    across: int = ACROSS,
) -> float:
    """Draw groups as small boards, over the pale stones of a position; return the height below."""
    cell = min(SMALL / geometry.columns, SMALL / geometry.rows)
    largest = max((abs(group.weight or 0) for group in groups), default=0) or 1.0
    down, bottom = cell * geometry.rows + 0.5, top
    for number, group in enumerate(groups[:shown]):
        row, column = divmod(number, across)
        x, y = left + column * (SMALL + BETWEEN), top + row * down
        grid = Grid(geometry, x, y + 0.34, cell, cell)
        colour = EVEN if group.weight is None else GOOD if group.weight >= 0 else BAD
        _draw_group_heading(sheet, grid, y, group, colour)
        strength = 0.15 if group.weight is None else 0.12 + 0.45 * abs(group.weight) / largest
        _draw_group(sheet, grid, group, position, colour, strength)
        bottom = max(bottom, y + down)
    return bottom


def _draw_group_heading(sheet: Sheet, grid: Grid, y: float, group: Group, colour: str) -> None:
    weight = "" if group.weight is None else f"{group.weight:+.3f}"
    said = "   ".join(part for part in (weight, group.note) if part)
    sheet.text(grid.left, y + 0.07, group.title, size=8, colour=FAINT, within=SMALL)
    sheet.text(grid.left, y + 0.22, said, size=9, bold=True, colour=colour, within=SMALL)


def _draw_group(
    sheet: Sheet, grid: Grid, group: Group, position: Position | None, colour: str, strength: float
) -> None:
    """Draw one small board with the cells of a group and what each is marked with."""
    cell, covered = grid.cell, set(group.cells)
    sheet.box(grid.left, grid.top, grid.width, grid.bottom - grid.top, edge=PALE, name="group")
    stones = {} if position is None else stones_of(position)
    for (column, row), side in stones.items():
        if (column, row) not in covered:
            draw_stone(sheet, grid.x(column), grid.y(row), 0.26 * cell, side, alpha=0.25)
    tint = mixed_with_white(colour, strength)
    for (column, row), mark in zip(group.cells, group.marks, strict=True):
        x, y = grid.x(column), grid.y(row)
        corner = x - cell / 2, y - cell / 2
        sheet.box(*corner, cell, cell, fill=tint, edge=colour, line=0.7, name="group cell")
        if mark in STONES:
            draw_stone(sheet, x, y, 0.36 * cell, mark)
        else:
            shown = "–" if mark == "-" else mark
            sheet.text(x, y, shown, size=50 * cell, align="center", within=0.9 * cell)


def mixed_with_white(colour: str, share: float) -> str:
    """Return "#rrggbb" with only a share of a colour left."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)
