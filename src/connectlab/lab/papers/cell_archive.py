"""The results that a report rests on, in one compressed file beside it.

A report with its results can be written anew, and gone on from, on a machine that has none of the
cells. The file has a line of JSON for each cell, ordered by key, and the same bytes whenever the
same results are written.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.results import CellResult, Found
from connectlab.storage.files import replacing
from connectlab.training.measurement import mapping

ARCHIVE = "cells.jsonl.gz"
COMMITTED = Path(__file__).parents[4] / "docs" / "results"
"""The reports that come with the source; an installed package has none."""

DAMAGES = (OSError, EOFError, zlib.error, ValueError, KeyError, RecursionError)
"""What reading a damaged archive may raise."""

Tell: TypeAlias = Callable[[str], None]
"""Called with a line for people."""


def quiet(_text: str) -> None:
    """Tell nobody."""


class Kept(NamedTuple):
    """A result as it lies in a file, not read yet."""

    path: Path
    line: bytes


def result_text(cell: Cell, result: CellResult) -> str:
    """Write a cell and its result in one line."""
    plain = {"key": cell.key, "cell": cell.model_dump(mode="json"), "result": result.to_json()}
    return json.dumps(plain, allow_nan=False)


def write_archive(folder: Path, found: Found) -> None:
    """Write the results that are there beside a report, whole or not at all; of none, nothing."""
    there = {cell.key: cell for cell in found.cells if found.get(cell) is not None}
    if not there:
        return
    lines = [result_text(there[key], found.results[key]) for key in sorted(there)]
    with (
        replacing(folder / ARCHIVE) as beside,
        beside.open("wb") as file,
        # Neither a name nor a time goes into the header: they would change the bytes.
        gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as packed,
    ):
        packed.write("".join(f"{line}\n" for line in lines).encode())


def count_archived(folder: Path) -> int:
    """Return how many results lie beside a report; 0 where the file is damaged or missing."""
    try:
        return sum(1 for _ in _lines(folder / ARCHIVE))
    except DAMAGES:
        return 0


class Archives:
    """The archives beside all reports of some folders, opened when something is first asked for."""

    def __init__(self, folders: Sequence[Path] = (), tell: Tell = quiet) -> None:
        self.folders = folders
        self.tell = tell

    def find(self, key: str) -> Kept | None:
        """Return what is kept of a cell, as it was written; the first folder counts."""
        return self._kept.get(key)

    @property
    def paths(self) -> list[Path]:
        """The files, folder by folder, each once."""
        found = [path for folder in self.folders for path in sorted(folder.glob(f"*/*/{ARCHIVE}"))]
        return list({path.resolve(): path for path in reversed(found)}.values())[::-1]

    @cached_property
    def _kept(self) -> dict[str, Kept]:
        kept: dict[str, Kept] = {}
        for path in self.paths:
            try:
                found = list(_lines(path))  # all of them, or none
                for key, line in found:
                    kept.setdefault(key, Kept(path, line))
            except DAMAGES:
                self.tell(f"{path} is damaged, and as if it were not there")
        return kept


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Go through the keys and lines of an archive."""
    if not path.stat().st_size:
        raise ValueError("nothing is in it")
    with gzip.open(path) as file:
        for line in file:
            yield str(mapping(json.loads(line))["key"]), line
