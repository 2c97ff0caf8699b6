"""The game in which a set of instances is put to the test: the leader wins by its groups alone.

What a set of instances promises is more than that a position is held: the follower can prevent
*every* group it solves, whatever else happens on the board. So let the leader win only by those
groups, the follower only by the own groups of the set and the threats that end columns, and search
the game to its end. A promise that fails is found even where the position would be held anyway.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.game import Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO, landing_cells

SLOTS = 1 << 18
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
_u8 = types.uint64
_words = types.uint64[::1]


class Promise(NamedTuple):
    """What the follower must prevent, and what it wins by."""

    shape: Shape
    groups: NDArray[np.uint64]
    """[n]: cells that the leader must not get together."""
    goals: NDArray[np.uint64]
    """[m]: cells that end the game well for the follower if it gets them together."""
    keys: NDArray[np.uint64]
    """[slots]: positions searched before, with the answer in the last bit; 0 for none."""


PROMISE = record_type((SHAPE, *3 * (_words,)), Promise)


def make_promise(shape: Shape, groups: list[int], goals: list[int]) -> Promise:
    return Promise(
        shape,
        np.array(groups, np.uint64),
        np.array(goals, np.uint64),
        np.zeros(SLOTS, np.uint64),
    )


@kernel(types.boolean(_u8, _words))
def _has_one(stones: Word, groups: NDArray[np.uint64]) -> bool:
    found = False
    for i in range(groups.shape[0]):
        found |= groups[i] & ~stones == ZERO
    return found


@kernel(types.boolean(_u8, _u8, PROMISE))
def is_kept(leader: Word, occupied: Word, promise: Promise) -> bool:
    """Say whether the follower can keep a promise when the leader is to move."""
    key = leader + occupied + promise.shape.bottom
    slot = (key * _SCATTER) >> np.uint64(64 - 18)
    if promise.keys[slot] >> ONE == key:
        return bool(promise.keys[slot] & ONE)
    kept = True
    moves = landing_cells(occupied, promise.shape)
    while moves != ZERO and kept:
        move = moves & (~moves + ONE)
        moves ^= move
        after = occupied | move
        if _has_one(leader | move, promise.groups):
            kept = False
        elif after != promise.shape.board:
            kept = False
            answers = landing_cells(after, promise.shape)
            while answers != ZERO and not kept:
                answer = answers & (~answers + ONE)
                answers ^= answer
                follower = (leader ^ occupied) | answer
                kept = _has_one(follower, promise.goals) or is_kept(
                    leader | move, after | answer, promise
                )
    promise.keys[slot] = (key << ONE) | np.uint64(kept)
    return kept
