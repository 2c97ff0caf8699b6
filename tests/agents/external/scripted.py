"""Players made of the scripted engines beside this file, and whether their processes live."""

import os
import shlex
import signal
import sys
import time
from pathlib import Path

from connectlab.agents.spec import Spec

ENGINES = Path(__file__).parent / "engines"


def command(script: str, *arguments: str | Path) -> str:
    """The command that runs a scripted engine."""
    return shlex.join([sys.executable, str(ENGINES / script), *map(str, arguments)])


def spec(script: str, *arguments: str | Path, **settings: str) -> str:
    """The player behind a scripted engine."""
    return str(Spec("external", {"command": command(script, *arguments), **settings}))


def pids(path: Path) -> list[int]:
    """The processes that engines have noted."""
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet buried does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def kill(processes: list[int]) -> None:
    """Clean up what a failed test has left."""
    for pid in filter(is_alive, processes):
        os.kill(pid, signal.SIGKILL)


def die_out(processes: list[int], patience_s: float = 20.0) -> bool:
    """Wait until none of some processes is alive; False if one stays."""
    end = time.monotonic() + patience_s
    while any(map(is_alive, processes)):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
