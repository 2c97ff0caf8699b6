"""Tasks in processes of this machine."""

import os
import signal
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Generic

from connectlab.lab.executors.base import Result, Task, Told, broke_down, died
from connectlab.lab.executors.parcel import settle
from connectlab.training.learner import BrokeDownError
from connectlab.training.run import RunStoppedError, Stop
from connectlab.training.signals import born_deaf, end_with_parent, start_tracker

POLL_SECONDS = 0.2
GRACE_SECONDS = 0.5
"""How long a task that keeps nothing may take to stop; then its process is ended."""


class LocalProcesses:
    """Does tasks in processes of this machine, some of them at a time."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def run(
        self, tasks: Sequence[Task[Result]], stop: Stop, told: Told[Result]
    ) -> list[Result | None]:
        """Do all tasks; what they show goes to standard error, line by line."""
        start_tracker()
        context = get_context("spawn")
        stop_all = context.Event()
        # A pool for each process: who dies is then known by the task that it was at.
        pools = [
            ProcessPoolExecutor(1, context, _begin_worker, (stop_all,))
            for _ in range(min(self.workers, len(tasks)))
        ]
        crew = _Crew(tasks, pools, told)
        try:
            with born_deaf():
                crew.begin()
            while crew.is_busy and not stop.is_set():
                crew.work(POLL_SECONDS)
        finally:
            stop_all.set()  # also when a task failed: the others can go on later
            crew.end()
        crew.collect()
        if crew.broken and not stop.is_set():
            raise broke_down(tasks, crew.broken)
        return crew.results


class _Crew(Generic[Result]):
    """Processes, each with one task at a time, and what has come of their tasks."""

    def __init__(
        self,
        tasks: Sequence[Task[Result]],
        pools: Sequence[ProcessPoolExecutor],
        told: Told[Result],
    ) -> None:
        self.tasks = tasks
        self.told = told
        self.results: list[Result | None] = [None] * len(tasks)
        self.broken: dict[int, BrokeDownError] = {}
        self._waiting = deque(range(len(tasks)))
        self._pools = pools
        self._idle = deque(pools)
        self._running: dict[Future[Result], tuple[int, ProcessPoolExecutor]] = {}
        self._born: dict[ProcessPoolExecutor, Future[int]] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a task has not ended."""
        return bool(self._waiting or self._running)

    def begin(self) -> None:
        """Start all processes."""
        self._born = {pool: pool.submit(os.getpid) for pool in self._pools}

    def work(self, timeout_s: float) -> None:
        """Give every idle process a task, and take what has ended; raise the first failure."""
        while self._waiting and self._idle:
            self._submit(self._waiting.popleft(), self._idle.popleft())
        wait(self._running, timeout=timeout_s, return_when=FIRST_COMPLETED)
        self.collect()

    def end(self) -> None:
        """Wait for tasks that save what they have, and end all processes; a Ctrl-C ends them now.

        Tasks without a folder keep nothing, and may be in the middle of something long.
        """
        try:
            self._end_what_keeps_nothing()
            self._shut_down()
        except KeyboardInterrupt:
            self._kill(self._pools)
            self._shut_down()  # or Python complains of their semaphores
            raise

    def _end_what_keeps_nothing(self) -> None:
        keeps_nothing = [task.folder is None for task in self.tasks]
        losing = [future for future, (number, _) in self._running.items() if keeps_nothing[number]]
        late = wait(losing, timeout=GRACE_SECONDS).not_done
        self._kill([self._running.pop(future)[1] for future in late])

    def _kill(self, pools: Iterable[ProcessPoolExecutor]) -> None:
        """End processes that were born; those that were not find out that they are to stop."""
        for pool in pools:
            birth = self._born.get(pool)
            if birth is not None and birth.done():
                with suppress(CancelledError, BrokenProcessPool, ProcessLookupError):
                    os.kill(birth.result(), signal.SIGKILL)

    def _shut_down(self) -> None:
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)

    def collect(self) -> None:
        """Take the results of all tasks that have ended."""
        for future in [future for future in self._running if future.done()]:
            number, pool = self._running.pop(future)
            self._idle.append(pool)
            self._take(number, future)

    def _submit(self, number: int, pool: ProcessPoolExecutor) -> None:
        try:
            self._running[pool.submit(_run, self.tasks[number])] = number, pool
        except BrokenProcessPool:
            raise died(self.tasks[number]) from None

    def _take(self, number: int, future: Future[Result]) -> None:
        task = self.tasks[number]
        try:
            result = future.result()
        except RunStoppedError:
            return
        except BrokeDownError as error:
            self.broken[number] = error
            return
        except BrokenProcessPool:
            raise died(task) from None
        self.results[number] = result
        self.told(task, result)


_stop: Stop


def _begin_worker(stop: Stop) -> None:
    global _stop  # noqa: PLW0603
    _stop = stop
    end_with_parent()


def _run(task: Task[Result]) -> Result:
    if task.folder is not None:
        settle(task.folder)
    elif _stop.is_set():
        raise RunStoppedError("stopped")
    return task.run(task.folder, _stop)
