"""Tuple files by name: sets of n-tuples that somebody drew, kept in one folder to train with.

A file NAME.json holds what ``agents.ntuple.tuples.read_tuples`` takes: a JSON list of tuples, each
a list of [column, row] pairs counted from 0 at the bottom left. It says nothing of a board; a set
fits every board that has its cells.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.tuples import Tuples, parse_tuples
from connectlab.errors import UserError
from connectlab.storage.files import write_text

FOLDER = "tuples"
"""Where they are, below the folder of the lab's data."""
MOST_FILES = 1_000
LONGEST_NAME = 60
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")


class TupleFileError(UserError):
    """A name that no tuple file can have, or one file too many."""


class MissingTupleFileError(TupleFileError):
    """There is no tuple file of that name."""


@dataclass(frozen=True)
class TupleFile:
    """What is to be said of a tuple file in a list."""

    name: str
    tuples: int = 0
    longest: int = 0
    """Cells of its longest tuple."""
    columns: int = 0
    """Columns that a board must have at least."""
    rows: int = 0
    problem: str | None = None
    """Why it cannot be used; None if it can."""


class TupleFiles:
    """The tuple files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return where a file of this name is, or would be; refuse names that lead elsewhere."""
        if not _NAME.fullmatch(name):
            raise TupleFileError(
                f"a tuple file is named with up to {LONGEST_NAME} letters, digits, dots, dashes "
                "and underscores, the first a letter or digit"
            )
        return self.folder / f"{name}.json"

    def list(self) -> list[TupleFile]:
        """Describe all files by name; what is no tuple file is listed with what is wrong."""
        paths = sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []
        names = [path.stem for path in paths if _NAME.fullmatch(path.stem)]
        return [self.describe(name) for name in names[:MOST_FILES]]

    def describe(self, name: str) -> TupleFile:
        """Say what a file holds, or what is wrong with it."""
        try:
            tuples = self.read(name)
        except UserError as error:
            return TupleFile(name, problem=str(error))
        cells = [cell for each in tuples for cell in each]
        return TupleFile(
            name,
            len(tuples),
            max(map(len, tuples)),
            max(column for column, _ in cells) + 1,
            max(row for _, row in cells) + 1,
        )

    def read(self, name: str) -> Tuples:
        """Return the tuples of a file, of which nobody knows yet whether they fit a board."""
        path = self.path(name)
        if not path.is_file():
            raise MissingTupleFileError(f"there is no tuple file {name}")
        return parse_tuples(path)

    def write(self, name: str, tuples: Tuples) -> None:
        """Write a file, whole or not at all, over one of the same name; a disk may refuse it."""
        path = self.path(name)
        if not path.exists() and len(self.list()) >= MOST_FILES:
            raise TupleFileError(f"{MOST_FILES:,} tuple files are the most: delete some first")
        write_text(path, format_tuples(tuples))

    def delete(self, name: str) -> None:
        """Remove a file."""
        try:
            self.path(name).unlink()
        except FileNotFoundError:
            raise MissingTupleFileError(f"there is no tuple file {name}") from None


def format_tuples(tuples: Sequence[Sequence[Cell]]) -> str:
    """Write tuples as a file holds them, one in a line."""
    lines = (json.dumps([list(cell) for cell in cells]) for cells in tuples)
    return "[\n  " + ",\n  ".join(lines) + "\n]\n"
