"""Tasks, and what an executor promises to whoever has many of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from connectlab.errors import UserError
from connectlab.training.run import Stop

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class ExecutorError(UserError):
    """Tasks that cannot be done where they were to be, or whose process died."""


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

        Raises ``RunStoppedError`` when asked to stop, with whatever is worth keeping in the folder.
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
        ``ExecutorError`` that names the task if its process died.
        """


def died(task: Task[object], *, where: str = "its process") -> ExecutorError:
    """Return what is to be said of a task whose process was killed."""
    kept = "" if task.folder is None else f"; what it has saved is whole, in {task.folder}"
    return ExecutorError(f"{task.name}: {where} died (killed, or out of memory){kept}")


def ignore(task: Task[Result], result: Result) -> None:
    """Take no note of a task that has ended."""
    del task, result
