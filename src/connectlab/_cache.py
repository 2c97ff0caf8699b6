"""The folder where compiled kernels are kept, and what may be thrown away in it.

Each source file with kernels has a *kernel set*: a directory ``kernels-<hash>`` whose name comes
from the text of the file and of every module of the package that it can import. So a change in a
callee or in a constant of another file, which Numba by itself would not notice, leads to a new set,
and the old one is never asked again.

Sets of other sources (older versions, other checkouts) are removed once nobody has used them for
``KEEP_DAYS``. Using a set touches its directory, at most once a day; a set is renamed before it is
removed, so that another process sees all of it or nothing, and then compiles anew.

``CONNECTLAB_CACHE_DIR`` names another folder. This module needs no Numba.
"""

import hashlib
import os
import re
import shutil
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VARIABLE = "CONNECTLAB_CACHE_DIR"
PREFIX = "kernels-"
REMOVED = "removed-"
"""What a set is called from the moment it is given up until its last file is gone."""
KEEP_DAYS = 30
DAY_S = 24 * 60 * 60
MARK = b"connectlab._jit import"
"""Stands in every source file with kernels."""


@dataclass(frozen=True)
class KernelSet:
    """The compiled kernels of one source file in one version."""

    path: Path
    size: int
    """Bytes of all its files."""
    idle_days: float
    """Since it was last used; a use within a day of another is not noted."""
    current: bool
    """Whether it belongs to the sources that are running."""


def folder() -> Path:
    """Return the folder of all kernel sets; it need not exist."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    user = os.environ.get("XDG_CACHE_HOME")
    home = Path(user) if user else Path("~/.cache").expanduser()
    return home / "connectlab"


def set_path(source: Path) -> Path:
    """Return where the kernels of a source file belong."""
    return folder() / f"{PREFIX}{source_hash(source)}"


@cache
def open_set(source: Path) -> Path | None:
    """Return the existing directory for the kernels of a file; None if it cannot be made.

    One that cannot be written is fine too: what is there can be used.
    """
    path = set_path(source)
    try:
        is_new = not path.is_dir()
        if is_new:
            path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        tell_unkept(error)
        return None
    if is_new:
        remove_unused()
    _touch(path)
    return path


def _touch(path: Path) -> None:
    """Note that a set is used; not each time, since a start must not cost writes."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY_S:
            os.utime(path)


@cache
def remove_unused() -> None:
    """Remove the sets of other sources that were not used for long; once in a process is enough."""
    for one in kernel_sets():
        if not one.current and one.idle_days > KEEP_DAYS:
            _remove(one.path)


def kernel_sets() -> list[KernelSet]:
    """Return every kernel set of the folder, those of the running sources first, then by name."""
    current = _current_names()
    sets = [
        KernelSet(path, _size(path), _idle_days(path), path.name in current)
        for path in _directories()
    ]
    return sorted(sets, key=lambda one: (not one.current, one.path.name))


def clear() -> int:
    """Remove all kernel sets; return how many were there. Running programs keep what they have."""
    sets = kernel_sets()
    for one in sets:
        _remove(one.path)
    return len([one for one in sets if not one.path.exists()])


def _directories() -> list[Path]:
    """List what this module made in the folder, with what an interrupted removal has left."""
    try:
        inside = list(folder().iterdir())
    except OSError:
        return []
    return [path for path in inside if path.name.startswith((PREFIX, REMOVED)) and path.is_dir()]


def _remove(path: Path) -> None:
    with suppress(OSError):
        path = path.rename(path.with_name(f"{REMOVED}{uuid.uuid4().hex[:16]}"))
        shutil.rmtree(path, ignore_errors=True)


def _size(path: Path) -> int:
    total = 0
    for file in path.rglob("*"):
        with suppress(OSError):  # another process may be removing it
            total += file.stat().st_size if file.is_file() else 0
    return total


def _idle_days(path: Path) -> float:
    with suppress(OSError):
        return max(0.0, time.time() - path.stat().st_mtime) / DAY_S
    return 0.0


def _current_names() -> set[str]:
    """Return the names of the sets that belong to the sources of the package as they are now."""
    sources = [path for path in _package().rglob("*.py") if MARK in _read(path)]
    return {set_path(source).name for source in (*sources, _package() / "_jit.py")}


def _package() -> Path:
    return Path(__file__).parent


@cache
def source_hash(source: Path) -> str:
    """Hash a file and every module of the package that it reaches through imports."""
    pending = [source]
    wanted = set(pending)
    while pending:
        named = _modules_named(pending.pop(), _package()) - wanted
        wanted |= named
        pending.extend(named)
    digest = hashlib.sha256()
    for path in sorted(wanted):
        digest.update(path.as_posix().encode() + b"\0" + _read(path))
    return digest.hexdigest()[:16]


@cache
def _modules_named(source: Path, package: Path) -> frozenset[Path]:
    """Return the files a source can import by name; for a sub-package, all of its modules."""
    files: set[Path] = set()
    for name in set(re.findall(rb"connectlab\.([\w.]*\w)", _read(source))):
        path = package.joinpath(*name.decode().split("."))
        files |= {path.with_suffix(".py"), *path.glob("*.py")}
    return frozenset(path for path in files if path.is_file())


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


@cache
def tell_once(line: str) -> None:
    """Say something on standard error, the same words only once."""
    sys.stderr.write(f"connectlab: {line}\n")


def tell_unkept(error: OSError) -> None:
    """Say that compiled code is lost at the end of the program, and what can be done."""
    reason = (error.strerror or str(error)).lower()
    tell_once(
        f"compiled code cannot be kept in {folder()} ({reason}), so every start compiles again; "
        f"{VARIABLE} names another folder"
    )
