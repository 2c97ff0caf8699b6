"""The folder of a run: what is in it, who may write to it, and how it is opened again."""

import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from connectlab.storage.checkpoint import Checkpoint
from connectlab.storage.files import replacing, write_text
from connectlab.storage.locks import LockedError, hold, is_held
from connectlab.training.config import MOST_TRAINING_GAMES, LearnerConfig
from connectlab.training.metrics import RunError
from connectlab.training.provenance import commit, versions

RUN_FILE = "run.json"
STATE_FILE = "state.safetensors"
METRICS_FILE = "metrics.jsonl"
LOCK_FILE = ".lock"
START_FILE = "start.safetensors"
EVALUATIONS = 20
"""How often a run is evaluated unless told otherwise."""
MOST_THREADS = 1024

ModelT = TypeVar("ModelT", bound=BaseModel)


class RunInUseError(RunError):
    """Another process is at work in the folder."""


class RunRecord(BaseModel):
    """What ``run.json`` says: all that decides how the run goes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    learner: str
    """Name of the learner."""
    preset: str | None
    """The preset that was named."""
    config: dict[str, object]
    """What the learner is trained with, every setting of it."""
    threads: int = Field(ge=1, le=MOST_THREADS)
    """Threads that learn."""
    measures: list[str]
    """The measures of an evaluation, as spec strings; the first chooses the best checkpoint."""
    evaluation_every: int = Field(ge=1, le=MOST_TRAINING_GAMES)
    """Games of training between two evaluations."""
    versions: dict[str, str]
    """Versions that decide the bits."""
    commit: str | None
    """Commit of the source, with ``+`` if it was changed."""
    started: str
    """When the run began, in UTC."""
    began_from: str | None = None
    """The checkpoint that the run began from; ``start.safetensors`` is a copy of it."""

    @field_validator("started")
    @classmethod
    def _check_started(cls, started: str) -> str:
        datetime.fromisoformat(started).timestamp()
        return started

    @property
    def began_at(self) -> float:
        """When the run began, in seconds since 1970."""
        return datetime.fromisoformat(self.started).timestamp()

    @property
    def title(self) -> str:
        """Learner and preset."""
        return f"{self.learner} {self.preset or ''}".strip()

    @classmethod
    def make(
        cls,
        config: LearnerConfig,
        *,
        preset: str | None = None,
        threads: int = 1,
        measures: Sequence[str] = (),
        evaluation_every: int | None = None,
        began_from: str | None = None,
    ) -> "RunRecord":
        """Describe a run that begins now; unless told, it is evaluated 20 times."""
        return cls(
            learner=config.name,
            preset=preset,
            config=config.plain(),
            threads=threads,
            measures=list(measures),
            evaluation_every=evaluation_every or max(1, config.games // EVALUATIONS),
            versions=versions(),
            commit=commit(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            began_from=began_from,
        )

    @classmethod
    def read(cls, path: Path) -> "RunRecord":
        """Read the record of the run in a folder."""
        file = path / RUN_FILE
        if not file.is_file():
            raise RunError(f"{path} holds no run to go on with: there is no {RUN_FILE}")
        return read_model(cls, file)


def read_model(model: type[ModelT], file: Path) -> ModelT:
    """Read a JSON file into a model; what does not fit is told in one line."""
    try:
        return model.model_validate_json(file.read_bytes())
    except ValidationError as error:
        found = error.errors()[0]
        where = ".".join(str(part) for part in found["loc"])
        reason = " ".join(str(found["msg"]).split())[:120]
        at = f" at {where}" if where else ""
        raise RunError(f"{file} is damaged{at}: {reason[:1].lower()}{reason[1:]}") from None


class RunFolder:
    """The files of one run, open for writing: no other process can open them meanwhile.

    Every file but the metrics and events is replaced as a whole.
    """

    def __init__(self, path: Path, record: RunRecord, lock: IO[str] | None = None) -> None:
        self.path = path
        self.record = record
        self.start = path / START_FILE
        self.state = path / STATE_FILE
        self.latest = path / "latest.safetensors"
        self.best = path / "best.safetensors"
        self.metrics = path / METRICS_FILE
        self.curve = path / "curve.png"
        self._pending = path / "pending"
        self._lock = lock

    @classmethod
    def create(
        cls, path: Path, record: RunRecord, *, start: Checkpoint | None = None
    ) -> "RunFolder":
        """Begin a run in a folder that holds nothing yet; of two who try, one is refused."""
        _check_free(path)
        path.mkdir(parents=True, exist_ok=True)
        lock = _lock(path)
        try:
            _check_free(path)  # another one may have begun and ended since
            if start is not None:
                start.save(path / START_FILE)
            folder = cls(path, record, lock)
            folder.rewrite(record)
        except BaseException:
            _unlock(lock)
            raise
        return folder

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Open the folder of a run that was begun, and remove what a killed process left."""
        RunRecord.read(path)
        lock = _lock(path)
        try:
            folder = cls(path, RunRecord.read(path), lock)
            folder.sweep()
        except BaseException:
            _unlock(lock)
            raise
        return folder

    def rewrite(self, record: RunRecord) -> None:
        """Write ``run.json`` anew."""
        write_text(self.path / RUN_FILE, record.model_dump_json(indent=2) + "\n")
        self.record = record

    def close(self) -> None:
        """Let others open the folder."""
        _unlock(self._lock)
        self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def pending(self, games: int) -> Path:
        """Return the file of a checkpoint that waits for its evaluation."""
        return self._pending / f"{games}.safetensors"

    def all_pending(self) -> list[int]:
        """Return after how many games the checkpoints were saved that wait, in order."""
        return sorted(
            int(file.stem) for file in self._pending.glob("*.safetensors") if file.stem.isdecimal()
        )

    def forget_pending(self, games: int) -> None:
        """Remove a checkpoint that waits no more."""
        self.pending(games).unlink(missing_ok=True)
        self._remove_empty()

    def keep_as_best(self, games: int) -> None:
        """Make a checkpoint that waits the best one."""
        with replacing(self.best) as beside:
            shutil.copyfile(self.pending(games), beside)

    def sweep(self) -> None:
        """Remove what a process that was killed left half written."""
        for file in [*self.path.glob(".*.*"), *self._pending.glob(".*.*")]:
            if _is_half_written(file.name):
                file.unlink(missing_ok=True)
        self._remove_empty()

    def _remove_empty(self) -> None:
        if self._pending.is_dir() and not any(self._pending.iterdir()):
            self._pending.rmdir()


def _is_half_written(name: str) -> bool:
    return name.startswith(".") and name.endswith((".safetensors", ".png", ".json", ".jsonl"))


def _check_free(path: Path) -> None:
    """Refuse a folder that holds a run, or anything but what a killed process left behind."""
    if path.exists() and not path.is_dir():
        raise RunError(f"{path} is a file: choose another folder")
    names = _names(path)
    if RUN_FILE in names:
        raise RunError(
            f"{path} already holds a run: go on with it by --resume, or choose another folder"
        )
    if not _hold_nothing(names):
        raise RunError(f"{path} is not empty and holds no run: choose another folder")


def is_free(path: Path) -> bool:
    """Say whether nothing is at a path, or a folder with only what a killed process left behind."""
    return _hold_nothing(_names(path)) if path.is_dir() else not os.path.lexists(path)


def _names(path: Path) -> list[str]:
    """Return what a folder holds, looked at once: another process may be at work there."""
    return [file.name for file in path.iterdir()] if path.is_dir() else []


def _hold_nothing(names: list[str]) -> bool:
    return all(name in (LOCK_FILE, START_FILE) or _is_half_written(name) for name in names)


def _lock(path: Path) -> IO[str] | None:
    """Keep every other process out; the lock goes with the process that holds it."""
    try:
        return hold(path / LOCK_FILE, str(path))
    except LockedError as error:
        raise RunInUseError(str(error)) from None


def is_in_use(path: Path) -> bool:
    """Say whether a process is at work in the folder of a run, without disturbing it."""
    return is_held(path / LOCK_FILE)


def _unlock(lock: IO[str] | None) -> None:
    if lock is not None:
        lock.close()


def free_folder(parent: Path, name: str) -> Path:
    """Return the first of ``name-1``, ``name-2``, … that does not exist."""
    number = 1
    while os.path.lexists(parent / f"{name}-{number}"):
        number += 1
    return parent / f"{name}-{number}"
