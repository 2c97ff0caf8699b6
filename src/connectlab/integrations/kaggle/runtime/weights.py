"""Where the numbers of a trained player come from: this file, or one that lies beside it."""

import base64
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KAGGLE_FOLDER = "/kaggle_simulations/agent"
"""Where Kaggle unpacks an archive."""

Arrays = dict[str, NDArray[np.generic]]


def unpack(text: str) -> Arrays:
    """Return the arrays that are written into this file: base85 of zlib of a NumPy archive."""
    return _arrays_of(zlib.decompress(base64.b85decode("".join(text.split()))))


def read_beside(name: str) -> Arrays:
    """Return the arrays of a file that lies beside this one."""
    return _arrays_of(find_beside(name).read_bytes())


def find_beside(name: str) -> Path:
    """Return the path of a file that lies beside this one.

    Kaggle runs this file without telling it where it lies, and shows the folder as the last one of
    ``sys.path`` while it does so.
    """
    for folder in beside():
        if (folder / name).is_file():
            return folder / name
    looked = ", ".join(dict.fromkeys(map(str, beside())))
    raise FileNotFoundError(f"{name} should lie beside main.py; it is in none of {looked}")


def beside() -> Iterator[Path]:
    """Yield the folders in which this file may lie, the likeliest first."""
    known = globals().get("__file__") or unpack.__code__.co_filename
    if Path(known).is_file():
        yield Path(known).resolve().parent
    yield from (Path(folder) for folder in reversed(sys.path) if folder)
    yield Path(KAGGLE_FOLDER)
    yield Path.cwd()


def _arrays_of(content: bytes) -> Arrays:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
