"""Evaluations beside the training: one process that judges checkpoints in their order.

The process lives as long as the run, so what its solver has found is kept for the next checkpoint.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from connectlab.errors import UserError
from connectlab.training.measurement import Measurement
from connectlab.training.metrics import Evaluation, RunError
from connectlab.training.signals import born_deaf, end_with_parent

Judge: TypeAlias = Callable[[Path, int], Sequence[Measurement]]
"""Judges the checkpoint in a file, with a seed; returns the measurements of an ``Evaluation``."""


class Evaluations(AbstractContextManager["Evaluations"], Protocol):
    """Where checkpoints go to be judged."""

    def submit(self, games: int, path: Path, seed: int) -> None:
        """Ask for an evaluation of the checkpoint saved after ``games`` games."""

    def collect(self, timeout_s: float = 0.0) -> list[Evaluation]:
        """Return what was finished since the last call; wait for the first one if there is none."""

    @property
    def outstanding(self) -> int:
        """Evaluations asked for and not yet collected."""


class EvaluationsHere:
    """Evaluates in this process, when results are collected."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._queue: deque[tuple[int, Path, int]] = deque()

    def submit(self, games: int, path: Path, seed: int) -> None:
        """Put a checkpoint into the queue."""
        self._queue.append((games, path, seed))

    def collect(self, timeout_s: float = 0.0) -> list[Evaluation]:
        """Judge the next checkpoint."""
        del timeout_s
        if not self._queue:
            return []
        games, path, seed = self._queue.popleft()
        try:
            return [Evaluation(games, tuple(self._judge(path, seed)))]
        except UserError as error:
            raise _failed(games, _reason(path, error)) from None

    @property
    def outstanding(self) -> int:
        """Checkpoints in the queue."""
        return len(self._queue)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.clear()


class EvaluationsBeside:
    """Evaluates in a process of its own, while this one goes on."""

    def __init__(self, judge: Judge) -> None:
        # A forked child would inherit locks that other threads hold: start a fresh interpreter.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(judge, theirs), daemon=True)
        self._waiting: deque[int] = deque()
        with born_deaf():
            self._process.start()
        theirs.close()

    def submit(self, games: int, path: Path, seed: int) -> None:
        """Send a checkpoint to the process."""
        try:
            self._connection.send((path, seed))
        except OSError:
            raise _failed(games, f"the process ended with code {self._exit_code()}") from None
        self._waiting.append(games)

    def collect(self, timeout_s: float = 0.0) -> list[Evaluation]:
        """Return what has come back, in the order in which it was sent."""
        found: list[Evaluation] = []
        while self._waiting and self._connection.poll(0.0 if found else timeout_s):
            games = self._waiting[0]
            try:
                measurements, failure = self._connection.recv()
            except (EOFError, OSError):
                raise _failed(games, f"the process ended with code {self._exit_code()}") from None
            if failure is not None:
                raise _failed(games, failure)
            found.append(Evaluation(games, measurements))
            self._waiting.popleft()
        return found

    @property
    def outstanding(self) -> int:
        """Checkpoints whose measurements have not come back."""
        return len(self._waiting)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()  # it is deaf to anything less, and holds nothing worth saving
        self._process.join()
        self._connection.close()

    def _exit_code(self) -> int | None:
        self._process.join(1.0)
        return self._process.exitcode


def _failed(games: int, reason: str) -> RunError:
    return RunError(f"the evaluation after {games:,} games failed: {reason}")


def _reason(path: Path, error: UserError) -> str:
    """Return what went wrong; if it is the checkpoint, also how the run goes on without it."""
    if str(path) not in str(error):
        return str(error)
    return f"{error}; remove that file, and the run goes on without this evaluation"


def _serve(judge: Judge, connection: Connection) -> None:
    """Judge what comes through the connection until its other end is gone."""
    end_with_parent()
    while True:
        try:
            path, seed = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[tuple[Measurement, ...], str | None]
        try:
            answer = (tuple(judge(path, seed)), None)
        except UserError as error:
            answer = ((), _reason(path, error))
        except Exception as error:  # told by the process that can stop the run
            answer = ((), f"{type(error).__name__}: {error}")
        connection.send(answer)
