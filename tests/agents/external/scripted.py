"""Players made of the scripted engines beside this file, and whether their processes live."""

import os
import shlex
import signal
import sys
from pathlib import Path

from connectlab.agents.spec import Spec
from living import die_out, is_alive, pids

__all__ = ["command", "die_out", "is_alive", "kill", "pids", "spec"]

ENGINES = Path(__file__).parent / "engines"


def command(script: str, *arguments: str | Path) -> str:
    """The command that runs a scripted engine."""
    return shlex.join([sys.executable, str(ENGINES / script), *map(str, arguments)])


def spec(script: str, *arguments: str | Path, **settings: str) -> str:
    """The player behind a scripted engine."""
    return str(Spec("external", {"command": command(script, *arguments), **settings}))


def kill(processes: list[int]) -> None:
    """Clean up what a failed test has left."""
    for pid in filter(is_alive, processes):
        os.kill(pid, signal.SIGKILL)
