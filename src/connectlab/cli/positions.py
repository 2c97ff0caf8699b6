"""``connectlab positions``: solved positions by stage and difficulty."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.cli import console
from connectlab.cli.options import (
    Columns,
    Connect,
    Json,
    Output,
    PerClass,
    Rows,
    Seed,
    Threads,
    board,
)

if TYPE_CHECKING:
    from connectlab.arena.positions import PositionSet

SHORT = "Make solved positions to measure with."
EPILOG = "Example: connectlab positions --per-class 100 -o positions.txt"


def command(
    output: Output = None,
    per_class: PerClass = 100,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    seed: Seed = 0,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Make solved positions by stage of the game and difficulty, for evaluate --positions.

    Each line holds the moves, the exact score for the side to move, and the class. Without
    --output the lines go to standard output.
    """
    with console.patience():
        from connectlab.arena.positions import generate_positions
        from connectlab.storage.files import check_writable

        if output is not None:
            check_writable(output)
        geometry = board(columns, rows, connect)
    with console.progress("positions") as progress:
        made = generate_positions(
            per_class, seed=seed, geometry=geometry, threads=threads, progress=progress
        )
    _tell_missing(made, per_class)
    if json:
        console.print_json(_document(made, seed))
    elif output is None:
        sys.stdout.write(made.format())
    if output is not None:
        _write(made, output, rescue=not json)
        if not json:
            _print_counts(made, str(output))


def _write(made: "PositionSet", path: Path, *, rescue: bool) -> None:
    """Write the file; if that fails, print what would be lost before saying so."""
    try:
        made.write(path)
    except OSError:
        if rescue:
            sys.stdout.write(made.format())
        raise


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


def _document(made: "PositionSet", seed: int) -> dict[str, object]:
    rows = zip(made.positions, made.scores, made.classes, strict=True)
    return {
        "geometry": made.geometry.to_json(),
        "seed": seed,
        "counts": made.counts,
        "positions": [
            {"moves": position.moves, "score": int(score), "class": name}
            for position, score, name in rows
        ],
    }
