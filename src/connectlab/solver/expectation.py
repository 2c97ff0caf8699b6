"""Exact values of games with chance on small boards, by value iteration: the referee of variants.

The value V of a position is what the side to move can expect of the game, 1 for a win, 0 for a draw
and -1 for a loss, if both sides know all there is to know. With p the odds of a slip and d those of
a falling row,

    W(s, c) = 1 if the stone that lands in c wins, else (1 - d) * after(s, c) + d * -V(fallen)
    Q(s, c) = (1 - p) * W(s, c) + p/2 * W(s, left of c) + p/2 * W(s, right of c)
    V(s)    = max over c of Q(s, c)

where after(s, c) is 0 for a full board and else -V of the position that follows, and a neighbour
that is full or not there is c itself. Without falling rows the stones only grow, and one sweep from
full boards to the empty one is exact up to rounding. With them positions come again, and sweeps go
on: from everywhere the game ends within as many moves as there are cells with a chance of at least
(1 - d) to that power, so they contract and there is one fixed point. If the changes of a sweep
shrink by the factor r, what is still to come is about r / (1 - r) times the latest; sweeps end when
that is below ``TOLERANCE``. The draw after ``LONGEST_GAME`` moves is left out of it.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.game.batch import PositionBatch
from connectlab.game.bitboard import SHAPE
from connectlab.game.chance import ODDS, slipped
from connectlab.game.geometry import Geometry, Shape
from connectlab.game.position import Position
from connectlab.game.variants import Odds
from connectlab.solver.reachable import FILLS, FULL, WINS, Reachable
from connectlab.solver.solver import SolverError

Floats = NDArray[np.float64]

TOLERANCE = 1e-10
"""What values may still be off where rows fall; elsewhere they are exact up to rounding."""
EQUAL = 1e-9
"""Columns whose values differ by no more are equally good."""
MAX_SWEEPS = 10_000

_values = types.float64[::1]
_links = types.int32[:, :, ::1]
_stones = types.uint64[::1]

Sweep: TypeAlias = Callable[[], float]
"""Looks at all positions once; returns the greatest change of a value."""


class AgainstBest(NamedTuple):
    """What a policy is worth against an opponent that knows it and plays best."""

    first: float
    """Its expected value when it moves first, from -1 to 1."""
    second: float
    """The same when it moves second."""


class Expectation:
    """Expected values of all positions of one small board, for the side to move."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.reachable = Reachable.of(geometry)
        self.sweeps = 0
        """How often all positions were looked at."""
        self._values = np.zeros(len(self.reachable))
        self._iterate(self._best_sweep)

    def __len__(self) -> int:
        return len(self.reachable)

    @property
    def start_value(self) -> float:
        """What the first player can expect of the whole game."""
        return self.value(Position(self.geometry))

    def value(self, position: Position) -> float:
        """Return the expected value of a position in which the game goes on."""
        return float(self.values(PositionBatch.of([position]))[0])

    def values(self, batch: PositionBatch) -> Floats:
        """Return the expected value of each position, float64[n]."""
        return self._values[self._find(batch)]

    def column_values(self, batch: PositionBatch) -> Floats:
        """Return what each column is worth, float64[n, columns]; -inf where it is full."""
        places = self._find(batch)
        worth = np.empty((len(batch), self.geometry.columns))
        _columns(places, self._values, *self._board, worth)
        return worth

    def against_best(self, policy: Floats) -> AgainstBest:
        """Return what a policy, float64[len(self), columns] for :attr:`batch`, is worth at worst.

        That is its value against the best of all opponents, one who knows the policy.
        """
        own, other = np.zeros((2, len(self)))
        chances = np.ascontiguousarray(policy, dtype=np.float64)
        if chances.shape != (len(self), self.geometry.columns):
            raise SolverError(f"the policy has shape {chances.shape}, not one row a position")
        self._iterate(lambda: _sweep_against(chances, own, other, *self._board))
        start = self._find(PositionBatch.start(1, self.geometry))[0]
        return AgainstBest(float(own[start]), -float(other[start]))

    @property
    def batch(self) -> PositionBatch:
        """All positions, each with the stream of the game of its number."""
        found = self.reachable
        start = PositionBatch.start(len(self), self.geometry)
        return PositionBatch(self.geometry, found.mover, found.occupied, start.streams)

    @property
    def _board(self) -> tuple[NDArray[np.uint64], NDArray[np.int32], Shape, Odds]:
        """What all kernels take."""
        shape, odds = self.geometry.shape, self.geometry.variant.odds
        return self.reachable.occupied, self.reachable.links, shape, odds

    def _best_sweep(self) -> float:
        return float(_sweep(self._values, *self._board))

    def _iterate(self, sweep: Sweep) -> None:
        """Sweep once, or until values have settled where rows fall."""
        previous = np.inf
        for _ in range(MAX_SWEEPS):
            self.sweeps += 1
            change = sweep()
            if not self.geometry.variant.drop_row or _to_come(change, previous) <= TOLERANCE:
                return
            previous = change
        raise SolverError(f"the values of {self.geometry} do not settle in {MAX_SWEEPS:,} sweeps")

    def _find(self, batch: PositionBatch) -> NDArray[np.int64]:
        if batch.geometry != self.geometry:
            raise SolverError(f"these are the values of {self.geometry}, not of {batch.geometry}")
        return self.reachable.find(batch.mover, batch.occupied)


@lru_cache(maxsize=4)
def expectation_of(geometry: Geometry) -> Expectation:
    """Return the values of a board, which all players of this process share."""
    return Expectation(geometry)


def _to_come(change: float, previous: float) -> float:
    """Estimate by how much values still change, from the changes of two sweeps."""
    if change >= previous or previous == np.inf:
        return change if change == 0.0 else np.inf
    shrinks = change / previous
    return change * shrinks / (1 - shrinks)


@kernel(types.float64(types.int64, types.int64, _values, _links, ODDS))
def _landed(place: int, column: int, values: Floats, links: NDArray[np.int32], odds: Odds) -> float:
    """Return W: what a stone of the side to move is worth when it has landed in a column."""
    after = links[place, column, 0]
    if after == WINS:
        return 1.0
    stays = 0.0 if after == FILLS else -values[after]
    if odds.drop_row == 0.0:
        return float(stays)
    return float((1.0 - odds.drop_row) * stays - odds.drop_row * values[links[place, column, 1]])


@kernel(types.float64(types.int64, types.int64, _values, _stones, _links, SHAPE, ODDS))
def _chosen(
    place: int,
    column: int,
    values: Floats,
    occupied: NDArray[np.uint64],
    links: NDArray[np.int32],
    shape: Shape,
    odds: Odds,
) -> float:
    """Return Q: what it is worth to choose a column that has room."""
    worth = _landed(place, column, values, links, odds)
    if odds.slip == 0.0:
        return worth
    left = slipped(occupied[place], column, column - 1, shape)
    right = slipped(occupied[place], column, column + 1, shape)
    slips = _landed(place, left, values, links, odds) + _landed(place, right, values, links, odds)
    return (1.0 - odds.slip) * worth + 0.5 * odds.slip * slips


@kernel(types.float64(types.int64, _values, _stones, _links, SHAPE, ODDS))
def _best(
    place: int,
    values: Floats,
    occupied: NDArray[np.uint64],
    links: NDArray[np.int32],
    shape: Shape,
    odds: Odds,
) -> float:
    best = -np.inf
    for column in range(shape.columns):
        if links[place, column, 0] != FULL:
            best = max(best, _chosen(place, column, values, occupied, links, shape, odds))
    return best


@kernel(types.float64(_values, _stones, _links, SHAPE, ODDS))
def _sweep(
    values: Floats,
    occupied: NDArray[np.uint64],
    links: NDArray[np.int32],
    shape: Shape,
    odds: Odds,
) -> float:
    """Set every value to the best that can be chosen; return the greatest change."""
    change = 0.0
    for place in range(values.shape[0]):
        value = _best(place, values, occupied, links, shape, odds)
        change = max(change, abs(value - values[place]))
        values[place] = value
    return change


@kernel(types.float64(types.float64[:, ::1], _values, _values, _stones, _links, SHAPE, ODDS))
def _sweep_against(
    policy: Floats,
    own: Floats,
    other: Floats,
    occupied: NDArray[np.uint64],
    links: NDArray[np.int32],
    shape: Shape,
    odds: Odds,
) -> float:
    """Set ``own``, where the policy moves, and ``other``, where its best opponent does."""
    change = 0.0
    for place in range(own.shape[0]):
        value = 0.0
        for column in range(shape.columns):
            if policy[place, column] > 0.0:
                worth = _chosen(place, column, other, occupied, links, shape, odds)
                value += policy[place, column] * worth
        reply = _best(place, own, occupied, links, shape, odds)
        change = max(change, abs(value - own[place]), abs(reply - other[place]))
        own[place] = value
        other[place] = reply
    return change


@kernel(types.void(types.int64[::1], _values, _stones, _links, SHAPE, ODDS, types.float64[:, ::1]))
def _columns(
    places: NDArray[np.int64],
    values: Floats,
    occupied: NDArray[np.uint64],
    links: NDArray[np.int32],
    shape: Shape,
    odds: Odds,
    worth: Floats,
) -> None:
    for i in range(places.shape[0]):
        for column in range(shape.columns):
            worth[i, column] = -np.inf
            if links[places[i], column, 0] != FULL:
                chosen = _chosen(places[i], column, values, occupied, links, shape, odds)
                worth[i, column] = chosen
