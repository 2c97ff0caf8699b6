"""``connectlab play``: a game in the terminal."""

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_SEED,
    Columns,
    Connect,
    Rows,
    Variant,
    board,
    complete_seat,
    whole,
)
from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.game import Geometry, Position
    from connectlab.lab.table import Table

SHORT = "Play in the terminal, or watch two players."
EPILOG = "Example: connectlab play --first human --second perfect"

FIRST, SECOND = "human", "minimax:depth=4"
SECOND_OF_HIDDEN = "mcts"
"""Who moves second where the board is told in counts, which minimax cannot play."""
WATCH_SECONDS = 0.7


def command(
    first: Annotated[
        str | None,
        typer.Option(
            "--first",
            metavar="WHO",
            show_default=FIRST,
            autocompletion=complete_seat,
            help="Who moves first: human, or a player's spec.",
        ),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(
            "--second",
            metavar="WHO",
            show_default=SECOND,
            autocompletion=complete_seat,
            help="Who moves second: human, or a player's spec.",
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option("--moves", metavar="MOVES", help="Begin after these moves, such as 4453."),
    ] = None,
    drawing: Annotated[
        Path | None,
        typer.Option(
            "--board",
            metavar="FILE",
            dir_okay=False,
            help="Begin on the board drawn in this file, of X, O and dots; its size counts.",
        ),
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option(
            "--load",
            metavar="FILE",
            dir_okay=False,
            help="Go on with a saved game, or with a move string in a file.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            dir_okay=False,
            help="Keep the game here after every move; later games get a number.",
        ),
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Say after a game where it was lost.")
    ] = False,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            metavar="S",
            min=0,
            max=3600,
            show_default=f"{WATCH_SECONDS} on a terminal",
            help="Seconds to wait after each move when two players are watched.",
        ),
    ] = None,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            parser=whole(0, MOST_SEED),
            show_default="another each time",
            help="Same seed, same replies.",
        ),
    ] = None,
) -> None:
    """Play in the terminal, or watch two players.

    Type a column to drop a stone into it. Other words: hint (what perfect play says), why (what
    the opponent saw), undo, redo, new, save, load, review (where it was lost), first and second
    (another player takes the seat), help and quit.
    """
    if sum(given is not None for given in (moves, drawing, load)) > 1:
        raise UserError("a game begins in one place: give only one of --moves, --board and --load")
    with console.patience():
        from connectlab.cli.table_game import TableGame

        seated = (spec for spec in (first, second) if spec is not None)
        geometry = board(columns, rows, connect, *seated, variant=variant)
        chosen = secrets.randbits(63) if seed is None else seed
        if load is not None:
            table = _load(load, geometry, first, second, chosen)
        else:
            table = _begin(_start(moves, drawing, geometry), first, second, chosen)
    if save is not None:
        _check_save(save, table)
    game = TableGame(table, save=save, review=review)
    if "human" in table.state.players:
        game.play()
    else:
        game.watch(_delay(delay))


def _begin(start: "Position", first: str | None, second: str | None, seed: int) -> "Table":
    from connectlab.lab.table import Table

    usual = SECOND_OF_HIDDEN if start.geometry.variant.counts else SECOND
    return Table((first or FIRST, second or usual), start, seed=seed)


def _load(
    path: Path, geometry: "Geometry", first: str | None, second: str | None, seed: int
) -> "Table":
    """Set up a saved game; the options say who plays on, else the record, else the usual."""
    from connectlab.lab.records import load_game
    from connectlab.lab.table import Table

    record = load_game(path, geometry)
    kept = record.players or (FIRST, SECOND)
    table = Table(("human", "human"), record.start, seed=seed)
    table.load(record, (first or kept[0], second or kept[1]))
    return table


def _start(moves: str | None, drawing: Path | None, geometry: "Geometry") -> "Position":
    """Return the position in which the game begins."""
    from connectlab.game import Position
    from connectlab.lab.pasted import drawn_start

    if drawing is None:
        return Position.from_moves(moves or "", geometry)
    try:
        text = drawing.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{drawing} is not a text file") from None
    return drawn_start(text, geometry.connect, geometry.variant)


def _check_save(path: Path, table: "Table") -> None:
    """Say now, and not after the game, that it cannot be saved there."""
    from connectlab.lab.records import MOVES_SUFFIX, check_place
    from connectlab.storage.files import check_writable

    check_writable(path)
    check_place(path, table.geometry)
    if path.suffix == MOVES_SUFFIX:
        table.record().to_moves()


def _delay(chosen: float | None) -> float:
    if chosen is not None:
        return chosen
    return WATCH_SECONDS if sys.stdout.isatty() else 0.0
