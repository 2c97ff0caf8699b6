"""What the tuples of a network see in a position, and how much each says."""

from math import tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.ntuple.kernels import read_indices
from connectlab.agents.ntuple.layout import EMPTY, FIRST, REACHABLE, SECOND
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.tuples import Cell
from connectlab.game import Geometry, Position
from connectlab.game.notation import column_name

SHOWN = 24
"""How many readings are told, those with the largest weights."""

STATE_NAMES = {EMPTY: "empty", FIRST: "first", SECOND: "second", REACHABLE: "reachable"}


def explain(network: Network, position: Position, shown: int = SHOWN) -> dict[str, Any]:
    """Return the network's view of a position as plain data, for the side to move.

    A *reading* is a tuple, or its mirror image, as it finds the board. ``total`` is the sum of the
    weights of all readings, ``network_value`` its tanh; ``readings`` is their number, ``tuples``
    lists those with the largest weights: the number of the tuple (from 1), whether it is mirrored,
    its cells (column as people type it, row from 1), what each holds, the weight, and its share of
    all that is said: the weight divided by the sum of all weights without their signs.
    """
    sign = 1 if position.first_to_move else -1
    weights = sign * active_weights(network, position)
    total, said = float(weights.sum()), float(np.abs(weights).sum())
    order = np.argsort(-np.abs(weights), kind="stable")[:shown]
    board = _Board(position, network.layout.states)
    return {
        "network_value": tanh(total),
        "total": total,
        "readings": len(weights),
        "tuples": [
            {
                **_reading(network, board, int(slot)),
                "weight": float(weights[slot]),
                "share": float(weights[slot]) / said if said else 0.0,
            }
            for slot in order
        ],
    }


def active_weights(network: Network, position: Position) -> NDArray[np.float64]:
    """Return the weight of every slot in a position, float64[slots], for the first player."""
    views = network.views
    index = np.empty(views.slots, dtype=np.uint32)
    first, occupied = np.uint64(position.first_stones), np.uint64(position.occupied)
    read_indices(index, first, occupied, views, network.geometry.shape)
    origin = 0 if position.first_to_move else views.second_table
    active: NDArray[np.float64] = network.weights[origin + index.astype(np.int64)].astype(
        np.float64
    )
    return active


def _reading(network: Network, board: "_Board", slot: int) -> dict[str, Any]:
    """Describe what one slot looks at and finds there."""
    mirrored, number = divmod(slot, len(network.layout.tuples))
    cells = network.layout.tuples[number]
    if mirrored:
        cells = tuple((network.geometry.columns - 1 - column, row) for column, row in cells)
    return {
        "tuple": number + 1,
        "mirrored": bool(mirrored),
        "cells": [_name(cell, network.geometry) for cell in cells],
        "state": [STATE_NAMES[board.state(cell)] for cell in cells],
    }


def _name(cell: Cell, geometry: Geometry) -> list[Any]:
    return [column_name(cell[0], geometry), cell[1] + 1]


class _Board:
    """What each cell of a position holds, as a network with P states tells it."""

    def __init__(self, position: Position, states: int) -> None:
        self._position = position
        self._states = states

    def state(self, cell: Cell) -> int:
        """Return EMPTY, FIRST, SECOND or, with P = 4, REACHABLE."""
        position, geometry = self._position, self._position.geometry
        bit = geometry.cell(*cell)
        if position.occupied & bit:
            return FIRST if position.first_stones & bit else SECOND
        column, row = cell
        supported = row == 0 or bool(position.occupied & geometry.cell(column, row - 1))
        return REACHABLE if supported and self._states == 4 else EMPTY
