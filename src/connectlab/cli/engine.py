"""``connectlab engine``: a player that other programs speak to."""

import io
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import partial
from typing import Annotated, TextIO

import typer

from connectlab.cli import console
from connectlab.cli.options import Columns, Connect, Rows, Seed, board, complete_player

SHORT = "Let another program play with a player, line by line."
EPILOG = "Example: printf 'position 4453\\ngo\\n' | connectlab engine minimax:depth=6"

MOST_LETTERS = 10_000
"""What is longer is no line of the protocol."""


def command(
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", autocompletion=complete_player, help="The player to ask."),
    ],
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    seed: Seed = 0,
) -> None:
    """Read lines from standard input and answer them on standard output.

    "position 4453" sets the moves played so far and "go" is answered by "bestmove 3". "board 7 6
    4", "isready" and "quit" are the other lines; docs/engine.md has them all.
    """
    with console.patience():
        from connectlab.lab.engine import EngineTable

        table = EngineTable(agent, board(columns, rows, connect, agent), seed=seed)
    for line in _lines(sys.stdin):
        # Whatever a player prints must not look like an answer.
        with redirect_stdout(sys.stderr):
            answer = console.interruptible(partial(table.answer, line))
        if answer is not None:
            print(answer, flush=True)
        if not table.is_open:
            break


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; of one without end only the beginning, so that it is refused."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    while line := stream.readline(MOST_LETTERS):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(MOST_LETTERS)
        yield line
