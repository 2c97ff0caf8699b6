"""Spreading the chunks of a contest over threads, with progress and a prompt stop.

Kernels release the GIL, so threads use all cores. The main thread only waits: it reports progress
and is free to take a Ctrl-C at any moment.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from threading import Event, Lock
from typing import TypeVar

from connectlab.errors import UserError
from connectlab.solver import Progress

Result = TypeVar("Result")

MOST_THREADS = 1024
"""More threads than this only get in each other's way."""
POLL_S = 0.1


class ArenaError(UserError):
    """A contest that cannot be held as asked."""


class StoppedError(Exception):
    """Ends a thread after the main thread gave up; nobody but the pool sees it."""


class Meter:
    """What a pool and the main thread tell each other: work done, and when to stop."""

    def __init__(self) -> None:
        self.done = 0
        self._lock = Lock()
        self._stop = Event()

    def advance(self, amount: int) -> None:
        """Report work done; raise ``StoppedError`` when no more is wanted."""
        if self._stop.is_set():
            raise StoppedError
        if amount:
            with self._lock:
                self.done += amount

    def stop(self) -> None:
        """Ask every thread to stop at its next report."""
        self._stop.set()


def thread_count(threads: int | None) -> int:
    """Return the number of threads to use: as asked, or one for each core."""
    if threads is None:
        return os.cpu_count() or 1
    if not 1 <= threads <= MOST_THREADS:
        raise ArenaError(f"threads must be from 1 to {MOST_THREADS:,}, not {threads:,}")
    return threads


def run_tasks(
    tasks: Sequence[Callable[[Meter], Result]],
    *,
    total: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Run all tasks on threads and return their results in order; ``total`` is their work.

    ``progress`` is called from the main thread. The first failure, or an exception in the main
    thread such as a Ctrl-C, stops the rest at once: a task ends at its next ``Meter.advance``, and
    tasks not yet begun never begin.
    """
    meter = Meter()
    report = progress or _say_nothing
    pool = ThreadPoolExecutor(thread_count(threads), thread_name_prefix="arena")
    try:
        futures = [pool.submit(task, meter) for task in tasks]
        pending: set[Future[Result]] = set(futures)
        report(0, total)
        while pending:
            done, pending = wait(pending, timeout=POLL_S, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
            report(meter.done, total)
        return [future.result() for future in futures]
    finally:
        meter.stop()
        # Not waiting hands a Ctrl-C to the caller although an agent may still be deep in thought.
        pool.shutdown(wait=False, cancel_futures=True)


def _say_nothing(done: int, total: int) -> None:
    del done, total
