"""Positions from which some games of self-play begin, in place of the empty board.

Self-play from the empty board sees the lines that the network likes, again and again, and others
hardly ever. A step whose temporal difference is large shows where the network does not know the
game yet: such a position, or one a few plies before it, is noted in a ring that forgets the oldest,
and a share of the games begins from one of those. The ring can be filled from outside, too.

A position is noted as its key (:mod:`~connectlab.agents.ntuple.kernels`), one word, so threads that
share a ring never read half of a position.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type, tuple_type
from connectlab.agents.ntuple.kernels import make_key
from connectlab.game import Position, Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO
from connectlab.game.streams import below

PLACES = 1 << 16
"""Positions that are kept."""


class Starts(NamedTuple):
    """The positions noted last; threads on the same weights share them."""

    keys: NDArray[np.uint64]
    """uint64[PLACES], the newest over the oldest; empty if all games begin from the empty board."""
    noted: NDArray[np.int64]
    """int64[1]: how many were noted so far."""

    @classmethod
    def create(cls, *, used: bool) -> "Starts":
        """Return a ring without positions; one that is not ``used`` has no places."""
        return cls(np.zeros(PLACES if used else 0, dtype=np.uint64), np.zeros(1, dtype=np.int64))

    def are_sound(self, shape: Shape) -> bool:
        """Say whether all that is noted are positions of a game that goes on: a file may lie."""
        n = int(self.noted[0])
        return n >= 0 and all(_is_position(key, shape) for key in self.keys[:n].tolist())

    def note_all(self, positions: Sequence[Position]) -> None:
        """Note these positions, one after the other, in the places of the oldest."""
        for position in positions:
            note(self, _key_of(position))


STARTS = record_type((types.uint64[::1], types.int64[::1]), Starts)

_u8 = types.uint64


@kernel(types.void(STARTS, _u8))
def note(starts: Starts, key: Word) -> None:
    """Note a position in the place of the oldest."""
    starts.keys[starts.noted[0] % len(starts.keys)] = key
    starts.noted[0] += 1


@kernel(_u8(STARTS, _u8))
def draw(starts: Starts, state: Word) -> Word:
    """Return the key of one of the noted positions, each as likely; there must be one."""
    n = min(starts.noted[0], len(starts.keys))
    return starts.keys[below(state, n)]


@kernel(tuple_type(_u8, _u8)(_u8, SHAPE))
def stones_of(key: Word, shape: Shape) -> tuple[Word, Word]:
    """Return the first player's stones and all stones of the position with this key.

    In each column the highest bit of the key is the marker above its stones.
    """
    occupied = ZERO
    for column in range(shape.columns):
        shift = np.uint64(column) * shape.column_bits
        under = ((key >> shift) & ((ONE << shape.column_bits) - ONE)) >> ONE
        while under != ZERO:  # sets every bit under the marker
            occupied |= under << shift
            under >>= ONE
    return key - occupied - shape.bottom, occupied


def _is_position(key: int, shape: Shape) -> bool:
    """Say whether a key has a marker in every column, a free cell, and as many stones as it may."""
    bits = int(shape.column_bits)
    contents = [(key >> (column * bits)) & ((1 << bits) - 1) for column in range(shape.columns)]
    if key >> (shape.columns * bits) or 0 in contents:
        return False
    first, occupied = (int(word) for word in stones_of(np.uint64(key), shape))
    ahead = 2 * first.bit_count() - occupied.bit_count()
    return ahead in (0, 1) and occupied != int(shape.board)


def _key_of(position: Position) -> int:
    mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    first = mover if position.ply % 2 == 0 else mover ^ occupied
    return int(make_key(first, occupied, position.geometry.shape))
