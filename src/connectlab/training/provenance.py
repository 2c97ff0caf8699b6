"""Where a run comes from: versions, and the commit of the source it ran with."""

import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from connectlab import __version__

PACKAGE = Path(__file__).parents[1]


def versions() -> dict[str, str]:
    """Return the versions that decide the bits of a run."""
    found = {
        "connectlab": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }
    return {**found, "torch": version("torch")} if "torch" in sys.modules else found


@cache
def commit() -> str | None:
    """Return the commit of this source, with ``+`` if files were changed since; None without one.

    An installed package may lie inside a repository of somebody else's: it is not tracked there.
    """
    if not _git("ls-files", "--", "__init__.py"):
        return None
    head = _git("rev-parse", "HEAD")
    return f"{head}+" if head and _git("status", "--porcelain", "--", ".") else head


def _git(*arguments: str) -> str | None:
    """Return what git says about the package, or None if it cannot say anything."""
    try:
        ran = subprocess.run(
            ["git", *arguments],
            cwd=PACKAGE,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip() or None
