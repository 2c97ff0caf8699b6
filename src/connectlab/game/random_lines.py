"""Lines of random moves that have not ended the game."""

from dataclasses import dataclass

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.game.batch import PositionBatch
from connectlab.game.bitboard import (
    ONGOING,
    SHAPE,
    WORDS,
    ZERO,
    column_of,
    landing_cells,
    pick_cell,
    popcount,
    step,
)
from connectlab.game.geometry import STANDARD, Geometry, Shape
from connectlab.game.streams import GAMMA, below, make_streams

_words = types.uint64[::1]


@dataclass(frozen=True, eq=False)
class RandomLines:
    """Moves from the empty board, and the positions they lead to."""

    moves: tuple[tuple[int, ...], ...]
    """The columns of each line, 0-based."""
    batch: PositionBatch
    """Where each line leads."""

    def __len__(self) -> int:
        return len(self.moves)


def random_lines(
    n: int,
    shortest: int,
    longest: int,
    *,
    geometry: Geometry = STANDARD,
    seed: int = 0,
    start: int = 0,
) -> RandomLines:
    """Play games number ``start`` to ``start + n - 1`` of a seed for a random number of plies.

    The number is equally likely from ``shortest`` to ``longest``; games that ended by then are
    left out, so fewer than ``n`` may come back.
    """
    moves = np.empty((n, geometry.cells), dtype=np.int8)
    lengths = np.empty(n, dtype=np.int64)
    mover, occupied = np.empty((2, n), dtype=np.uint64)
    streams = make_streams(seed, n, start)
    _play_lines(streams, shortest, longest, geometry.shape, moves, lengths, mover, occupied)
    unfinished = lengths > 0
    return RandomLines(
        tuple(tuple(moves[i, : lengths[i]].tolist()) for i in np.flatnonzero(unfinished)),
        PositionBatch(geometry, mover, occupied, streams)[unfinished],
    )


@kernel(
    types.void(
        WORDS,
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
        state = streams[i] + GAMMA
        lengths[i] = shortest + below(state, longest - shortest + 1)
        mover, occupied = ZERO, ZERO
        for ply in range(lengths[i]):
            cells = landing_cells(occupied, shape)
            state += GAMMA
            column = column_of(pick_cell(cells, below(state, popcount(cells))), shape)
            moves[i, ply] = column
            mover, occupied, stands = step(mover, occupied, column, shape)
            if stands != ONGOING:
                lengths[i] = 0
                break
        movers[i] = mover
        occupieds[i] = occupied
