"""A child process that is spoken to in lines, and that cannot be left behind.

Between us and the engine stands ``guard.py``: it holds one end of a pipe, the lifeline, and kills
the engine with all its helpers as soon as our end closes. The system closes that end however this
process ends, so no engine outlives it, not even after a ``kill -9``.
"""

import os
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import IO

from connectlab.agents.settings import AgentError

GUARD = Path(__file__).with_name("guard.py")
GRACE_S = 0.5
"""How long an engine that was asked to end may take; then it is killed."""
DEATH_S = 5.0
"""How long the system may take for a death."""
CHUNK = 1 << 16
MOST_LETTERS = 1 << 20
"""Output for one answer; an engine that says more has lost its way."""
TAIL_LETTERS = 160
"""How much of the last output an error shows."""
TAIL_LINES = 3
SIGNALLED = 128


class EngineProcess:
    """A running program; its output is read when an answer is waited for, and not before."""

    def __init__(self, words: Sequence[str], name: str, farewell: str) -> None:
        self.name = name
        """What errors call it."""
        self._guard, lifeline = _start(words, name)
        self._end = weakref.finalize(
            self, _end, self._guard, lifeline, os.getpid(), farewell.encode(), GRACE_S
        )
        self._kill = (self._guard, lifeline, os.getpid(), b"", 0.0)
        self._lines: deque[str] = deque()
        self._partial = b""
        self._last: deque[str] = deque(maxlen=TAIL_LINES)
        self._errors = b""
        self._n_read = 0
        self._selector = DefaultSelector()
        for pipe in (self._guard.stdout, self._guard.stderr):
            self._selector.register(_fd(pipe), EVENT_READ)

    def send(self, *lines: str, unasked: bool = False) -> None:
        """Write lines; what the engine said before is an error, unless ``unasked`` allows it."""
        if self._lines and not unasked:
            raise self.failure(f"spoke without being asked: {_shortened(self._lines[0])}")
        self._n_read = 0
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            written = os.write(_fd(self._guard.stdin), data)
        except BlockingIOError:
            written = 0
        except OSError:
            raise self.failure(self._how_it_ended()) from None
        if written < len(data):
            raise self.failure("does not read what it is sent")

    def read_line(self, deadline: float) -> str:
        """Return the next line without its end; ``deadline`` is a time of ``time.monotonic``."""
        began = time.monotonic()
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self.failure(f"gave no answer in {deadline - began:.3g} seconds")
            if self._n_read > MOST_LETTERS:
                raise self.failure("floods its output")
            self._read_more(left)
        return self._lines.popleft()

    def failure(self, what: str) -> AgentError:
        """Kill the engine and return the error that says what it did, with its last output."""
        self._drain_errors()
        self.kill()
        said = [*self._last, *([self._partial.decode(errors="replace")] if self._partial else [])]
        errors = " ".join(self._errors.decode(errors="replace").split())
        return self.describe(
            what, _shortened(" | ".join(said)) if said else "", _shortened(errors) if errors else ""
        )

    def describe(self, what: str, said: str, errors: str) -> AgentError:
        """Put into words what the engine did, said last, and wrote to standard error."""
        parts = [f"external: the engine {self.name} {what}"]
        parts.append(f"its last output: {said}" if said else "no output")
        if errors:
            parts.append(f"on standard error: {errors}")
        return AgentError("; ".join(parts))

    def close(self) -> None:
        """Ask the engine to end, and kill it with all its helpers if it does not."""
        self._selector.close()
        self._end()

    def kill(self) -> None:
        """End the engine without asking."""
        self._selector.close()
        if self._end.detach() is not None:
            _end(*self._kill)

    def _read_more(self, timeout: float) -> None:
        ready = {key.fd for key, _ in self._selector.select(timeout)}
        if _fd(self._guard.stderr) in ready:
            self._take_errors()
        if _fd(self._guard.stdout) in ready:
            chunk = os.read(_fd(self._guard.stdout), CHUNK)
            if not chunk:
                raise self.failure(self._how_it_ended())
            self._take(chunk)

    def _take(self, chunk: bytes) -> None:
        self._n_read += len(chunk)
        *whole, self._partial = (self._partial + chunk).split(b"\n")
        lines = [line.decode(errors="replace").rstrip("\r") for line in whole]
        self._lines.extend(lines)
        self._last.extend(lines[-TAIL_LINES:])

    def _take_errors(self) -> bool:
        chunk = os.read(_fd(self._guard.stderr), CHUNK)
        if not chunk:
            self._selector.unregister(_fd(self._guard.stderr))
        self._errors = (self._errors + chunk)[-CHUNK:]
        return bool(chunk)

    def _drain_errors(self) -> None:
        """Take what lies ready on standard error, and no more: it may go on for ever."""
        if self._end.alive and _fd(self._guard.stderr) in self._selector.get_map():
            os.set_blocking(_fd(self._guard.stderr), False)
            with suppress(BlockingIOError):
                self._take_errors()

    def _how_it_ended(self) -> str:
        try:
            code = self._guard.wait(DEATH_S)
        except subprocess.TimeoutExpired:
            return "closed its output"
        if code > SIGNALLED:
            return f"was killed by signal {code - SIGNALLED}"
        return f"ended with exit code {code}"


def _start(words: Sequence[str], name: str) -> tuple["subprocess.Popen[bytes]", int]:
    """Start the guard with the engine; return it and our end of the lifeline."""
    theirs, ours = os.pipe()
    try:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", str(GUARD), str(theirs), *words],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs,),
            # A Ctrl-C in the terminal is for us to take; the engine ends with us.
            start_new_session=True,
        )
    except OSError as error:
        os.close(ours)
        raise AgentError(f"external: {name} cannot be started: {error}") from None
    finally:
        os.close(theirs)
    os.set_blocking(_fd(guard.stdin), False)
    return guard, ours


def _end(
    guard: "subprocess.Popen[bytes]", lifeline: int, owner: int, farewell: bytes, grace_s: float
) -> None:
    """End an engine for good: with its farewell and some grace, or at once."""
    if os.getpid() != owner:  # a fork of the owner has no say
        return
    assert guard.stdin is not None, "made with a pipe"
    if grace_s > 0:
        with suppress(OSError):
            guard.stdin.write(farewell)
        guard.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            guard.wait(grace_s)
    os.close(lifeline)
    try:
        guard.wait(DEATH_S)
    except subprocess.TimeoutExpired:
        guard.kill()
        guard.wait()
    for pipe in (guard.stdin, guard.stdout, guard.stderr):
        if pipe is not None:
            pipe.close()


def _fd(pipe: IO[bytes] | None) -> int:
    assert pipe is not None, "made with a pipe"
    return pipe.fileno()


def _shortened(text: str) -> str:
    """Show the end of some output on one line."""
    shown = " ".join(text.split())
    return repr(shown if len(shown) <= TAIL_LETTERS else f"…{shown[1 - TAIL_LETTERS :]}")
