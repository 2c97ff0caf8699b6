"""Locks between processes: a file that one of them holds, and that it lets go of when it ends.

Who only wants to know whether somebody holds one takes a share of it for some microseconds; so that
this keeps nobody out, who is refused tries again for a moment.
"""

import time
from pathlib import Path
from typing import IO

from connectlab.errors import UserError

TRIES, PAUSE_SECONDS = 10, 0.02
"""How often a lock is asked for before it counts as held by somebody, and the time in between."""


class LockedError(UserError):
    """Another process is at work here."""


def hold(file: Path, what: str) -> IO[str] | None:
    """Keep every other process out until the file is closed; None where there are no locks.

    ``LockedError`` says that ``what`` is in use.
    """
    try:
        import fcntl
    except ImportError:  # not on this system: nobody is kept out
        return None
    opened = file.open("w")
    for left in reversed(range(TRIES)):
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return opened
        except BlockingIOError:
            if left:
                time.sleep(PAUSE_SECONDS)
        except OSError:  # a file system without locks
            opened.close()
            return None
    opened.close()
    raise LockedError(f"{what} is in use by another process")


def is_held(file: Path) -> bool:
    """Say whether a process holds a lock, without making or keeping anything."""
    try:
        import fcntl

        with file.open() as opened:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (ImportError, OSError):  # no such file, or no locks here
        return False
    return False
