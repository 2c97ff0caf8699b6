"""The choice of the learning loop, one position at a time."""

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.ntuple.kernels import best_move, make_key, read_indices
from connectlab.agents.ntuple.network import Network
from connectlab.game import PositionBatch
from connectlab.game.bitboard import column_of, landing_cells, winning_cells


def greedy_columns(network: Network, batch: PositionBatch) -> NDArray[np.int64]:
    """A winning column, or the one with the best after-state, as self-play chooses it."""
    return np.array([_choose(network, batch, i) for i in range(len(batch))])


def _choose(network: Network, batch: PositionBatch, i: int) -> int:
    views, shape = network.views, network.geometry.shape
    position = batch.position(i)
    first, occupied = np.uint64(position.first_stones), np.uint64(position.occupied)
    landing = landing_cells(occupied, shape)
    wins = winning_cells(np.uint64(position.mover), occupied, shape) & landing
    if wins:
        return int(column_of(np.uint64(wins & -wins), shape))
    index, active = np.empty(views.slots, np.uint32), np.empty(views.slots, np.float32)
    read_indices(index, first, occupied, views, shape)
    player = position.ply % 2
    cell, _, _ = best_move(
        network.weights,
        views.second_table if player == 0 else 0,
        index,
        active,
        player,
        np.uint64(make_key(first, occupied, shape)),
        np.uint64(landing),
        batch.streams[i],
        views,
        shape,
    )
    return int(column_of(np.uint64(cell), shape))
