"""``connectlab train``: let a learner learn, in a run that can be stopped and go on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_CELLS,
    MOST_GAMES,
    MOST_SEED,
    MOST_TRAINING_GAMES,
    MOST_WORKERS,
    Json,
    complete_learner,
    complete_preset,
    whole,
)

if TYPE_CHECKING:
    from connectlab.cli.train_jobs import Job
    from connectlab.training.metrics import Evaluation
    from connectlab.training.run import RunResult

SHORT = "Let a learner learn by self-play."
EPILOG = "Example: connectlab train ntuple --preset quick --out runs/first"

INTERRUPTED = 130


def command(
    learner: Annotated[
        str,
        typer.Argument(
            metavar="LEARNER", autocompletion=complete_learner, help="What learns: ntuple."
        ),
    ],
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            metavar="NAME",
            autocompletion=complete_preset,
            help="Settings by name, such as quick.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="TOML file with settings."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change one setting; may repeat."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            file_okay=False,
            show_default="runs/LEARNER-PRESET-N",
            help="Folder of the run.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --out, with its settings.")
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            metavar="N",
            parser=whole(1, MOST_WORKERS),
            show_default="1",
            help="Threads that learn together; with more than 1 no two runs are alike.",
        ),
    ] = None,
    eval_games: Annotated[
        int | None,
        typer.Option(
            "--eval-games",
            metavar="N",
            parser=whole(0, MOST_GAMES),
            show_default="200",
            help="Games of an evaluation against perfect play; 0 for none.",
        ),
    ] = None,
    eval_every: Annotated[
        int | None,
        typer.Option(
            "--eval-every",
            metavar="N",
            parser=whole(1, MOST_TRAINING_GAMES),
            show_default="a 20th of the run",
            help="Games of training between two evaluations.",
        ),
    ] = None,
    eval_exact: Annotated[
        bool,
        typer.Option(
            "--eval-exact",
            help="Evaluate by all games the perfect player can choose, not by some of them.",
        ),
    ] = False,
    repeat: Annotated[
        int | None,
        typer.Option(
            "--repeat",
            metavar="N",
            parser=whole(1, MOST_WORKERS),
            help="Make N runs, each with seeds of its own, in folders below --out.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            metavar="N",
            parser=whole(1, MOST_WORKERS),
            show_default="every core",
            help="Runs of --repeat at a time.",
        ),
    ] = None,
    columns: Annotated[
        int | None,
        typer.Option(
            "--columns",
            metavar="N",
            parser=whole(1, MOST_CELLS),
            show_default="7",
            help="Columns of the board.",
        ),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            "--rows",
            metavar="N",
            parser=whole(1, MOST_CELLS),
            show_default="6",
            help="Rows of the board.",
        ),
    ] = None,
    connect: Annotated[
        int | None,
        typer.Option(
            "--connect",
            metavar="N",
            parser=whole(1, MOST_CELLS),
            show_default="4",
            help="Stones in a line that win.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            parser=whole(0, MOST_SEED),
            show_default="1",
            help="Same seed, same weights.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Let a learner learn by self-play, and measure it against perfect play as it learns.

    Settings come from the preset, then the file, then --set. A run is a folder; it can be killed
    at any moment, and --resume goes on to the same weights, bit for bit (with one thread).
    """
    with console.patience():
        from connectlab.cli.train_jobs import Plan

        plan = Plan(
            learner,
            preset,
            config,
            tuple(changes or ()),
            {"columns": columns, "rows": rows, "connect": connect, "seed": seed},
            threads,
            eval_games,
            eval_every,
            eval_exact,
        )
        folder = plan.folder(out, resume=resume)
    if repeat is not None:
        from connectlab.cli.train_repeats import train_repeats

        train_repeats(plan, folder, repeat, jobs, resume=resume, json=json)
        return
    job = plan.old_job(folder) if resume else plan.new_job(folder)
    result = make_run(job)
    if json:
        console.print_json(job.to_json(result))
    else:
        _print_result(job, result)


def make_run(job: "Job") -> "RunResult":
    """Make one run with its display; Ctrl-C saves and says how to go on."""
    from connectlab.training.display import make_display
    from connectlab.training.run import RunStoppedError

    try:
        with stop_on_signals() as stop:
            return job.run(make_display(f"{job.title} in {job.path}"), stop)
    except RunStoppedError as stopped:
        console.notice(f"{stopped}: {job.how_to_go_on}")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Give an event that the first Ctrl-C (or SIGTERM) sets; the second one ends at once."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def ask(number: int, frame: object) -> None:
        del number, frame
        stop.set()
        restore()

    for number in before:
        signal.signal(number, ask)
    try:
        yield stop
    finally:
        restore()


def _print_result(job: "Job", result: "RunResult") -> None:
    out = console.output()
    speed = result.games / result.seconds if result.seconds else 0
    took = f"{result.games:,} games in {result.seconds:.0f} s, {speed:,.0f} games/s"
    out.print(f"{job.title}: {took}\n")
    for word, evaluation in (("at the end", result.last), ("at its best", result.best)):
        if evaluation is not None:
            out.print(f"success {word:<12} {_describe(evaluation)}")
    if result.last is not None:
        _print_possible(result.last.measures["perfect_success_rate"])
    out.print(f"\nplay against it  {console.program()} play --second {job.agent}")
    out.print(f"measure it       {console.program()} evaluate {job.agent}")
    out.print(f"look at it       {job.path / 'curve.png'}")


def _describe(evaluation: "Evaluation") -> str:
    rate = console.share(evaluation.success_rate, evaluation.interval)
    measures = evaluation.measures
    if "positions" in measures:
        played = f"exact: {measures['positions']:,} positions"
    else:
        played = f"{measures['evaluation_games']:,} games, {measures['distinct_games']:,} distinct"
    return f"{rate} after {evaluation.games:,} games ({played})"


def _print_possible(possible: float) -> None:
    """Say what perfect play would reach where that is less than a win."""
    if possible < 1:
        what = "a draw" if possible else "lost for who moves first"
        text = (
            f"With perfect play this board is {what}: the most anyone can expect is {possible:g}."
        )
        console.output().print(text)
