"""Looking ahead with an n-tuple network: alpha-beta with the network's values at the leaves.

The value of a position for the side to move, looked at ``depth`` plies deep, is

- the win, if a stone wins at once;
- the loss, if the other side threatens to win on two cells;
- that of the only reply, if it threatens on one: a forced stone costs no depth;
- the network's value at depth 0, and else the best of the moves, each one ply less deep.

The compiled search gives exactly these values, only sooner: it prunes, remembers positions, and
tells the moves that lose at once or make two threats without playing them. All values here are in
fixed point, as :mod:`~connectlab.agents.ntuple.evaluator` defines it, and ``depth`` counts the
plies beyond the position given: a player that looks n plies ahead searches n - 1 beyond its move.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.choice import Chances, share_equally
from connectlab.agents.ntuple.evaluator import (
    BRAIN,
    MEMORY,
    WON,
    Brain,
    Memory,
    sort_moves,
    step,
    value_moves,
    value_position,
)
from connectlab.agents.ntuple.kernels import make_key, read_indices
from connectlab.game import Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    WORDS,
    ZERO,
    landing_cells,
    popcount,
    winning_cells,
)

INFINITE = 1 << 32
"""Beyond any value."""
TWICE = ~ZERO
"""In place of a set of cells: one of them makes two threats."""

_EXACT, _LOWER, _UPPER = np.uint64(1), np.uint64(2), np.uint64(3)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
_VALUE_SHIFT, _DEPTH_SHIFT, _KIND_SHIFT = np.uint64(24), np.uint64(16), np.uint64(8)
_BYTE = np.uint64(255)

_u8, _i8 = types.uint64, types.int64


@kernel(_u8(_u8, _u8, _u8, SHAPE))
def _threatening(mover: Word, occupied: Word, cells: Word, shape: Shape) -> Word:
    """Return the cells where a stone makes a threat to win; ``TWICE`` if one makes two."""
    found = ZERO
    while cells != ZERO:
        cell = cells & (~cells + ONE)
        cells ^= cell
        threats = winning_cells(mover | cell, occupied | cell, shape)
        threats &= landing_cells(occupied | cell, shape)
        if threats & (threats - ONE) != ZERO:
            return TWICE
        if threats != ZERO:
            found |= cell
    return found


@kernel(_u8(_u8, MEMORY))
def _place(key: Word, memory: Memory) -> Word:
    """Return the row of the table where a position belongs."""
    return (key * _SCATTER) >> np.uint64(memory.shift)


@kernel(_i8(_u8, _u8, _i8, _i8, _i8, MEMORY))
def _recall(key: Word, place: Word, depth: int, alpha: int, beta: int, memory: Memory) -> int:
    """Return a value for this window from the table; ``INFINITE`` if it has none.

    Only what was found at the very same depth counts: values stay those of plain minimax, whatever
    was searched before.
    """
    word = memory.table[place, 1]
    if memory.table[place, 0] != key or int((word >> _DEPTH_SHIFT) & _BYTE) != depth:
        return INFINITE
    value = int(np.int64(word >> _VALUE_SHIFT)) - INFINITE
    kind = (word >> _KIND_SHIFT) & _BYTE
    if kind == _EXACT or (value >= beta if kind == _LOWER else value <= alpha):
        return value
    return INFINITE


@kernel(types.void(_u8, _u8, _i8, _i8, _u8, _u8, MEMORY))
def _remember(
    key: Word, place: Word, depth: int, value: int, kind: Word, cell: Word, memory: Memory
) -> None:
    """Write a position into the table, over what stood there."""
    memory.table[place, 0] = key
    memory.table[place, 1] = (
        (np.uint64(value + INFINITE) << _VALUE_SHIFT)
        | (np.uint64(depth) << _DEPTH_SHIFT)
        | (kind << _KIND_SHIFT)
        | np.uint64(popcount(cell - ONE))
    )


@kernel(_i8(_i8, _u8, _u8, _u8, _i8, _i8, _i8, BRAIN, MEMORY))
def search(  # noqa: PLR0912
    ply: int,
    mover: Word,
    occupied: Word,
    last: Word,
    depth: int,
    alpha: int,
    beta: int,
    brain: Brain,
    memory: Memory,
) -> int:
    """Return the value of a position for the side to move, by fail-soft negamax.

    A result between ``alpha`` and ``beta`` is exact; one up to ``alpha`` is an upper bound, one
    from ``beta`` a lower bound. ``last`` is the stone that led here from the position in the row
    above ``ply``.
    """
    shape = brain.shape
    if occupied == shape.board:
        return 0
    memory.nodes[0] += 1
    stones, landing, other = popcount(occupied), landing_cells(occupied, shape), mover ^ occupied
    if winning_cells(mover, occupied, shape) & landing != ZERO:
        return WON - (stones + 1)
    dangers = winning_cells(other, occupied, shape)
    forced = dangers & landing
    if forced & (forced - ONE) != ZERO:
        return stones + 2 - WON
    if forced != ZERO:
        step(ply, mover, occupied, last, brain, memory)
        after = occupied | forced
        return -search(ply + 1, other, after, forced, depth, -beta, -alpha, brain, memory)
    if depth == 0:
        step(ply, mover, occupied, last, brain, memory)
        return value_position(ply, occupied, brain, memory)
    cells = landing & ~(dangers >> ONE)  # below a danger a stone would help the other side to win
    if cells == ZERO:
        return stones + 2 - WON
    if alpha >= WON - (stones + 3):
        return WON - (stones + 3)
    key = make_key(mover, occupied, shape)
    place = _place(key, memory)
    known = _recall(key, place, depth, alpha, beta, memory)
    if known != INFINITE:
        return known
    threatening = _threatening(mover, occupied, cells, shape)
    if threatening == TWICE:
        return WON - (stones + 3)
    step(ply, mover, occupied, last, brain, memory)
    n = value_moves(ply, mover, occupied, cells, brain, memory)
    found = memory.table[place, 0] == key
    sort_moves(ply, n, ONE << (memory.table[place, 1] & _BYTE) if found else ZERO, memory)
    best, best_cell, low = -INFINITE, memory.cells[ply, 0], alpha
    if cells != landing:
        best = stones + 2 - WON
    for i in range(n):
        cell = memory.cells[ply, i]
        after = occupied | cell
        if depth == 1 and cell & threatening == ZERO and after != shape.board:
            value = int(memory.values[ply, i])
        else:
            high = low + 1 if i > 0 and depth > 1 else beta  # is it better than the best at all?
            value = -search(ply + 1, other, after, cell, depth - 1, -high, -low, brain, memory)
            if high <= value < beta:
                value = -search(
                    ply + 1, other, after, cell, depth - 1, -beta, -value, brain, memory
                )
        if value > best:
            best, best_cell = value, cell
            low = max(low, value)
            if value >= beta:
                break
    kind = _LOWER if best >= beta else _EXACT if best > alpha else _UPPER
    _remember(key, place, depth, best, kind, best_cell, memory)
    return best


@kernel(_i8(_u8, _u8, _u8, _i8, _i8, types.boolean, BRAIN, MEMORY))
def _value_move(
    mover: Word,
    occupied: Word,
    cell: Word,
    depth: int,
    low: int,
    scout: bool,
    brain: Brain,
    memory: Memory,
) -> int:
    """Return the value of a move that does not win at once: exact if above ``low``.

    ``scout`` asks first whether it is above ``low`` at all.
    """
    after, other = occupied | cell, mover ^ occupied
    if after == brain.shape.board:
        return 0
    value = INFINITE
    if scout:
        value = -search(1, other, after, cell, depth, -low - 1, -low, brain, memory)
    if value > low:
        value = -search(1, other, after, cell, depth, -INFINITE, -low, brain, memory)
    return value


@kernel(_u8(_u8, _u8, _i8, types.boolean, BRAIN, MEMORY, types.int64[::1]))
def search_root(
    mover: Word,
    occupied: Word,
    depth: int,
    exact: bool,
    brain: Brain,
    memory: Memory,
    values: NDArray[np.int64],
) -> Word:
    """Return the cells of highest value, looking ``depth`` plies beyond the own move.

    With ``exact``, ``values`` gets that of every playable column, one after the other; without,
    only that of the best is exact. Depth 0 is the greedy choice of Thill 2012: a win, or the
    after-state that the network values most. Deeper, shallow searches go first: they order the
    moves of the next.
    """
    shape = brain.shape
    stones, landing = popcount(occupied), landing_cells(occupied, shape)
    wins = winning_cells(mover, occupied, shape) & landing
    if wins != ZERO and not exact:
        return wins
    first = mover if stones % 2 == 0 else mover ^ occupied
    read_indices(memory.indices[0], first, occupied, brain.views, shape)
    n = value_moves(0, mover, occupied, landing, brain, memory)
    level = depth if exact else depth % 2
    while True:
        sort_moves(0, n, ZERO, memory)
        best, best_cells = -INFINITE, ZERO
        for i in range(n):
            cell = memory.cells[0, i]
            if cell & wins != ZERO:
                value = WON - (stones + 1)
            elif depth == 0:
                value = 0 if occupied | cell == shape.board else int(memory.values[0, i])
            else:
                scout = i > 0 and not exact
                low = -INFINITE if exact else best - 1
                value = _value_move(mover, occupied, cell, level, low, scout, brain, memory)
            memory.values[0, i] = value
            values[popcount(landing & (cell - ONE))] = value
            if value > best:
                best, best_cells = value, cell
            elif value == best:
                best_cells |= cell
        if level == depth:
            return best_cells
        level += 2


@kernel(types.void(WORDS, WORDS, _i8, BRAIN, MEMORY, types.float64[:, ::1]))
def share_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    depth: int,
    brain: Brain,
    memory: Memory,
    chances: Chances,
) -> None:
    """Share among the columns of highest value of each position."""
    values = np.empty(brain.shape.columns, np.int64)
    for i in range(len(mover)):
        cells = search_root(mover[i], occupied[i], depth, False, brain, memory, values)
        share_equally(cells, brain.shape, chances[i])


@kernel(types.void(WORDS, WORDS, _i8, BRAIN, MEMORY, types.int64[::1]))
def value_all(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    depth: int,
    brain: Brain,
    memory: Memory,
    best: NDArray[np.int64],
) -> None:
    """Write the value of the best move of each position, looking as far as ``search_root``."""
    values = np.empty(brain.shape.columns, np.int64)
    for i in range(len(mover)):
        landing = landing_cells(occupied[i], brain.shape)
        if winning_cells(mover[i], occupied[i], brain.shape) & landing != ZERO:
            best[i] = WON - (popcount(occupied[i]) + 1)
            continue
        cells = search_root(mover[i], occupied[i], depth, False, brain, memory, values)
        best[i] = values[popcount(landing & ((cells & (~cells + ONE)) - ONE))]
