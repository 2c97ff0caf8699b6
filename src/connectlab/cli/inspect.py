"""``connectlab inspect``: what a player sees in a position."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connectlab.cli import console, drawing
from connectlab.cli.options import Columns, Connect, Json, Moves, Rows, board

if TYPE_CHECKING:
    from connectlab.agents import Analysis

SHORT = "Show what a player sees in a position."
EPILOG = "Example: connectlab inspect minimax:depth=4 4453"


def command(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The player to look into.")],
    moves: Moves = "",
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
    if json:
        console.print_json(_document(player.spec, moves, analysis))
    else:
        out = console.output()
        drawing.print_board(out, position)
        out.print()
        print_analysis(player.spec, analysis)


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
    for name, value in plain["values"].items():
        mark = "<- would play" if name in plain["best"] else ""
        made.add_row(name, "" if value is None else f"{value:g}", mark)
    console.show(made)
    _print_details(plain["details"])


def _print_details(details: Mapping[str, Any]) -> None:
    out = console.output()
    if details:
        out.print()
    for key, value in details.items():
        shown = f"{value:g}" if isinstance(value, float) else value
        out.print(f"{key.replace('_', ' ')}: {shown}")
