"""Where the results of cells are kept, so that none is ever computed twice.

A result is a small JSON file named after the key of its cell, and holds the cell too. What is
under way lies in a folder of the same name, which is removed when the result is there. Results
that are not in the folder may lie beside reports.
"""

import json
import os
import shutil
from pathlib import Path

from pydantic import ValidationError

from connectlab.errors import UserError
from connectlab.lab.papers.cell_archive import Archives, Kept, Tell, quiet, result_text
from connectlab.lab.papers.cells import CELL, Cell
from connectlab.lab.papers.results import CellResult, Found, check_result
from connectlab.storage.files import write_text
from connectlab.training.measurement import mapping

DAMAGES = (ValueError, KeyError, TypeError, RecursionError, ValidationError)
"""What reading a damaged result may raise."""


class CellStore:
    """A folder with the results of cells, and the archives to look into after it.

    A damaged file is told once, and is as if it were not there.
    """

    def __init__(self, folder: Path, archives: Archives | None = None, tell: Tell = quiet) -> None:
        self.folder = folder
        self.archives = archives or Archives()
        self._tell = tell
        self._told: set[Path] = set()

    def find(self, cell: Cell) -> CellResult | None:
        """Return the result of a cell; None if it was not computed yet."""
        own = self._read(cell, self._own(cell))
        return own if own is not None else self._read(cell, self.archives.find(cell.key))

    def find_all(self, cells: tuple[Cell, ...]) -> Found:
        """Return all results that are there."""
        found = ((cell.key, self.find(cell)) for cell in dict.fromkeys(cells))
        return Found(cells, {key: result for key, result in found if result is not None})

    def save(self, cell: Cell, result: CellResult) -> None:
        """Keep a result; then nothing that was under way is needed any more."""
        self.check_place(cell)
        write_text(self._path(cell), result_text(cell, result) + "\n")
        shutil.rmtree(self.work(cell), ignore_errors=True)

    def check_place(self, cell: Cell) -> None:
        """Refuse what lies where a result belongs and is no file: it could not be kept there."""
        path = self._path(cell)
        if os.path.lexists(path) and not path.is_file():
            raise UserError(f"{path} is no file, so no result can be kept there: remove it")

    def work(self, cell: Cell) -> Path:
        """Return the folder in which a cell is computed."""
        return self.folder / cell.key

    def is_beside_a_report(self, cell: Cell) -> bool:
        """Whether a result is found in an archive alone."""
        return not self._path(cell).exists() and self.find(cell) is not None

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{cell.key}.json"

    def _own(self, cell: Cell) -> Kept | None:
        path = self._path(cell)
        if not os.path.lexists(path):
            return None
        if not path.is_file():  # who reads a FIFO waits until somebody writes
            self._tell_once(path)
            return None
        try:
            return Kept(path, path.read_bytes())
        except FileNotFoundError:  # it has been taken away
            return None

    def _read(self, cell: Cell, kept: Kept | None) -> CellResult | None:
        if kept is None:
            return None
        try:
            plain = mapping(json.loads(kept.line))
            if CELL.validate_python(plain["cell"]) != cell:
                raise ValueError("it holds another cell")
            result = CellResult.of(mapping(plain["result"]))
            check_result(cell, result)
            return result
        except DAMAGES:
            self._tell_once(kept.path)
            return None

    def _tell_once(self, path: Path) -> None:
        if path not in self._told:
            self._told.add(path)
            self._tell(f"{path} is damaged, and as if it were not there")
