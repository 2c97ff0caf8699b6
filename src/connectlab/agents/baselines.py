"""The simplest players: random, and one that extends its longest streak."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.agents.base import Agent
from connectlab.game import PositionBatch, Shape
from connectlab.game.bitboard import SHAPE, column_of, landing_cells, pick_cell, popcount
from connectlab.game.streams import GAMMA, below

_words = types.uint64[::1]
_ints = types.int64[::1]


class RandomAgent(Agent):
    """Every column with room is equally likely."""

    name = "random"
    summary = "any playable column, each equally likely"

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Draw one playable column for each position."""
        columns = np.empty(len(batch), dtype=np.int64)
        _choose_random(batch.occupied, batch.streams, self.geometry.shape, columns)
        return columns


@kernel(types.void(_words, _words, SHAPE, _ints))
def _choose_random(
    occupied: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    shape: Shape,
    columns: NDArray[np.int64],
) -> None:
    for i in range(occupied.shape[0]):
        cells = landing_cells(occupied[i], shape)
        streams[i] += GAMMA
        cell = pick_cell(cells, below(streams[i], popcount(cells)))
        columns[i] = column_of(cell, shape)
