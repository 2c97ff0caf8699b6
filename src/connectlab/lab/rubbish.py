"""What a process that was killed left half written, found by its name and removed when it is old.

``storage.files`` writes a file beside its place under a hidden name, and ``lab.lessons`` makes a
folder so. Who was killed meanwhile cannot clean up. Others may be writing at this moment, so what
is young stays, and a folder in use does too.
"""

import os
import re
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from connectlab.training.folder import is_in_use

OLD_SECONDS = 600.0
"""Nothing that is written in one go takes nearly as long."""
_FILE = re.compile(r"\..+\.[0-9a-f]{12}\.\w+")
_FOLDER = re.compile(r"\..+\.[0-9a-f]{12}")


def sweep(folders: Iterable[Path], *, older_than: float = OLD_SECONDS) -> list[Path]:
    """Remove what was left half written in these folders, and return what that was."""
    before = time.time() - older_than
    return [path for folder in folders for path in _rubbish(folder, before) if _remove(path)]


def _rubbish(folder: Path, before: float) -> list[Path]:
    """Return all that is old and named so; links are never followed."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = _FOLDER if entry.is_dir(follow_symlinks=False) else _FILE
            if named.fullmatch(entry.name):
                with suppress(FileNotFoundError):
                    if entry.stat(follow_symlinks=False).st_mtime <= before:
                        found.append(folder / entry.name)
    return found


def _remove(path: Path) -> bool:
    if not path.is_dir():
        with suppress(OSError):
            path.unlink()
    elif not is_in_use(path):
        shutil.rmtree(path, ignore_errors=True)
    return not os.path.lexists(path)
