"""A convolutional network of move values, trained by deep Q-learning (Dangel et al.).

The input is [rows, columns, 3], the top row first: the free cells, then the stones of the first and
the second player, or with ``own_planes`` those of the side to move and of the other. Convolutions
are 3x3, and every layer but the last ends in a ReLU.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock

Floats = NDArray[np.float32]

KERNEL_CELLS = 3
"""Cells of a convolution's kernel in each direction."""


class DQNPlayer:
    """Plays the column with room whose value is highest; values are rounded to whole units."""

    def __init__(
        self,
        board: Board,
        arrays: Mapping[str, NDArray[np.generic]],
        padding: int,
        own_planes: bool,
        unit: float,
    ) -> None:
        self.board, self.padding, self.own_planes, self.unit = board, padding, own_planes, unit
        self._layers = merge_heads({name: a.astype(np.float32) for name, a in arrays.items()})

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Share among the columns of the highest value."""
        del clock
        values = self.values(mover, occupied)
        columns = self.board.columns_of(self.board.landing(occupied))
        best = max(values[column] for column in columns)
        chosen = [column for column in columns if values[column] == best]
        return [float(c in chosen) / len(chosen) for c in range(self.board.columns)]

    def values(self, mover: int, occupied: int) -> list[int]:
        """Return the value of every column for the side to move, in units."""
        x, number = self._planes(mover, occupied), 1
        while f"conv{number}" in self._layers:
            x = self._convolve(x, f"conv{number}")
            number += 1
        x, number = x.reshape(-1), 1
        while f"hidden{number}" in self._layers:
            x = np.maximum(self._dense(x, f"hidden{number}"), 0)
            number += 1
        outputs = self._dense(x, "output").astype(np.float64)
        return [int(value) for value in np.rint(outputs / self.unit)]

    def _planes(self, mover: int, occupied: int) -> Floats:
        board = self.board
        swapped = not self.own_planes and bin(occupied).count("1") & 1
        first = mover ^ occupied if swapped else mover
        shown = (board.cells ^ occupied, first, first ^ occupied)
        planes = [
            [
                [stones >> (c * board.bits + row) & 1 for stones in shown]
                for c in range(board.columns)
            ]
            for row in reversed(range(board.rows))
        ]
        return np.array(planes, dtype=np.float32)

    def _convolve(self, x: Floats, name: str) -> Floats:
        """Sum the products of every 3x3 window with the kernels, [3, 3, in, out]; then the ReLU."""
        kernels, ring = self._layers[name], self.padding
        x = np.pad(x, ((ring, ring), (ring, ring), (0, 0)))
        rows, columns = x.shape[0] - KERNEL_CELLS + 1, x.shape[1] - KERNEL_CELLS + 1
        total = np.zeros((rows, columns, kernels.shape[-1]), dtype=np.float32)
        for i in range(KERNEL_CELLS):
            for j in range(KERNEL_CELLS):
                total += x[i : i + rows, j : j + columns] @ kernels[i, j]
        positive: Floats = np.maximum(total + self._layers[f"{name}_bias"], 0)
        return positive

    def _dense(self, x: Floats, name: str) -> Floats:
        outputs: Floats = x @ self._layers[name] + self._layers[f"{name}_bias"]
        return outputs


def merge_heads(layers: dict[str, Floats]) -> dict[str, Floats]:
    """Make one output layer of the two heads of a dueling network: value + A - mean of all A."""
    for end in ("", "_bias"):
        value = layers.pop(f"value{end}", None)
        if value is not None:
            advantage = layers[f"output{end}"]
            layers[f"output{end}"] = value + advantage - advantage.mean(axis=-1, keepdims=True)
    return layers
