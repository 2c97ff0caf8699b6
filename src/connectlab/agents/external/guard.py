"""Runs an engine and outlives it: ``python guard.py LIFELINE COMMAND…``.

LIFELINE is the number of an open pipe whose other end only connectlab holds. When that end closes,
because connectlab wants it so or because it was killed at this very moment, the guard kills the
engine with everything the engine has started. When the engine ends by itself, its helpers go too,
and the guard ends with the exit code of the engine, or 128 and the number of the signal.

This file is a program of its own and imports nothing of the package, so that it starts at once.
"""

import os
import signal
import sys
from contextlib import suppress
from threading import Thread

CANNOT_RUN = 127
SIGNALLED = 128


def main() -> None:
    """Start the engine, watch it and the lifeline, and clean up."""
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    engine = os.fork()
    if engine == 0:
        _become(command, lifeline)
    with suppress(PermissionError, ProcessLookupError):  # it was faster, or is gone
        os.setpgid(engine, engine)
    _leave_the_pipes()
    Thread(target=_watch, args=(lifeline, engine), daemon=True).start()
    _, status = os.waitpid(engine, 0)
    _kill_all(engine)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else SIGNALLED - code)


def _become(command: list[str], lifeline: int) -> None:
    """Turn this process into the engine, the head of a group of its own."""
    os.close(lifeline)
    os.setpgid(0, 0)
    # Python ignores it, and an ignored signal stays ignored in the program that follows.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be run: {error.strerror}\n".encode())
        os._exit(CANNOT_RUN)


def _leave_the_pipes() -> None:
    """Let go of the engine's pipes: their ends shall tell of the engine alone."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def _watch(lifeline: int, engine: int) -> None:
    os.read(lifeline, 1)
    _kill_all(engine)


def _kill_all(engine: int) -> None:
    with suppress(PermissionError, ProcessLookupError):  # nobody is left
        os.killpg(engine, signal.SIGKILL)


if __name__ == "__main__":
    main()
