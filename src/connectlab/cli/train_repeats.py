"""Several independent runs side by side, and what they have in common."""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import typer

from connectlab.cli import console
from connectlab.cli.train import INTERRUPTED, stop_on_signals
from connectlab.cli.train_jobs import Job, Plan
from connectlab.training.display import PlainDisplay
from connectlab.training.evaluation import born_deaf_to_ctrl_c, end_with_parent
from connectlab.training.folder import RUN_FILE
from connectlab.training.metrics import RunError
from connectlab.training.run import RunResult, Stop

POLL_SECONDS = 0.2


def train_repeats(
    plan: Plan, folder: Path, repeat: int, jobs: int | None, *, resume: bool, json: bool
) -> None:
    """Make the runs, ``jobs`` at a time, and print what came out."""
    if folder.exists() and not resume:
        raise RunError(f"{folder} already exists: go on by --resume, or choose another folder")
    planned = [_job(plan, folder / f"run-{n + 1}", n, resume=resume) for n in range(repeat)]
    with stop_on_signals() as stop:
        done = _run_all(planned, jobs or os.cpu_count() or 1, stop)
        if stop.is_set():
            console.notice(f"stopped: go on with the same command and --resume --out {folder}")
            raise typer.Exit(INTERRUPTED)
    document = summary(folder, planned, done)
    if json:
        console.print_json(document)
    else:
        _print_summary(document)


def summary(folder: Path, jobs: Sequence[Job], results: Sequence[RunResult]) -> dict[str, Any]:
    """Return the runs, and mean and spread of their success at the end and at its best."""
    document: dict[str, Any] = {"folder": str(folder), "repeat": len(jobs)}
    for name in ("last", "best"):
        found = [getattr(result, name) for result in results]
        document[name] = _spread([each.success_rate for each in found if each is not None])
    document["runs"] = [job.to_json(done) for job, done in zip(jobs, results, strict=True)]
    return document


def _spread(rates: list[float]) -> dict[str, float] | None:
    if not rates:
        return None
    return {
        "mean": fmean(rates),
        "standard_deviation": stdev(rates) if len(rates) > 1 else 0.0,
        "lowest": min(rates),
        "highest": max(rates),
    }


def _job(plan: Plan, path: Path, number: int, *, resume: bool) -> Job:
    """Return a run of several; with ``resume`` those that were not begun begin."""
    if resume and (path / RUN_FILE).exists():
        return plan.old_job(path, number)
    return plan.new_job(path, number)


def _run_all(jobs: Sequence[Job], at_a_time: int, stop: Stop) -> list[RunResult]:
    """Make the runs in processes of their own; return what those that ended gave, in order."""
    context = get_context("spawn")
    stop_all = context.Event()
    workers = min(at_a_time, len(jobs))
    pool = ProcessPoolExecutor(workers, context, _begin_worker, (stop_all,))
    try:
        with born_deaf_to_ctrl_c():
            futures = [pool.submit(_run, job) for job in jobs]
        for future in futures:
            while not wait([future], timeout=POLL_SECONDS).done and not stop.is_set():
                pass
            if stop.is_set():
                break
            _tell(jobs[futures.index(future)], future.result())
    finally:
        stop_all.set()  # also when one of the runs failed: the others can go on later
        pool.shutdown(cancel_futures=True)
    ended = [each for each in futures if not each.cancelled() and each.exception() is None]
    return [future.result() for future in ended]


_stop: Stop


def _begin_worker(stop: Stop) -> None:
    global _stop  # noqa: PLW0603
    _stop = stop
    end_with_parent()


def _run(job: Job) -> RunResult:
    return job.run(PlainDisplay(job.path.name), _stop)


def _tell(job: Job, result: RunResult) -> None:
    best = "" if result.best is None else f", best success {result.best.success_rate:.3f}"
    console.notice(f"{job.path.name}: done after {result.games:,} games{best}")


def _print_summary(document: dict[str, Any]) -> None:
    out = console.output()
    rows = console.table("run", "seed", "at the end", "at its best", "after games", "games/s")
    for run in document["runs"]:
        last, best = run["last"], run["best"]
        rows.add_row(
            run["run"],
            str(run["seed"]),
            _rate(last),
            _rate(best),
            "-" if best is None else f"{best['games']:,}",
            f"{run['games_per_second']:,.0f}",
        )
    console.show(rows)
    for name, word in (("last", "at the end"), ("best", "at its best")):
        spread = document[name]
        if spread is not None:
            out.print(
                f"success {word:<12} {spread['mean']:.3f} +- {spread['standard_deviation']:.3f}, "
                f"from {spread['lowest']:.3f} to {spread['highest']:.3f}"
            )


def _rate(evaluation: dict[str, Any] | None) -> str:
    if evaluation is None:
        return "-"
    return console.share(evaluation["success_rate"], evaluation["success_rate_interval"])
