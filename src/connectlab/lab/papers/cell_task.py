"""A cell as a task: computed once, by whoever comes first, here or on another machine.

Two commands may share a folder of cells. Who computes a run holds a lock in its folder, and saves
the result before letting go; who comes later waits, and then finds it.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from connectlab.lab.executors.base import Task
from connectlab.lab.executors.luggage import files_of
from connectlab.lab.papers.cells import Cell, TrainingCell
from connectlab.lab.papers.results import CellResult
from connectlab.lab.papers.store import CellStore
from connectlab.storage.files import write_text
from connectlab.storage.locks import LockedError, hold
from connectlab.training.folder import LOCK_FILE
from connectlab.training.run import RunStoppedError, Stop

SPENT = "core_seconds"
"""The file with the time that a stopped cell has taken so far; one that is killed forgets it."""
MOST_SECONDS = 1e9
"""Thirty years: a file that says more is damaged."""
WAIT_SECONDS = 0.5


@dataclass(frozen=True)
class CellTask(Task[CellResult]):
    """A cell to be computed."""

    cell: Cell
    work: Path
    """Where it goes on from if it was begun before: its folder in the store."""

    @property
    def name(self) -> str:
        """What is computed."""
        return self.cell.title

    @property
    def folder(self) -> Path | None:
        """Only runs keep anything while they are under way."""
        return self.work if isinstance(self.cell, TrainingCell) else None

    @property
    def keeps_folder(self) -> bool:
        """The result is all that is kept."""
        return False

    @property
    def files(self) -> tuple[Path, ...]:
        """Tuples and players that the settings of a learner name."""
        cell = self.cell
        return files_of(cell.learner_config) if isinstance(cell, TrainingCell) else ()

    def run(self, folder: Path | None, stop: Stop) -> CellResult:
        """Compute it, or take what another command has computed meanwhile."""
        if folder != self.work:  # on another machine, or nothing is kept on the way
            return self._compute(folder or self.work, stop)
        store = CellStore(self.work.parent)
        with _alone(self.work, stop):
            found = store.find(self.cell)
            if found is None:
                found = self._compute(self.work, stop)
                store.save(self.cell, found)
        return found

    def _compute(self, folder: Path, stop: Stop) -> CellResult:
        before, began = _spent(folder), time.process_time()
        try:
            data = self.cell.compute(folder, stop)
        except RunStoppedError:
            write_text(folder / SPENT, str(before + time.process_time() - began))
            raise
        return CellResult.now(data, before + time.process_time() - began)


def _spent(folder: Path) -> float:
    try:
        spent = float((folder / SPENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0.0
    return spent if 0 < spent < MOST_SECONDS else 0.0


@contextmanager
def _alone(folder: Path, stop: Stop) -> Iterator[None]:
    """Keep other commands out of a folder; wait while one of them is in it."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = hold(folder / LOCK_FILE, str(folder))
            break
        except (LockedError, FileNotFoundError):  # or it was removed just now: that one is done
            if stop.is_set():
                raise RunStoppedError(f"stopped: another process computes {folder}") from None
            time.sleep(WAIT_SECONDS)
    try:
        yield
    finally:
        if lock is not None:
            lock.close()
