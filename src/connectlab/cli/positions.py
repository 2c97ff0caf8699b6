"""``connectlab positions``: solved positions by stage and difficulty."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from connectlab.cli import console
from connectlab.cli.options import Columns, Connect, Json, Output, Rows, Seed, Workers, board

if TYPE_CHECKING:
    from connectlab.arena.positions import PositionSet

SHORT = "Make solved positions to measure with."
EPILOG = "Example: connectlab positions --per-class 100 -o positions.txt"


def command(
    output: Output = None,
    per_class: Annotated[
        int, typer.Option("--per-class", metavar="N", min=1, help="Positions of each class.")
    ] = 100,
    columns: Columns = 7,
    rows: Rows = 6,
    connect: Connect = 4,
    seed: Seed = 0,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Make solved positions by stage of the game and difficulty, for evaluate --positions.

    Each line holds the moves, the exact score for the side to move, and the class. Without
    --output the lines go to standard output.
    """
    with console.patience():
        from connectlab.arena.positions import generate_positions

        geometry = board(columns, rows, connect)
    with console.progress("positions") as progress:
        made = generate_positions(
            per_class, seed=seed, geometry=geometry, workers=workers, progress=progress
        )
    _tell_missing(made, per_class)
    if output is not None:
        made.write(output)
    if json:
        console.print_json(_document(made, seed))
    elif output is None:
        sys.stdout.write(made.format())
    else:
        _print_counts(made, str(output))


def _tell_missing(made: "PositionSet", per_class: int) -> None:
    """Say which classes could not be filled; small boards do not have all of them."""
    from connectlab.arena.positions import CLASSES

    short = [f"{name} {made.counts.get(name, 0)}" for name in CLASSES]
    short = [item for item in short if item.rpartition(" ")[2] != str(per_class)]
    if short:
        console.notice(f"fewer than {per_class} were found of: {', '.join(short)}")


def _print_counts(made: "PositionSet", path: str) -> None:
    counts = console.table("class", "positions")
    for name, number in made.counts.items():
        counts.add_row(name, f"{number:,}")
    out = console.output()
    console.show(counts)
    out.print(f"\n{console.count(len(made), 'position')} written to {path}")


def _document(made: "PositionSet", seed: int) -> dict[str, Any]:
    rows = zip(made.positions, made.scores, made.classes, strict=True)
    return {
        "geometry": asdict(made.geometry),
        "seed": seed,
        "counts": made.counts,
        "positions": [
            {"moves": position.moves, "score": int(score), "class": name}
            for position, score, name in rows
        ],
    }
