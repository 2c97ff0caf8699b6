"""``connectlab demo``: the main job in one go."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_TRAINING_GAMES,
    GamesOfPairing,
    Json,
    Seed,
    Threads,
    whole,
)

if TYPE_CHECKING:
    from connectlab.lab.demo import DemoResult, Trained

SHORT = "Train a player by self-play, measure it by perfect play, report."
EPILOG = "Example: connectlab demo --out demo"

LEARNER, PRESET = "ntuple", "quick"


def command(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", file_okay=False, help="Folder of the report.")
    ] = Path("demo"),
    training_games: Annotated[
        int | None,
        typer.Option(
            "--training-games",
            metavar="N",
            parser=whole(1, MOST_TRAINING_GAMES),
            show_default="those of the preset quick",
            help="Games of self-play.",
        ),
    ] = None,
    games: GamesOfPairing = 100,
    seed: Seed = 1,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Train an n-tuple network by self-play, let it meet the other players, write a report.

    The report is a page of Markdown with the learning curve and the cross table as pictures.
    """
    began = time.perf_counter()
    _check(out)
    console.notice("Preparing; the first time this compiles for your machine …")
    trained = _train(out, training_games, seed)
    from connectlab.lab import report
    from connectlab.lab.demo import Demonstration

    held = Demonstration(
        games, seed=seed, threads=threads, tell=console.notice, watch=console.progress
    ).hold(trained)
    # Printed before it is written: a full disk must not swallow what minutes of play found out.
    seconds = time.perf_counter() - began
    if json:
        console.print_json({**held.to_json(), **report.paths(out), "seconds": seconds})
    else:
        _print_result(held, seconds)
    report.write_report(out, held)
    if not json:
        _print_next_steps(held, out)


def _check(out: Path) -> None:
    """Refuse a folder that the report could not be written to, before anything is trained."""
    from connectlab.storage.files import check_writable

    check_writable(out / "report.md")


def _train(out: Path, games: int | None, seed: int) -> "Trained":
    """Train in a folder of its own below the report: all that the demo knows of runs."""
    from connectlab.cli.train import make_run
    from connectlab.lab.demo import Success, Trained
    from connectlab.lab.jobs import new_job
    from connectlab.lab.plans import Request
    from connectlab.training.folder import free_folder

    changes = {"seed": seed} if games is None else {"seed": seed, "games": games}
    job = new_job(Request(LEARNER, PRESET, changes=changes), free_folder(out, "run"))
    console.notice(f"A network of n-tuples learns from games against itself, in {job.path} …")
    run = make_run(job)
    best = run.best
    return Trained(
        job.agent,
        job.path / "curve.png",
        run.games,
        run.seconds,
        None if best is None else Success(str(best.first.figures[0]), best.games),
        {key: value for key, value in job.to_json(run).items() if key != "config"},
    )


def _print_result(held: "DemoResult", seconds: float) -> None:
    from connectlab.lab import report

    out = console.output()
    made = console.table(*report.HEADINGS)
    for row in report.rows(held):
        made.add_row(*row)
    out.print()
    console.show(made)
    out.print(f"\n{report.learned(held.trained)}")
    out.print(f"Everything took {seconds:.0f} s.")


def _print_next_steps(held: "DemoResult", folder: Path) -> None:
    from connectlab.lab.report import REPORT

    out = console.output()
    out.print(f"Report: {folder / REPORT}", soft_wrap=True)
    command = f"{console.program()} {held.how_to_play}"
    out.print(f"Play against what was just learned: {command}", soft_wrap=True)
