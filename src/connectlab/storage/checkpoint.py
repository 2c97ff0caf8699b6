"""Checkpoints: arrays in a safetensors file with a JSON header; nothing is ever unpickled.

The header says which learner wrote the file and with which settings; a digest over header and
arrays shows damage that would otherwise go unnoticed. The same content gives the same bytes.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from connectlab.errors import UserError
from connectlab.storage.files import replacing

FORMAT = "connectlab-checkpoint"
VERSION = 1
MOST_HEADER = 16_000_000
"""Characters of a header; a longer one is not ours and would take long to read."""
_KINDS: Mapping[str, type] = {"version": int, "kind": str, "header": dict, "digest": str}
_SHOWN = 60


class _About(TypedDict):
    """What the metadata says, once it was found to have these and no other entries."""

    version: int
    kind: str
    header: dict[str, object]
    digest: str


class CheckpointError(UserError):
    """A checkpoint that is missing, damaged, foreign or of another kind."""


@contextmanager
def naming_damage(part: str) -> Iterator[None]:
    """Turn what is wrong with a part of a header, while it is read, into ``CheckpointError``."""
    try:
        yield
    except ValidationError as error:
        found = error.errors()[0]
        place = ".".join(map(str, found["loc"])) or part
        raise CheckpointError(f"its header is damaged: {place}: {found['msg']}") from None
    except UserError as error:
        raise CheckpointError(f"its header is damaged: {error}") from None


@dataclass(frozen=True)
class Checkpoint:
    """What a file holds: the kind of learner, its header and its arrays."""

    kind: str
    header: Mapping[str, object]
    arrays: Mapping[str, NDArray[np.generic]]

    def save(self, path: Path) -> None:
        """Write the file beside its place, then rename it in."""
        arrays = {name: np.asarray(array, order="C") for name, array in self.arrays.items()}
        header = json.loads(json.dumps(dict(self.header)))  # as it will be read: text keys, lists
        digest = _digest(self.kind, header, arrays)
        about = {"version": VERSION, "kind": self.kind, "header": header, "digest": digest}
        # One entry only: safetensors writes several in an order that changes from run to run.
        metadata = {FORMAT: json.dumps(about, sort_keys=True)}
        with replacing(path) as beside:
            # Not save_file: what it says of a full disk is no OSError.
            beside.write_bytes(save(arrays, metadata=metadata))

    @classmethod
    def load(cls, path: Path, kind: str | None = None) -> "Checkpoint":
        """Read a file; refuse one that is missing, foreign, damaged or of another kind."""
        about, arrays = _read(path)
        if kind is not None and about["kind"] != kind:
            raise CheckpointError(
                f"{path} was written by {_cut(repr(about['kind']))}, not by {kind!r}"
            )
        if about["digest"] != _digest(about["kind"], about["header"], arrays):
            raise CheckpointError(f"{path} is damaged: its content does not match its digest")
        return cls(about["kind"], about["header"], arrays)


def read_header(path: Path) -> Mapping[str, object]:
    """Return the header of a checkpoint without its arrays; whether they are sound is not said."""
    return _read(path, with_arrays=False)[0]["header"]


def _read(
    path: Path, *, with_arrays: bool = True
) -> tuple["_About", dict[str, NDArray[np.generic]]]:
    """Return what the header says and the arrays, which are read only if it makes sense."""
    if path.is_dir():
        raise CheckpointError(f"{path} is a folder, not a checkpoint")
    if not path.is_file():  # a FIFO or device might never answer
        raise CheckpointError(f"there is no checkpoint {path}")
    try:
        with path.open("rb"), safe_open(path, framework="numpy") as file:
            about = _read_about(path, file.metadata() or {})
            names = file.keys() if with_arrays else ()
            return about, {name: file.get_tensor(name) for name in names}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CheckpointError(f"{path} cannot be read: {reason}") from None
    except CheckpointError:
        raise
    except (SafetensorError, TypeError, ValueError, KeyError, MemoryError) as error:
        # Not all that a foreign file may hold is known to NumPy.
        reason = _cut(" ".join(str(error).split()))
        raise CheckpointError(f"{path} is damaged or is no checkpoint ({reason})") from None


def _read_about(path: Path, metadata: Mapping[str, str]) -> "_About":
    """Return version, kind, header and digest, or say why the file cannot be read."""
    if FORMAT not in metadata:
        raise CheckpointError(f"{path} is a safetensors file, but connectlab did not write it")
    text = metadata[FORMAT]
    if len(text) > MOST_HEADER:
        raise CheckpointError(f"{path} is damaged: its header has {len(text):,} characters")
    try:
        about: _About = json.loads(text)
        version = about["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CheckpointError(f"{path} is damaged: its header cannot be read") from None
    if version != VERSION:
        raise CheckpointError(
            f"{path} has checkpoint version {_cut(repr(version))}; this connectlab reads version "
            f"{VERSION}"
        )
    if about.keys() != _KINDS.keys():
        raise CheckpointError(f"{path} is damaged: its header is not complete")
    if any(type(found) is not _KINDS[key] for key, found in about.items()):
        raise CheckpointError(f"{path} is damaged: its header makes no sense")
    return about


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _digest(
    kind: str, header: Mapping[str, object], arrays: Mapping[str, NDArray[np.generic]]
) -> str:
    said = [VERSION, kind, header]
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
