"""One run to be made: begun or gone on with, in this process or another."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from connectlab.agents.registry import config_class, make_learner, trained_spec
from connectlab.agents.sources import RUN_FILES
from connectlab.lab.bench import Referee
from connectlab.lab.measures import Measure, parse_measures
from connectlab.lab.plans import Request, choose_measures, make_config
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.config import LearnerConfig
from connectlab.training.display import Display
from connectlab.training.folder import STATE_FILE, RunFolder, RunRecord, free_folder
from connectlab.training.learner import Learner
from connectlab.training.metrics import RunError
from connectlab.training.provenance import versions
from connectlab.training.run import RunResult, Stop, restore_learner, train

RUNS = Path("runs")


@dataclass(frozen=True)
class Job:
    """One run; it can be sent to another process."""

    path: Path
    config: LearnerConfig
    record: RunRecord
    """What ``run.json`` shall say."""
    measures: tuple[Measure, ...]
    is_new: bool
    notices: tuple[str, ...] = ()
    """What the user should know before it begins."""
    group: Mapping[str, str] = field(default_factory=dict)
    """What sets it apart from other runs of a sweep."""
    program: str = "connectlab"
    """What to type to call this program again."""
    advice: str | None = None
    """How to go on with it, where that is not by ``train --resume``."""

    @property
    def title(self) -> str:
        """What learns, on which board."""
        return f"{self.record.title} on {self.config.geometry}"

    @property
    def agent(self) -> str:
        """The spec string of the player that comes out."""
        return trained_spec(self.record.learner, self.path)

    @property
    def how_to_go_on(self) -> str:
        """What to type to go on with this run."""
        if self.advice is not None:
            return self.advice
        folder = shlex.quote(str(self.path))
        return f"go on with {self.program} train {self.record.learner} --resume --out {folder}"

    def run(self, display: Display, stop: Stop | None = None, *, beside: bool = True) -> RunResult:
        """Learn to the end; raise ``RunStoppedError`` when asked to stop."""
        learner = make_learner(self.config, threads=self.record.threads)
        begin = self._begin if self.is_new else self._go_on
        with begin(learner) as folder:
            judge = None
            if self.measures:
                judge = Referee(self.record.learner, self.config.geometry, self.measures)
            try:
                return train(folder, learner, judge, display, stop=stop, beside=beside)
            except OSError as error:
                raise RunError(
                    f"{_told(error)}; what was saved last is whole: {self.how_to_go_on}"
                ) from None

    def _begin(self, learner: Learner) -> RunFolder:
        start = None
        if self.record.began_from is not None:
            start = Checkpoint.load(
                find_checkpoint(Path(self.record.began_from)), learner.config.name
            )
            learner.begin_from(start)
        return RunFolder.create(self.path, self.record, start=start)

    def _go_on(self, learner: Learner) -> RunFolder:
        folder = RunFolder.open(self.path)
        try:
            restore_learner(folder, learner)
            if folder.record != self.record:
                folder.rewrite(self.record)
        except BaseException:
            folder.close()
            raise
        return folder

    def to_json(self, result: RunResult) -> dict[str, object]:
        """Return the JSON document of the run."""
        return {
            "run": str(self.path),
            "agent": self.agent,
            "learner": self.record.learner,
            "preset": self.record.preset,
            "seed": self.config.seed,
            "config": self.record.config,
            "threads": self.record.threads,
            "measures": self.record.measures,
            "began_from": self.record.began_from,
            **result.to_json(),
        }


def _told(error: OSError) -> str:
    """Return what went wrong, and with which file if the error knows."""
    reason = (error.strerror or str(error)).lower()
    return reason if error.filename is None else f"{error.filename}: {reason}"


def run_folder(request: Request, out: Path | None, *, resume: bool) -> Path:
    """Return the folder that was named, or a free name for a new run."""
    config_class(request.learner)  # a wrong name is told before anything else
    if out is not None:
        return out
    if resume:
        raise RunError("--resume needs the folder of the run: add --out DIR")
    return free_folder(RUNS, f"{request.learner}-{request.preset or 'custom'}")


def new_job(request: Request, path: Path) -> Job:
    """Return a run that begins."""
    config = request.config()
    measures, notice = request.judged_by(config)
    began_from = None
    if request.begin_from is not None:
        began_from = str(find_checkpoint(request.begin_from))
    record = RunRecord.make(
        config,
        preset=request.preset,
        threads=request.threads or 1,
        measures=[measure.spec for measure in measures],
        evaluation_every=request.interval(config),
        began_from=began_from,
    )
    notices = () if notice is None else (notice,)
    return Job(path, config, record, measures, is_new=True, notices=notices)


def _check_games(path: Path, config: LearnerConfig) -> None:
    """Refuse to end a run before the games that it has learned from already."""
    state = path / STATE_FILE
    done = Checkpoint.load(state).header.get("games_done") if state.exists() else 0
    if isinstance(done, int) and done > config.games:
        raise RunError(
            f"{path} has learned from {done:,} games already: games={config.games} is too few"
        )


def old_job(request: Request, path: Path) -> Job:
    """Return a run that goes on; its games, threads and evaluations may be set anew."""
    record = RunRecord.read(path)
    if record.learner != request.learner:
        raise RunError(f"{path} is a run of {record.learner}, not of {request.learner}")
    if request.begin_from is not None:
        raise RunError("--from begins a new run: leave --resume out, or leave --from out")
    config = request.config_of_old(path, make_config(record.learner, record.config))
    _check_games(path, config)
    measures, notices = parse_measures(record.measures), list(_version_notices(path, record))
    if request.measures is not None and request.measures != measures:
        measures, notice = choose_measures(request.measures, config.geometry)
        notices += [] if notice is None else [notice]
    changed: dict[str, object] = {
        "config": config.plain(),
        "threads": request.threads or record.threads,
        "measures": [measure.spec for measure in measures],
        "evaluation_every": request.evaluation_every or record.evaluation_every,
    }
    record = record.model_copy(update=changed)
    return Job(path, config, record, measures, is_new=False, notices=tuple(notices))


def find_checkpoint(path: Path) -> Path:
    """Return the checkpoint of a run (its best, or its latest), or the file itself."""
    found = path.expanduser()
    if found.is_dir():
        files = [found / name for name in RUN_FILES if (found / name).is_file()]
        if not files:
            raise RunError(f"the folder {path} holds no trained player ({' or '.join(RUN_FILES)})")
        return files[0]
    if not found.is_file():
        raise RunError(f"there is no run or checkpoint {path} to begin from")
    return found


def _version_notices(path: Path, record: RunRecord) -> list[str]:
    now = versions()
    return [
        f"{path} was begun with {name} {then}, this is {now.get(name)}: the weights may differ "
        "from those of a run without a break"
        for name, then in record.versions.items()
        if now.get(name) != then
    ]
