"""Computing the cells of an experiment on an executor, and writing its report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from connectlab.lab.executors.base import Executor, Task
from connectlab.lab.papers.cell_task import CellTask
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.results import CellResult, Found
from connectlab.lab.papers.store import CellStore
from connectlab.training.run import Stop

Finished: TypeAlias = Callable[[Cell, CellResult], None]
"""Called when a cell was computed and is kept."""


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


def wanted_cells(reproductions: Sequence[Reproduction]) -> tuple[Cell, ...]:
    """Return all cells, each once, in the order of the asking."""
    return tuple(dict.fromkeys(cell for each in reproductions for cell in each.cells))


def missing_cells(reproductions: Sequence[Reproduction]) -> tuple[Cell, ...]:
    """Return the cells that are still to be computed, each once, in the order of the asking."""
    store = {cell: each.store for each in reproductions for cell in each.cells}
    return tuple(cell for cell in wanted_cells(reproductions) if store[cell].find(cell) is None)


def compute(
    cells: Sequence[Cell], store: CellStore, executor: Executor, stop: Stop, finished: Finished
) -> bool:
    """Compute cells and keep each as soon as it is there; return whether all are."""
    for cell in cells:
        store.check_place(cell)  # before hours of work that could not be kept
    tasks = [CellTask(cell, store.work(cell)) for cell in cells]

    def keep(task: Task[CellResult], result: CellResult) -> None:
        assert isinstance(task, CellTask)
        store.save(task.cell, result)
        finished(task.cell, result)

    return all(result is not None for result in executor.run(tasks, stop, keep))
