"""``connectlab inspect``: what a player sees in a position, and what it is made of."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console, drawing
from connectlab.cli.contents import ENTRIES, print_contents, print_part
from connectlab.cli.explain import print_analysis
from connectlab.cli.options import (
    Columns,
    Connect,
    Json,
    Moves,
    Rows,
    Variant,
    board,
    complete_player,
    whole,
)
from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.agents import Agent, Analysis
    from connectlab.agents.contents import Contents, Page
    from connectlab.game import Position
    from connectlab.lab.verdicts import Verdicts

SHORT = "Show what a player sees in a position, or what it is made of."
EPILOG = (
    "Examples: connectlab inspect minimax:depth=4 4453, "
    "connectlab inspect ntuple:champion --contents --sort mean"
)
MOST_PARTS = 1_000_000
MOST_ENTRIES = 1 << 40
"""More than any part has."""
MAX_NODES = 50_000_000
"""Nodes the solver may search for one column."""
MAX_SECONDS = 10.0
"""Seconds it may take for all of them."""


def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", autocompletion=complete_player, help="The player to look into."
        ),
    ],
    moves: Moves = "",
    no_solver: Annotated[
        bool, typer.Option("--no-solver", help="Leave out what perfect play says.")
    ] = False,
    contents: Annotated[
        bool,
        typer.Option("--contents", help="Instead of a position, show what the player is made of."),
    ] = False,
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort",
            metavar="COLUMN",
            show_default="number",
            help="With --contents: the column to sort parts by.",
        ),
    ] = None,
    part: Annotated[
        int | None,
        typer.Option(
            "--part",
            metavar="N",
            parser=whole(1, MOST_PARTS),
            show_default=False,
            help="Show what weighs most in one part of the player.",
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            metavar="N",
            parser=whole(1, MOST_PARTS),
            show_default=False,
            help="How many parts, or entries of one part, to show.",
        ),
    ] = None,
    skip: Annotated[
        int | None,
        typer.Option(
            "--skip",
            metavar="N",
            parser=whole(0, MOST_ENTRIES),
            show_default=False,
            help="With --part: how many entries to pass over, to see what comes after them.",
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            "--order",
            metavar="ORDER",
            show_default=False,
            help="With --part: list the heaviest, the highest or the lowest entries first.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="PNG", dir_okay=False, help="Draw it into this PNG file as well."
        ),
    ] = None,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    json: Json = False,
) -> None:
    """Show how a player values each column of a position, which it would play, and why.

    The solver's scores stand beside the player's values, and it is said where the two disagree.
    With --contents or --part, show what the player is made of.
    """
    if plot is not None:
        from connectlab.storage.files import check_writable

        check_writable(plot)
    with console.patience():
        from connectlab.agents import make_agent
        from connectlab.agents.contents import Page

        player = make_agent(agent, board(columns, rows, connect, agent, variant=variant))
    _check_options(contents, part, sort, top)
    if part is None and (skip is not None or order is not None):
        raise UserError("--skip and --order list the entries of one part: add --part N")
    if part is not None:
        wanted = Page(top or ENTRIES, skip or 0, order or "")
        _show_part(player, moves, part, wanted, plot, json=json)
    elif contents:
        _show_contents(player, moves, sort or "number", top, plot, json=json)
    else:
        _show_position(player, moves, plot, ask=not no_solver, json=json)


def _check_options(contents: bool, part: int | None, sort: str | None, top: int | None) -> None:
    """Refuse options that would do nothing."""
    if sort is not None and not contents:
        raise UserError("--sort sorts the parts of a player: add --contents")
    if top is not None and not contents and part is None:
        raise UserError("--top counts the parts of a player: add --contents, or --part N")


def _show_position(
    player: "Agent", moves: str, plot: Path | None, *, ask: bool, json: bool
) -> None:
    from connectlab.game import Position

    position = Position.from_moves(moves, player.geometry)
    if position.is_over:
        raise UserError(f"the game {moves} is over, so there is nothing to choose")
    analysis = console.interruptible(lambda: player.analyse(position))
    known = position.geometry.variant.is_plain  # perfect play judges no other game
    verdicts = _ask_solver(position) if ask and known else None
    if json:
        console.print_json(_document(player.spec, moves, analysis, verdicts))
    else:
        out = console.output()
        drawing.print_board(out, position)
        out.print()
        print_analysis(player.spec, analysis, verdicts, out=out)
    if plot is not None:  # after the result, which a full disk must not swallow
        from connectlab.lab.picture import save_picture

        save_picture(analysis, plot, player.spec, verdicts)
        console.notice(f"wrote {plot}")


def _ask_solver(position: "Position") -> "Verdicts":
    from connectlab.lab.verdicts import ask_solver
    from connectlab.solver import Solver

    with console.progress("perfect play") as progress:
        return console.interruptible(
            lambda: ask_solver(
                Solver(position.geometry),
                position,
                max_nodes=MAX_NODES,
                deadline_s=MAX_SECONDS,
                progress=progress,
            )
        )


def _document(
    spec: str, moves: str, analysis: "Analysis", verdicts: "Verdicts | None"
) -> dict[str, object]:
    geometry = analysis.position.geometry.to_json()
    told = {"agent": spec, "moves": moves, "geometry": geometry, **analysis.to_json()}
    return told if verdicts is None else told | _verdict_document(analysis, verdicts)


def _verdict_document(analysis: "Analysis", verdicts: "Verdicts") -> dict[str, object]:
    from connectlab.lab.disagreement import disagreements

    names = verdicts.names(range(len(verdicts.scores)))
    return {
        "column_scores": dict(zip(names, verdicts.scores, strict=True)),
        "unsolved": verdicts.names(verdicts.unknown),
        "perfect": verdicts.names(verdicts.best),
        "disagreements": [
            {
                "columns": verdicts.names(found.columns),
                "kind": found.kind,
                "sentence": found.sentence,
            }
            for found in disagreements(analysis, verdicts)
        ],
    }


def _show_contents(
    player: "Agent", moves: str, sort: str, top: int | None, plot: Path | None, *, json: bool
) -> None:
    found = _contents(player, moves)
    if plot is not None:
        raise UserError("a whole player cannot be drawn: add --part N to draw one part of it")
    if json:
        console.print_json(_about(player) | found.to_json(sort=sort, top=top))
    else:
        print_contents(player.spec, found, sort=sort, top=top)


def _show_part(
    player: "Agent", moves: str, number: int, page: "Page", plot: Path | None, *, json: bool
) -> None:
    found = _contents(player, moves)
    found.entries(number, page)  # refuses what is not there before anything is printed
    if json:
        console.print_json(_about(player) | found.part_json(number, page))
    else:
        print_part(player.spec, found, number, page)
    if plot is not None:
        from connectlab.lab.picture import draw_part
        from connectlab.lab.sheet import DPI
        from connectlab.storage.files import save_png

        save_png(draw_part(found, number, player.spec, page), plot, dpi=DPI)
        console.notice(f"wrote {plot}")


def _contents(player: "Agent", moves: str) -> "Contents":
    if moves:
        raise UserError(f"--contents and --part look at no position: leave {moves} out")
    found = player.contents()
    if found is None:
        raise UserError(f"{player.spec} has learned nothing that could be listed")
    return found


def _about(player: "Agent") -> dict[str, object]:
    return {"agent": player.spec, "geometry": player.geometry.to_json()}
