"""What a trained table is: its states, and how it reads a board; and its file."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import types
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt

from connectlab._jit import kernel
from connectlab.agents.qtable.config import QTableConfig, Ties
from connectlab.agents.qtable.states import READING, Reading, read_values, state_key
from connectlab.agents.qtable.table import ABSENT, StateTable, find_entry
from connectlab.game.batch import PositionBatch
from connectlab.game.bitboard import WORDS
from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant
from connectlab.storage.checkpoint import Checkpoint, naming_damage

KIND = "qtable"


class ModelHeader(BaseModel):
    """What a checkpoint says of how its table is read and played with."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    columns: StrictInt
    rows: StrictInt
    connect: StrictInt
    variant: str = ""
    mirror: StrictBool
    known: StrictBool
    """Whether a state that was never met has known values."""
    known_win: float
    known_block: float
    known_streak: float
    ties: Ties
    reward_win: float

    @classmethod
    def of(cls, config: QTableConfig) -> "ModelHeader":
        """Take what concerns the player from the settings of a learner."""
        settings = {name: getattr(config, name) for name in cls.model_fields}
        return cls.model_validate({**settings, "known": config.known != "off"})

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return Geometry(self.columns, self.rows, self.connect, Variant.parse(self.variant))

    @property
    def reading(self) -> Reading:
        """How boards are read, as the kernels take it."""
        return Reading(
            self.geometry.shape,
            self.geometry.variant.counts,
            self.mirror,
            self.known,
            self.known_win,
            self.known_block,
            self.known_streak,
        )


@dataclass(frozen=True, eq=False)
class Model:
    """A table with what is needed to play by it."""

    header: ModelHeader
    table: StateTable

    @property
    def geometry(self) -> Geometry:
        """The board it was trained on."""
        return self.header.geometry

    @cached_property
    def reading(self) -> Reading:
        """How boards are read."""
        return self.header.reading

    def find(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Return the entry of each position, int64[n]; ``ABSENT`` where it was never met."""
        entries = np.empty(len(batch), dtype=np.int64)
        arrays = self.table.arrays
        _find_all(batch.mover, batch.occupied, arrays.places, arrays.keys, self.reading, entries)
        return entries

    def action_values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return Q of every column, float64[n, columns], for the side to move; -inf where full."""
        values = np.empty((len(batch), self.geometry.columns))
        stored = self.table.arrays.values
        _read_all(batch.mover, batch.occupied, self.find(batch), stored, self.reading, values)
        return values

    def checkpoint(self, header: Mapping[str, object]) -> Checkpoint:
        """Return the table as a checkpoint to play with, its entries as they are."""
        described = self.header.model_dump(mode="json", exclude_defaults=True)
        return Checkpoint(KIND, {"model": described, **header}, self.table.entries())

    @classmethod
    def from_checkpoint(cls, checkpoint: Checkpoint) -> "Model":
        """Rebuild a table; refuse what no learner of ours would have written."""
        with naming_damage("model"):
            header = ModelHeader.model_validate(checkpoint.header.get("model"))
            columns = header.geometry.columns
        saved = checkpoint.arrays
        table = StateTable.from_entries(saved, columns, with_epsilon="epsilon" in saved)
        return cls(header, table)

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Which states hold other values than a new state would, bool[states].

        Only those say anything: without the others the table plays the same.
        """
        if self.reading.counts:
            return np.asarray((self.table.entries()["values"] != 0).any(axis=1))
        boards = decode_keys(self.table.arrays.keys[: len(self.table)], self.geometry)
        stored = self.table.arrays.values[: len(self.table)]
        values = np.empty((len(boards), self.geometry.columns))
        nowhere = np.full(len(boards), ABSENT, dtype=np.int64)
        _read_all(boards.mover, boards.occupied, nowhere, stored, self.reading, values)
        return np.asarray(((values != stored) & np.isfinite(values)).any(axis=1))


def decode_keys(keys: NDArray[np.uint64], geometry: Geometry) -> PositionBatch:
    """Return the boards of some keys: in each column the stones under the highest bit, a marker.

    The owner of the stones is ``mover``, whoever is to move; mirror images come as they were kept.
    """
    bits = int(geometry.shape.column_bits)
    one_column = np.uint64((1 << bits) - 1)
    mover, occupied = np.zeros((2, len(keys)), dtype=np.uint64)
    for column in range(geometry.columns):
        shift = np.uint64(column * bits)
        content = (keys >> shift) & one_column
        below = content >> np.uint64(1)
        for distance in (1, 2, 4, 8, 16, 32):
            below |= below >> np.uint64(distance)
        occupied |= below << shift
        mover |= (content & below) << shift
    return PositionBatch(geometry, mover, occupied, np.zeros_like(mover))


@kernel(types.void(WORDS, WORDS, types.uint64[::1], types.uint64[::1], READING, types.int64[::1]))
def _find_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    index: NDArray[np.uint64],
    keys: NDArray[np.uint64],
    reading: Reading,
    entries: NDArray[np.int64],
) -> None:
    for i in range(mover.shape[0]):
        key, _ = state_key(mover[i], occupied[i], reading)
        entries[i] = find_entry(key, index, keys)


@kernel(
    types.void(
        WORDS, WORDS, types.int64[::1], types.float32[:, ::1], READING, types.float64[:, ::1]
    )
)
def _read_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    entries: NDArray[np.int64],
    stored: NDArray[np.float32],
    reading: Reading,
    values: NDArray[np.float64],
) -> None:
    for i in range(mover.shape[0]):
        _, flipped = state_key(mover[i], occupied[i], reading)
        read_values(mover[i], occupied[i], entries[i], flipped, stored, reading, values[i])
