"""``connectlab solve --variant``: what each column is worth in a game with chance."""

import time
from typing import TYPE_CHECKING

from connectlab.cli import console, drawing
from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.game import Geometry, Position
    from connectlab.solver.expectation import Expectation


def solve_expected(moves: str, geometry: "Geometry", *, json: bool) -> None:
    """Print the expected value of a position and of each of its columns."""
    if geometry.variant.counts:
        raise UserError(f"a solver sees the board, which {geometry} hides: leave out counts")
    with console.patience():
        from connectlab.game import Position
        from connectlab.solver.expectation import Expectation

        began = time.perf_counter()
        position = Position.from_moves(moves, geometry)
        if position.is_over:
            raise UserError(f"the game {moves} is over, so there is nothing to choose")
        found = console.interruptible(lambda: Expectation(geometry))
    seconds = time.perf_counter() - began
    if json:
        console.print_json({**_document(position, found), "seconds": seconds})
    else:
        _print(position, found, seconds)


def _values(position: "Position", found: "Expectation") -> dict[int, float]:
    """Return what each playable column is worth, by its number."""
    from connectlab.game import PositionBatch

    row = found.column_values(PositionBatch.of([position]))[0].tolist()
    return {column: row[column] for column in position.legal_columns}


def _best(position: "Position", values: dict[int, float]) -> list[str]:
    """Return the names of the columns that are as good as the best."""
    from connectlab.game.notation import column_name
    from connectlab.solver.expectation import EQUAL

    least = max(values.values()) - EQUAL
    return [column_name(c, position.geometry) for c, value in values.items() if value >= least]


def _document(position: "Position", found: "Expectation") -> dict[str, object]:
    from connectlab.game.notation import column_name

    values = _values(position, found)
    return {
        "moves": position.moves,
        "geometry": position.geometry.to_json(),
        "value": max(values.values()),
        "best": _best(position, values),
        "column_values": {column_name(c, position.geometry): v for c, v in values.items()},
        "positions": len(found),
        "sweeps": found.sweeps,
    }


def _print(position: "Position", found: "Expectation", seconds: float) -> None:
    from connectlab.game.notation import column_name

    out, values = console.output(), _values(position, found)
    drawing.print_board(out, position)
    out.print()
    for column, value in values.items():
        out.print(f"column {column_name(column, position.geometry)}  {value:+.6f}")
    side = "first" if position.first_to_move else "second"
    out.print(f"\nexpected value {max(values.values()):+.6f} for the {side} player, who is to move")
    best = _best(position, values)
    out.print(f"best {'moves' if len(best) > 1 else 'move'}: {' '.join(best)}")
    sweeps = console.count(found.sweeps, "sweep")
    out.print(f"{console.count(len(found), 'position')}, {sweeps}, {seconds:.2f} s")
