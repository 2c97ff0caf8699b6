"""From a move to the next position where there is a choice.

Most moves of a search leave the other side nothing to choose: a threat must be met, or all but one
column lose at once. Such replies are played here until the game is decided or somebody has a choice
again, so that the search never spends a node on them.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from connectlab._jit import Word, kernel, record_type
from connectlab.game.bitboard import SHAPE, landing_cells, popcount, winning_cells
from connectlab.game.geometry import Shape

ZERO = np.uint64(0)
ONE = np.uint64(1)

u8 = types.uint64
i8 = types.int64


class Quiet(NamedTuple):
    """Where a move has led: a position without win in one move, or with a known score."""

    mover: Word
    occupied: Word
    threats: Word
    """Empty cells where the other side would win."""
    n_stones: int
    turned: int
    """1 if the side to move is the other one than before the move, else 0."""
    known: bool
    score: int
    """The exact score for the side to move, if ``known``."""
    n_replies: int
    """Number of safe cells."""
    created: Word
    """Empty cells where the side that moved would win, right after its move."""


QUIET = record_type((u8, u8, u8, i8, i8, types.boolean, i8, i8, u8), Quiet)


@kernel(u8(u8, u8, SHAPE))
def safe_cells(occupied: Word, threats: Word, shape: Shape) -> Word:
    """Return the reachable cells that do not let the other side win with its next stone.

    ``threats`` are all empty cells where it would win; at most one of them may be reachable.
    """
    reachable = landing_cells(occupied, shape)
    safe = reachable & ~(threats >> ONE)
    urgent = threats & reachable
    return safe & urgent if urgent != ZERO else safe


@kernel(QUIET(u8, u8, u8, i8, i8, SHAPE), inline=True)
def follow(
    mover: Word, occupied: Word, cell: Word, n_stones: int, stop_ply: int, shape: Shape
) -> Quiet:
    """Play a safe cell and all forced replies, though none once there are ``stop_ply`` stones.

    The side to move must have no win in one move, and ``cell`` must be one of ``safe_cells``.
    """
    n_cells = shape.columns * shape.rows
    last, mover = mover | cell, mover ^ occupied
    occupied |= cell
    n_stones += 1
    turned = 1
    threats = winning_cells(last, occupied, shape)
    created = threats
    while True:
        reachable = landing_cells(occupied, shape)
        urgent = threats & reachable
        safe = reachable & ~(threats >> ONE)
        if urgent != ZERO:
            safe &= urgent
            if urgent & (urgent - ONE) != ZERO:
                safe = ZERO
        known = safe == ZERO or n_stones >= n_cells - 2
        if known or safe & (safe - ONE) != ZERO or n_stones == stop_ply:
            lost = safe == ZERO and reachable != ZERO
            score = -((n_cells - n_stones) // 2) if lost else 0
            n_safe = popcount(safe)
            return Quiet(mover, occupied, threats, n_stones, turned, known, score, n_safe, created)
        last, mover = mover | safe, last
        occupied |= safe
        n_stones += 1
        turned ^= 1
        threats = winning_cells(last, occupied, shape)
