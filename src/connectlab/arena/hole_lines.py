"""From a hole back to the empty board: a game that leads into it, move by move.

A walk keeps the positions of every ply, not how it got there. So each hole is traced back: of all
positions two plies earlier from which it can come, one is taken that the walk has visited and where
the player may play that move; one without a hole on the way, if there is any.
"""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.arena.threads import ArenaError
from connectlab.arena.walk import FORFEITED, PART, Holes, Walk
from connectlab.game import Geometry
from connectlab.game.neighbours import batch_of, origins, smaller_keys
from connectlab.game.notation import column_name, format_moves

U64 = NDArray[np.uint64]
Columns = NDArray[np.int64]


class HoleLine(NamedTuple):
    """A game into a hole."""

    moves: str
    """From the empty board to where the player is to move and errs, as people write it."""
    move: str | None
    """What it plays there; None if it makes no move at all."""
    chance: float
    """How likely a game against random moves gets into this hole, by whatever line, as the first
    of the game; 0 if every way leads through another hole."""


class _Trail(NamedTuple):
    """How positions of a ply were reached from some two plies earlier, an entry each."""

    keys: U64
    """In rising order."""
    before: U64
    """The keys of the positions two plies earlier."""
    columns: Columns
    """What the player played there, and what it was answered, as the later position is kept."""
    replies: Columns
    turned: NDArray[np.bool_]
    """Whether the earlier position is kept as the mirror image of what led here."""


def trace_lines(agent: Agent, walk: Walk, *, most: int | None = None) -> tuple[HoleLine, ...]:
    """Return a line into every hole, or into so many: the earliest first, then the likeliest."""
    wanted = _first(walk.holes, most)
    trails = _trace(agent, walk, {_number(walk, each.ply): each.keys for each in wanted})
    geometry = walk.claim.geometry
    return tuple(
        HoleLine(
            format_moves(moves, geometry),
            None if column == FORFEITED else column_name(column, geometry),
            chance,
        )
        for holes in wanted
        for moves, column, chance in zip(
            _moves_to(holes.keys, trails[: _number(walk, holes.ply)], geometry).tolist(),
            holes.columns.tolist(),
            holes.chances.tolist(),
            strict=True,
        )
    )


def _first(holes: tuple[Holes, ...], most: int | None) -> list[Holes]:
    """Return so many of the holes."""
    wanted, left = [], sum(map(len, holes)) if most is None else most
    for each in holes:
        part = Holes(each.ply, each.keys[:left], each.columns[:left], each.chances[:left])
        left -= len(part)
        if len(part):
            wanted.append(part)
    return wanted


def _number(walk: Walk, ply: int) -> int:
    """Return which of the levels belongs to a ply."""
    return (ply - walk.plies[0].ply) // 2


def _trace(agent: Agent, walk: Walk, wanted: Mapping[int, U64]) -> list[_Trail]:
    """Return how the wanted positions of each level were reached, from level 1 on."""
    trails: list[_Trail] = []
    passed = np.empty(0, np.uint64)
    for number in range(max(wanted, default=0), 0, -1):
        passed = np.unique(np.concatenate([passed, wanted.get(number, passed)]))
        trails.append(_step_back(agent, walk, number, passed))
        passed = trails[-1].before
    return trails[::-1]


def _step_back(agent: Agent, walk: Walk, number: int, keys: U64) -> _Trail:
    """Find a visited position before each of these of a level, and the moves that led on."""
    known = _holes_of(walk, number - 1)
    parts = [
        _step_back_some(agent, walk, number, keys[begin : begin + PART], known)
        for begin in range(0, len(keys), PART)
    ]
    return _Trail(*map(np.concatenate, zip(*parts, strict=True)))


def _step_back_some(
    agent: Agent, walk: Walk, number: int, keys: U64, known: Set[tuple[int, int]]
) -> _Trail:
    came = origins(batch_of(keys, walk.claim.geometry))
    kept = smaller_keys(came.batch) if walk.mirrored else came.batch.keys
    before = walk.levels[number - 1]
    visited = before.has(kept)
    came, kept = came.some(visited), kept[visited]
    may = agent.policy(came.batch)[np.arange(len(kept)), came.columns] > 0
    came, kept = came.some(may), kept[may]
    turned = came.batch.keys != kept
    last = walk.claim.geometry.columns - 1
    moves = np.where(turned, last - came.columns, came.columns)
    pairs = zip(kept.tolist(), moves.tolist(), strict=True)
    dirty = np.fromiter((pair in known for pair in pairs), np.bool_, len(kept))
    dirty |= before.weights[np.searchsorted(before.keys, kept)] == 0
    order = np.lexsort((dirty, came.rows))  # those without a hole first
    rows, first = np.unique(came.rows[order], return_index=True)
    if len(rows) < len(keys):
        raise ArenaError(f"{agent.spec} does not play as it did in the walk")
    best = order[first]
    return _Trail(keys, kept[best], came.columns[best], came.replies[best], turned[best])


def _holes_of(walk: Walk, number: int) -> Set[tuple[int, int]]:
    """Return the holes of a level: the keys and columns of the positions as the walk kept them."""
    return {
        pair
        for each in walk.holes
        if _number(walk, each.ply) == number
        for pair in zip(each.keys.tolist(), each.columns.tolist(), strict=True)
    }


def _moves_to(keys: U64, trails: Sequence[_Trail], geometry: Geometry) -> NDArray[np.int64]:
    """Return the moves from the empty board to each position of a level, int64[n, plies]."""
    turned = np.zeros(len(keys), dtype=np.bool_)
    moves: list[Columns] = []
    for trail in reversed(trails):
        where = np.searchsorted(trail.keys, keys)
        for columns in (trail.replies[where], trail.columns[where]):
            moves.append(np.where(turned, geometry.columns - 1 - columns, columns))
        turned ^= trail.turned[where]
        keys = trail.before[where]
    first = _first_moves(keys, geometry)
    moves += [np.where(turned, geometry.columns - 1 - first, first)] if first is not None else []
    return np.stack(moves[::-1], axis=1) if moves else np.empty((len(keys), 0), np.int64)


def _first_moves(keys: U64, geometry: Geometry) -> Columns | None:
    """Return the column of the only stone of each board; None if the boards are empty."""
    batch = batch_of(keys, geometry)
    if not batch.plies.any():
        return None
    columns: Columns = np.abs(batch.cells()).sum(axis=1).argmax(axis=1)
    return columns
