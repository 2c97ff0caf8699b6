"""Options of the commands for tuple sets: which set, on which board, read in which way."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli.options import board, whole

if TYPE_CHECKING:
    from connectlab.game import Geometry
    from connectlab.lab.tuple_sets import TupleSet

MOST_TUPLES = 2_000
LONGEST_TUPLE = 14
"""Both as the n-tuple learner has them."""


def complete_source(incomplete: str) -> list[tuple[str, str]]:
    """Complete a way to make tuples, a preset, or the player that has some."""
    from typing import get_args

    from connectlab.agents.ntuple.config import Creation, NTupleConfig, NTupleSettings

    made = [(kind, "drawn by lot") for kind in get_args(Creation) if kind != "file"]
    presets = [(name, "the set of a preset") for name in NTupleConfig.presets]
    names = [*made, *presets, (NTupleSettings.name, NTupleSettings.summary)]
    return [(name, summary) for name, summary in names if name.startswith(incomplete)]


Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        autocompletion=complete_source,
        help="A tuple file, a run or checkpoint, a player, a preset, or a recipe such as "
        "walk:tuples=70,length=8,seed=3.",
    ),
]
States = Annotated[
    int | None,
    typer.Option(
        "--states",
        metavar="N",
        parser=whole(3, 4),
        show_default="the source's, or 4",
        help="P, the states of a cell: 3, or 4 to tell which empty cells can be reached.",
    ),
]
Tables = Annotated[
    int | None,
    typer.Option(
        "--tables",
        metavar="N",
        parser=whole(1, 2),
        show_default="the source's, or 2",
        help="Look-up tables of a tuple: one, or one for each side to move.",
    ),
]
Mirror = Annotated[
    bool | None,
    typer.Option(
        "--mirror/--no-mirror",
        show_default="the source's, or mirror",
        help="Whether tuples are also read in the mirrored board.",
    ),
]
Top = Annotated[
    int | None,
    typer.Option(
        "--top",
        metavar="N",
        parser=whole(1, MOST_TUPLES),
        show_default="all",
        help="How many tuples to show.",
    ),
]
Skip = Annotated[
    int,
    typer.Option(
        "--skip", metavar="N", parser=whole(0, MOST_TUPLES), help="How many to pass over first."
    ),
]
TupleFileOut = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="The tuple file to write."),
]


def chosen_board(columns: int | None, rows: int | None, connect: int | None) -> "Geometry | None":
    """Return the board that was asked for; None if none was, and the source has its own."""
    if columns is None and rows is None and connect is None:
        return None
    return board(columns, rows, connect)


def open_source(
    source: str,
    geometry: "Geometry | None",
    states: int | None = None,
    tables: int | None = None,
    mirror: bool | None = None,
) -> "TupleSet":
    """Find a set of tuples."""
    from connectlab.cli import console

    with console.patience():
        from connectlab.lab.tuple_sets import Reading, find_tuples

        return find_tuples(source, geometry, Reading(states, tables, mirror))
