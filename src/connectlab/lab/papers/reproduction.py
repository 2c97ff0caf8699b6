"""Computing the cells of an experiment on an executor, and writing its report."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from connectlab.lab.executors.base import Executor, Task
from connectlab.lab.executors.luggage import files_of
from connectlab.lab.papers.cells import Cell, TrainingCell
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.results import CellResult, Found
from connectlab.lab.papers.store import CellStore
from connectlab.storage.files import write_text
from connectlab.training.run import RunStoppedError, Stop

Finished: TypeAlias = Callable[[Cell, CellResult], None]
"""Called when a cell was computed and is kept."""


SPENT = "core_seconds"
"""The file with the time that a stopped cell has taken so far; one that is killed forgets it."""


def _spent(folder: Path) -> float:
    try:
        return float((folder / SPENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0.0


@dataclass(frozen=True)
class CellTask(Task[CellResult]):
    """A cell to be computed, here or on another machine."""

    cell: Cell
    work: Path
    """Where it goes on from if it was begun before."""

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
        """Compute it, and say with what."""
        place = folder or self.work
        before, began = _spent(place), time.process_time()
        try:
            data = self.cell.compute(place, stop)
        except RunStoppedError:
            write_text(place / SPENT, str(before + time.process_time() - began))
            raise
        return CellResult.now(data, before + time.process_time() - began)


@dataclass(frozen=True)
class Reproduction:
    """An experiment at a scale, with the results that are kept in a store."""

    experiment: Experiment
    scale: Scale
    store: CellStore
    repeats: int | None = None
    """Fewer runs, or more, than the scale has."""

    @property
    def size(self) -> Size:
        """How much is computed."""
        size = self.experiment.sizes[self.scale]
        return size if self.repeats is None else replace(size, repeats=self.repeats)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All that must be computed, each once."""
        return tuple(dict.fromkeys(self.experiment.cells(self.size)))

    def found(self) -> Found:
        """Return what is there."""
        return self.store.find_all(self.cells)


def missing_cells(reproductions: Sequence[Reproduction]) -> tuple[Cell, ...]:
    """Return the cells that are still to be computed, each once, in the order of the asking."""
    wanted = dict.fromkeys(cell for each in reproductions for cell in each.cells)
    store = {cell: each.store for each in reproductions for cell in each.cells}
    return tuple(cell for cell in wanted if store[cell].find(cell) is None)


def compute(
    cells: Sequence[Cell], store: CellStore, executor: Executor, stop: Stop, finished: Finished
) -> bool:
    """Compute cells and keep each as soon as it is there; return whether all are."""
    tasks = [CellTask(cell, store.work(cell)) for cell in cells]

    def keep(task: Task[CellResult], result: CellResult) -> None:
        assert isinstance(task, CellTask)
        store.save(task.cell, result)
        finished(task.cell, result)

    return all(result is not None for result in executor.run(tasks, stop, keep))
