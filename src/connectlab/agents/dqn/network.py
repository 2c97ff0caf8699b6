"""A network of move values: its parameters, its file, and its forward pass in plain NumPy.

The file is a checkpoint (safetensors) of kind ``dqn``. Its header has an entry ``network`` with the
fields of :class:`NetworkHeader`. Its arrays are float32 or float16, all convolutions 3x3::

    conv1          [3, 3, 3, channels]         kernel row, kernel column, plane in, feature out
    conv1_bias     [channels]
    conv2          [3, 3, channels, channels]  and so on, as many as ``layers``
    conv2_bias     [channels]
    hidden1        [cells * channels, hidden]  in, out; the cells row by row from the upper left,
    hidden1_bias   [hidden]                    and of each cell all features
    hidden2        [hidden, hidden]            and so on, as many as ``hidden_layers``
    hidden2_bias   [hidden]
    output         [hidden, columns]
    output_bias    [columns]
    value          [hidden, 1]                 only if ``dueling``
    value_bias     [1]

A convolution sees ``padding`` rings of zeros around the board; without, each takes one cell off
every side, and ``cells`` above are those that are left. Every layer but the last ends in a ReLU.
The input is [rows, columns, 3], the top row first, each plane of 0 and 1: the free cells; then with
``planes`` "players" the stones of the first and of the second player (section II A of Dangel 2021),
with "own" those of the side to move and of the other. The output is Q of every column for the side
to move. With ``dueling`` the output layer gives advantages A, and Q = value + A - mean of all A.
``reward_win`` is what a won game was worth in training: Q / reward_win is about from -1 to 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from connectlab.agents.dqn.config import (
    MOST_CHANNELS,
    MOST_HIDDEN,
    MOST_LAYERS,
    DQNConfig,
    Planes,
)
from connectlab.game.batch import PositionBatch
from connectlab.game.geometry import Geometry
from connectlab.storage.checkpoint import Checkpoint, CheckpointError, naming_damage

KIND = "dqn"
KERNEL = 3
"""Cells of a convolution's kernel in each direction."""
PLANES = 3
SAVED_TYPES = (np.float16, np.float32)

Floats = NDArray[np.float32]


class NetworkHeader(BaseModel):
    """What a checkpoint says of its network, within the limits of the settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    columns: StrictInt
    rows: StrictInt
    connect: StrictInt
    planes: Planes
    channels: Annotated[StrictInt, Field(ge=1, le=MOST_CHANNELS)]
    layers: Annotated[StrictInt, Field(ge=1, le=MOST_LAYERS)]
    padding: Annotated[StrictInt, Field(ge=0, le=1)]
    hidden: Annotated[StrictInt, Field(ge=1, le=MOST_HIDDEN)]
    hidden_layers: Annotated[StrictInt, Field(ge=1, le=MOST_LAYERS)]
    dueling: StrictBool
    reward_win: Annotated[float, Field(gt=0)]

    @classmethod
    def of(cls, config: DQNConfig) -> "NetworkHeader":
        """Take what concerns the network from the settings of a learner."""
        settings = {name: getattr(config, name) for name in cls.model_fields}
        return cls.model_validate({**settings, "reward_win": config.reward_numbers.win})

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return Geometry(self.columns, self.rows, self.connect)

    def board_after(self, layer: int) -> tuple[int, int]:
        """Return rows and columns of cells that are left after so many convolutions."""
        lost = 2 * (1 - self.padding) * layer
        return self.rows - lost, self.columns - lost

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every array by its name, in the order of the layers."""
        shapes: dict[str, tuple[int, ...]] = {}
        width = PLANES
        for layer in range(1, self.layers + 1):
            shapes[f"conv{layer}"] = (KERNEL, KERNEL, width, self.channels)
            shapes[f"conv{layer}_bias"] = (self.channels,)
            width = self.channels
        rows, columns = self.board_after(self.layers)
        width *= max(rows, 0) * max(columns, 0)
        for layer in range(1, self.hidden_layers + 1):
            shapes[f"hidden{layer}"] = (width, self.hidden)
            shapes[f"hidden{layer}_bias"] = (self.hidden,)
            width = self.hidden
        shapes |= {"output": (width, self.columns), "output_bias": (self.columns,)}
        if self.dueling:
            shapes |= {"value": (width, 1), "value_bias": (1,)}
        return shapes


@dataclass(frozen=True, eq=False)
class Network:
    """The function Q: what every column is worth for the side to move."""

    header: NetworkHeader
    arrays: Mapping[str, NDArray[np.floating]]
    """As in the file."""

    @property
    def geometry(self) -> Geometry:
        """The board it was trained on."""
        return self.header.geometry

    @cached_property
    def layers(self) -> dict[str, Floats]:
        """The arrays as float32, dueling heads merged into one output layer.

        Q is linear in the last hidden layer, so value + A - mean of A is one matrix.
        """
        found = {name: array.astype(np.float32) for name, array in self.arrays.items()}
        if self.header.dueling:
            for end in ("", "_bias"):
                value, advantage = found.pop(f"value{end}"), found[f"output{end}"]
                found[f"output{end}"] = value + advantage - advantage.mean(axis=-1, keepdims=True)
        return found

    def checkpoint(self, header: Mapping[str, object]) -> Checkpoint:
        """Return the network as a checkpoint."""
        return Checkpoint(KIND, {"network": self.header.model_dump(), **header}, self.arrays)

    @classmethod
    def from_checkpoint(cls, checkpoint: Checkpoint) -> "Network":
        """Rebuild a network; refuse what no learner of ours would have written."""
        with naming_damage("network"):
            header = NetworkHeader.model_validate(checkpoint.header.get("network"))
            header.geometry  # noqa: B018 - a board that cannot be is refused here
        saved = checkpoint.arrays
        arrays = {name: _checked(saved.get(name), name, s) for name, s in header.shapes.items()}
        return cls(header, arrays)


def _checked(
    saved: NDArray[np.generic] | None, name: str, shape: tuple[int, ...]
) -> NDArray[np.floating]:
    """Return an array of a file, or say what is wrong with it."""
    if saved is None or saved.shape != shape or saved.dtype not in SAVED_TYPES or not saved.size:
        raise CheckpointError(f"it is damaged: {name} must be float32 or float16 of shape {shape}")
    floats: NDArray[np.floating] = saved  # type: ignore[assignment]
    if not np.isfinite(floats).all():
        raise CheckpointError(f"it cannot play: some of its {name} are no numbers")
    return floats


def board_planes(batch: PositionBatch, planes: Planes) -> Floats:
    """Return what the network sees of each position, float32[n, rows, columns, 3]."""
    cells = batch.cells()
    first, second = cells == 1, cells == -1
    if planes == "players":
        swapped = (batch.plies % 2 == 1)[:, None, None]
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
    return np.stack([cells == 0, first, second], axis=-1).astype(np.float32)


def forward(network: Network, planes: Floats) -> Floats:
    """Return Q of every column, float32[n, columns], for planes float32[n, rows, columns, 3]."""
    header, layers = network.header, network.layers
    x = planes
    for layer in range(1, header.layers + 1):
        x = _relu(
            _convolve(x, layers[f"conv{layer}"], header.padding) + layers[f"conv{layer}_bias"]
        )
    x = x.reshape(len(x), -1)
    for layer in range(1, header.hidden_layers + 1):
        x = _relu(x @ layers[f"hidden{layer}"] + layers[f"hidden{layer}_bias"])
    values: Floats = x @ layers["output"] + layers["output_bias"]
    return values


def _relu(x: Floats) -> Floats:
    return np.maximum(x, np.float32(0.0))


def _convolve(x: Floats, kernels: Floats, padding: int) -> Floats:
    """Sum the products of every 3x3 window with the kernels, [3, 3, in, out]."""
    x = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    rows, columns = x.shape[1] - KERNEL + 1, x.shape[2] - KERNEL + 1
    total = np.zeros((len(x), rows, columns, kernels.shape[-1]), dtype=np.float32)
    for i in range(KERNEL):
        for j in range(KERNEL):
            total += x[:, i : i + rows, j : j + columns] @ kernels[i, j]
    return total
