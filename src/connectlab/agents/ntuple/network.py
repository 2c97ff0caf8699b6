"""An n-tuple network: a layout, its weights, and its file."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.kernels import Views, make_views, total_many
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.tuples import create_tuples, read_tuples
from connectlab.game import Geometry, PositionBatch
from connectlab.storage.checkpoint import Checkpoint

KIND = "ntuple"


@dataclass(frozen=True)
class WeightCounts:
    """How many weights a network has, as Table 1 of Thill 2012 counts them."""

    all: int
    """Tables times tuples times P to the power of n."""
    realisable: int
    """States that can occur on a board: the weights that are stored."""
    non_zero: int
    """Weights that are not 0."""


@dataclass(frozen=True, eq=False)
class Network:
    """The value function V = tanh(sum of active weights), +1 when the first player wins."""

    layout: Layout
    tables: int
    weights: NDArray[np.float32]
    """float32[tables * weights of a table]; the first table is for the first player to move."""

    @classmethod
    def create(cls, config: NTupleConfig) -> "Network":
        """Make an untrained network."""
        layout = Layout(config.geometry, _tuples_of(config), config.states, config.mirror)
        rng = np.random.default_rng([config.seed, 1])
        bound = config.initial_weights
        size = config.tables * layout.weights
        weights = rng.uniform(-bound, bound, size).astype(np.float32)
        return cls(layout, config.tables, weights)

    @property
    def geometry(self) -> Geometry:
        """The board this network reads."""
        return self.layout.geometry

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
        return np.tanh(totals.astype(np.float64))

    def checkpoint(self, header: dict[str, Any], *, half: bool = False) -> Checkpoint:
        """Return the network as a checkpoint; ``half`` keeps weights as float16, to ship them."""
        described = {
            "columns": self.geometry.columns,
            "rows": self.geometry.rows,
            "connect": self.geometry.connect,
            "tuples": [[list(cell) for cell in cells] for cells in self.layout.tuples],
            "states": self.layout.states,
            "mirror": self.layout.mirror,
            "tables": self.tables,
        }
        weights = self.weights.astype(np.float16) if half else self.weights
        return Checkpoint(KIND, {"network": described, **header}, {"weights": weights})

    @classmethod
    def from_checkpoint(cls, checkpoint: Checkpoint) -> "Network":
        """Read a network from a checkpoint of ours."""
        described = checkpoint.header["network"]
        geometry = Geometry(described["columns"], described["rows"], described["connect"])
        tuples = tuple(tuple((c, r) for c, r in cells) for cells in described["tuples"])
        layout = Layout(geometry, tuples, described["states"], described["mirror"])
        weights = checkpoint.arrays["weights"].astype(np.float32)
        return cls(layout, described["tables"], weights)


def _tuples_of(config: NTupleConfig) -> tuple[tuple[tuple[int, int], ...], ...]:
    if config.creation == "file":
        return read_tuples(Path(str(config.tuple_file)), config.geometry)
    return create_tuples(
        config.creation, config.tuples, config.length, config.geometry, config.tuple_seed
    )
