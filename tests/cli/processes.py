"""Running the program as a user does, in a process of its own."""

import os
import subprocess
import sys
from typing import Any

PROGRAM = [sys.executable, "-m", "connectlab"]
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
"""Without buffers a failing stream is noticed sooner than most people would see it."""


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
        env={**ENVIRONMENT, **(environment or {})},
        **streams,
    )


def in_shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which CONNECTLAB stands for the program."""
    script = line.replace("CONNECTLAB", " ".join(PROGRAM))
    return subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=ENVIRONMENT,
    )
