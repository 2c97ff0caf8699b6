"""The keeper sees to it that what shall be going on is going on: long work, each in a process.

What shall be going on is written down in a ledger on disk, never in memory: after a crash or a
restart the next keeper reads it and goes on. Several keepers may share one ledger: work that a
process is at is left to it, and taken over when that process is gone. A process ends with its
keeper, however the keeper ends, and runs at a low priority; whatever it does must bear to be killed
at any moment.
"""

import atexit
import json
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from typing import Literal, Protocol, TypeAlias

from connectlab.errors import UserError
from connectlab.storage.locks import LockedError
from connectlab.training.folder import RunInUseError
from connectlab.training.run import RunStoppedError, Stop
from connectlab.training.signals import born_deaf, end_with_parent

TICK_SECONDS = 0.4
PATIENCE_SECONDS = 10.0
"""Time a process has to save and end; then it is killed, and loses little."""
NICENESS = 10

Task: TypeAlias = Callable[[Stop], None]
"""What a process does; it is sent there, and raises ``RunStoppedError`` when it was stopped."""
Standing: TypeAlias = Literal["starting", "running", "waiting", "stopping", "elsewhere"]
"""``elsewhere``: another process is at it."""

_log = logging.getLogger(__name__)


class Ledger(Protocol):
    """What shall be going on, as it stands on disk; names are those of the work."""

    def wanted(self) -> list[str]:
        """Return what shall be going on, those who came first before the others."""

    def is_busy(self, name: str) -> bool:
        """Say whether some process is at it."""

    def task(self, name: str) -> Task:
        """Return what is to be done; ``UserError`` if that cannot be read."""

    def done(self, name: str) -> None:
        """Cross out what has come to its end."""

    def failed(self, name: str, reason: str) -> None:
        """Write down why it does not go on; it is wanted no more, or was not while it stopped."""


@dataclass
class _Child:
    """A process at work."""

    process: SpawnProcess
    connection: Connection
    stop: Event
    asked_at: float | None = None
    """When it was asked to stop."""

    def ask_to_stop(self) -> None:
        """Ask once; who does not listen is killed."""
        if self.asked_at is None:
            self.asked_at = time.monotonic()
            self.stop.set()
        elif time.monotonic() - self.asked_at > PATIENCE_SECONDS:
            self.process.kill()

    def outcome(self) -> tuple[str, str]:
        """Return how it ended: a word and a reason."""
        with suppress(EOFError, OSError, ValueError):
            if self.connection.poll():
                word, reason = json.loads(self.connection.recv_bytes())
                return str(word), str(reason)
        return "died", f"its process ended with code {self.process.exitcode}"


class Keeper:
    """Keeps at most ``at_once`` processes at work; all others wait in line."""

    def __init__(self, ledger: Ledger, *, at_once: int = 1, niceness: int = NICENESS) -> None:
        self.ledger = ledger
        self.at_once = at_once
        self._niceness = niceness
        self._children: dict[str, _Child] = {}
        self._lock = threading.RLock()
        self._wake = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None

    def open(self) -> "Keeper":
        """Begin to look after the ledger, in a thread of its own, until ``close``."""
        self._thread = threading.Thread(target=self._tend, name="keeper", daemon=True)
        self._thread.start()
        atexit.register(self.close)  # else the interpreter would wait for the processes
        return self

    def wake(self) -> None:
        """Look at the ledger at once: it has changed."""
        self._wake.set()

    def close(self, patience_s: float = PATIENCE_SECONDS) -> None:
        """Let every process save and end; the ledger stays as it is, for the next keeper."""
        with self._lock:
            self._closing = True
            self._stop([*self._children])
        self._wake.set()
        end = time.monotonic() + patience_s
        for child in self._children.values():
            child.process.join(max(0.0, end - time.monotonic()))
            if child.process.is_alive():
                child.process.kill()
                child.process.join()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(1.0)
        with self._lock:
            self._settle(self.ledger.wanted())
        atexit.unregister(self.close)

    def standing(self, name: str) -> tuple[Standing, int] | None:
        """Tell how work stands, and its place in line (0 for what does not wait)."""
        return self.standings().get(name)

    def standings(self) -> dict[str, tuple[Standing, int]]:
        """Tell how everything stands that is in the ledger or being stopped."""
        with self._lock:
            wanted = self.ledger.wanted()
            found: dict[str, tuple[Standing, int]] = {}
            place = 0
            for name in wanted:
                if name in self._children:
                    found[name] = ("running" if self.ledger.is_busy(name) else "starting"), 0
                elif self.ledger.is_busy(name):
                    found[name] = "elsewhere", 0
                else:
                    place += 1
                    found[name] = "waiting", place
            for name, child in self._children.items():
                if child.asked_at is not None or name not in wanted:
                    found[name] = "stopping", 0
        return found

    def tick(self) -> None:
        """Look once: note who has ended, stop what is wanted no more, start what can be."""
        with self._lock:
            wanted = self.ledger.wanted()
            self._settle(wanted)
            wanted = self.ledger.wanted()
            self._stop([name for name in self._children if name not in wanted])
            self._stop([name for name, each in self._children.items() if each.asked_at is not None])
            if not self._closing:
                self._start([name for name in wanted if name not in self._children])

    def _tend(self) -> None:
        told = ""
        while not self._closing:
            try:
                self.tick()
                told = ""
            except OSError as error:  # a disk that is full or gone for a while
                if str(error) != told:
                    told = str(error)
                    _log.warning("nothing is started or stopped: %s", told)
            self._wake.wait(TICK_SECONDS)
            self._wake.clear()

    def _settle(self, wanted: list[str]) -> None:
        """Write down how processes ended that are no more."""
        for name, child in list(self._children.items()):
            if child.process.is_alive():
                continue
            word, reason = child.outcome()
            child.process.join()
            child.connection.close()
            del self._children[name]
            if word == "done":
                self.ledger.done(name)
            elif self._is_failure(word, child, wanted=name in wanted):
                self.ledger.failed(name, reason)

    def _is_failure(self, word: str, child: _Child, *, wanted: bool) -> bool:
        """Say whether an end must be told; the next keeper tries again what a closing one lost."""
        if word == "failed":  # even one that was being stopped: then it could not save
            return not (self._closing and wanted)
        return word == "died" and child.asked_at is None and wanted

    def _stop(self, names: list[str]) -> None:
        """Ask processes to stop; one that has not come to its work is not waited for."""
        for name in names:
            self._children[name].ask_to_stop()
            if not self.ledger.is_busy(name):
                self._children[name].process.kill()

    def _start(self, waiting: list[str]) -> None:
        """Start what there is room for; what others are at takes room too."""
        busy = {name for name in waiting if self.ledger.is_busy(name)}
        free = self.at_once - len(self._children) - len(busy)
        for name in [name for name in waiting if name not in busy][: max(0, free)]:
            try:
                self._children[name] = self._spawn(self.ledger.task(name))
            except UserError as error:
                self.ledger.failed(name, str(error))

    def _spawn(self, task: Task) -> _Child:
        # A forked child would inherit locks that other threads hold: start a fresh interpreter.
        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        stop = context.Event()
        process = context.Process(target=_work, args=(task, stop, theirs, self._niceness))
        with born_deaf():
            process.start()
        theirs.close()
        return _Child(process, ours, stop)


def _work(task: Task, stop: Event, connection: Connection, niceness: int) -> None:
    """Do the work in a process of its own, and tell how it ended."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(niceness)
    connection.send_bytes(json.dumps(_outcome(task, stop)).encode())


def _outcome(task: Task, stop: Event) -> tuple[str, str]:
    try:
        task(stop)
    except RunStoppedError:
        return "stopped", ""
    except (RunInUseError, LockedError):
        return "busy", ""  # whoever is at it was quicker
    except UserError as error:
        return "failed", str(error)
    except Exception as error:  # told by the process that can write it down
        return "failed", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return "done", ""
