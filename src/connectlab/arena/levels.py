"""The different positions after a number of plies, as sorted arrays, on disk where they are many.

A walk through all games makes one level from the one before it. Threads hand in the positions that
follow from a part of a level, each part sorted (a run); :meth:`Runs.merged` makes one level of
them, range by range, so that no more than a few ranges are in memory at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO

import numpy as np
from numpy.typing import NDArray

from connectlab.arena.threads import ArenaError

U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]

ENTRY_BYTES = 16
RANGE = 1 << 20
"""About how many entries of all runs are merged at a time."""
PROBES = 64
"""Keys of each run by which the ranges are laid out."""


@dataclass(frozen=True, eq=False)
class Level:
    """Different positions by their keys in rising order, and the weight of each."""

    keys: U64
    weights: F64

    @classmethod
    def of(cls, keys: U64, weights: F64) -> "Level":
        """Sort entries; the weights of those with the same key are added up."""
        if not len(keys):
            return cls(keys, weights)
        order = np.argsort(keys, kind="stable")
        keys, weights = keys[order], weights[order]
        first = np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1])
        return cls(keys[first], np.add.reduceat(weights, first))

    def __len__(self) -> int:
        return len(self.keys)

    def part(self, where: slice) -> "Level":
        """Return some of the entries."""
        return Level(self.keys[where], self.weights[where])

    def between(self, low: int, high: int | None) -> "Level":
        """Return the entries with keys from ``low`` up to and without ``high``."""
        begin = np.searchsorted(self.keys, np.uint64(low))
        end = len(self) if high is None else np.searchsorted(self.keys, np.uint64(high))
        return self.part(slice(int(begin), int(end)))

    def has(self, keys: U64) -> NDArray[np.bool_]:
        """Say of each key whether it is here, bool[n]."""
        if not len(self):
            return np.zeros(len(keys), dtype=np.bool_)
        where = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1)
        return np.asarray(self.keys[where] == keys)


@dataclass
class Shelf:
    """Where levels lie: in memory up to a number of bytes, beyond it in files of a folder."""

    folder: Path
    room: int
    """Bytes that may still be kept in memory."""
    _lock: Lock = field(default_factory=Lock)

    def takes(self, n: int) -> bool:
        """Take ``n`` entries into memory if there is room for them."""
        with self._lock:
            if n * ENTRY_BYTES > self.room:
                return False
            self.room -= n * ENTRY_BYTES
            return True

    def give_back(self, n: int) -> None:
        """Note that ``n`` entries have left the memory."""
        with self._lock:
            self.room += n * ENTRY_BYTES

    def replaced(self, old: Level, new: Level) -> Level:
        """Note that a few entries of a level stay instead of all; return them."""
        if new is not old:
            if not isinstance(old.keys, np.memmap):
                self.give_back(len(old))
            self.takes(len(new))
        return new

    def new_file(self) -> "LevelFile":
        """Return a file for entries."""
        with self._errors():
            keys = TemporaryFile(dir=self.folder)  # noqa: SIM115 (`finish` closes both)
            weights = TemporaryFile(dir=self.folder)  # noqa: SIM115
        return LevelFile(keys, weights, self._errors)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ArenaError(
                f"the positions do not fit into {self.folder}: {error.strerror or error}; "
                "TMPDIR names another folder"
            ) from None


@dataclass
class LevelFile:
    """Entries on disk, in files without a name: nothing stays behind, however the program ends."""

    keys: IO[bytes]
    weights: IO[bytes]
    _errors: Callable[[], AbstractContextManager[None]]
    length: int = 0

    def append(self, level: Level) -> None:
        """Write entries behind those that are there."""
        with self._errors():
            for file, array in ((self.keys, level.keys), (self.weights, level.weights)):
                file.write(np.ascontiguousarray(array).data)
                file.flush()
        self.length += len(level)

    def finish(self) -> Level:
        """Return what is in it, without reading it; nothing can be written any more."""
        with self.keys as keys, self.weights as weights:
            if not self.length:
                return Level(np.empty(0, np.uint64), np.empty(0, np.float64))
            return Level(
                np.memmap(keys, np.uint64, "r", shape=(self.length,)),
                np.memmap(weights, np.float64, "r", shape=(self.length,)),
            )


class Runs:
    """Sorted pieces of a level that is being made; several threads may add to it."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._held: dict[int, Level] = {}
        self._written: dict[int, slice] = {}
        self._file: LevelFile | None = None
        self._lock = Lock()

    def add(self, number: int, run: Level) -> None:
        """Take a piece; weights are added up in the order of the numbers, whoever comes first."""
        if self._shelf.takes(len(run)):
            self._held[number] = run
            return
        with self._lock:
            self._file = self._file or self._shelf.new_file()
            begin = self._file.length
            self._file.append(run)
            self._written[number] = slice(begin, self._file.length)

    def merged(self, threads: int) -> Level:
        """Return all pieces as one level; they are gone then."""
        pieces = dict(self._held)
        if self._file is not None:
            whole = self._file.finish()
            pieces |= {number: whole.part(where) for number, where in self._written.items()}
        runs = [pieces[number] for number in sorted(pieces)]
        n = sum(len(run) for run in runs)
        in_memory = self._shelf.takes(n)
        level = self._merge(runs, n, threads, in_memory=in_memory)
        self._shelf.give_back(sum(len(run) for run in self._held.values()))
        self._held = {}
        self._file = None
        if in_memory:
            self._shelf.give_back(n - len(level))
        return level

    def _merge(self, runs: Sequence[Level], n: int, threads: int, *, in_memory: bool) -> Level:
        parts = _in_order(runs, _bounds(runs, n), threads)
        if in_memory:
            return _joined(parts, n)
        file = self._shelf.new_file()
        for part in parts:
            file.append(part)
        return file.finish()


def _joined(parts: Iterable[Level], most: int) -> Level:
    """Put parts one after the other; there are at most so many entries."""
    keys, weights, n = np.empty(most, np.uint64), np.empty(most, np.float64), 0
    for part in parts:
        keys[n : n + len(part)], weights[n : n + len(part)] = part.keys, part.weights
        n += len(part)
    for array in (keys, weights):
        array.resize(n, refcheck=False)  # gives the rest back without a copy
    return Level(keys, weights)


def _bounds(runs: Sequence[Level], n: int) -> list[int]:
    """Return the keys at which ranges begin, the first of them 0, so that each has about as many.

    A run is sorted, so keys at even distances in it tell how its keys are spread.
    """
    probes = [run.keys[:: max(1, len(run) // PROBES)] for run in runs if len(run)]
    if n <= RANGE or not probes:
        return [0]
    spread = np.sort(np.concatenate(probes))
    ranges = -(-n // RANGE)
    inner = spread[np.arange(1, ranges) * len(spread) // ranges]
    return [0, *np.unique(inner[inner > 0]).tolist()]


def _in_order(runs: Sequence[Level], bounds: Sequence[int], threads: int) -> Iterator[Level]:
    """Merge range after range, as many at a time as there are threads."""

    def merge(number: int) -> Level:
        low, high = bounds[number], bounds[number + 1] if number + 1 < len(bounds) else None
        parts = [run.between(low, high) for run in runs]
        return Level.of(
            np.concatenate([np.empty(0, np.uint64), *(part.keys for part in parts)]),
            np.concatenate([np.empty(0, np.float64), *(part.weights for part in parts)]),
        )

    with ThreadPoolExecutor(threads, thread_name_prefix="levels") as pool:
        for begin in range(0, len(bounds), threads):
            yield from pool.map(merge, range(begin, min(begin + threads, len(bounds))))
