"""``connectlab play``: a game in the terminal."""

import secrets
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_SEED,
    Columns,
    Connect,
    Rows,
    board,
    complete_seat,
    whole,
)

if TYPE_CHECKING:
    from connectlab.agents import Agent
    from connectlab.game import Geometry

SHORT = "Play in the terminal, or watch two players."
EPILOG = "Example: connectlab play --first human --second perfect"

HUMAN = "human"
WATCH_SECONDS = 0.7


def command(
    first: Annotated[
        str,
        typer.Option(
            "--first",
            metavar="WHO",
            autocompletion=complete_seat,
            help="Who moves first: human, or a player's spec.",
        ),
    ] = HUMAN,
    second: Annotated[
        str,
        typer.Option(
            "--second",
            metavar="WHO",
            autocompletion=complete_seat,
            help="Who moves second: human, or a player's spec.",
        ),
    ] = "minimax:depth=4",
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            metavar="S",
            min=0,
            show_default=f"{WATCH_SECONDS} on a terminal",
            help="Seconds to wait after each move when two players are watched.",
        ),
    ] = None,
    columns: Columns = 7,
    rows: Rows = 6,
    connect: Connect = 4,
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
    the opponent sees), undo, new, help and quit.
    """
    with console.patience():
        from connectlab.cli.table_game import TableGame

        geometry = board(columns, rows, connect)
        players = _seat(first, geometry), _seat(second, geometry)
    game = TableGame(geometry, players, seed=secrets.randbits(63) if seed is None else seed)
    if any(player is None for player in players):
        game.play()
    else:
        game.watch(_delay(delay))


def _seat(spec: str, geometry: "Geometry") -> "Agent | None":
    """Return the player of a spec, or None for a human."""
    from connectlab.agents import make_agent

    return None if spec == HUMAN else make_agent(spec, geometry)


def _delay(chosen: float | None) -> float:
    if chosen is not None:
        return chosen
    return WATCH_SECONDS if sys.stdout.isatty() else 0.0
