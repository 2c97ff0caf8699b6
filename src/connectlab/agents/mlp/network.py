"""A multi-layer perceptron: how it reads a board, its parameters, and its file.

The coding is that of section 3.2 of Faußer 2008: two input neurons a cell, row by row from the
upper left to the lower right; 01 is a red stone, 10 a yellow one, 00 an empty cell. Red are the
stones of the player who values the position (who has just moved), whoever began: so both players
can use the same network, as the paper has it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from connectlab._jit import record_type
from connectlab.agents.mlp.config import MOST_HIDDEN, MLPConfig
from connectlab.agents.mlp.layers import EXTRA_ROWS, INTS, TABLE, Floats, Ints, i8, padded
from connectlab.agents.mlp.observation import n_counted_inputs
from connectlab.game.bitboard import SHAPE
from connectlab.game.chance import ODDS
from connectlab.game.geometry import MAX_BITS, Geometry, Shape
from connectlab.game.variants import Odds, Variant
from connectlab.storage.checkpoint import Checkpoint, CheckpointError, naming_damage

KIND = "mlp"


class Brain(NamedTuple):
    """A network as the kernels take it."""

    parameters: Floats
    """float32[inputs + 3, width], as :mod:`~connectlab.agents.mlp.layers` says."""
    hidden: int
    places: Ints
    """int64[64]: the cell that a bit stands for, counted from the upper left, row by row; inputs
    2 * place and 2 * place + 1 are its own."""
    mirrored: Ints
    """The same with left and right exchanged."""
    shape: Shape
    odds: Odds
    counted: bool
    """The network reads counts, as :mod:`~connectlab.agents.mlp.observation` says."""


BRAIN = record_type((TABLE, i8, INTS, INTS, SHAPE, ODDS, types.boolean), Brain)


class NetworkHeader(BaseModel):
    """What a checkpoint says of its network, within the limits of the settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: StrictInt
    rows: StrictInt
    connect: StrictInt
    variant: str = ""
    hidden: Annotated[StrictInt, Field(ge=1, le=MOST_HIDDEN)]

    @property
    def geometry(self) -> Geometry:
        """The board that is described."""
        return Geometry(self.columns, self.rows, self.connect, Variant.parse(self.variant))


@dataclass(frozen=True, eq=False)
class Network:
    """The value function V: the chance to win of the player who has just moved."""

    geometry: Geometry
    hidden: int
    """h, the number of hidden neurons."""
    parameters: Floats
    """float32[inputs + 3, width]: everything that is learned."""

    @classmethod
    def create(cls, config: MLPConfig) -> "Network":
        """Make an untrained network, all weights and thresholds uniform in plus and minus a."""
        network = cls.empty(config.geometry, config.hidden)
        rng = np.random.default_rng([config.seed, 1])
        bound = config.initial_weights
        for array in network.arrays.values():
            array[...] = rng.uniform(-bound, bound, array.shape)
        return network

    @classmethod
    def empty(cls, geometry: Geometry, hidden: int) -> "Network":
        """Make a network whose weights and thresholds are all 0."""
        size = n_inputs(geometry) + EXTRA_ROWS, padded(hidden)
        return cls(geometry, hidden, np.zeros(size, dtype=np.float32))

    @property
    def arrays(self) -> dict[str, Floats]:
        """The parameters by name, as views without the neurons that fill up registers."""
        inputs, hidden, table = self.inputs, self.hidden, self.parameters
        return {
            "inputs": table[:inputs, :hidden],
            "thresholds": table[inputs, :hidden],
            "outputs": table[inputs + 1, :hidden],
            "output_threshold": table[inputs + 2, :1],
        }

    @property
    def inputs(self) -> int:
        """m, the number of input neurons."""
        return n_inputs(self.geometry)

    @property
    def header(self) -> NetworkHeader:
        """What its checkpoints say of it."""
        board = self.geometry
        return NetworkHeader(
            columns=board.columns,
            rows=board.rows,
            connect=board.connect,
            variant=str(board.variant),
            hidden=self.hidden,
        )

    @cached_property
    def brain(self) -> Brain:
        """The network as the kernels take it; it sees every change of the parameters."""
        places, mirrored = _places(self.geometry)
        shape, variant = self.geometry.shape, self.geometry.variant
        return Brain(
            self.parameters, self.hidden, places, mirrored, shape, variant.odds, variant.counts
        )

    def checkpoint(self, header: Mapping[str, object]) -> Checkpoint:
        """Return the network as a checkpoint."""
        arrays = {name: array.copy() for name, array in self.arrays.items()}
        return Checkpoint(KIND, {"network": self.header.model_dump(), **header}, arrays)

    @classmethod
    def from_checkpoint(cls, checkpoint: Checkpoint) -> "Network":
        """Rebuild a network; refuse what no learner of ours would have written."""
        with naming_damage("network"):
            header = NetworkHeader.model_validate(checkpoint.header.get("network"))
            geometry = header.geometry
        network = cls.empty(geometry, header.hidden)
        for name, array in network.arrays.items():
            array[...] = _checked(checkpoint.arrays.get(name), name, array.shape)
        return network

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Read a network from a checkpoint file."""
        return cls.from_checkpoint(Checkpoint.load(path, KIND))


def _checked(
    saved: NDArray[np.generic] | None, name: str, shape: tuple[int, ...]
) -> NDArray[np.generic]:
    """Return an array of a file, or say what is wrong with it."""
    if saved is None or saved.shape != shape or saved.dtype != np.float32:
        raise CheckpointError(f"it is damaged: {name} must be float32 of shape {shape}")
    if not np.isfinite(saved).all():
        raise CheckpointError(f"it cannot play: some of its {name} are no numbers")
    return saved


def n_inputs(geometry: Geometry) -> int:
    """Return m, the number of input neurons for a board."""
    return n_counted_inputs(geometry.shape) if geometry.variant.counts else 2 * geometry.cells


def _places(geometry: Geometry) -> tuple[Ints, Ints]:
    """Return the place of each bit's cell among the pairs of inputs, as it is and mirrored.

    That is its number from the upper left; where counts are read, that of its column after them.
    """
    places, mirrored = np.zeros((2, MAX_BITS), dtype=np.int64)
    for column in range(geometry.columns):
        for row in range(geometry.rows):
            bit = column * (geometry.rows + 1) + row
            above = (geometry.rows - 1 - row) * geometry.columns
            if geometry.variant.counts:
                above = geometry.shape.connect
            places[bit] = above + column
            mirrored[bit] = above + geometry.columns - 1 - column
    return places, mirrored
