"""``connectlab evaluate``: how good a player is, by any measures."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_GAMES,
    Address,
    Columns,
    Connect,
    ExecutorKind,
    Json,
    MaybeExecutor,
    Rows,
    Seed,
    Threads,
    Variant,
    Workers,
    board,
    complete_player,
    maybe_executor,
    whole,
)
from connectlab.cli.proof import print_proof

if TYPE_CHECKING:
    from connectlab.agents import Agent
    from connectlab.lab.bench import Bench
    from connectlab.lab.executors.base import Executor
    from connectlab.lab.measures import Measure
    from connectlab.training.measurement import Measurement, Part

SHORT = "Measure how good a player is."
EPILOG = "Example: connectlab evaluate minimax:depth=4 --measure success"

USUAL = ("success", "quota", "accuracy")
"""What is measured unless something else is asked for."""


class Objective(StrEnum):
    """What the perfect opponent aims for."""

    DISTANCE = "distance"
    OUTCOME = "outcome"
    FRAMEWORK = "framework"
    FRAMEWORK_BOOKS = "framework-books"


class Side(StrEnum):
    """Who moves first."""

    FIRST = "first"
    SECOND = "second"


class ProofOptions(NamedTuple):
    """What the command line says of a proof."""

    side: Side | None
    sample: int | None
    holes: Path | None


def command(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", autocompletion=complete_player, help="The player to measure."
        ),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="SPEC",
            show_default=", ".join(USUAL),
            help="What to measure, such as success or score:minimax; may repeat.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=whole(1, MOST_GAMES),
            show_default="200",
            help="Games against the perfect player.",
        ),
    ] = None,
    objective: Annotated[
        Objective | None,
        typer.Option(
            "--objective",
            show_default="distance",
            help="The perfect player wins soonest and loses latest (distance); only keeps the "
            "outcome; or in a lost opening plays what does not lose at once (framework), nor where "
            "the search of Thill's and Konen's framework sees it (framework-books).",
        ),
    ] = None,
    quota_games: Annotated[
        int | None,
        typer.Option(
            "--quota-games",
            metavar="N",
            parser=whole(1, MOST_GAMES),
            show_default="1000",
            help="Games against random.",
        ),
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option(
            "--positions",
            metavar="FILE",
            show_default="newly made ones",
            help="Positions for the accuracy: moves, score and class a line.",
        ),
    ] = None,
    per_class: Annotated[
        int | None,
        typer.Option(
            "--per-class",
            metavar="N",
            parser=whole(1, 100_000),
            show_default="50",
            help="Positions of each class, if they are made.",
        ),
    ] = None,
    side: Annotated[
        Side | None,
        typer.Option("--side", show_default="first", help="Side of the player in a proof."),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            metavar="N",
            parser=whole(8, MOST_GAMES),
            show_default="all",
            help="Positions of each ply that a proof looks at: then it is an estimate.",
        ),
    ] = None,
    holes: Annotated[
        Path | None,
        typer.Option(
            "--holes",
            metavar="FILE",
            dir_okay=False,
            help="Write the holes that a proof finds, as moves from the empty board.",
        ),
    ] = None,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    variant: Variant = None,
    seed: Seed = 0,
    threads: Threads = None,
    executor: MaybeExecutor = None,
    address: Address = None,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Measure how good a player is.

    success: the mean score of games in which it moves first against the perfect player (a win
    counts 1, a draw 1/2). quota: the share of games it wins against random, and games won by
    games lost. accuracy: the share of positions in which it keeps the outcome of perfect play, and
    in which it plays a best move. exact: the success rate over all games that can come about.
    proof: whether any opponent at all can take from it what is its own, and all holes if so.
    score:PLAYER: the mean score against any player, with alternating sides, or from one
    side. With --executor measures and pieces of 100 games are tasks; the result is the same.
    """
    proof = ProofOptions(side, sample, holes)
    measures = _measures(measure, games, objective, quota_games, positions, per_class, proof)
    _check_holes(measures, executor)
    with console.patience():
        from connectlab.agents import make_agent
        from connectlab.lab.bench import Bench

        player = make_agent(agent, board(columns, rows, connect, agent, variant=variant))
        bench = Bench(player, seed, threads=threads, watch=console.progress)
        spread = maybe_executor(executor, address, workers)
    possible = _possible(measures, player)
    if spread is None:
        found = [bench.measure(each) for each in possible]
    else:
        found = _spread(bench, possible, spread)
    if json:
        console.print_json(_document(player, seed, found))
    else:
        console.output().print(f"{player.spec} on {player.geometry}")
        for measurement in found:
            _print(measurement)


def _spread(
    bench: "Bench", measures: "tuple[Measure, ...]", executor: "Executor"
) -> "list[Measurement]":
    from connectlab.lab.spread import measure_all
    from connectlab.training.signals import stop_on_signals

    with console.progress("pieces") as progress, stop_on_signals() as stop:
        found = measure_all(bench, measures, executor, stop, progress)
    if found is None:
        console.notice("stopped: nothing was kept, the same command begins anew")
        raise typer.Exit(console.INTERRUPTED)
    return found


def _possible(measures: "tuple[Measure, ...]", player: "Agent") -> "tuple[Measure, ...]":
    """Leave out what perfect play cannot judge on this board, with a line that says so."""
    from connectlab.lab.plans import choose_measures

    with console.patience(console.PROBING):
        chosen, notice = console.interruptible(lambda: choose_measures(measures, player.geometry))
    if notice is not None:
        console.notice(notice)
    return chosen


def _measures(
    texts: list[str] | None,
    games: int | None,
    objective: Objective | None,
    quota_games: int | None,
    positions: Path | None,
    per_class: int | None,
    proof: ProofOptions,
) -> "tuple[Measure, ...]":
    """Return the measures; options stand in for settings that their specs leave open."""
    from connectlab.errors import UserError
    from connectlab.lab.measures import ProofMeasure, parse_measures

    options: dict[str, dict[str, object]] = {
        "success": {"games": games, "objective": objective},
        "exact": {"objective": objective},
        "quota": {"games": quota_games},
        "accuracy": {"positions": positions, "per_class": per_class},
        "proof": proof._asdict(),
    }
    given = {
        name: {key: str(value) for key, value in settings.items() if value is not None}
        for name, settings in options.items()
    }
    found = parse_measures(texts or USUAL, given)
    if given["proof"] and not any(isinstance(each, ProofMeasure) for each in found):
        raise UserError(f"--{next(iter(given['proof']))} is for --measure proof")
    return found


def _check_holes(measures: "tuple[Measure, ...]", executor: ExecutorKind | None) -> None:
    """Find out before any walk whether the holes can be written."""
    from connectlab.errors import UserError
    from connectlab.lab.measures import ProofMeasure
    from connectlab.storage.files import check_writable

    files = [each.holes for each in measures if isinstance(each, ProofMeasure) and each.holes]
    if files and executor is not None:
        raise UserError("holes are written by this process: leave --executor out")
    if len(set(files)) < len(files):
        raise UserError("two proofs would write their holes into one file: proof:holes=FILE each")
    for file in files:
        check_writable(Path(file))


def _document(player: "Agent", seed: int, found: "list[Measurement]") -> dict[str, object]:
    """Return the figures at the top (the first of each name), and below what they rest on."""
    document: dict[str, object] = {
        "agent": player.spec,
        "geometry": player.geometry.to_json(),
        "seed": seed,
    }
    for measurement in found:
        for key, value in _top(measurement).items():
            document.setdefault(key, value)
    return {**document, "measures": [measurement.to_json() for measurement in found]}


def _top(measurement: "Measurement") -> dict[str, object]:
    """Return what of a measurement stands at the top of the document."""
    plain: dict[str, object] = {}
    for figure in measurement.figures:
        plain |= figure.to_json()
    rests_on: dict[str, object] = {**measurement.counts, **measurement.facts}
    rests_on.pop("perfect_success_rate", None)
    if "games" in measurement.counts:
        rests_on["seconds"] = measurement.seconds
    match measurement.word:
        case "quota":
            return {**plain, "against_random": rests_on}
        case "score":
            return plain
    if measurement.parts:
        rests_on["classes"] = {name: part.to_json() for name, part in measurement.parts.items()}
    return {**plain, **rests_on}


def _print(measurement: "Measurement") -> None:
    out = console.output()
    out.print()
    if measurement.word == "proof":
        print_proof(measurement)
        return
    if measurement.parts:
        _print_parts(measurement)
        return
    for figure in measurement.figures:
        if not figure.key.endswith("_chance"):
            text = f"{figure.value:.6f}" if measurement.word == "exact" else str(figure)
            out.print(f"{figure.key.replace('_', ' '):<14} {text}")
    out.print(f"  {_how(measurement)}:")
    out.print(f"  {_counts(measurement)}")


def _how(measurement: "Measurement") -> str:
    if "best_value_first" in measurement.facts:
        return "what it can expect of each side against its best opponent (-1 lost, 1 won)"
    match measurement.word:
        case "success":
            return f"moving first against perfect:objective={measurement.facts['objective']}"
        case "exact":
            return f"over all games that can come about against {measurement.opponent}"
    return f"against {measurement.opponent}, moving first in every other game"


def _counts(measurement: "Measurement") -> str:
    counts = measurement.counts
    if "best_value_first" in measurement.facts:
        first, second = (measurement.facts[f"best_value_{side}"] for side in ("first", "second"))
        walked = console.count(counts["positions_walked"], "position")
        return f"{walked}: at best {first:.6f} moving first, {second:.6f} moving second"
    if measurement.word == "exact":
        chances = [figure.value or 0.0 for figure in measurement.figures[1:]]
        shares = "{:.6f} won, {:.6f} drawn, {:.6f} lost".format(*chances)
        return f"{console.count(counts['positions_walked'], 'position')}: {shares}"
    return (
        f"{console.count(counts['games'], 'game')} ({counts['distinct_games']:,} distinct): "
        f"{counts['wins']:,} won, {counts['draws']:,} drawn, {counts['losses']:,} lost"
    )


def _print_parts(measurement: "Measurement") -> None:
    from connectlab.training.measurement import Part

    rows = console.table("move accuracy", "positions", "keeps the outcome", "plays a best move")
    whole = Part(measurement.figures, measurement.counts)
    for name, part in [*measurement.parts.items(), ("all", whole)]:
        rows.add_row(name, *_cells(part))
    console.show(rows)


def _cells(part: "Part") -> list[str]:
    return [f"{part.counts['positions']:,}", *(str(figure) for figure in part.figures)]
