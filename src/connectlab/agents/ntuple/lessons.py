"""Lessons: positions whose right moves a referee has told, and steps that make a network play them.

A network that moves first plays to the after-state of the highest total. A lesson asks that in one
position some move that holds the result be ahead of all that do not. Where it is not, by half a
margin, the totals of the best right and of the best wrong after-state are moved the whole margin
apart by the smallest step that does it (passive-aggressive learning: Crammer et al. 2006, "Online
Passive-Aggressive Algorithms", for a difference of two examples as in ranking). Lessons are gone
through again and again until all are kept.

Smallest is meant by what else a step may change. The *burden* of a weight counts the close
decisions that rest on it, in positions of the player's own games: a weight that many of them share
moves little, one that hardly anything else reads moves far. So a lesson becomes an exception to
what self-play has taught, and disturbs little of it. With burdens B_i and a difference d_i of how
often weight i is read in both after-states, the step is

    w_i += (margin - lead) * (d_i / B_i) / sum over j of (d_j^2 / B_j).
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel, record_type, tuple_type
from connectlab.agents.ntuple.kernels import (
    VIEWS,
    Views,
    make_key,
    move_indices,
    read_indices,
    total,
)
from connectlab.agents.ntuple.network import Network
from connectlab.game import PositionBatch, Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    WORDS,
    ZERO,
    landing_cells,
    winning_cells,
)

Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]
Words = NDArray[np.uint64]
Int64s = NDArray[np.int64]

MOST_PASSES = 1000
"""Passes over all lessons; what cannot be kept together is left for another time."""
UNREAD = 0.1
"""Burden of a weight that no close decision rests on."""
KEPT_SHARE = 0.5
"""A lesson is kept while its lead is at least this share of the margin, which a step restores."""


class Exercises(NamedTuple):
    """The after-states of all lessons, one after the other."""

    indices: Indices
    """uint32[moves, slots]: the weights that each reads, rising; the second player is to move."""
    holds: NDArray[np.bool_]
    """bool[moves]: whether the move holds the result."""
    begin: Int64s
    """int64[lessons + 1]: where the moves of each lesson begin."""


class Difference(NamedTuple):
    """Working memory: the weights that one of two after-states reads more often."""

    weights: Int64s
    more: NDArray[np.float64]


_i8, _f8 = types.int64, types.float64
_floats, _indices = types.float32[::1], types.uint32[::1]
_EXERCISES = record_type((types.uint32[:, ::1], types.boolean[::1], types.int64[::1]), Exercises)
_DIFFERENCE = record_type((types.int64[::1], types.float64[::1]), Difference)


class Lessons:
    """What a network is to play in some positions, the first player to move."""

    def __init__(self, network: Network) -> None:
        self._network = network
        slots = network.views.slots
        self._exercises = Exercises(
            np.empty((0, slots), np.uint32), np.empty(0, np.bool_), np.zeros(1, np.int64)
        )

    def __len__(self) -> int:
        return len(self._exercises.begin) - 1

    def add(self, batch: PositionBatch, holds: NDArray[np.bool_]) -> None:
        """Add positions, and which of their legal columns hold the result, bool[n, columns]."""
        rows, columns = np.nonzero(batch.legal)
        after = batch[rows].play(columns)
        indices = np.empty((len(rows), self._network.views.slots), np.uint32)
        shape, first = batch.geometry.shape, after.mover ^ after.occupied
        _read_all(first, after.occupied, self._network.views, shape, indices)
        indices.sort(axis=1)
        old = self._exercises
        ends = old.begin[-1] + np.searchsorted(rows, np.arange(1, len(batch) + 1))
        self._exercises = Exercises(
            np.concatenate([old.indices, indices]),
            np.concatenate([old.holds, holds[rows, columns]]),
            np.concatenate([old.begin, ends.astype(np.int64)]),
        )

    def learn(self, burden: Floats, margin: float, seed: int) -> int:
        """Go through all lessons until each is kept; return how many steps that took.

        The weights end as float16 can hold them, which is how a checkpoint has them.
        """
        weights, views = self._network.weights, self._network.views
        yielding = 1.0 / (UNREAD + burden.astype(np.float64))
        scratch = Difference(
            np.empty(2 * views.slots, np.int64), np.empty(2 * views.slots, np.float64)
        )
        lots, steps = np.random.default_rng(seed), 0
        for _ in range(MOST_PASSES):
            order = lots.permutation(len(self)).astype(np.int64)
            taken = _pass(self._exercises, order, weights, yielding, margin, views, scratch)
            steps += taken
            if not taken:
                break
        weights[:] = weights.astype(np.float16)
        return steps

    def kept(self, margin: float) -> int:
        """Count the lessons that the network keeps."""
        weights, views = self._network.weights, self._network.views
        return int(_count_kept(self._exercises, weights, margin, views))


def add_burden(network: Network, batch: PositionBatch, near: float, burden: Floats) -> None:
    """Add the close decisions of these positions to the burden of each weight, float32[weights].

    The first player is to move. A decision is close for the best move if the second best is less
    than ``near`` behind, and for any other if it is less than that behind the best; it counts 1
    where both are equal, and falls to 0 at ``near``.
    """
    shape = batch.geometry.shape
    weights, views = network.weights, network.views
    _add_burden(batch.mover, batch.occupied, weights, near, views, shape, burden)


@kernel(types.void(WORDS, WORDS, VIEWS, SHAPE, types.uint32[:, ::1]))
def _read_all(first: Words, occupied: Words, views: Views, shape: Shape, indices: Indices) -> None:
    """Write the indices of each position."""
    for i in range(len(first)):
        read_indices(indices[i], first[i], occupied[i], views, shape)


@kernel(types.void(_floats, _i8, _EXERCISES, VIEWS, types.int64[::1], types.float64[::1]))
def _find_best(
    weights: Floats,
    lesson: int,
    exercises: Exercises,
    views: Views,
    moves: Int64s,
    totals: NDArray[np.float64],
) -> None:
    """Write the best move that does not hold the result and the best that does, and their totals.

    -1 for a move that is not there.
    """
    moves[:], totals[:] = -1, 0.0
    for move in range(exercises.begin[lesson], exercises.begin[lesson + 1]):
        f = float(total(weights, views.second_table, exercises.indices[move], views))
        kind = 1 if exercises.holds[move] else 0
        if moves[kind] < 0 or f > totals[kind]:
            moves[kind], totals[kind] = move, f


@kernel(_i8(_indices, _indices, _DIFFERENCE))
def _subtract(right: Indices, wrong: Indices, found: Difference) -> int:
    """Find the weights that ``right`` reads more often than ``wrong``, or less; return how many.

    Both are rising.
    """
    i, j, n, slots = 0, 0, 0, len(right)
    while i < slots or j < slots:
        weight = right[i] if j == slots or (i < slots and right[i] < wrong[j]) else wrong[j]
        more = 0.0
        while i < slots and right[i] == weight:
            more, i = more + 1.0, i + 1
        while j < slots and wrong[j] == weight:
            more, j = more - 1.0, j + 1
        if more != 0.0:
            found.weights[n], found.more[n] = weight, more
            n += 1
    return n


@kernel(types.void(_floats, _i8, types.float64[::1], _f8, _i8, _DIFFERENCE))
def _move_apart(
    weights: Floats,
    table: int,
    yielding: NDArray[np.float64],
    lacking: Real,
    n: int,
    found: Difference,
) -> None:
    """Add ``lacking`` to the difference of two totals, by the step that costs least."""
    length = 0.0
    for k in range(n):
        length += found.more[k] ** 2 * yielding[table + found.weights[k]]
    for k in range(n):
        weight = table + found.weights[k]
        weights[weight] += np.float32(lacking / length * found.more[k] * yielding[weight])


@kernel(tuple_type(_f8, _i8)(_floats, _i8, _EXERCISES, VIEWS, _i8, _f8, _DIFFERENCE))
def _tell_apart(
    weights: Floats,
    lesson: int,
    exercises: Exercises,
    views: Views,
    wrong: int,
    wrong_total: float,
    found: Difference,
) -> tuple[float, int]:
    """Find the best right move that the tuples can tell from a wrong one.

    Returns its lead and the size of the difference, which is 0 if there is none: such moves stay
    equal. The difference is in ``found``.
    """
    best, lead = -1, -np.inf
    for move in range(exercises.begin[lesson], exercises.begin[lesson + 1]):
        f = float(total(weights, views.second_table, exercises.indices[move], views))
        if not exercises.holds[move] or f - wrong_total <= lead:
            continue
        if _subtract(exercises.indices[move], exercises.indices[wrong], found) > 0:
            best, lead = move, f - wrong_total
    if best < 0:
        return 0.0, 0
    return lead, _subtract(exercises.indices[best], exercises.indices[wrong], found)


@kernel(_i8(_EXERCISES, types.int64[::1], _floats, types.float64[::1], _f8, VIEWS, _DIFFERENCE))
def _pass(
    exercises: Exercises,
    order: Int64s,
    weights: Floats,
    yielding: NDArray[np.float64],
    margin: float,
    views: Views,
    found: Difference,
) -> int:
    """Go through the lessons in this order, and step where one is not kept; count the steps."""
    moves, totals, steps = np.empty(2, np.int64), np.empty(2, np.float64), 0
    for lesson in order:
        _find_best(weights, lesson, exercises, views, moves, totals)
        lead = totals[1] - totals[0]
        if moves[0] < 0 or moves[1] < 0 or lead >= KEPT_SHARE * margin:
            continue
        n = _subtract(exercises.indices[moves[1]], exercises.indices[moves[0]], found)
        if n == 0:
            lead, n = _tell_apart(weights, lesson, exercises, views, moves[0], totals[0], found)
        if n > 0:
            _move_apart(weights, views.second_table, yielding, margin - lead, n, found)
            steps += 1
    return steps


@kernel(_i8(_EXERCISES, _floats, _f8, VIEWS))
def _count_kept(exercises: Exercises, weights: Floats, margin: float, views: Views) -> int:
    """Count the lessons that need no step."""
    moves, totals, kept = np.empty(2, np.int64), np.empty(2, np.float64), 0
    for lesson in range(len(exercises.begin) - 1):
        _find_best(weights, lesson, exercises, views, moves, totals)
        single = moves[0] < 0 or moves[1] < 0
        kept += single or totals[1] - totals[0] >= KEPT_SHARE * margin
    return kept


@kernel(types.void(WORDS, WORDS, _floats, _f8, VIEWS, SHAPE, _floats))
def _add_burden(
    first: Words,
    occupied: Words,
    weights: Floats,
    near: float,
    views: Views,
    shape: Shape,
    burden: Floats,
) -> None:
    """Do what :func:`add_burden` says; a position with a winning move is no decision."""
    here = np.empty(views.slots, np.uint32)
    indices = np.empty((shape.columns, views.slots), np.uint32)
    totals = np.empty(shape.columns, np.float64)
    for i in range(len(first)):
        landing = landing_cells(occupied[i], shape)
        if winning_cells(first[i], occupied[i], shape) & landing != ZERO:
            continue
        read_indices(here, first[i], occupied[i], views, shape)
        key = make_key(first[i], occupied[i], shape)
        n = 0
        while landing != ZERO:
            cell = landing & (~landing + ONE)
            landing ^= cell
            indices[n] = here
            move_indices(indices[n], 0, cell, key, views, shape)
            totals[n] = total(weights, views.second_table, indices[n], views)
            n += 1
        if n < 2:
            continue
        best = np.argmax(totals[:n])
        second = -np.inf
        for move in range(n):
            if move != best:
                second = max(second, totals[move])
        for move in range(n):
            behind = totals[best] - (second if move == best else totals[move])
            if behind < near:
                for slot in range(views.slots):
                    weight = views.second_table + np.int64(indices[move, slot])
                    burden[weight] += np.float32(1.0 - behind / near)
