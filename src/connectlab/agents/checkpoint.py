"""Checkpoints: arrays in a safetensors file with a JSON header; nothing is ever unpickled.

The header says which learner wrote the file and with which settings; a digest over the arrays
shows damage that would otherwise go unnoticed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from connectlab.agents.base import AgentError
from connectlab.files import replacing

FORMAT = "connectlab-checkpoint"
VERSION = 1


@dataclass(frozen=True)
class Checkpoint:
    """What a file holds: the kind of learner, its header and its arrays."""

    kind: str
    header: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def save(self, path: Path) -> None:
        """Write the file beside its place, then rename it in."""
        arrays = {name: np.ascontiguousarray(array) for name, array in self.arrays.items()}
        metadata = {
            "format": FORMAT,
            "version": str(VERSION),
            "kind": self.kind,
            "header": json.dumps(dict(self.header), sort_keys=True),
            "digest": _digest(arrays),
        }
        with replacing(path) as beside:
            save_file(arrays, beside, metadata=metadata)

    @classmethod
    def load(cls, path: Path, kind: str | None = None) -> "Checkpoint":
        """Read a file; refuse one that is missing, foreign, damaged or of another kind."""
        if not path.is_file():
            raise AgentError(f"there is no checkpoint {path}")
        try:
            with safe_open(path, framework="numpy") as file:
                metadata = dict(file.metadata() or {})
                arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except SafetensorError as error:
            raise AgentError(f"{path} is damaged or is no checkpoint ({error})") from None
        _check(path, metadata, arrays, kind)
        return cls(metadata["kind"], json.loads(metadata["header"]), arrays)


def _check(
    path: Path, metadata: Mapping[str, str], arrays: Mapping[str, NDArray[Any]], kind: str | None
) -> None:
    if metadata.get("format") != FORMAT:
        raise AgentError(f"{path} is a safetensors file, but connectlab did not write it")
    if metadata.get("version") != str(VERSION):
        raise AgentError(
            f"{path} has checkpoint version {metadata.get('version')}; this connectlab "
            f"reads version {VERSION}"
        )
    if kind is not None and metadata.get("kind") != kind:
        raise AgentError(f"{path} was written by {metadata.get('kind')!r}, not by {kind!r}")
    if metadata.get("digest") != _digest(arrays):
        raise AgentError(f"{path} is damaged: its numbers do not match its digest")


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
