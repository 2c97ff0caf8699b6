"""Choosing instances that go together and solve every group.

A search with backtracking, as for an exact cover: take the group that the fewest instances solve,
try each of them, and go on with those that are compatible with it. An instance that was tried in
vain for a group is not tried again beside its siblings. Beyond a number of nodes the answer is
"unknown".
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel, record_type
from connectlab.agents.allis.combinations import compatible
from connectlab.agents.allis.instances import (
    INSTANCES,
    MOST_INSTANCES,
    WORD_BITS,
    Instances,
)
from connectlab.game import Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO, popcount

UNSOLVED, SOLVED, UNKNOWN = range(3)
"""What a search for a set of instances ends with: there is none, it was found, or it gave up."""

_i8 = types.int64


class Choice(NamedTuple):
    """The working memory of the search: a row for each instance chosen so far."""

    alive: NDArray[np.int32]
    """[depth, instances]: those compatible with all chosen before this depth."""
    n_alive: NDArray[np.int64]
    """[depth]"""
    unsolved: NDArray[np.uint64]
    """[depth, words]: a bit for each group left."""
    group: NDArray[np.int64]
    """[depth]: the group that is being solved."""
    next: NDArray[np.int64]
    """[depth]: where in ``alive`` to look for the next instance to try."""
    chosen: NDArray[np.int64]
    """[depth]: the instance that is being tried; of a solution, the first ``length``."""
    counts: NDArray[np.int64]
    """[groups]: scratch."""
    length: NDArray[np.int64]
    """[2]: instances in the solution; nodes spent."""


CHOICE = record_type(
    (
        types.int32[:, ::1],
        types.int64[::1],
        types.uint64[:, ::1],
        *5 * (types.int64[::1],),
    ),
    Choice,
)


def make_choice(n_groups: int) -> Choice:
    """Return the working memory for a board with so many groups."""
    words = max(1, -(-n_groups // WORD_BITS))
    depth = n_groups + 1  # each instance chosen solves a group that was not solved before
    return Choice(
        np.zeros((depth, MOST_INSTANCES), np.int32),
        np.zeros(depth, np.int64),
        np.zeros((depth, words), np.uint64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(max(1, n_groups), np.int64),
        np.zeros(2, np.int64),
    )


@kernel(types.boolean(_i8, _i8, INSTANCES), inline=True)
def _solves(instance: int, group: int, instances: Instances) -> bool:
    word = instances.solved[instance, group // WORD_BITS]
    return bool((word >> np.uint64(group % WORD_BITS)) & ONE)


@kernel(_i8(_i8, _i8, INSTANCES, CHOICE), borrows=True)
def _hardest_group(depth: int, n_live: int, instances: Instances, choice: Choice) -> int:
    """Return the unsolved group that the fewest instances solve; -1 if all groups are solved."""
    choice.counts[:n_live] = 0
    unsolved = choice.unsolved[depth]
    for k in range(choice.n_alive[depth]):
        i = choice.alive[depth, k]
        for word in range(unsolved.shape[0]):
            bits = instances.solved[i, word] & unsolved[word]
            while bits != ZERO:
                lowest = bits & (~bits + ONE)
                bits ^= lowest
                choice.counts[word * WORD_BITS + popcount(lowest - ONE)] += 1
    best, fewest = -1, MOST_INSTANCES + 1
    for group in range(n_live):
        left = (unsolved[group // WORD_BITS] >> np.uint64(group % WORD_BITS)) & ONE
        if left != ZERO and choice.counts[group] < fewest:
            best, fewest = group, choice.counts[group]
    return best


@kernel(types.void(_i8, INSTANCES, CHOICE, SHAPE), borrows=True)
def _descend(depth: int, instances: Instances, choice: Choice, shape: Shape) -> None:
    """Fill the row below ``depth``: what its chosen instance leaves to solve and to use."""
    taken, below = choice.chosen[depth], depth + 1
    for word in range(choice.unsolved.shape[1]):
        choice.unsolved[below, word] = choice.unsolved[depth, word] & ~instances.solved[taken, word]
    count = 0
    for k in range(choice.n_alive[depth]):
        i = choice.alive[depth, k]
        if i == taken:
            continue
        useful = False
        for word in range(choice.unsolved.shape[1]):
            useful |= instances.solved[i, word] & choice.unsolved[below, word] != ZERO
        if useful and compatible(i, taken, instances, shape):
            choice.alive[below, count] = i
            count += 1
    choice.n_alive[below] = count


@kernel(types.boolean(_i8, INSTANCES, CHOICE), borrows=True)
def _take_next(depth: int, instances: Instances, choice: Choice) -> bool:
    """Choose the next instance that solves the group of this depth; False if there is none.

    The one tried before is struck off: no solution contains it.
    """
    group, k = choice.group[depth], choice.next[depth]
    if k >= 0 and k < choice.n_alive[depth]:
        last = choice.n_alive[depth] - 1
        for move in range(k, last):
            choice.alive[depth, move] = choice.alive[depth, move + 1]
        choice.n_alive[depth] = last
    k = max(k, 0)
    while k < choice.n_alive[depth]:
        if _solves(choice.alive[depth, k], group, instances):
            choice.next[depth] = k
            choice.chosen[depth] = choice.alive[depth, k]
            return True
        k += 1
    return False


@kernel(types.void(_i8, CHOICE), borrows=True)
def want_all(n_live: int, choice: Choice) -> None:
    """Set out to solve groups 0 to ``n_live`` - 1."""
    for word in range(choice.unsolved.shape[1]):
        choice.unsolved[0, word] = ZERO
    for group in range(n_live):
        choice.unsolved[0, group // WORD_BITS] |= ONE << np.uint64(group % WORD_BITS)


@kernel(_i8(_i8, _i8, INSTANCES, CHOICE, SHAPE), borrows=True)
def choose_instances(
    n_live: int, max_nodes: int, instances: Instances, choice: Choice, shape: Shape
) -> int:
    """Look for compatible instances that solve the groups in ``choice.unsolved[0]``.

    Returns ``SOLVED``, ``UNSOLVED`` or ``UNKNOWN``; with ``SOLVED`` they stand in ``chosen``.
    """
    choice.n_alive[0] = instances.size[0]
    for i in range(instances.size[0]):
        choice.alive[0, i] = i
    depth, nodes = 0, 0
    choice.group[0], choice.next[0] = _hardest_group(0, n_live, instances, choice), -1
    while choice.group[depth] >= 0:
        if nodes >= max_nodes:
            choice.length[1] = nodes
            return UNKNOWN
        if not _take_next(depth, instances, choice):
            if depth == 0:
                choice.length[1] = nodes
                return UNSOLVED
            depth -= 1
            continue
        nodes += 1
        _descend(depth, instances, choice, shape)
        depth += 1
        choice.group[depth], choice.next[depth] = (
            _hardest_group(depth, n_live, instances, choice),
            -1,
        )
    choice.length[0], choice.length[1] = depth, nodes
    return SOLVED
