"""Whether processes live that a program under test has started."""

import time
from pathlib import Path


def pids(path: Path) -> list[int]:
    """Return the processes that programs have noted, one a line."""
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet buried does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def die_out(processes: list[int], patience_s: float = 20.0) -> bool:
    """Wait until none of some processes is alive; False if one stays."""
    end = time.monotonic() + patience_s
    while any(map(is_alive, processes)):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
