"""Many runs: a plan becomes jobs, and an executor makes them."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeAlias

from connectlab.lab.jobs import Job, find_checkpoint, new_job, old_job
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import (
    PLAN_FILE,
    Plan,
    Request,
    Vary,
    choose_measures,
    make_config,
    make_vary,
)
from connectlab.training.display import PlainDisplay
from connectlab.training.folder import RUN_FILE
from connectlab.training.metrics import RunError
from connectlab.training.run import RunResult, RunStoppedError, Stop
from connectlab.training.signals import born_deaf, end_with_parent

POLL_SECONDS = 0.2

Told: TypeAlias = Callable[[Job, RunResult], None]
"""Called when a run has ended."""


class Executor(Protocol):
    """Where runs are made: processes of this machine, or a cluster."""

    def run(self, jobs: Sequence[Job], stop: Stop, told: Told) -> list[RunResult | None]:
        """Make all runs; None for those that were stopped. The first failure stops the others."""


def new_plan(
    request: Request, folder: Path, *, repeat: int | None, vary: Sequence[str]
) -> tuple[Plan, str | None]:
    """Return the plan of runs in a folder that does not exist yet, and a notice if there is one."""
    if folder.exists():
        raise RunError(f"{folder} already exists: go on by --resume, or choose another folder")
    config = request.config()
    measures, notice = choose_measures(request.measures, config.geometry, config.usual_measures)
    varied, times = make_vary(config, vary, repeat=repeat, seed_only=request.begin_from is not None)
    start = None if request.begin_from is None else str(find_checkpoint(request.begin_from))
    plan = Plan(
        learner=request.learner,
        preset=request.preset,
        config=config.plain(),
        threads=request.threads or 1,
        measures=[measure.spec for measure in measures],
        evaluation_every=request.evaluation_every,
        began_from=start,
        repeat=times,
        vary=varied,
    )
    return plan, notice


def old_plan(request: Request, folder: Path, *, repeat: int | None, vary: Sequence[str]) -> Plan:
    """Return the plan of a folder, with what may be set anew: games, threads, evaluations, repeats.

    Other settings that are named must be those of the plan.
    """
    plan = Plan.read(folder)
    if plan.learner != request.learner:
        raise RunError(f"{folder} holds runs of {plan.learner}, not of {request.learner}")
    config = request.config_of_old(folder, make_config(plan.learner, plan.config))
    if vary:
        _check_vary(plan, [Vary.parse(text) for text in vary])
    if repeat is not None and repeat < plan.repeat:
        raise RunError(f"{folder} was planned with --repeat {plan.repeat}: give no less")
    changed: dict[str, object] = {
        "config": config.plain(),
        "threads": request.threads or plan.threads,
        "evaluation_every": request.evaluation_every or plan.evaluation_every,
        "repeat": repeat or plan.repeat,
    }
    if request.measures is not None:
        measures, _ = choose_measures(request.measures, config.geometry)
        changed["measures"] = [measure.spec for measure in measures]
    return plan.model_copy(update=changed)


def _check_vary(plan: Plan, given: list[Vary]) -> None:
    for each in given:
        if each not in plan.vary:
            raise RunError(f"--vary {each.name} is not that of the plan ({PLAN_FILE})")


def begin_plan(plan: Plan, folder: Path) -> None:
    """Make the folder of a new plan; of two who try, one is refused."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise RunError(f"{folder} is in use by another process") from None
    plan.save(folder)


def plan_jobs(plan: Plan, folder: Path, *, program: str = "connectlab") -> list[Job]:
    """Return the jobs of a plan; those that were begun go on, the others begin."""
    made = []
    for variant in plan.variants():
        path = folder / variant.name
        begun = (path / RUN_FILE).exists()
        start = plan.began_from
        request = Request(
            plan.learner,
            plan.preset,
            changes=variant.config.plain(),
            threads=plan.threads,
            measures=parse_measures(plan.measures or ["none"]),
            evaluation_every=plan.evaluation_every,
            begin_from=None if begun or start is None else Path(start),
        )
        job = old_job(request, path) if begun else new_job(request, path)
        made.append(replace(job, group=variant.group, program=program))
    return made


class LocalProcesses:
    """Makes runs in processes of this machine, some of them at a time."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def run(self, jobs: Sequence[Job], stop: Stop, told: Told) -> list[RunResult | None]:
        """Make all runs; what they show goes to standard error, line by line."""
        context = get_context("spawn")
        stop_all = context.Event()
        workers = min(self.workers, len(jobs))
        pool = ProcessPoolExecutor(workers, context, _begin_worker, (stop_all,))
        try:
            with born_deaf():
                futures = {pool.submit(_run, job): job for job in jobs}
            _wait(futures, stop, told)
        finally:
            stop_all.set()  # also when one of the runs failed: the others can go on later
            pool.shutdown(cancel_futures=True)
        return [_result(future) for future in futures]


def _wait(futures: dict[Future[RunResult], Job], stop: Stop, told: Told) -> None:
    """Wait until all have ended or a stop is asked for; raise what the first failure raised."""
    pending = set(futures)
    while pending and not stop.is_set():
        done, pending = wait(pending, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            told(futures[future], future.result())


def _result(future: Future[RunResult]) -> RunResult | None:
    if future.cancelled() or isinstance(future.exception(), RunStoppedError):
        return None
    return future.result()


_stop: Stop


def _begin_worker(stop: Stop) -> None:
    global _stop  # noqa: PLW0603
    _stop = stop
    end_with_parent()


def _run(job: Job) -> RunResult:
    return job.run(PlainDisplay(job.path.name), _stop)
