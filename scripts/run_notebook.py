"""Run docs/tutorial.ipynb and keep what it prints: ``python scripts/run_notebook.py``.

It runs in a temporary folder, so nothing is left behind, and nothing of this machine stays in the
notebook: neither times nor paths.
"""

import os
import tempfile
from pathlib import Path
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from connectlab.storage.files import write_text

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tutorial.ipynb"
SMALL = {"CONNECTLAB_TUTORIAL": "small"}
"""The environment in which the notebook takes seconds."""


def run(notebook: NotebookNode, folder: Path, environment: dict[str, str]) -> NotebookNode:
    """Execute a copy of a notebook in a folder, and return it without traces of the machine."""
    copy = nbformat.from_dict(notebook)
    with patch.dict(os.environ, environment):
        client = NotebookClient(copy, timeout=600, resources={"metadata": {"path": str(folder)}})
        client.execute()
    for cell in copy.cells:
        cell.metadata.pop("execution", None)
    copy.metadata = nbformat.from_dict(
        {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    )
    return copy


def main() -> None:
    """Run the notebook in full and write it back."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        finished = run(notebook, Path(folder), {})
    write_text(NOTEBOOK, nbformat.writes(finished) + "\n")


if __name__ == "__main__":
    main()
