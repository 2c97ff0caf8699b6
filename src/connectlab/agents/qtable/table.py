"""A table of states: a hash map in arrays that grows by doubling.

It is laid out as Python's own dictionaries are. The *entries* stand in the order in which they were
added: ``keys``, ``values``, ``epsilon`` and ``visits`` are dense arrays. The *index* finds them: an
array of 64-bit words, open addressing with linear probing, 0 for a free place. A word holds the
number of an entry plus one, and above it 24 bits of the key's hash, so that keys are compared only
where they are very likely equal::

    index   |  0  | tag:3 |  0  | tag:1 | tag:2 |  0  | ...      2^k words
    entries |  1: key, values, epsilon, visits | 2: ... | 3: ...  up to 2/3 of 2^k

What is saved are the entries alone; an index built anew finds the same entries. On the standard
board a state takes 40 bytes (44 with an epsilon) and its share of the index 12 to 24 bytes.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type, tuple_type
from connectlab.game.bitboard import WORDS, ZERO
from connectlab.game.streams import mix
from connectlab.storage.checkpoint import CheckpointError

LOAD = 2 / 3
"""The share of the index that may be taken."""
SMALLEST = 1 << 10
"""Words of the index of an empty table."""
ABSENT = -1
"""In place of an entry."""

_ENTRY_BITS = np.uint64(40)
_ENTRY = np.uint64((1 << 40) - 1)
_ONE = np.uint64(1)

_u8, _i8 = types.uint64, types.int64


class Table(NamedTuple):
    """A table as the kernels take it; room may be left at the end of the entries."""

    places: NDArray[np.uint64]
    """The index, uint64[2^k]."""
    keys: NDArray[np.uint64]
    """uint64[room]"""
    values: NDArray[np.float32]
    """float32[room, columns]: Q(s, a)."""
    epsilon: NDArray[np.float32]
    """float32[room]: epsilon(s) of VDBE; empty where there is none."""
    visits: NDArray[np.uint32]
    """uint32[room]: how often a move was chosen there."""
    used: NDArray[np.int64]
    """int64[1]: entries that there are."""


TABLE = record_type(
    (
        types.uint64[::1],
        types.uint64[::1],
        types.float32[:, ::1],
        types.float32[::1],
        types.uint32[::1],
        types.int64[::1],
    ),
    Table,
)


@kernel(_i8(_u8, types.uint64[::1], types.uint64[::1]), borrows=True)
def find_entry(key: Word, index: NDArray[np.uint64], keys: NDArray[np.uint64]) -> int:
    """Return the entry of a key, or ``ABSENT``."""
    mask = np.uint64(index.shape[0] - 1)
    scattered = mix(key)
    tag, place = scattered >> _ENTRY_BITS, scattered & mask
    while index[place] != ZERO:
        word = index[place]
        if word >> _ENTRY_BITS == tag:
            entry = int(word & _ENTRY) - 1
            if keys[entry] == key:
                return entry
        place = (place + _ONE) & mask
    return ABSENT


@kernel(types.void(_u8, _i8, types.uint64[::1]), borrows=True)
def _point_to(key: Word, entry: int, index: NDArray[np.uint64]) -> None:
    """Take the first free place for a key that has none."""
    mask = np.uint64(index.shape[0] - 1)
    scattered = mix(key)
    place = scattered & mask
    while index[place] != ZERO:
        place = (place + _ONE) & mask
    index[place] = ((scattered >> _ENTRY_BITS) << _ENTRY_BITS) | np.uint64(entry + 1)


@kernel(tuple_type(_i8, types.boolean)(_u8, TABLE), borrows=True)
def find_or_add(key: Word, table: Table) -> tuple[int, bool]:
    """Return the entry of a key, and whether it is new; there must be room for one more.

    A new entry has values 0 (whoever adds it may set others), epsilon 1 and no visits.
    """
    entry = find_entry(key, table.places, table.keys)
    if entry != ABSENT:
        return entry, False
    entry = table.used[0]
    table.used[0] += 1
    table.keys[entry] = key
    for column in range(table.values.shape[1]):
        table.values[entry, column] = 0.0
    if table.epsilon.shape[0] > 0:
        table.epsilon[entry] = 1.0
    table.visits[entry] = 0
    _point_to(key, entry, table.places)
    return entry, True


@kernel(types.void(WORDS, _i8, types.uint64[::1]))
def _index_all(keys: NDArray[np.uint64], n: int, index: NDArray[np.uint64]) -> None:
    for entry in range(n):
        _point_to(keys[entry], entry, index)


class StateTable:
    """The table of a learner or player; ``arrays`` is what the kernels work on."""

    def __init__(self, columns: int, *, with_epsilon: bool) -> None:
        room = int(SMALLEST * LOAD)
        self.arrays = Table(
            np.zeros(SMALLEST, dtype=np.uint64),
            np.empty(room, dtype=np.uint64),
            np.empty((room, columns), dtype=np.float32),
            np.empty(room if with_epsilon else 0, dtype=np.float32),
            np.empty(room, dtype=np.uint32),
            np.zeros(1, dtype=np.int64),
        )

    def __len__(self) -> int:
        return int(self.arrays.used[0])

    @property
    def has_epsilon(self) -> bool:
        """Whether each state has an epsilon of its own."""
        return len(self.arrays.epsilon) > 0

    @property
    def columns(self) -> int:
        """Values of a state."""
        return int(self.arrays.values.shape[1])

    @property
    def room(self) -> int:
        """Entries there is room for, those there are included."""
        return len(self.arrays.keys)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays)

    def reserve(self, more: int) -> None:
        """Make room for so many entries more; the table doubles until they fit."""
        wanted = len(self) + more
        if wanted <= self.room:
            return
        size = len(self.arrays.places)
        while int(size * LOAD) < wanted:
            size *= 2
        self._move(size)

    def _move(self, size: int) -> None:
        """Move to an index of ``size`` words, one array after the other to save memory.

        The keys come last: they tell how much room there is, should memory end on the way.
        """
        room, n = int(size * LOAD), len(self)
        index = np.zeros(size, dtype=np.uint64)
        _index_all(self.arrays.keys, n, index)
        self.arrays = self.arrays._replace(places=index)
        for name in ("values", "visits", *(["epsilon"] if self.has_epsilon else []), "keys"):
            old = getattr(self.arrays, name)
            new = np.empty((room, *old.shape[1:]), dtype=old.dtype)
            new[:n] = old[:n]
            self.arrays = self.arrays._replace(**{name: new})

    # Saving

    def entries(self) -> dict[str, NDArray[np.generic]]:
        """Return the entries in the order in which they were added; views, not copies."""
        n, arrays = len(self), self.arrays
        found: dict[str, NDArray[np.generic]] = {
            "keys": arrays.keys[:n],
            "values": arrays.values[:n],
            "visits": arrays.visits[:n],
        }
        if self.has_epsilon:
            found["epsilon"] = arrays.epsilon[:n]
        return found

    @classmethod
    def from_entries(
        cls, saved: Mapping[str, NDArray[np.generic]], columns: int, *, with_epsilon: bool
    ) -> "StateTable":
        """Rebuild a table from saved entries; refuse what no table of ours would have written.

        Values and epsilons may be of half precision. Epsilons that are wanted and not there are 1.
        """
        keys, values = _check_entries(saved, columns)
        table = cls(columns, with_epsilon=with_epsilon)
        n = len(keys)
        table.reserve(n)
        arrays = table.arrays
        arrays.keys[:n], arrays.values[:n] = keys, values
        arrays.visits[:n] = saved["visits"]
        if with_epsilon:
            arrays.epsilon[:n] = saved.get("epsilon", np.ones(1, dtype=np.float32))
        arrays.used[0] = n
        _index_all(arrays.keys, n, arrays.places)
        return table


def _check_entries(
    saved: Mapping[str, NDArray[np.generic]], columns: int
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Return keys and values of saved entries, or say what is wrong with them."""
    keys, values, visits = (saved.get(name) for name in ("keys", "values", "visits"))
    if keys is None or keys.ndim != 1 or keys.dtype != np.uint64:
        raise CheckpointError("its states are damaged: they need one key each")
    n = len(keys)
    if values is None or values.shape != (n, columns) or values.dtype.kind != "f":
        raise CheckpointError(f"its states are damaged: each of them needs {columns} values")
    if visits is None or visits.shape != (n,) or visits.dtype.kind != "u":
        raise CheckpointError("its states are damaged: each of them needs a count of visits")
    epsilon = saved.get("epsilon")
    if epsilon is not None and (epsilon.shape != (n,) or epsilon.dtype.kind != "f"):
        raise CheckpointError("its states are damaged: each of them needs one epsilon")
    if not all(_is_sound(each) for each in (values, epsilon) if each is not None):
        raise CheckpointError("it cannot play: some of its values are no numbers")
    ordered = np.sort(keys)
    if n and (ordered[0] == 0 or (ordered[1:] == ordered[:-1]).any()):
        raise CheckpointError("its states are damaged: a state has a key of its own")
    return keys, values


def _is_sound(numbers: NDArray[np.generic]) -> bool:
    """Whether all are numbers that a table can hold."""
    with np.errstate(over="ignore"):
        return bool(np.isfinite(numbers.astype(np.float32)).all())
