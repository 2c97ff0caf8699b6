"""Running the program as a user does, in a process of its own."""

import os
import subprocess
import sys
from typing import Any

PROGRAM = [sys.executable, "-m", "connectlab"]


def connectlab(
    *arguments: str, environment: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run one command line; what it prints is captured unless a stream is given."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(
        [*PROGRAM, *arguments],
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **(environment or {})},
        **streams,
    )


def in_shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which CONNECTLAB stands for the program."""
    script = line.replace("CONNECTLAB", " ".join(PROGRAM))
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, timeout=300
    )
