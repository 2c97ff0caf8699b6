"""Folders on their way to another machine and back.

A folder that comes back replaces what is there as a whole, although it is many files: all of them
are written into ``.arriving`` first, then the list ``.arrived`` is written, then each file is moved
to its place and what is not on the list is removed, and at last the list. Who is killed before the
list is written has changed nothing; what is left to do after it, ``settle`` does at the next start.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from connectlab.lab.executors.base import ExecutorError
from connectlab.storage.files import write_text

ARRIVING, ARRIVED = ".arriving", ".arrived"


@dataclass(frozen=True)
class Parcel:
    """The files of a folder."""

    files: Mapping[str, bytes]
    """Content by the path below the folder, with slashes."""

    @classmethod
    def pack(cls, folder: Path) -> "Parcel":
        """Read all files of a folder; what begins with a dot (locks, halves) stays behind."""
        return cls({name: (folder / name).read_bytes() for name in _names(folder)})

    def unpack(self, folder: Path) -> None:
        """Write all files into a folder that nobody else knows."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def deliver(self, folder: Path) -> None:
        """Make a folder hold these files and no others, all or none of them."""
        settle(folder)
        arriving = folder / ARRIVING
        arriving.mkdir(parents=True)
        self.unpack(arriving)
        for name in self.files:
            _flush(arriving / name)
        write_text(folder / ARRIVED, json.dumps(sorted(self.files)))
        settle(folder)


def settle(folder: Path) -> None:
    """Finish what a process began that was killed while a folder arrived."""
    arrived = folder / ARRIVED
    if arrived.is_file():
        wanted = _read_list(arrived)
        for name in wanted:
            _move(folder / ARRIVING / name, folder / name)
        for name in set(_names(folder)) - set(wanted):
            (folder / name).unlink()
        _remove_empty(folder)
        arrived.unlink()
    for half in folder.glob(f".{ARRIVED}.*"):
        half.unlink()  # a list that was not written to its end
    shutil.rmtree(folder / ARRIVING, ignore_errors=True)


def _read_list(arrived: Path) -> list[str]:
    """Return the files that arrived; refuse a damaged list, since what is not on it is removed."""
    try:
        names = json.loads(arrived.read_bytes())
    except (ValueError, RecursionError):
        names = None
    arriving = arrived.with_name(ARRIVING)  # goes after the list: without it, nothing arrived
    here = {*_names(arrived.parent), *_names(arriving)}
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_list or not arriving.is_dir() or not here.issuperset(names):
        raise ExecutorError(
            f"{arrived} is damaged, and nothing was changed: remove it to go on with the other "
            "files of the folder"
        )
    return list(names)


def _names(folder: Path) -> list[str]:
    """Return the files below a folder, without those whose path has a part that begins with a dot.

    Names are sorted, so that the same folder is the same parcel.
    """
    if not folder.is_dir():
        return []
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(p.as_posix() for p in paths if not any(part[0] == "." for part in p.parts))


def _move(source: Path, target: Path) -> None:
    if source.exists():  # or it was moved before
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)


def _remove_empty(folder: Path) -> None:
    """Remove folders that the removal of files has left empty."""
    for path in sorted((p for p in folder.rglob("*") if p.is_dir()), reverse=True):
        if path.name != ARRIVING and not any(path.iterdir()):
            path.rmdir()


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
