"""An n-tuple network: a layout, its weights, and its file."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError

from connectlab.agents.ntuple.config import (
    LONGEST_TUPLE,
    MOST_TUPLES,
    NTupleConfig,
    Output,
    States,
    TableCount,
)
from connectlab.agents.ntuple.kernels import Views, make_views, total_many
from connectlab.agents.ntuple.layout import Layout
from connectlab.errors import UserError
from connectlab.game.batch import PositionBatch
from connectlab.game.geometry import Geometry
from connectlab.storage.checkpoint import Checkpoint, CheckpointError

KIND = "ntuple"
PLAYED = (np.dtype(np.float16), np.dtype(np.float32))
"""Types of the weights in a file; networks play with float32."""


@dataclass(frozen=True)
class WeightCounts:
    """How many weights a network has, as Table 1 of Thill 2012 counts them."""

    all: int
    """Tables times tuples times P to the power of n."""
    realisable: int
    """States that can occur on a board: the weights that are stored."""
    non_zero: int
    """Weights that are not 0."""


class NetworkHeader(BaseModel):
    """What a checkpoint says of its network, within the limits of the settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: StrictInt
    rows: StrictInt
    connect: StrictInt
    tuples: Annotated[
        tuple[
            Annotated[tuple[tuple[StrictInt, StrictInt], ...], Field(max_length=LONGEST_TUPLE)], ...
        ],
        Field(max_length=MOST_TUPLES),
    ]
    """The (column, row) cells of each tuple."""
    states: States
    mirror: StrictBool
    tables: TableCount
    output: Output = "tanh"

    @classmethod
    def of(cls, layout: Layout, tables: int, output: Output) -> "NetworkHeader":
        """Describe a network."""
        board = layout.geometry
        return cls.model_validate(
            {
                "columns": board.columns,
                "rows": board.rows,
                "connect": board.connect,
                "tuples": layout.tuples,
                "states": layout.states,
                "mirror": layout.mirror,
                "tables": tables,
                "output": output,
            }
        )

    def plain(self) -> dict[str, object]:
        """Return it as plain data; the output is told only if it is not the usual one."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def layout(self) -> Layout:
        """The layout that is described."""
        geometry = Geometry(self.columns, self.rows, self.connect)
        return Layout(geometry, self.tuples, self.states, self.mirror)


@dataclass(frozen=True, eq=False)
class Network:
    """The value function V, +1 when the first player wins: of the sum of active weights the tanh.

    Where ``output`` is linear, V is the sum itself.
    """

    layout: Layout
    tables: int
    weights: NDArray[np.float32]
    """float32[tables * weights of a table]; the first table is for the first player to move."""
    output: Output = "tanh"

    @classmethod
    def create(cls, config: NTupleConfig) -> "Network":
        """Make an untrained network."""
        layout = Layout.of(config)
        rng = np.random.default_rng([config.seed, 1])
        bound = config.initial_weights
        size = config.tables * layout.weights
        weights = rng.uniform(-bound, bound, size).astype(np.float32)
        return cls(layout, config.tables, weights, config.output)

    @property
    def geometry(self) -> Geometry:
        """The board this network reads."""
        return self.layout.geometry

    @property
    def header(self) -> NetworkHeader:
        """What its checkpoints say of it."""
        return NetworkHeader.of(self.layout, self.tables, self.output)

    @cached_property
    def views(self) -> Views:
        """The layout as the kernels take it."""
        return make_views(self.layout, self.tables)

    @property
    def counts(self) -> WeightCounts:
        """Numbers of weights, as the paper counts them."""
        return WeightCounts(
            self.tables * self.layout.all_states,
            len(self.weights),
            int(np.count_nonzero(self.weights)),
        )

    def first_player_values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return V of each position, float64[n] in [-1, 1], for the first player."""
        totals = np.empty(len(batch), dtype=np.float32)
        shape = self.geometry.shape
        total_many(batch.mover, batch.occupied, self.weights, self.views, shape, totals)
        return values_of(totals.astype(np.float64), self.output)

    def checkpoint(self, header: Mapping[str, object], *, half: bool = False) -> Checkpoint:
        """Return the network as a checkpoint; ``half`` keeps weights as float16, to ship them."""
        weights = self.weights.astype(np.float16) if half else self.weights
        return Checkpoint(KIND, {"network": self.header.plain(), **header}, {"weights": weights})

    @classmethod
    def from_checkpoint(cls, checkpoint: Checkpoint) -> "Network":
        """Rebuild a network; refuse what no learner of ours would have written."""
        try:
            header = NetworkHeader.model_validate(checkpoint.header.get("network"))
            layout = header.layout
        except ValidationError as error:
            raise CheckpointError(f"its header is damaged: {_first(error)}") from None
        except UserError as error:
            raise CheckpointError(f"its header is damaged: {error}") from None
        weights = _read_weights(checkpoint, header.tables * layout.weights)
        return cls(layout, header.tables, weights, header.output)

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Read a network from a checkpoint file."""
        return cls.from_checkpoint(Checkpoint.load(path, KIND))


def values_of(totals: NDArray[np.float64], output: Output) -> NDArray[np.float64]:
    """Return the values, from -1 to 1, that people are told of sums of weights.

    A linear output is learned from as it is, but no result is beyond a win or a loss.
    """
    return np.tanh(totals) if output == "tanh" else np.clip(totals, -1.0, 1.0)


def _first(error: ValidationError) -> str:
    """Say in a few words what pydantic found first."""
    found = error.errors()[0]
    place = ".".join(map(str, found["loc"][:2]))
    return f"{place or 'network'}: {found['msg'][:1].lower()}{found['msg'][1:]}"


def _read_weights(checkpoint: Checkpoint, size: int) -> NDArray[np.float32]:
    """Return float32[size] from the checkpoint, or say what is wrong with its weights."""
    weights = checkpoint.arrays.get("weights")
    if weights is None or weights.shape != (size,):
        raise CheckpointError(f"its weights are damaged: its tuples need {size:,} of them")
    if weights.dtype not in PLAYED:
        raise CheckpointError(f"its weights are of type {weights.dtype}, not float16 or float32")
    if not np.isfinite(weights).all():
        raise CheckpointError("it cannot play: some of its weights are no numbers")
    return weights.astype(np.float32)
