"""Several runs side by side, as ``train --repeat`` and ``train --vary`` make them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import typer

from connectlab.cli import console
from connectlab.cli.compare import print_comparison
from connectlab.lab.compare import Comparison, compare
from connectlab.lab.executors.base import Executor, ExecutorError, HeadGoneError, Task
from connectlab.lab.jobs import Job
from connectlab.lab.plans import PLAN_FILE, Plan, Request
from connectlab.lab.statistics import Spread
from connectlab.lab.sweep import RunTask, begin_plan, new_plan, old_plan, plan_jobs
from connectlab.training.folder import LOCK_FILE
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
    kept = nullcontext() if resume else _new_folder(plan, folder)
    try:
        with kept, stop_on_signals() as stop:
            results = executor.run([RunTask(job, beside) for job in jobs], stop, _tell)
    except HeadGoneError as error:
        raise _gone(error, plan, folder) from None
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


def _gone(error: HeadGoneError, plan: Plan, folder: Path) -> ExecutorError:
    """Say how to go on without the cluster, if anything came back from it."""
    if not (folder / PLAN_FILE).exists():
        return error
    how = console.command_line("train", plan.learner, "--resume", "--out", folder)
    return ExecutorError(
        f"{error}; what came back is whole: go on with {console.program()} {how}, "
        "here or on another executor"
    )


def _prepare(
    request: Request, folder: Path, repeat: int | None, vary: Sequence[str], *, resume: bool
) -> tuple[Plan, list[Job]]:
    """Return plan and jobs; the plan of a folder that is gone on with is written anew."""
    if resume:
        plan = old_plan(request, folder, repeat=repeat, vary=vary)
        jobs = plan_jobs(plan, folder, program=console.program())
        plan.save(folder)
    else:
        plan, notice = new_plan(request, folder, repeat=repeat, vary=vary)
        jobs = plan_jobs(plan, folder, program=console.program())
        if notice is not None:
            console.notice(notice)
    for notice in dict.fromkeys(notice for job in jobs for notice in job.notices):
        console.notice(notice)
    return plan, jobs


@contextmanager
def _new_folder(plan: Plan, folder: Path) -> Iterator[None]:
    """Make the folder of a new plan; without it again if all fails before a run began.

    Some mistakes are told only where the runs are made: a file that is not there, or no cluster.
    """
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    begin_plan(plan, folder)
    try:
        yield
    except Exception:
        if not _has_begun(folder):
            _remove(folder, made)
        raise


def _has_begun(folder: Path) -> bool:
    """Say whether there is anything but the plan, and locks of runs that were to begin."""
    files = (path for path in folder.rglob("*") if not path.is_dir())
    return any(path != folder / PLAN_FILE and path.name != LOCK_FILE for path in files)


def _remove(folder: Path, made: Sequence[Path]) -> None:
    """Remove what was made for a plan; what somebody put there meanwhile stays."""
    for file in (*folder.glob(f"*/{LOCK_FILE}"), folder / PLAN_FILE):
        file.unlink(missing_ok=True)
    for path in (*folder.glob("*"), *made):
        with suppress(OSError):
            path.rmdir()


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
