"""Tasks on a Ray cluster.

Each task is sent with the content of its folder and of the files it reads, and comes back with the
content of its folder, which replaces the one here. Ray itself does a task again whose node or
process died, on another node, from what was sent; a result that is here is never computed again.
The folder of a task that is under way is locked, so that nobody else works in it meanwhile.
"""

import resource
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Generic, cast

from connectlab.lab.executors.base import (
    ExecutorError,
    HeadGoneError,
    Result,
    Task,
    Told,
    broke_down,
    died,
)
from connectlab.lab.executors.luggage import Luggage
from connectlab.lab.executors.parcel import Parcel, settle
from connectlab.lab.executors.ray_connection import check_nodes, connected, cores, last_line
from connectlab.lab.executors.ray_head import Head, split_address
from connectlab.lab.executors.ray_worker import Ended, do_task, identity
from connectlab.storage.locks import hold
from connectlab.training.folder import LOCK_FILE
from connectlab.training.learner import BrokeDownError
from connectlab.training.run import Stop

if TYPE_CHECKING:
    from ray import ObjectRef

POLL_SECONDS = 0.2
FETCH_SECONDS = 5.0
"""How long a result is waited for on its way; then others get their turn."""
RETRIES = 3
"""How often a task is done again whose node or process died."""


class RayCluster:
    """Does tasks on a Ray cluster: that at an address, or one started for as long as it takes.

    The machine of whoever asks must be one of the cluster, as its head is.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if address is not None:
            split_address(address)
        self.address = address
        self.workers = workers
        if find_spec("ray") is None:
            raise ExecutorError("Ray is not installed: pip install 'connectlab[cluster]'")

    def run(
        self, tasks: Sequence[Task[Result]], stop: Stop, told: Told[Result]
    ) -> list[Result | None]:
        """Do all tasks; each has as many cores of a node as it has threads."""
        if not tasks:
            return []
        _allow_many_files()
        with connected(self.address, self.workers) as head:
            check_nodes(max(task.threads for task in tasks))
            crew = _Crew(tasks, told, self.workers, head)
            try:
                while crew.is_busy and not stop.is_set():
                    crew.work(POLL_SECONDS)
            except HeadGoneError:
                raise  # there is nobody to stop
            except Exception:
                with suppress(Exception):  # the first failure is the one to tell
                    crew.stop()
                raise
            crew.stop()
        if crew.broken and not stop.is_set():
            raise broke_down(tasks, crew.broken)
        return crew.results


@dataclass(frozen=True)
class _UnderWay:
    """A task that was sent."""

    number: int
    lock: IO[str] | None


class _Crew(Generic[Result]):
    """Tasks that wait, those that are under way, and what has come of the others."""

    def __init__(
        self,
        tasks: Sequence[Task[Result]],
        told: Told[Result],
        workers: int | None,
        head: Head,
    ) -> None:
        self.tasks = tasks
        self.told = told
        self.workers = workers
        self.head = head
        self.results: list[Result | None] = [None] * len(tasks)
        self.broken: dict[int, BrokeDownError] = {}
        self._waiting = deque(range(len(tasks)))
        self._under_way: dict[ObjectRef[Ended[Result]], _UnderWay] = {}
        self._luggage: dict[Path, ObjectRef[Luggage]] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a task has not ended."""
        return bool(self._waiting or self._under_way)

    def work(self, timeout_s: float) -> None:
        """Send as many tasks as there are cores, and take what comes back."""
        if self.head.answers() and self._waiting:
            room = self.workers or self.head.asked(cores)
            while self._waiting and len(self._under_way) < room and self.head.answers():
                self._send(self._waiting.popleft())
        if self._under_way:
            self._collect(timeout_s)
        else:  # nobody answers
            time.sleep(timeout_s)

    def stop(self) -> None:
        """Let all tasks under way stop, and take what they have saved."""
        import ray

        self._waiting.clear()
        for reference in self._under_way:
            ray.cancel(reference)
        while self._under_way:
            self.head.answers()
            self._collect(POLL_SECONDS)

    def _send(self, number: int) -> None:
        import ray

        task = self.tasks[number]
        files = [self._pack(path) for path in task.files]
        parcel, lock = None, None
        if task.folder is not None:
            task.folder.mkdir(parents=True, exist_ok=True)
            lock = hold(task.folder / LOCK_FILE, str(task.folder))
            settle(task.folder)
            parcel = Parcel.pack(task.folder)
        options = {"num_cpus": task.threads, "max_retries": RETRIES, "name": task.name}
        # Ray's types know no functions that are generic.
        work = ray.remote(do_task).options(**options)  # type: ignore[var-annotated]
        reference: ObjectRef[Ended[Result]] = self.head.asked(
            lambda: work.remote(task, parcel, identity(), *files)
        )
        self._under_way[reference] = _UnderWay(number, lock)

    def _pack(self, path: Path) -> "ObjectRef[Luggage]":
        """Put a file into the store of the cluster, once for all tasks that read it."""
        import ray

        if path not in self._luggage:
            self._luggage[path] = ray.put(Luggage.pack(path))
        return self._luggage[path]

    def _collect(self, timeout_s: float) -> None:
        import ray

        # Results stay on their nodes until it is their turn: all of them might not fit in here.
        done, _ = ray.wait([*self._under_way], timeout=timeout_s, fetch_local=False)
        # One that is not here by then is on its way, or was lost and is being made again.
        here, _ = ray.wait(done, timeout=FETCH_SECONDS) if done else ([], [])
        for reference in here:
            sent = self._under_way.pop(reference)
            try:
                self._take(sent.number, reference)
            finally:
                if sent.lock is not None:
                    sent.lock.close()

    def _take(self, number: int, reference: "ObjectRef[Ended[Result]]") -> None:
        task = self.tasks[number]
        ended = self._fetch(task, reference)
        if ended is None:
            return
        if ended.parcel is not None and task.folder is not None:
            ended.parcel.deliver(task.folder)
        if ended.was_stopped:
            return
        if isinstance(ended.error, BrokeDownError):
            self.broken[number] = ended.error
            return
        if ended.error is not None:
            raise ended.error
        result = cast("Result", ended.result)
        self.results[number] = result
        self.told(task, result)

    def _fetch(
        self, task: Task[Result], reference: "ObjectRef[Ended[Result]]"
    ) -> Ended[Result] | None:
        """Return how a task ended; None if it was stopped before it had anything to keep."""
        import ray
        from ray.exceptions import RayError, RayTaskError, TaskCancelledError

        try:
            return ray.get(reference)
        except TaskCancelledError:
            return None
        except RayTaskError as error:
            raise ExecutorError(f"{task.name}: {last_line(error)}") from None
        except RayError:
            if not self.head.answers():
                raise self.head.gone() from None
            tries = f"its node or process, {RETRIES + 1} times over," if RETRIES else "its process"
            raise died(task, where=tries) from None


def _allow_many_files() -> None:
    """Raise the limit of open files to what the system allows: each task under way has a lock."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
