"""Runs an engine and outlives it: ``python guard.py LIFELINE COMMAND…``.

LIFELINE is the number of an open pipe whose other end only connectlab holds. When that end closes,
because connectlab wants it so or because it was killed at this very moment, the guard kills the
engine with everything the engine has started. When the engine ends by itself, its helpers go too,
and the guard ends with the exit code of the engine, or 128 and the number of the signal. On Linux
helpers that left the engine's group fall to the guard when their parents end, and an engine whose
guard is killed dies with it; elsewhere only the group is killed.

This file is a program of its own and imports nothing of the package, so that it starts at once.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

CANNOT_RUN = 127
SIGNALLED = 128
DIE_WITH_PARENT, INHERIT_ORPHANS = 1, 36
"""PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl."""


def main() -> None:
    """Start the engine, watch it and the lifeline, and clean up."""
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    _ask_kernel(INHERIT_ORPHANS, 1)
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
    _ask_kernel(DIE_WITH_PARENT, signal.SIGKILL)
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
    while orphans := _children() - {engine}:
        for orphan in orphans:
            with suppress(PermissionError, ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)
            with suppress(ChildProcessError):  # its own children are ours now
                os.waitpid(orphan, 0)


def _children() -> set[int]:
    """Return the processes whose parent this is; none where the system does not tell."""
    try:
        threads = Path("/proc/self/task").iterdir()
        return {int(word) for each in threads for word in (each / "children").read_text().split()}
    except OSError:
        return set()


def _ask_kernel(what: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


if __name__ == "__main__":
    main()
