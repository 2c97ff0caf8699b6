"""Is the score of a position above a threshold? Depth-first search without recursion.

:func:`search` asks one yes-or-no question, so every position on its path has the same threshold,
seen from one side or the other, and a position is finished by the first move that says yes. When a
position is opened, all its moves are looked at before any is searched: forced replies are played
(:mod:`~connectlab.solver.replies`); scores and bounds known without search
(:mod:`~connectlab.solver.bounds`), the table and the book may settle it at once; and only what is
left is searched, most threatening move first.

A node is a position opened in this way; looking at a move is not counted.

The path is kept in arrays, so a search can stop after some nodes and go on later.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.game.bitboard import SHAPE, popcount
from connectlab.game.geometry import Shape
from connectlab.solver.book import BOOK_TYPES, MISSING, probe
from connectlab.solver.bounds import upper_bound
from connectlab.solver.pairs import open_pairs
from connectlab.solver.path import (
    BEST,
    BOARD,
    COUNT,
    CREATED,
    DEPTH,
    FRAMES_TYPE,
    MOVER,
    NODES,
    NODES_TYPE,
    OCCUPIED,
    PATH_ARRAYS,
    RANK,
    SCATTERED,
    SIDE,
    SLOT,
    STONES,
    THREATS,
    Board,
    Frames,
    scattered_key,
)
from connectlab.solver.replies import follow, safe_cells
from connectlab.solver.table import (
    MAX_SCORE,
    WORDS,
    Words,
    bucket_of,
    find,
    lower_of,
    prefetch,
    remember,
    upper_of,
)

ZERO = np.uint64(0)
ONE = np.uint64(1)
PAIRS_PLIES = 24
"""Open pairs help to order moves while there are fewer stones; later they only cost time."""
TABLE_CELLS = 10
"""Positions with fewer empty cells are cheaper to search again than to look up."""
PAUSED = 100
"""What ``search`` returns when it stopped for the node limit."""
OPEN = 101
"""What a step returns when there are still moves to search."""

i8 = types.int64


@kernel(i8(WORDS, BOARD, WORDS, NODES_TYPE, FRAMES_TYPE, i8, i8))
def _spread(
    words: Words,
    board: Board,
    columns: Words,
    nodes: Words,
    frames: Frames,
    depth: int,
    alpha: int,
) -> int:
    """Make the moves of a node its children, save those whose score the rules settle.

    Return a score above ``alpha`` if a move has one, otherwise ``OPEN``.
    """
    at = frames[depth, SLOT]
    mover, occupied = nodes[depth, at, MOVER], nodes[depth, at, OCCUPIED]
    side = nodes[depth, at, SIDE]
    n_stones = popcount(occupied)
    cells = safe_cells(occupied, nodes[depth, at, THREATS], board.shape)
    best, count = -MAX_SCORE, 0
    for i in range(len(columns)):
        cell = cells & columns[i]
        if cell == ZERO:
            continue
        quiet = follow(mover, occupied, cell, n_stones, board.book_ply, board.shape)
        n_empty = board.n_cells - quiet.n_stones
        lowest = quiet.score if quiet.known else -((n_empty - 2) // 2)
        highest = quiet.score if quiet.known else (n_empty - 1) // 2
        if quiet.turned:
            lowest, highest = -highest, -lowest
        if lowest > alpha:
            return lowest
        if highest <= alpha:
            best = max(best, highest)
            continue
        scattered = ZERO
        if n_empty >= TABLE_CELLS:
            scattered = scattered_key(quiet.mover, quiet.occupied, quiet.n_stones, board)
            prefetch(words, bucket_of(scattered, board.tag_bits))
        nodes[depth + 1, count, MOVER] = quiet.mover
        nodes[depth + 1, count, OCCUPIED] = quiet.occupied
        nodes[depth + 1, count, THREATS] = quiet.threats
        nodes[depth + 1, count, SCATTERED] = scattered
        nodes[depth + 1, count, SIDE] = side ^ np.uint64(quiet.turned)
        nodes[depth + 1, count, RANK] = np.uint64(512 - 8 * quiet.n_replies - i)
        nodes[depth + 1, count, STONES] = mover | cell
        nodes[depth + 1, count, CREATED] = quiet.created
        count += 1
    frames[depth, BEST] = best
    frames[depth, COUNT] = count
    return OPEN


@kernel(i8(WORDS, BOARD, NODES_TYPE, FRAMES_TYPE, i8, i8))
def _sift(words: Words, board: Board, nodes: Words, frames: Frames, depth: int, alpha: int) -> int:
    """Drop the children that the table or a bound settles.

    Return a score above ``alpha`` if a child has one, otherwise ``OPEN``.
    """
    side = nodes[depth, frames[depth, SLOT], SIDE]
    best, left = frames[depth, BEST], frames[depth, COUNT]
    for slot in range(frames[depth, COUNT]):
        scattered = nodes[depth + 1, slot, SCATTERED]
        word = find(words, scattered, board.tag_bits) if scattered != ZERO else ZERO
        lower, upper = lower_of(word), upper_of(word)
        turned = nodes[depth + 1, slot, SIDE] != side
        child_alpha = -1 - alpha if turned else alpha
        if lower <= child_alpha < upper:
            bound = upper_bound(
                nodes[depth + 1, slot, MOVER],
                nodes[depth + 1, slot, OCCUPIED],
                nodes[depth + 1, slot, THREATS],
                board.shape,
            )
            upper = min(upper, bound)
        if turned:
            lower, upper = -upper, -lower
        if lower > alpha:
            return lower
        if upper <= alpha:
            nodes[depth + 1, slot, RANK] = ZERO
            left -= 1
            best = max(best, upper)
    frames[depth, BEST] = best
    frames[depth, COUNT] = left
    return OPEN


@kernel(i8(*BOOK_TYPES, NODES_TYPE, FRAMES_TYPE, i8, i8))
def _look_up(
    records: NDArray[np.uint8],
    scores: NDArray[np.int8],
    spans: NDArray[np.uint64],
    nodes: Words,
    frames: Frames,
    depth: int,
    alpha: int,
) -> int:
    """Drop the children that the book knows; return a score above ``alpha`` or ``OPEN``."""
    side = nodes[depth, frames[depth, SLOT], SIDE]
    slot, left = 0, frames[depth, COUNT]
    while left > 0:
        if nodes[depth + 1, slot, RANK] != ZERO:
            left -= 1
            mover, occupied = nodes[depth + 1, slot, MOVER], nodes[depth + 1, slot, OCCUPIED]
            score = probe(mover, occupied, records, scores, spans)
            if score != MISSING:
                score = score if nodes[depth + 1, slot, SIDE] == side else -score
                if score > alpha:
                    return score
                nodes[depth + 1, slot, RANK] = ZERO
                frames[depth, COUNT] -= 1
                frames[depth, BEST] = max(frames[depth, BEST], score)
        slot += 1
    return OPEN


@kernel(types.void(NODES_TYPE, FRAMES_TYPE, i8, SHAPE))
def _rank(nodes: Words, frames: Frames, depth: int, shape: Shape) -> None:
    """Say which children to search first: those that threaten most cells.

    Threats one above the other count more, and so do moves that leave few safe replies, lie near
    the centre or, early in the game, belong to many open fours with another stone in them.
    """
    slot, left = 0, frames[depth, COUNT]
    while left > 0:
        if nodes[depth + 1, slot, RANK] != ZERO:
            left -= 1
            created, occupied = nodes[depth + 1, slot, CREATED], nodes[depth + 1, slot, OCCUPIED]
            rank = 64 * popcount(created) + 32 * popcount(created & (created << ONE))
            if popcount(occupied) < PAIRS_PLIES:
                rank += 4 * open_pairs(nodes[depth + 1, slot, STONES], occupied, shape)
            nodes[depth + 1, slot, RANK] += np.uint64(rank)
        slot += 1


@kernel(types.void(NODES_TYPE, FRAMES_TYPE, i8))
def _descend(nodes: Words, frames: Frames, depth: int) -> None:
    """Choose the highest-ranked child that is left as the next node."""
    best, best_rank = 0, ZERO
    slot, left = 0, frames[depth, COUNT]
    while left > 0:
        rank = nodes[depth + 1, slot, RANK]
        if rank != ZERO:
            left -= 1
            if rank > best_rank:
                best, best_rank = slot, rank
        slot += 1
    nodes[depth + 1, best, RANK] = ZERO
    frames[depth, COUNT] -= 1
    frames[depth + 1, SLOT] = best


@kernel(i8(WORDS, *BOOK_TYPES, BOARD, *PATH_ARRAYS, i8, i8))
def search(
    words: Words,
    records: NDArray[np.uint8],
    scores: NDArray[np.int8],
    spans: NDArray[np.uint64],
    board: Board,
    columns: Words,
    nodes: Words,
    frames: Frames,
    state: NDArray[np.int64],
    threshold: int,
    node_limit: int,
) -> int:
    """Say whether the score of the root (see :func:`begin`) is above ``threshold``.

    The result is a bound: above the threshold, the score is at least that; otherwise at most. It is
    ``PAUSED`` if that took more than ``node_limit`` nodes in all: to go on, call again with a
    higher limit. After any other result the path is back at its root, ready for another threshold.
    """
    depth = state[DEPTH]
    while True:
        if state[NODES] >= node_limit:
            state[DEPTH] = depth
            return PAUSED
        state[NODES] += 1
        slot = frames[depth, SLOT]
        alpha = threshold if nodes[depth, slot, SIDE] == ZERO else -1 - threshold
        frames[depth, COUNT] = 0
        frames[depth, BEST] = -MAX_SCORE
        value = _spread(words, board, columns, nodes, frames, depth, alpha)
        if value == OPEN:
            value = _sift(words, board, nodes, frames, depth, alpha)
        if value == OPEN and popcount(nodes[depth, slot, OCCUPIED]) < board.book_ply:
            value = _look_up(records, scores, spans, nodes, frames, depth, alpha)
        if value == OPEN:
            _rank(nodes, frames, depth, board.shape)
        else:
            frames[depth, COUNT] = 0
            frames[depth, BEST] = value
        while frames[depth, COUNT] == 0:
            slot = frames[depth, SLOT]
            best, side = frames[depth, BEST], nodes[depth, slot, SIDE]
            above = best > (threshold if side == ZERO else -1 - threshold)
            lower, upper = (best, MAX_SCORE) if above else (-MAX_SCORE, best)
            if nodes[depth, slot, SCATTERED] != ZERO:
                remember(words, nodes[depth, slot, SCATTERED], board.tag_bits, lower, upper)
            if depth == 0:
                state[DEPTH] = 0
                return int(best)
            depth -= 1
            if nodes[depth, frames[depth, SLOT], SIDE] != side:
                best, above = -best, not above
            frames[depth, BEST] = max(frames[depth, BEST], best)
            if above:
                frames[depth, COUNT] = 0
        _descend(nodes, frames, depth)
        depth += 1
