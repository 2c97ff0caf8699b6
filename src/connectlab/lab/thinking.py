"""Work that takes its time: in a thread of its own, to be waited for or given up."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, TypeAlias, TypeVar

from connectlab.errors import UserError

Result = TypeVar("Result")

Stopped: TypeAlias = Callable[[], bool]
"""Asked by long work now and then: whether nobody wants its result any more."""
Work: TypeAlias = Callable[[Stopped], Callable[[], Result]]
"""Finds something out, and returns what is to be done with it at the end."""


class ThinkingStoppedError(UserError):
    """The thinking was given up before it came to a result."""


class Thinking(Generic[Result]):
    """A question somebody is thinking about, in a daemon thread.

    No thread can be killed, and a compiled kernel does not look up. So to stop is to stop waiting:
    whoever waits is told at once, and what the thread still finds is dropped. ``work`` runs
    without a lock and returns a function; only that one, run under the lock and only if nobody
    has stopped the thinking, may change anything.
    """

    def __init__(
        self, work: Work[Result], lock: AbstractContextManager[object] | None = None
    ) -> None:
        self._lock = lock if lock is not None else threading.Lock()
        self._over = threading.Event()
        self._stopped = False
        self._result: Result | None = None
        self._failure: BaseException | None = None
        threading.Thread(target=self._run, args=(work,), daemon=True, name="thinking").start()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it has come to an end, of whatever kind; return whether it has."""
        return self._over.wait(timeout_s)

    def stop(self) -> None:
        """Give it up, from any thread; a result that is there already stays."""
        with self._lock:
            if not self._over.is_set():
                self._stopped = True
                self._over.set()

    @property
    def running(self) -> bool:
        """Whether it has not come to an end."""
        return not self._over.is_set()

    @property
    def stopped(self) -> bool:
        """Whether it was given up."""
        return self._stopped

    def result(self) -> Result:
        """Wait for the result; raise what went wrong, or ``ThinkingStoppedError``."""
        self._over.wait()
        if self._stopped:
            raise ThinkingStoppedError("the thinking was stopped")
        if self._failure is not None:
            raise self._failure
        return self._result  # type: ignore[return-value]  # None may be the result itself

    def _run(self, work: Work[Result]) -> None:
        try:
            finish = work(lambda: self._stopped)
        except BaseException as error:  # whoever waits must hear of it, whatever it is
            self._end(None, error)
        else:
            self._end(finish, None)

    def _end(self, finish: Callable[[], Result] | None, failure: BaseException | None) -> None:
        with self._lock:
            if self._stopped:
                return
            try:
                self._result = None if finish is None else finish()
                self._failure = failure
            except BaseException as error:
                self._failure = error
            self._over.set()
