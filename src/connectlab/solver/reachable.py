"""All positions of a small board that can be reached, and where each landing stone leads.

They are found by walking from the empty board: a layer of positions, all that follows, what of it
is new, and so on. Only positions in which the game goes on are kept. A stone that slips lands where
it might have been played, so slips add nothing; falling rows do.
"""

from dataclasses import dataclass

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.game.bitboard import DRAW, ILLEGAL_MOVE, ONGOING, SHAPE, WORDS, step
from connectlab.game.chance import drop_bottom
from connectlab.game.geometry import Geometry, Shape
from connectlab.solver.solver import SolverError

U64 = NDArray[np.uint64]

MAX_POSITIONS = 2_000_000
"""More are refused: their table of moves would take more than 16 bytes for each column."""

FULL, WINS, FILLS = -1, -2, -3
"""Where a stone leads if to no position: there is no room, it wins, or it fills the board."""

_links = types.int32[:, :, ::1]


@dataclass(frozen=True, eq=False)
class Reachable:
    """The positions of a board in the order of their stones, the fullest boards first."""

    geometry: Geometry
    mover: U64
    occupied: U64
    links: NDArray[np.int32]
    """int32[n, columns, 2]: the position after a stone has landed in a column, and the one after
    the bottom row has fallen then too; or ``FULL``, ``WINS`` or ``FILLS``."""
    _keys: U64
    """Of all positions, in rising order, and in ``_places`` which position has each."""
    _places: NDArray[np.int64]

    @classmethod
    def of(cls, geometry: Geometry) -> "Reachable":
        """Find all positions; raise ``SolverError`` if there are more than ``MAX_POSITIONS``."""
        falls = geometry.variant.drop_row > 0
        mover, occupied = _walk(geometry, falls=falls)
        fullest = np.argsort(-np.bitwise_count(occupied).astype(np.int64), kind="stable")
        mover, occupied = mover[fullest], occupied[fullest]
        keys = _keys_of(mover, occupied, geometry)
        places = np.argsort(keys, kind="stable")
        links = np.empty((len(keys), geometry.columns, 2), dtype=np.int32)
        _link(mover, occupied, keys[places], places, geometry.shape, falls, links)
        return cls(geometry, mover, occupied, links, keys[places], places)

    def __len__(self) -> int:
        return len(self.mover)

    def find(self, mover: U64, occupied: U64) -> NDArray[np.int64]:
        """Return which positions these are, int64[n]; raise ``SolverError`` if one is none."""
        wanted = _keys_of(mover, occupied, self.geometry)
        where = np.minimum(np.searchsorted(self._keys, wanted), len(self) - 1)
        if (self._keys[where] != wanted).any():
            raise SolverError(
                f"a position cannot be reached on {self.geometry}, or the game is over there"
            )
        return self._places[where]


def _keys_of(mover: U64, occupied: U64, geometry: Geometry) -> U64:
    """Return Pons's key of each position: no two have the same."""
    return mover + occupied + geometry.shape.bottom


def _walk(geometry: Geometry, *, falls: bool) -> tuple[U64, U64]:
    """Return the stones of all positions in which the game goes on."""
    mover = occupied = np.zeros(1, dtype=np.uint64)
    seen = [(mover, occupied)]
    known = _keys_of(mover, occupied, geometry)
    while len(mover):
        room = 2 * geometry.columns * len(mover)
        after, stones = np.empty((2, room), dtype=np.uint64)
        n = _follow(mover, occupied, geometry.shape, falls, after, stones)
        keys, first = np.unique(_keys_of(after[:n], stones[:n], geometry), return_index=True)
        new = ~np.isin(keys, known, assume_unique=True)
        mover, occupied = after[first[new]], stones[first[new]]
        # Without falls no position comes again once its layer is past.
        known = np.union1d(known, keys[new]) if falls else keys
        seen.append((mover, occupied))
        if sum(len(layer) for layer, _ in seen) > MAX_POSITIONS:
            raise SolverError(
                f"{geometry} has more than {MAX_POSITIONS:,} positions: the exact values of a game "
                "with chance are for smaller boards, such as 4x4"
            )
    return np.concatenate([m for m, _ in seen]), np.concatenate([o for _, o in seen])


@kernel(
    types.int64(WORDS, WORDS, SHAPE, types.boolean, types.uint64[::1], types.uint64[::1]),
    types.int64(
        types.uint64[::1],
        types.uint64[::1],
        SHAPE,
        types.boolean,
        types.uint64[::1],
        types.uint64[::1],
    ),
)
def _follow(mover: U64, occupied: U64, shape: Shape, falls: bool, after: U64, stones: U64) -> int:
    """Write all positions that follow and in which the game goes on; return how many."""
    n = 0
    for i in range(mover.shape[0]):
        for column in range(shape.columns):
            after[n], stones[n], stands = step(mover[i], occupied[i], column, shape)
            if falls and stands in (ONGOING, DRAW):
                after[n + 1] = drop_bottom(after[n], shape)
                stones[n + 1] = drop_bottom(stones[n], shape)
                if stands == DRAW:
                    after[n], stones[n] = after[n + 1], stones[n + 1]
                    n += 1
                else:
                    n += 2
            elif stands == ONGOING:
                n += 1
    return n


@kernel(types.int32(types.uint64, types.uint64[::1], types.int64[::1]))
def _place_of(key: Word, keys: U64, places: NDArray[np.int64]) -> int:
    """Return which position has a key, by halving."""
    low, high = 0, keys.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        if keys[middle] <= key:
            low = middle
        else:
            high = middle
    return places[low]  # type: ignore[no-any-return]


@kernel(
    types.void(
        types.uint64[::1],
        types.uint64[::1],
        types.uint64[::1],
        types.int64[::1],
        SHAPE,
        types.boolean,
        _links,
    )
)
def _link(
    mover: U64,
    occupied: U64,
    keys: U64,
    places: NDArray[np.int64],
    shape: Shape,
    falls: bool,
    links: NDArray[np.int32],
) -> None:
    """Write where a stone in each column of each position leads."""
    for i in range(mover.shape[0]):
        for column in range(shape.columns):
            after, stones, stands = step(mover[i], occupied[i], column, shape)
            links[i, column, :] = WINS
            if stands == ILLEGAL_MOVE:
                links[i, column, :] = FULL
            elif stands == ONGOING:
                links[i, column, 0] = _place_of(after + stones + shape.bottom, keys, places)
            elif stands == DRAW:
                links[i, column, 0] = FILLS
            if falls and stands in (ONGOING, DRAW):
                low = drop_bottom(after, shape) + drop_bottom(stones, shape) + shape.bottom
                links[i, column, 1] = _place_of(low, keys, places)
