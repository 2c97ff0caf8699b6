"""Several runs side by side, as ``train --repeat`` and ``train --vary`` make them."""

from collections.abc import Sequence
from pathlib import Path

import typer

from connectlab.cli import console
from connectlab.cli.compare import print_comparison
from connectlab.lab.compare import Comparison, compare
from connectlab.lab.executors.base import Executor, Task
from connectlab.lab.jobs import Job
from connectlab.lab.plans import Plan, Request
from connectlab.lab.statistics import Spread
from connectlab.lab.sweep import RunTask, begin_plan, new_plan, old_plan, plan_jobs
from connectlab.training.run import RunResult
from connectlab.training.signals import stop_on_signals


def train_repeats(
    request: Request,
    folder: Path,
    repeat: int | None,
    vary: Sequence[str],
    executor: Executor,
    *,
    beside: bool,
    again: Sequence[str],
    resume: bool,
    json: bool,
) -> None:
    """Make the runs on an executor, and print what came out.

    With ``beside`` the evaluations of each run have a process of their own; ``again`` are the
    options that name the executor.
    """
    plan, jobs = _prepare(request, folder, repeat, vary, resume=resume)
    with stop_on_signals() as stop:
        results = executor.run([RunTask(job, beside) for job in jobs], stop, _tell)
    done = [result for result in results if result is not None]
    if len(done) < len(jobs):
        how = ("train", plan.learner, "--resume", "--out", folder, *again)
        console.notice(f"stopped: go on with {console.program()} {console.command_line(*how)}")
        raise typer.Exit(console.INTERRUPTED)
    found = compare([folder])
    if json:
        console.print_json(_document(folder, jobs, done, found))
    else:
        print_comparison(found)


def _prepare(
    request: Request, folder: Path, repeat: int | None, vary: Sequence[str], *, resume: bool
) -> tuple[Plan, list[Job]]:
    """Return plan and jobs; nothing is written before all of them are known to be right."""
    if resume:
        plan = old_plan(request, folder, repeat=repeat, vary=vary)
        jobs = plan_jobs(plan, folder, program=console.program())
        plan.save(folder)
    else:
        plan, notice = new_plan(request, folder, repeat=repeat, vary=vary)
        jobs = plan_jobs(plan, folder, program=console.program())
        if notice is not None:
            console.notice(notice)
        begin_plan(plan, folder)
    for notice in dict.fromkeys(notice for job in jobs for notice in job.notices):
        console.notice(notice)
    return plan, jobs


def _document(
    folder: Path, jobs: Sequence[Job], results: Sequence[RunResult], found: Comparison
) -> dict[str, object]:
    """Return the runs, what they have in common, and what sets their groups apart."""
    runs = [
        {**job.to_json(result), "varied": dict(job.group)}
        for job, result in zip(jobs, results, strict=True)
    ]
    document: dict[str, object] = {"folder": str(folder), "repeat": len(jobs), "runs": runs}
    for what in ("last", "best"):
        values = [getattr(curve, what) for group in found.groups for curve in group.curves]
        spread = Spread.of([value for value in values if value is not None])
        document[what] = None if spread is None else spread.to_json()
    return {**document, **found.to_json()}


def _tell(task: Task[RunResult], result: RunResult) -> None:
    best = "" if result.best is None else f", best {result.best.first.label} "
    value = "" if result.best is None else f"{result.best.first.rank:.3f}"
    console.notice(f"{task.name}: done after {result.games:,} games{best}{value}")
