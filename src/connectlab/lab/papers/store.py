"""Where the results of cells are kept, so that none is ever computed twice.

A result is a small JSON file named after the key of its cell, and holds the cell too. What is
under way lies in a folder of the same name, which is removed when the result is there.
"""

import json
import shutil
from pathlib import Path

from pydantic import ValidationError

from connectlab.errors import UserError
from connectlab.lab.papers.cells import CELL, Cell
from connectlab.lab.papers.results import CellResult, Found, check_result
from connectlab.storage.files import write_text
from connectlab.training.measurement import mapping


class CellStore:
    """A folder with the results of cells."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, cell: Cell) -> CellResult | None:
        """Return the result of a cell; None if it was not computed yet."""
        path = self._path(cell)
        try:
            plain = mapping(json.loads(path.read_text(encoding="utf-8")))
            if CELL.validate_python(plain["cell"]) != cell:
                raise ValueError("it holds another cell")
            result = CellResult.of(mapping(plain["result"]))
            check_result(cell, result)
            return result
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, RecursionError, ValidationError):
            raise UserError(f"{path} is damaged: remove it, and it is computed again") from None

    def find_all(self, cells: tuple[Cell, ...]) -> Found:
        """Return all results that are there."""
        found = ((cell.key, self.find(cell)) for cell in dict.fromkeys(cells))
        return Found(cells, {key: result for key, result in found if result is not None})

    def save(self, cell: Cell, result: CellResult) -> None:
        """Keep a result; then nothing that was under way is needed any more."""
        plain = {"cell": cell.model_dump(mode="json"), "result": result.to_json()}
        write_text(self._path(cell), json.dumps(plain, allow_nan=False) + "\n")
        shutil.rmtree(self.work(cell), ignore_errors=True)

    def work(self, cell: Cell) -> Path:
        """Return the folder in which a cell is computed."""
        return self.folder / cell.key

    def _path(self, cell: Cell) -> Path:
        return self.folder / f"{cell.key}.json"
