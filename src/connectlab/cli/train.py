"""``connectlab train``: let a learner learn, in a run that can be stopped and go on."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import (
    MOST_CELLS,
    MOST_GAMES,
    MOST_SEED,
    MOST_THREADS,
    MOST_TRAINING_GAMES,
    Address,
    ExecutorKind,
    Json,
    OnExecutor,
    Variant,
    Workers,
    chosen_executor,
    complete_learner,
    complete_preset,
    executor_options,
    whole,
)
from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.lab.executors.base import TasksBrokeDownError
    from connectlab.lab.jobs import Job
    from connectlab.training.metrics import Evaluation
    from connectlab.training.run import RunResult

SHORT = "Let a learner learn by self-play."
EPILOG = "Example: connectlab train ntuple --preset quick --out runs/first"


def command(
    learner: Annotated[
        str,
        typer.Argument(
            metavar="LEARNER",
            autocompletion=complete_learner,
            help="What learns, such as ntuple or mlp.",
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
        typer.Option(
            "--config", metavar="FILE", help="TOML file with settings, or the run.json of a run."
        ),
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
        bool,
        typer.Option(
            "--resume",
            help="Go on with the run in --out; only games, threads and evaluations may change.",
        ),
    ] = False,
    begin_from: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="RUN", help="Begin with what another run or checkpoint has learned."
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            metavar="N",
            parser=whole(1, MOST_THREADS),
            show_default="1",
            help="Threads that learn together; with more than 1 no two runs are alike.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="SPEC",
            show_default="as the preset, or success",
            help="What evaluations measure; may repeat, the first chooses the best; or none.",
        ),
    ] = None,
    eval_games: Annotated[
        int | None,
        typer.Option(
            "--eval-games",
            metavar="N",
            parser=whole(0, MOST_GAMES),
            show_default="200",
            help="Short for --measure success:games=N; 0 for none.",
        ),
    ] = None,
    eval_every: Annotated[
        int | None,
        typer.Option(
            "--eval-every",
            metavar="N",
            parser=whole(1, MOST_TRAINING_GAMES),
            show_default="as the preset, or a 20th of the run",
            help="Games of training between two evaluations.",
        ),
    ] = None,
    eval_exact: Annotated[
        bool,
        typer.Option("--eval-exact", help="Measure exact before all others."),
    ] = False,
    repeat: Annotated[
        int | None,
        typer.Option(
            "--repeat",
            metavar="N",
            parser=whole(1, 10_000),
            help="Make N runs, each with seeds of its own, in folders below --out.",
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY[=A,B]",
            show_default="every seed",
            help="Make a run for each value, or count up with --repeat; may repeat.",
        ),
    ] = None,
    executor: OnExecutor = None,
    address: Address = None,
    workers: Workers = None,
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
    variant: Variant = None,
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
    """Let a learner learn by self-play, and measure it as it learns.

    Settings come from the preset, then the file, then --set. A run is a folder; it can be killed
    at any moment, and --resume goes on to the same weights, bit for bit (with one thread).
    """
    with console.patience():
        from connectlab.lab.jobs import new_job, old_job, run_folder
        from connectlab.lab.plans import Request, parse_changes, short_forms, usual_measures

        board = {"columns": columns, "rows": rows, "connect": connect, "variant": variant}
        options: dict[str, int | str | None] = {**board, "seed": seed}
        chosen = {key: value for key, value in options.items() if value is not None}
        request = Request(
            learner,
            preset,
            config,
            {**parse_changes(changes or ()), **chosen},
            threads,
            short_forms(
                measure, eval_games, exact=eval_exact, usual=usual_measures(learner, preset)
            ),
            eval_every,
            begin_from,
        )
        folder = run_folder(request, out, resume=resume)
    if repeat is not None or vary or (resume and _holds_plan(folder)):
        from connectlab.cli.train_repeats import train_repeats
        from connectlab.lab.executors.base import TasksBrokeDownError

        try:
            train_repeats(
                request,
                folder,
                repeat,
                vary or [],
                chosen_executor(executor, address, workers),
                beside=executor is not ExecutorKind.RAY,  # there a task has one core
                again=executor_options(executor, address, workers),
                resume=resume,
                json=json,
            )
        except TasksBrokeDownError as error:
            raise _broke_down(error, folder) from None
        return
    if executor_options(executor, address, workers):
        raise UserError(
            "--executor, --address and --workers are for several runs: add --repeat N or "
            "--vary KEY=A,B"
        )
    make_job = old_job if resume else new_job
    job = console.interruptible(lambda: make_job(request, folder))  # it may solve the board
    result = make_run(job)
    if json:
        console.print_json(job.to_json(result))
    else:
        _print_result(job, result)


def _broke_down(error: "TasksBrokeDownError", folder: Path) -> UserError:
    """Tell of each run that broke down; return what is to be said of all of them."""
    for line in error.lines:
        console.notice(line)
    broken, total = len(error.lines), error.total
    if broken == total:
        return UserError(f"{console.count(broken, 'run')} broke down, and there is no other")
    how = console.command_line("compare", folder)
    return UserError(
        f"{broken} of {total} runs broke down, the others are done: "
        f"{console.program()} {how} shows them"
    )


def _holds_plan(folder: Path) -> bool:
    from connectlab.lab.plans import PLAN_FILE

    return (folder / PLAN_FILE).is_file()


def make_run(job: "Job") -> "RunResult":
    """Make one run with its display; Ctrl-C saves and says how to go on."""
    from dataclasses import replace

    from connectlab.training.display import make_display
    from connectlab.training.run import RunStoppedError
    from connectlab.training.signals import stop_on_signals

    for notice in job.notices:
        console.notice(notice)
    job = replace(job, program=console.program())
    try:
        with stop_on_signals() as stop:
            return job.run(make_display(f"{job.title} in {job.path}"), stop)
    except RunStoppedError as stopped:
        console.notice(f"{stopped}: {job.how_to_go_on}")
        raise typer.Exit(console.INTERRUPTED) from None


def _print_result(job: "Job", result: "RunResult") -> None:
    out = console.output()
    took = f"{result.games:,} games in {_seconds(result.seconds)}"
    out.print(f"{job.title}: {took}, {result.games_per_second:,.0f} games/s\n")
    if result.last is not None:
        _print_figures(result)
        _print_possible(result.last.first.facts.get("perfect_success_rate"))
        out.print()
    agent = shlex.quote(job.agent)
    out.print(f"play against it  {console.program()} play --second {agent}")
    out.print(f"measure it       {console.program()} evaluate {agent}")
    if result.evaluations:
        out.print(f"look at it       {job.path / 'curve.png'}")


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"


def _print_figures(result: "RunResult") -> None:
    """Print what was measured first, at the end and at its best, and the rest at the end."""
    lines = [
        (f"{evaluation.first.label} {word}", _describe(evaluation))
        for word, evaluation in (("at the end", result.last), ("at its best", result.best))
        if evaluation is not None
    ]
    others = () if result.last is None else result.last.measurements[1:]
    for measurement in others:
        for figure in measurement.figures:
            name = f"{figure.key.replace('_', ' ')} at the end"
            lines.append((name, f"{figure} ({measurement.name})"))
    width = max(len(name) for name, _ in lines)
    for name, text in lines:
        console.output().print(f"{name:<{width}}  {text}")


def _describe(evaluation: "Evaluation") -> str:
    first = evaluation.first
    counts = first.counts
    if "games" in counts:
        rests_on = f"{counts['games']:,} games, {counts.get('distinct_games', 0):,} distinct"
    else:
        rests_on = ", ".join(f"{count:,} {key.replace('_', ' ')}" for key, count in counts.items())
    return f"{first.figure} after {evaluation.games:,} games ({rests_on})"


def _print_possible(possible: object) -> None:
    """Say what perfect play would reach where that is less than a win."""
    if isinstance(possible, int | float) and possible < 1:
        what = {0.5: " this board is a draw:", 0.0: " this board is lost for who moves first:"}
        text = (
            f"With perfect play{what.get(possible, '')} the most anyone can expect is {possible:g}."
        )
        console.output().print(text)
