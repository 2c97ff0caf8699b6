"""What a worker of a Ray cluster does with a task; Ray finds these functions by their names."""

import hashlib
import platform
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeAlias

from connectlab import __version__
from connectlab.errors import UserError
from connectlab.lab.executors.base import ExecutorError, Result, Task
from connectlab.lab.executors.luggage import Luggage
from connectlab.lab.executors.parcel import Parcel
from connectlab.training.provenance import PACKAGE
from connectlab.training.run import RunStoppedError, Stop

Identity: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Ended(Generic[Result]):
    """How a task ended: with a result or an error, and what its folder holds then."""

    result: Result | None = None
    error: Exception | None = None
    parcel: Parcel | None = None

    @property
    def was_stopped(self) -> bool:
        """Whether it was asked to stop, and did."""
        return isinstance(self.error, RunStoppedError)


@cache
def identity() -> Identity:
    """Return what all machines must have in common, so that they come to the same bits."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "connectlab": f"{__version__} ({_source_digest()})",
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def tell_identity() -> Identity:
    """Return the identity of the machine this runs on."""
    return identity()


def _source_digest() -> str:
    """Return a digest of the package: its version does not change with every change."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:8]


def check_identity(theirs: Identity, ours: Identity, node: str) -> None:
    """Refuse a machine that would not come to the same bits."""
    for what, wanted in ours.items():
        found = theirs.get(what, "none")
        if found != wanted:
            raise ExecutorError(f"node {node} has {what} {found}, this machine {what} {wanted}")


def do_task(
    task: Task[Result], parcel: Parcel | None, ours: Identity, *luggage: Luggage
) -> Ended[Result]:
    """Do a task in a folder of its own, with a copy of what its folder and its files hold."""
    with _stop_on_cancel() as stop, TemporaryDirectory(prefix="connectlab-") as temporary:
        here, folder = Path(temporary) / "here", Path(temporary) / "task"
        here.mkdir()
        if parcel is not None:
            parcel.unpack(folder)
        with chdir(here):
            ended = _try(task, folder if parcel is not None else None, luggage, stop, ours)
        if parcel is None or (ended.error is None and not task.keeps_folder):
            return ended
        return Ended(ended.result, _named(ended.error, folder, task), Parcel.pack(folder))


def _try(
    task: Task[Result],
    folder: Path | None,
    luggage: Sequence[Luggage],
    stop: Stop,
    ours: Identity,
) -> Ended[Result]:
    try:
        check_identity(identity(), ours, platform.node())
        for each in luggage:
            each.unpack()
        return Ended(result=task.run(folder, stop))
    except Exception as error:  # told by the process that can stop the others
        return Ended(error=error)


def _named(error: Exception | None, folder: Path, task: Task[object]) -> Exception | None:
    """Let an error speak of the folder that the user knows."""
    if isinstance(error, UserError) and str(folder) in str(error):
        return ExecutorError(str(error).replace(str(folder), str(task.folder)))
    return error


@contextmanager
def _stop_on_cancel() -> Iterator[threading.Event]:
    """Give an event that is set when Ray cancels the task, which it does by the signal SIGINT."""
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda _number, _frame: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN if before is None else before)
