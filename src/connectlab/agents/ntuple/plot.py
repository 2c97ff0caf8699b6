"""A picture of what an n-tuple network sees in a position."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from connectlab.agents.base import AgentError, Analysis
from connectlab.game import Geometry, Position
from connectlab.game.notation import column_name, parse_moves
from connectlab.storage.files import replacing

SHOWN = 12
"""Readings that get a small board of their own."""
ACROSS = 4
BOARD_WIDTH, ROOM = 5.0, 6.6
"""Inches: of the large board, and for it and the bars below it together."""

INK = "#222222"
PALE = "#e6e6e6"
FRAME = "#c8c8c8"
GOOD, BAD = "#2166ac", "#b2182b"
"""Weights for and against the side to move: safe for red-green blindness."""
STONES = {"first": "#d7301f", "second": "#fdc835"}


def save_plot(analysis: Analysis, path: Path, title: str) -> None:
    """Draw the position, the value of each column and the readings that weigh most, as a PNG.

    ``analysis`` must be that of an n-tuple network.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if "tuples" not in analysis.details:
        raise AgentError(f"only n-tuple networks can be drawn, and {title} is none")
    readings = analysis.details["tuples"][:SHOWN]
    figure = Figure(figsize=(14.5, 7.6), facecolor="white", layout="constrained")
    canvas = FigureCanvasAgg(figure)
    parts: Any = figure.subfigures(1, 2, width_ratios=[1, 1.55])
    left, right = parts
    # A board as wide as its part of the figure stands exactly above the bars of its columns.
    tall = min(
        BOARD_WIDTH * analysis.position.geometry.rows / analysis.position.geometry.columns, 5
    )
    board, bars = left.subplots(2, 1, height_ratios=[tall, ROOM - tall])
    _draw_position(board, analysis.position)
    _draw_values(bars, analysis)
    left.suptitle(_heading(analysis, title), fontsize=11, x=0.03, ha="left")
    _draw_readings(right, analysis, readings)
    with replacing(path) as beside:
        canvas.print_figure(beside, format="png", dpi=130)


def _heading(analysis: Analysis, title: str) -> str:
    side = "first" if analysis.position.first_to_move else "second"
    value = analysis.details["network_value"]
    shown = title if len(title) < 52 else f"…{title[-50:]}"
    return f"{shown}\n{side} player to move; the network values the position at {value:+.3f}"


def _draw_position(axes: Any, position: Position) -> None:
    _prepare(axes, position.geometry)
    for column in range(position.geometry.columns):
        for row in range(position.geometry.rows):
            axes.add_patch(_disc(column, row, _holds(position, column, row)))
    names = [column_name(c, position.geometry) for c in range(position.geometry.columns)]
    axes.set_xticks(range(len(names)), names, fontsize=10)
    axes.tick_params(length=0, pad=4)


def _holds(position: Position, column: int, row: int) -> str:
    bit = position.geometry.cell(column, row)
    if not position.occupied & bit:
        return "empty"
    return "first" if position.first_stones & bit else "second"


def _draw_values(axes: Any, analysis: Analysis) -> None:
    """Draw a bar for each column; the bar of a proven win or loss is as long as the scale."""
    proven = analysis.details["proven"]
    geometry = analysis.position.geometry
    for column, value in enumerate(analysis.values):
        if value is None:
            continue
        height = float(np.clip(value, -1, 1))
        chosen = column in analysis.best
        axes.bar(column, height, width=0.72, color=GOOD if height >= 0 else BAD,
                 alpha=1 if chosen else 0.4)  # fmt: skip
        plies = proven.get(column_name(column, geometry))
        text = (
            f"{value:+.2f}" if plies is None else f"{'win' if plies > 0 else 'loss'} {abs(plies)}"
        )
        axes.text(column, height + (0.06 if height >= 0 else -0.06), text, ha="center",
                  va="bottom" if height >= 0 else "top", fontsize=9,
                  fontweight="bold" if chosen else "normal", color=INK)  # fmt: skip
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlim(-0.5, geometry.columns - 0.5)
    axes.set_ylim(-1.3, 1.3)
    axes.set_xticks([])
    axes.set_yticks([-1, 0, 1], ["lost", "0", "won"], fontsize=9)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.set_title(_unit(analysis), fontsize=10, loc="left")


def _unit(analysis: Analysis) -> str:
    depth = analysis.details["depth"]
    how = f"{depth} plies beyond it" if depth else "by the position it leads to"
    return f"value of each column, {how}; strong colour: would play"


def _draw_readings(figure: Any, analysis: Analysis, readings: Sequence[dict[str, Any]]) -> None:
    down = -(-len(readings) // ACROSS)
    grid = figure.subplots(down, ACROSS, squeeze=False).ravel()
    largest = max(abs(reading["weight"]) for reading in readings) or 1.0
    for axes, reading in zip(grid, readings, strict=False):
        _draw_reading(axes, analysis.position, reading, largest)
    for axes in grid[len(readings) :]:
        axes.set_visible(False)
    figure.suptitle(
        f"{len(readings)} of {analysis.details['readings']} tuple readings, those that weigh most\n"
        "blue: good for the side to move, red: bad;  o: empty and reachable,  –: empty",
        fontsize=11, x=0.02, ha="left",
    )  # fmt: skip


def _draw_reading(axes: Any, position: Position, reading: dict[str, Any], largest: float) -> None:
    """Draw one tuple on a small board, over the pale stones of the position."""
    geometry = position.geometry
    _prepare(axes, geometry)
    for column in range(geometry.columns):
        for row in range(geometry.rows):
            axes.add_patch(_square(column, row, fc="none", ec=PALE, lw=0.6))
            holds = _holds(position, column, row)
            if holds in STONES:
                axes.add_patch(_disc(column, row, holds, radius=0.3, alpha=0.2))
    colour = GOOD if reading["weight"] >= 0 else BAD
    strength = 0.1 + 0.4 * abs(reading["weight"]) / largest
    for (name, number), state in zip(reading["cells"], reading["state"], strict=True):
        column, row = parse_moves(name, geometry)[0], number - 1
        axes.add_patch(_square(column, row, fc="white", lw=0))
        axes.add_patch(_square(column, row, fc=colour, alpha=strength, lw=0))
        axes.add_patch(_square(column, row, fc="none", ec=colour, lw=0.9))
        if state in STONES:
            axes.add_patch(_disc(column, row, state, radius=0.34))
        else:
            mark = "o" if state == "reachable" else "–"
            axes.text(column, row, mark, ha="center", va="center", fontsize=9, color=INK)
    about = f"tuple {reading['tuple']}{' mirrored' if reading['mirrored'] else ''}"
    said = f"{reading['weight']:+.3f}   {100 * reading['share']:+.1f} %"
    axes.set_title(f"{said}\n{about}", fontsize=9, color=colour)


def _prepare(axes: Any, geometry: Geometry) -> None:
    """Set up a board: square cells, row 0 at the bottom, a thin frame."""
    axes.set_xlim(-0.5, geometry.columns - 0.5)
    axes.set_ylim(-0.5, geometry.rows - 0.5)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_color(FRAME)


def _square(column: int, row: int, **style: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.5, row - 0.5), 1, 1, **style)


def _disc(column: int, row: int, holds: str, radius: float = 0.4, alpha: float = 1.0) -> Any:
    from matplotlib.patches import Circle

    if holds not in STONES:
        return Circle((column, row), radius, fc="#f5f5f5", ec=PALE, lw=0.8)
    return Circle((column, row), radius, fc=STONES[holds], ec=INK, lw=0.6, alpha=alpha)
