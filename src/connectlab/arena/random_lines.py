"""Lines of random moves that have not ended the game."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.game import STANDARD, Geometry, Shape
from connectlab.game.bitboard import (
    SHAPE,
    ZERO,
    column_of,
    has_line,
    landing_cells,
    pick_cell,
    popcount,
)
from connectlab.game.streams import GAMMA, below, make_streams

_words = types.uint64[::1]


class Line(NamedTuple):
    """Moves from the empty board and the position they lead to."""

    moves: tuple[int, ...]
    """Columns, 0-based."""
    stones: tuple[int, int]
    """``mover`` and ``occupied`` of the position."""


def random_lines(
    n: int,
    shortest: int,
    longest: int,
    *,
    geometry: Geometry = STANDARD,
    seed: int = 0,
    start: int = 0,
) -> list[Line]:
    """Play games number ``start`` to ``start + n - 1`` of a seed for a random number of plies.

    The number is equally likely from ``shortest`` to ``longest``; games that ended by then are
    left out, so fewer than ``n`` may come back.
    """
    moves = np.empty((n, geometry.cells), dtype=np.int8)
    lengths = np.empty(n, dtype=np.int64)
    mover, occupied = np.empty((2, n), dtype=np.uint64)
    streams = make_streams(seed, n, start)
    _play_lines(streams, shortest, longest, geometry.shape, moves, lengths, mover, occupied)
    return [
        Line(tuple(moves[i, : lengths[i]].tolist()), (int(mover[i]), int(occupied[i])))
        for i in range(n)
        if lengths[i]
    ]


@kernel(
    types.void(
        _words,
        types.int64,
        types.int64,
        SHAPE,
        types.int8[:, ::1],
        types.int64[::1],
        _words,
        _words,
    )
)
def _play_lines(
    streams: NDArray[np.uint64],
    shortest: int,
    longest: int,
    shape: Shape,
    moves: NDArray[np.int8],
    lengths: NDArray[np.int64],
    movers: NDArray[np.uint64],
    occupieds: NDArray[np.uint64],
) -> None:
    """Play each line; its length is 0 if the game ended within it."""
    for i in range(streams.shape[0]):
        streams[i] += GAMMA
        lengths[i] = shortest + below(streams[i], longest - shortest + 1)
        mover, occupied = ZERO, ZERO
        for ply in range(lengths[i]):
            cells = landing_cells(occupied, shape)
            streams[i] += GAMMA
            cell = pick_cell(cells, below(streams[i], popcount(cells)))
            moves[i, ply] = column_of(cell, shape)
            mover ^= occupied
            occupied |= cell
            if has_line(mover ^ occupied, shape):
                lengths[i] = 0
                break
        movers[i] = mover
        occupieds[i] = occupied
