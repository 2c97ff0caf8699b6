"""The network's values as the search takes them: whole numbers, and a stack of positions.

Weights are in fixed point, so a sum does not depend on the order in which it is added: positions
that mirror each other, or were reached by other moves, have equal values to the last bit. A
*fixed-point value* is such a sum (the output comes last, for people: it changes no order) or,
beyond all sums, a win or a loss; sooner wins are higher.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.agents.ntuple.config import Output
from connectlab.agents.ntuple.kernels import VIEWS, Views, make_key, move_indices
from connectlab.agents.ntuple.network import Network, values_of
from connectlab.game import Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO, popcount

WON = 1 << 31
"""A win with stone number n of the game has the fixed-point value ``WON`` - n."""
DECIDED = WON - 64
"""A fixed-point value of at least this is a win."""
SUM_LIMIT = 1 << 29
"""No sum of weights is larger."""
MAX_TABLE_BITS = 18
"""4 MB: a search of 100 ms leaves no more positions, and more would only miss the cache."""

_u8, _i8 = types.uint64, types.int64


class Brain(NamedTuple):
    """A network as the search takes it."""

    weights: NDArray[np.int32]
    views: Views
    shape: Shape


class Memory(NamedTuple):
    """The working memory of one search at a time; row n is for the n-th ply below the root."""

    indices: NDArray[np.uint32]
    """[plies, slots]: the weight indices of the position."""
    active: NDArray[np.int32]
    """[slots]: weights of the position whose moves are being valued."""
    cells: NDArray[np.uint64]
    """[plies, columns]: the moves, the most promising first."""
    values: NDArray[np.int64]
    """[plies, columns]: the fixed-point value of each, for the side that makes it."""
    table: NDArray[np.uint64]
    """[a power of two, 2]: positions, and of each the value, depth, kind of bound and best move."""
    shift: int
    """64 less the bits of a place in the table."""
    nodes: NDArray[np.int64]
    """[1]: positions searched so far."""


BRAIN = record_type((types.int32[::1], VIEWS, SHAPE), Brain)
MEMORY = record_type(
    (
        types.uint32[:, ::1],
        types.int32[::1],
        types.uint64[:, ::1],
        types.int64[:, ::1],
        types.uint64[:, ::1],
        _i8,
        types.int64[::1],
    ),
    Memory,
)


@dataclass(frozen=True, eq=False)
class Evaluator:
    """A network with its weights in fixed point."""

    brain: Brain
    scale: float
    """What 1.0 is in fixed point."""
    output: Output

    @classmethod
    def of(cls, network: Network) -> "Evaluator":
        """Round the weights of a network so finely that no sum can exceed ``SUM_LIMIT``."""
        tables = network.weights.reshape(network.tables, -1)
        highest = np.maximum.reduceat(np.abs(tables), network.layout.offsets, axis=1)
        slots = network.layout.slots / len(network.layout.tuples)
        largest_sum = float(slots * highest.sum(axis=1, dtype=np.float64).max())
        scale = 2.0 ** np.floor(np.log2(SUM_LIMIT / max(largest_sum, 1.0)) - 0.01)
        weights = np.rint(network.weights.astype(np.float64) * scale).astype(np.int32)
        brain = Brain(weights, network.views, network.geometry.shape)
        return cls(brain, float(scale), network.output)

    def readable(self, value: int, ply: int) -> float:
        """Turn a fixed-point value found in a position of ``ply`` stones into one for people.

        From -1 to 1 by the network; 2 - n / 100 for a win proven in n plies, negative for a loss.
        """
        plies = self.plies_to_end(value, ply)
        if plies is None:
            return float(self._values(np.array([value]))[0])
        return (2 - plies / 100) * (1 if value > 0 else -1)

    def bounded(self, values: NDArray[np.int64]) -> NDArray[np.float64]:
        """Turn fixed-point values into values from -1 to 1; a proven win or loss is 1 or -1."""
        decided = np.abs(values) >= DECIDED
        return np.where(decided, np.sign(values), self._values(values))

    def _values(self, sums: NDArray[np.int64]) -> NDArray[np.float64]:
        return values_of(sums / self.scale, self.output)

    @staticmethod
    def plies_to_end(value: int, ply: int) -> int | None:
        """Return the number of plies to a proven win or loss; None if nothing is proven."""
        return WON - abs(value) - ply if abs(value) >= DECIDED else None


def make_memory(brain: Brain, depth: int) -> Memory:
    """Return working memory for searches of a depth."""
    plies, columns = popcount(brain.shape.board) + 2, brain.shape.columns
    bits = min(MAX_TABLE_BITS, 6 + 2 * depth)
    return Memory(
        np.empty((plies, brain.views.slots), dtype=np.uint32),
        np.empty(brain.views.slots, dtype=np.int32),
        np.empty((plies, columns), dtype=np.uint64),
        np.empty((plies, columns), dtype=np.int64),
        np.zeros((1 << bits, 2), dtype=np.uint64),
        64 - bits,
        np.zeros(1, dtype=np.int64),
    )


@kernel(_i8(_i8, _u8, BRAIN, MEMORY))
def value_position(ply: int, occupied: Word, brain: Brain, memory: Memory) -> int:
    """Return the fixed-point value of the position in row ``ply``, for the side to move."""
    player = popcount(occupied) % 2
    index, weights = memory.indices[ply], brain.weights
    origin = np.uint64(brain.views.second_table if player else 0)
    f = np.int32(0)
    for slot in range(np.uint64(brain.views.slots)):
        f = np.int32(f + weights[origin + index[slot]])
    return -int(f) if player else int(f)


@kernel(_i8(_i8, _u8, _u8, _u8, BRAIN, MEMORY))
def value_moves(
    ply: int, mover: Word, occupied: Word, cells: Word, brain: Brain, memory: Memory
) -> int:
    """List the cells with the value of each after-state; return how many there are.

    Reads the indices of row ``ply``. Values are in fixed point, for the side that moves.
    """
    weights, views, shape = brain.weights, brain.views, brain.shape
    watchers, deltas, firsts = views.watchers, views.deltas, views.first_watcher
    index, active = memory.indices[ply], memory.active
    player = popcount(occupied) % 2
    sign = 1 - 2 * player
    key = make_key(mover if player == 0 else mover ^ occupied, occupied, shape)
    origin = np.uint64(0 if player else views.second_table)
    here = np.int32(0)
    for slot in range(np.uint64(views.slots)):
        weight = weights[origin + index[slot]]
        active[slot] = weight
        here = np.int32(here + weight)
    n = 0
    while cells != ZERO:
        cell = cells & (~cells + ONE)
        cells ^= cell
        bit = np.uint64(popcount(cell - ONE))
        column = bit // shape.column_bits
        content = (key >> (column * shape.column_bits)) & np.uint64(2 * views.contents - 1)
        row = (np.uint64(player * shape.columns) + column) * np.uint64(views.contents) + content
        row *= np.uint64(views.width)
        first = np.uint64(firsts[bit])
        f = here
        for k in range(np.uint64(firsts[bit + ONE]) - first):
            watcher = watchers[first + k]
            moved = np.uint64(np.uint32(index[watcher] + deltas[row + k]))
            f = np.int32(f + np.int32(weights[origin + moved] - active[watcher]))
        memory.cells[ply, n] = cell
        memory.values[ply, n] = sign * int(f)
        n += 1
    return n


@kernel(types.void(_i8, _i8, _u8, MEMORY))
def sort_moves(ply: int, n: int, first: Word, memory: Memory) -> None:
    """Put the highest values in front, and before them the cell ``first`` if it is there."""
    cells, values = memory.cells[ply], memory.values[ply]
    for i in range(n):
        cell, value = cells[i], values[i]
        k = i
        while k > 0 and cells[k - 1] != first and (values[k - 1] < value or cell == first):
            cells[k], values[k] = cells[k - 1], values[k - 1]
            k -= 1
        cells[k], values[k] = cell, value


@kernel(types.void(_i8, _u8, _u8, _u8, BRAIN, MEMORY))
def step(ply: int, mover: Word, occupied: Word, last: Word, brain: Brain, memory: Memory) -> None:
    """Fill row ``ply`` of the indices from the row above and the stone that led here."""
    shape = brain.shape
    before = occupied ^ last
    player = popcount(before) % 2
    first = mover ^ occupied if player == 0 else mover
    index = memory.indices[ply]
    index[:] = memory.indices[ply - 1]
    key = make_key(first & before, before, shape)
    move_indices(index, player, last, key, brain.views, shape)
