"""Tasks, and what an executor promises to whoever has many of them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from connectlab.errors import UserError
from connectlab.training.learner import BrokeDownError
from connectlab.training.run import Stop

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class ExecutorError(UserError):
    """Tasks that cannot be done where they were to be, or whose process died."""


class HeadGoneError(ExecutorError):
    """The head of a cluster that is gone; what came back from it is whole."""


class TasksBrokeDownError(ExecutorError):
    """Tasks that broke down, each for itself; all others are done."""

    def __init__(self, lines: Sequence[str], total: int) -> None:
        super().__init__("; ".join(lines))
        self.lines = tuple(lines)
        """What became of each: where it was, and why it broke down."""
        self.total = total
        """Tasks that there were, with those that are done."""


class Task(Protocol[Result_co]):
    """A piece of work that can be sent to another process: pickled, with all that it holds.

    Inherit from it to have the defaults of what is not needed. Two tasks of one executor never
    share a folder.
    """

    @property
    def name(self) -> str:
        """What people call it, in displays and messages."""
        raise NotImplementedError

    @property
    def folder(self) -> Path | None:
        """What it writes and goes on from, on the machine of whoever asks; None for nothing.

        Another machine gets all that is there, and what it makes of it comes back.
        """
        return None

    @property
    def keeps_folder(self) -> bool:
        """Whether the folder is still worth something when the result is there."""
        return True

    @property
    def files(self) -> Sequence[Path]:
        """Files beside the folder that it reads, by the paths it reads them with."""
        return ()

    @property
    def threads(self) -> int:
        """Cores that it keeps busy."""
        return 1

    def run(self, folder: Path | None, stop: Stop) -> Result_co:
        """Do it in a folder that holds what ``self.folder`` held; begin, or go on.

        Raises ``RunStoppedError`` when asked to stop, with whatever is worth keeping in the folder;
        a task without a folder may be ended then, wherever it is.
        """
        raise NotImplementedError


Told: TypeAlias = Callable[[Task[Result], Result], None]
"""Called in the process of whoever asked, when a task has ended and its folder is in place."""


class Executor(Protocol):
    """Where tasks are done."""

    def run(
        self, tasks: Sequence[Task[Result]], stop: Stop, told: Told[Result]
    ) -> list[Result | None]:
        """Do all tasks, in any order; return results in theirs, None for those that were stopped.

        The first failure stops the others and is raised: a ``UserError`` of the task as it was, an
        ``ExecutorError`` that names the task if its process died. Only a ``BrokeDownError`` stops
        nobody: it would come again, and is raised when all others are done, as part of a
        ``TasksBrokeDownError``; after a stop it counts as stopped.
        """


def died(task: Task[object], *, where: str = "its process") -> ExecutorError:
    """Return what is to be said of a task whose process was killed."""
    kept = "" if task.folder is None else f"; what it has saved is whole, in {task.folder}"
    return ExecutorError(f"{task.name}: {where} died (killed, or out of memory){kept}")


def broke_down(
    tasks: Sequence[Task[object]], broken: Mapping[int, BrokeDownError]
) -> TasksBrokeDownError:
    """Return what is to be said of tasks that broke down, by their numbers."""
    lines = [f"{tasks[n].folder or tasks[n].name}: {broken[n]}" for n in sorted(broken)]
    return TasksBrokeDownError(lines, len(tasks))


def ignore(task: Task[Result], result: Result) -> None:
    """Take no note of a task that has ended."""
    del task, result
