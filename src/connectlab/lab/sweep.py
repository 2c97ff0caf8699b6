"""Many runs: a plan becomes jobs, and jobs become tasks of an executor."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from connectlab.lab.executors.base import Task
from connectlab.lab.executors.luggage import files_of_all
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
from connectlab.storage.locks import hold
from connectlab.training.display import PlainDisplay
from connectlab.training.folder import LOCK_FILE, RUN_FILE, is_free
from connectlab.training.metrics import RunError
from connectlab.training.run import RunResult, Stop


def new_plan(
    request: Request, folder: Path, *, repeat: int | None, vary: Sequence[str]
) -> tuple[Plan, str | None]:
    """Return the plan of runs in a folder that holds nothing yet, and a notice if there is one."""
    if not is_free(folder):
        raise RunError(_why_not_free(folder))
    config = request.config()
    measures, notice = request.judged_by(config)
    varied, times = make_vary(config, vary, repeat=repeat, seed_only=request.begin_from is not None)
    start = None if request.begin_from is None else str(find_checkpoint(request.begin_from))
    plan = Plan(
        learner=request.learner,
        preset=request.preset,
        config=config.plain(),
        threads=request.threads or 1,
        measures=[measure.spec for measure in measures],
        evaluation_every=request.interval(config),
        began_from=start,
        repeat=times,
        vary=varied,
    )
    return plan, notice


def _why_not_free(folder: Path) -> str:
    """Tell why no plan can begin in a folder, and what would help."""
    if any((folder / name).exists() for name in (PLAN_FILE, RUN_FILE)):
        return f"{folder} already exists: go on by --resume, or choose another folder"
    if not folder.is_dir():
        return f"{folder} is a file: choose another folder"
    return f"{folder} is not empty and holds no runs: choose another folder"


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
    """Begin a plan in a folder that holds nothing yet; of two who try, one is refused."""
    folder.mkdir(parents=True, exist_ok=True)
    with hold(folder / LOCK_FILE, str(folder)) or nullcontext():
        if not is_free(folder):  # another one has begun since
            raise RunError(f"{folder} is in use by another process")
        plan.save(folder)
        (folder / LOCK_FILE).unlink(missing_ok=True)  # the plan keeps others out from now on


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


@dataclass(frozen=True)
class RunTask(Task[RunResult]):
    """One run of a plan, for an executor; it begins, or goes on with what its folder holds."""

    job: Job
    beside: bool = True
    """Whether evaluations have a process of their own, beside the one that learns."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.job.path.name

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self.job.path

    @property
    def threads(self) -> int:
        """Threads that learn."""
        return self.job.record.threads

    @property
    def files(self) -> tuple[Path, ...]:
        """Tuples, players and positions that settings and measures name, and a start."""
        start = () if self.job.record.began_from is None else (Path(self.job.record.began_from),)
        return (*start, *files_of_all([self.job.config, *self.job.measures]))

    def run(self, folder: Path | None, stop: Stop) -> RunResult:
        """Learn to the end; what it shows are lines on standard error."""
        path = folder or self.folder
        job = replace(self.job, path=path, is_new=not (path / RUN_FILE).exists())
        return job.run(PlainDisplay(self.name), stop, beside=self.beside)
