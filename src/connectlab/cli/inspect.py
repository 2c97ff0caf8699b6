"""``connectlab inspect``: what a player sees in a position."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connectlab.cli import console, drawing
from connectlab.cli.options import (
    Columns,
    Connect,
    Json,
    Moves,
    Rows,
    board,
    complete_player,
)

if TYPE_CHECKING:
    from connectlab.agents import Analysis
    from connectlab.game import Geometry

SHORT = "Show what a player sees in a position."
EPILOG = "Example: connectlab inspect minimax:depth=4 4453"

TUPLES = 12
"""Tuples that are drawn for people; the JSON document and the web page have more."""
LINE_WIDTH = 84
MARKS = {"first": "X", "second": "O", "reachable": "+", "empty": "-"}
"""How the cells of a tuple are drawn; cells it does not look at are dots."""


def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", autocompletion=complete_player, help="The player to look into."
        ),
    ],
    moves: Moves = "",
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="PNG",
            dir_okay=False,
            help="Draw what an n-tuple network sees into this PNG file.",
        ),
    ] = None,
    columns: Columns = 7,
    rows: Rows = 6,
    connect: Connect = 4,
    json: Json = False,
) -> None:
    """Show how a player values each column of a position, and which it would play."""
    with console.patience():
        from connectlab.agents import AgentError, make_agent
        from connectlab.game import Position

        player = make_agent(agent, board(columns, rows, connect))
    position = Position.from_moves(moves, player.geometry)
    if position.is_over:
        raise AgentError(f"the game {moves} is over, so there is nothing to choose")
    analysis = console.interruptible(lambda: player.analyse(position))
    if analysis is None:
        raise AgentError(f"{agent} cannot explain itself: it holds no opinion of a position")
    if plot is not None:
        from connectlab.agents.ntuple.plot import save_plot

        save_plot(analysis, plot, player.spec)
    if json:
        console.print_json(_document(player.spec, moves, analysis))
    else:
        out = console.output()
        drawing.print_board(out, position)
        out.print()
        print_analysis(player.spec, analysis)
        if "tuples" in analysis.details:
            _print_tuples(analysis.details, player.geometry)


def _document(spec: str, moves: str, analysis: "Analysis") -> dict[str, Any]:
    geometry = asdict(analysis.position.geometry)
    return {"agent": spec, "moves": moves, "geometry": geometry, **analysis.to_json()}


def print_analysis(spec: str, analysis: "Analysis") -> None:
    """Print an analysis for people."""
    plain = analysis.to_json()
    out = console.output()
    out.print(f"{spec} values each column for the side to move ({analysis.unit}):")
    out.print()
    made = console.table("column", "value", "")
    proven = plain["details"].get("proven", {})
    for name, value in plain["values"].items():
        marks = ["<- would play"] if name in plain["best"] else []
        if name in proven:
            marks.append(_ending(proven[name]))
        made.add_row(name, "" if value is None else f"{value:g}", "  ".join(marks))
    console.show(made)
    _print_details(plain["details"])


def _ending(plies: int) -> str:
    """Say what is proven of a column: the plies to the end, negative for a loss."""
    unit = "ply" if abs(plies) == 1 else "plies"
    return f"{'wins' if plies > 0 else 'loses'} in {abs(plies)} {unit}"


def _print_details(details: Mapping[str, Any]) -> None:
    """Print the plain numbers and words among the details."""
    out = console.output()
    told = {key: value for key, value in details.items() if not isinstance(value, dict | list)}
    if told:
        out.print()
    for key, value in told.items():
        shown = f"{value:g}" if isinstance(value, float) else value
        out.print(f"{key.replace('_', ' ')}: {shown}")


def _print_tuples(details: Mapping[str, Any], geometry: "Geometry") -> None:
    """Print the tuples that weigh most, as small boards side by side."""
    out = console.output()
    readings = details["tuples"][:TUPLES]
    out.print(
        f"\nThe {len(readings)} tuples that weigh most, with weight and share of all weights "
        "(m: mirrored,\nX first, O second, + empty and reachable, - empty):"
    )
    width = max(2 * geometry.columns, 14)
    across = max(1, LINE_WIDTH // width)
    for start in range(0, len(readings), across):
        out.print()
        boards = [list(_small_board(r, geometry)) for r in readings[start : start + across]]
        for lines in zip(*boards, strict=True):
            out.print("".join(f"{line:<{width}}" for line in lines).rstrip())


def _small_board(reading: Mapping[str, Any], geometry: "Geometry") -> Iterator[str]:
    """Yield the lines of one tuple: its number, its weight, and its cells on the board."""
    from connectlab.game.notation import column_name

    yield f"{reading['tuple']}{'m' if reading['mirrored'] else ''}"
    yield f"{reading['weight']:+.3f} {100 * reading['share']:+.0f}%"
    held = zip(reading["cells"], reading["state"], strict=True)
    marks = {(column, row): MARKS[state] for (column, row), state in held}
    for row in range(geometry.rows, 0, -1):
        columns = (column_name(c, geometry) for c in range(geometry.columns))
        yield "".join(marks.get((column, row), ".") for column in columns)
