"""Options that several commands share, so that they read and behave the same everywhere."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from connectlab.game import Geometry

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Columns = Annotated[int, typer.Option("--columns", metavar="N", help="Columns of the board.")]
Rows = Annotated[int, typer.Option("--rows", metavar="N", help="Rows of the board.")]
Connect = Annotated[int, typer.Option("--connect", metavar="N", help="Stones in a line that win.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Same seed, same games.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        show_default="every core",
        help="Threads to use; the result does not depend on it.",
    ),
]
Games = Annotated[int, typer.Option("--games", metavar="N", min=1, help="Number of games.")]
Moves = Annotated[
    str,
    typer.Argument(
        metavar="MOVES", help='The columns played so far, such as 4453; "" is the empty board.'
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="File to write."),
]


def board(columns: int, rows: int, connect: int) -> "Geometry":
    """Return the board these options describe."""
    from connectlab.game import Geometry

    return Geometry(columns, rows, connect)
