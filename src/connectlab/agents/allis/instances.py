"""Instances of the rules: which cells they need and which groups they solve."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.game.bitboard import ONE, ZERO

(
    CLAIMEVEN,
    BASEINVERSE,
    VERTICAL,
    AFTEREVEN,
    LOWINVERSE,
    HIGHINVERSE,
    BASECLAIM,
    BEFORE,
    SPECIALBEFORE,
) = range(9)

RULES = (
    "claimeven",
    "baseinverse",
    "vertical",
    "aftereven",
    "lowinverse",
    "highinverse",
    "baseclaim",
    "before",
    "specialbefore",
)
"""The rules by number, named as in the thesis."""

ALL_RULES = (1 << len(RULES)) - 1
"""A bit for each rule."""

MOST_INSTANCES = 4096
"""Beyond so many, further ones are not looked at: a proof may be missed, never a wrong one made."""

WORD_BITS = 64

_u8, _i8 = types.uint64, types.int64
_words = types.uint64[::1]
_table = types.uint64[:, ::1]


class Instances(NamedTuple):
    """Every instance of a position in a row; a record of arrays that is used again and again."""

    size: NDArray[np.int64]
    """[1]"""
    kind: NDArray[np.int64]
    """[n]: the number of the rule."""
    cells: NDArray[np.uint64]
    """[n]: every cell the follower's answers need."""
    lows: NDArray[np.uint64]
    """[n]: the lower cells of the claimevens in it."""
    below: NDArray[np.uint64]
    """[n]: of an inverse, all cells of its columns from the bottom up to its own; else 0."""
    solo: NDArray[np.uint64]
    """[n]: cells that it shares with nobody, even where sharing is allowed."""
    own: NDArray[np.uint64]
    """[n]: the follower's group of an aftereven, before or specialbefore; else 0."""
    solved: NDArray[np.uint64]
    """[n, words]: a bit for each live group that it solves."""


INSTANCES = record_type((*2 * (types.int64[::1],), *5 * (_words,), _table), Instances)


def make_instances(n_groups: int) -> Instances:
    """Return room for the instances of any position of a board with so many groups."""
    n, words = MOST_INSTANCES + 1, max(1, -(-n_groups // WORD_BITS))
    return Instances(
        np.zeros(1, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros((n, words), np.uint64),
    )


@kernel(types.void(INSTANCES, _i8, _u8, _u8), borrows=True)
def begin(instances: Instances, kind: int, cells: Word, lows: Word) -> None:
    """Write an instance that solves nothing yet; it does not count before :func:`keep`."""
    i = instances.size[0]
    instances.kind[i] = kind
    instances.cells[i] = cells
    instances.lows[i] = lows
    instances.below[i] = instances.solo[i] = instances.own[i] = ZERO
    instances.solved[i, :] = ZERO


@kernel(types.boolean(INSTANCES, _words, _i8, _u8), borrows=True)
def solve_with(instances: Instances, live: NDArray[np.uint64], n_live: int, cells: Word) -> bool:
    """Let the instance being written solve every group with all these cells; say if any is new."""
    row = instances.solved[instances.size[0]]
    new = False
    for group in range(n_live):
        if cells & ~live[group] == ZERO:
            bit = ONE << np.uint64(group % WORD_BITS)
            new |= row[group // WORD_BITS] & bit == ZERO
            row[group // WORD_BITS] |= bit
    return new


@kernel(types.boolean(_words, _i8, _u8), borrows=True)
def any_with(live: NDArray[np.uint64], n_live: int, cells: Word) -> bool:
    """Say whether any group has all these cells: a quick look before an instance is written."""
    found = False
    for group in range(n_live):
        found |= cells & ~live[group] == ZERO
    return found


@kernel(types.void(INSTANCES), borrows=True)
def keep(instances: Instances) -> None:
    """Let the instance being written count, while there is room."""
    if instances.size[0] < MOST_INSTANCES:
        instances.size[0] += 1
