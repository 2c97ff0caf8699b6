"""The folder of a run: what is in it, who may write to it, and how it is opened again."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from connectlab.storage.files import replacing, write_text
from connectlab.training.metrics import RunError
from connectlab.training.provenance import commit, versions

RUN_FILE = "run.json"


class RunRecord(BaseModel):
    """What ``run.json`` says: all that decides how the run goes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    learner: str
    """Name of the learner."""
    preset: str | None
    """The preset that was named."""
    settings: dict[str, Any]
    """Every setting of the learner."""
    seed: int
    """Seed of the run; also one of the settings."""
    threads: int
    """Threads that learn."""
    evaluation_games: int
    """Games of an evaluation; 0 for none."""
    evaluation_every: int
    """Games of training between two evaluations."""
    evaluation_exact: bool = False
    """Whether evaluations walk through all games instead of sampling them."""
    versions: dict[str, str]
    """Versions that decide the bits."""
    commit: str | None
    """Commit of the source, with ``+`` if it was changed."""
    started: str
    """When the run began, in UTC."""

    @property
    def games(self) -> int:
        """Games of the whole run."""
        return int(self.settings["games"])

    @classmethod
    def make(
        cls,
        learner: str,
        settings: Mapping[str, Any],
        *,
        preset: str | None = None,
        threads: int = 1,
        evaluation_games: int = 200,
        evaluation_every: int | None = None,
        evaluation_exact: bool = False,
    ) -> "RunRecord":
        """Describe a run that begins now; unless told, it is evaluated 20 times."""
        return cls(
            learner=learner,
            preset=preset,
            settings=dict(settings),
            seed=settings["seed"],
            threads=threads,
            evaluation_games=evaluation_games,
            evaluation_every=evaluation_every or max(1, settings["games"] // 20),
            evaluation_exact=evaluation_exact,
            versions=versions(),
            commit=commit(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
        )


class RunFolder:
    """The files of one run. Every file but the metrics and events is replaced as a whole."""

    def __init__(self, path: Path, record: RunRecord) -> None:
        self.path = path
        self.record = record
        self.state = path / "state.safetensors"
        self.latest = path / "latest.safetensors"
        self.best = path / "best.safetensors"
        self.metrics = path / "metrics.jsonl"
        self.curve = path / "curve.png"
        self._pending = path / "pending"

    @classmethod
    def create(cls, path: Path, record: RunRecord) -> "RunFolder":
        """Begin a run in a folder that holds nothing yet."""
        if (path / RUN_FILE).exists():
            raise RunError(
                f"{path} already holds a run: go on with it by --resume, or choose another folder"
            )
        if path.exists() and not path.is_dir():
            raise RunError(f"{path} is a file: choose another folder")
        if path.is_dir() and any(path.iterdir()):
            raise RunError(f"{path} is not empty and holds no run: choose another folder")
        write_text(path / RUN_FILE, record.model_dump_json(indent=2) + "\n")
        return cls(path, record)

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Open the folder of a run that was begun."""
        file = path / RUN_FILE
        if not file.is_file():
            raise RunError(f"{path} holds no run to go on with: there is no {RUN_FILE}")
        try:
            return cls(path, RunRecord.model_validate_json(file.read_bytes()))
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise RunError(f"{file} is damaged{f' at {where}' if where else ''}") from None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other process out; the lock goes with the process that holds it."""
        try:
            import fcntl
        except ImportError:  # not on this system: nobody is kept out
            yield
            return
        with (self.path / ".lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RunError(f"{self.path} is in use by another process") from None
            yield

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
            if file.name.endswith((".safetensors", ".png", ".json", ".jsonl")):
                file.unlink(missing_ok=True)
        self._remove_empty()

    def _remove_empty(self) -> None:
        if self._pending.is_dir() and not any(self._pending.iterdir()):
            self._pending.rmdir()


def free_folder(parent: Path, name: str) -> Path:
    """Return the first of ``name-1``, ``name-2``, … that does not exist."""
    number = 1
    while (parent / f"{name}-{number}").exists():
        number += 1
    return parent / f"{name}-{number}"
