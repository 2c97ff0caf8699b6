"""``connectlab solve``: the exact score of a position, or of many in a file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from connectlab.cli import console, drawing
from connectlab.cli.expected import solve_expected
from connectlab.cli.options import (
    MOST_THREADS,
    Columns,
    Connect,
    Json,
    Rows,
    Variant,
    board,
    whole,
)
from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.game import Geometry, Position
    from connectlab.lab.verdicts import Verdicts
    from connectlab.solver import Solution, Solver

SHORT = "Find the exact score of a position."
EPILOG = 'Examples: connectlab solve 4453, connectlab solve "", connectlab solve --file F'

BAD_LINE = 2


class Limits(NamedTuple):
    """What is asked, and how much it may cost."""

    outcome_only: bool
    max_nodes: int | None
    deadline_s: float | None


def command(
    moves: Annotated[
        str | None,
        typer.Argument(
            metavar="MOVES",
            show_default=False,
            help='The columns played so far, such as 4453; "" is the empty board.',
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            allow_dash=True,
            help="Solve one move string a line; - reads the input.",
        ),
    ] = None,
    outcome: Annotated[
        bool, typer.Option("--outcome", help="Only win, draw or loss: cheaper than the score.")
    ] = False,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Search without opening book.")
    ] = False,
    table_mb: Annotated[
        int,
        typer.Option(
            "--table-mb",
            metavar="MB",
            parser=whole(1, 1 << 16),
            help="Size of the transposition table in MB.",
        ),
    ] = 64,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            "--max-nodes",
            metavar="N",
            parser=whole(1, 2**62 - 1),
            help="Give up on a position after so many.",
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds", metavar="S", min=0, help="Give up on what is not solved by then."
        ),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            "--threads",
            metavar="N",
            parser=whole(1, MOST_THREADS),
            help="Positions of a file to solve side by side; with 1, nodes never vary.",
        ),
    ] = 1,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    json: Json = False,
) -> None:
    """Find the exact score of a position: who wins, and when, if both sides play perfectly.

    A score counts half the stones still to place, for the side to move: 1 wins with the very
    last stone of the winner, more is sooner, 0 is a draw and less than 0 is lost. In a variant
    with chance, on a small board, the expected value is found instead: -1 lost to 1 won.
    """
    if (moves is None) == (file is None):
        raise UserError('give either MOVES ("" for the empty board) or --file, and not both')
    geometry = board(columns, rows, connect, variant=variant)
    if not geometry.variant.is_plain:
        if moves is None:
            raise UserError("--variant is for one position: give MOVES in place of --file")
        solve_expected(moves, geometry, json=json)
        return
    with console.patience():
        from connectlab.solver import Solver

        solver = Solver(geometry, table_mb=table_mb, book=not no_book)
    limits = Limits(outcome, max_nodes, max_seconds)
    if file is not None:
        _solve_file(solver, file, limits, threads=threads, json=json)
    else:
        _solve_one(solver, moves or "", limits, json=json)


def _solve_one(solver: "Solver", moves: str, limits: Limits, *, json: bool) -> None:
    from connectlab.game import Position
    from connectlab.lab.verdicts import ask_solver

    position = Position.from_moves(moves, solver.geometry)
    solution = solver.solve(position, **limits._asdict())
    rest = None if limits.deadline_s is None else max(0.0, limits.deadline_s - solution.seconds)
    with console.progress("columns") as progress:
        verdicts = ask_solver(
            solver, position, progress=progress, **limits._replace(deadline_s=rest)._asdict()
        )
    if json:
        console.print_json(_document(solution, verdicts, limits))
    else:
        _print_solution(solution, verdicts, limits)


def _document(solution: "Solution", verdicts: "Verdicts", limits: Limits) -> dict[str, object]:
    position = verdicts.position
    playable = position.legal_columns
    values = [_value(verdicts.scores[column], limits) for column in playable]
    return {
        **_entry(position.moves, solution.score, solution.nodes, solution.seconds, limits),
        "geometry": position.geometry.to_json(),
        "winner": _winner(position, solution.score),
        "distance": solution.distance,
        "best": verdicts.names(verdicts.best),
        "column_outcomes" if limits.outcome_only else "column_scores": dict(
            zip(verdicts.names(playable), values, strict=True)
        ),
    }


def _entry(
    moves: str, score: int | None, nodes: int, seconds: float, limits: Limits
) -> dict[str, object]:
    """Return what is told of every solved position, alone or in a file."""
    key = "outcome" if limits.outcome_only else "score"
    return {"moves": moves, key: _value(score, limits), "nodes": nodes, "seconds": seconds}


def _value(score: int | None, limits: Limits) -> int | str | None:
    """Return the score, or the outcome as a word if that is all that was asked."""
    from connectlab.lab.verdicts import outcome_word

    return outcome_word(score) if score is not None and limits.outcome_only else score


def _winner(position: "Position", score: int | None) -> str | None:
    """Return "first" or "second"; None if nobody wins or it is unknown who does."""
    if not score:
        return None
    return "first" if position.first_to_move == (score > 0) else "second"


def _print_solution(solution: "Solution", verdicts: "Verdicts", limits: Limits) -> None:
    from connectlab.lab.verdicts import verdict

    out, position = console.output(), verdicts.position
    drawing.print_board(out, position, verdicts.notes())
    out.print()
    if solution.score is None:
        out.print("unknown: the limit was reached before the position was solved")
    else:
        said = verdict(position, solution.score, solution.distance)
        what = "outcome" if limits.outcome_only else "score"
        out.print(f"{what} {_value(solution.score, limits)}: {said}")
    best = verdicts.names(verdicts.best)
    if best:
        out.print(f"best {'moves' if len(best) > 1 else 'move'}: {' '.join(best)}")
    out.print(f"{console.count(solution.nodes, 'node')} in {solution.seconds:.3f} s")


def _solve_file(solver: "Solver", file: Path, limits: Limits, *, threads: int, json: bool) -> None:
    from connectlab.game import PositionBatch

    positions, bad = _read_positions(file, solver.geometry)
    with console.progress("solving") as progress:
        found = solver.solve_many(
            PositionBatch.of(positions) if positions else PositionBatch.start(0, solver.geometry),
            threads=threads,
            progress=progress,
            **limits._asdict(),
        )
    entries = [
        _entry(
            position.moves,
            int(found.scores[i]) if found.known[i] else None,
            int(found.nodes[i]),
            float(found.seconds[i]),
            limits,
        )
        for i, position in enumerate(positions)
    ]
    if json:
        console.print_json(entries)
    else:
        _print_lines(entries)
    if bad:
        raise typer.Exit(BAD_LINE)


def _print_lines(entries: list[dict[str, object]]) -> None:
    for entry in entries:
        value = entry.get("score", entry.get("outcome"))
        sys.stdout.write(f"{entry['moves']} {'unknown' if value is None else value}\n")


def _read_positions(file: Path, geometry: "Geometry") -> tuple[list["Position"], int]:
    """Read the positions of a file; bad lines are told on standard error and counted."""
    from connectlab.errors import GameError
    from connectlab.game import Position

    positions, bad = [], 0
    for number, moves in _move_strings(file):
        try:
            positions.append(Position.from_moves(moves, geometry))
        except GameError as error:
            console.notice(f"connectlab: {file}, line {number}: {error}")
            bad += 1
    return positions, bad


def _move_strings(file: Path) -> Iterator[tuple[int, str]]:
    """Yield line number and first word of every line that is neither blank nor a comment."""
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{file} is not a text file") from None
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if words:
            yield number, words[0]
