"""The compiled half of the vector environment: many games, a step in each.

A step has three parts: the agents move or begin a new game (:func:`act`), the opponents answer
(:func:`reply`), and what the agents then see is written down (:func:`show`). Whoever plays against
chance, or against itself, has all of them in one call (:func:`whole_step`).

Between two steps the agent is the side to move on every board that goes on: ``mover`` are its
stones. On a board where the game is over they are its stones too.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import (
    DRAW,
    ILLEGAL_MOVE,
    ONGOING,
    SHAPE,
    ZERO,
    column_of,
    landing_cell,
    landing_cells,
    pick_cell,
    popcount,
    step,
)
from connectlab.game.streams import at_ply, uniform
from connectlab.integrations.planes import SHIFTS, Pairs, write_mask, write_planes
from connectlab.integrations.series import agent_begins, stream_of

U64 = NDArray[np.uint64]
Flags = NDArray[np.bool_]
Columns = NDArray[np.int64]


class Games(NamedTuple):
    """Where each game stands; one entry an environment."""

    mover: U64
    occupied: U64
    streams: U64
    seeds: U64
    numbers: NDArray[np.int64]
    """Which game of its seed each is."""
    over: Flags
    conceded: Flags
    """The opponent gave up before the agent had moved."""
    waiting: Flags
    """The opponent is to move, within a step."""

    @classmethod
    def empty(cls, n: int) -> "Games":
        """Return room for ``n`` games."""
        words, flags = np.zeros((4, n), dtype=np.uint64), np.zeros((3, n), dtype=np.bool_)
        numbers = np.zeros(n, dtype=np.int64)
        return cls(words[0], words[1], words[2], words[3], numbers, flags[0], flags[1], flags[2])


class Shown(NamedTuple):
    """What the agents get of a step; one entry an environment."""

    pairs: Pairs
    """uint16[n, cells], see :mod:`connectlab.integrations.planes`."""
    masks: NDArray[np.int8]
    """int8[n, columns]"""
    rewards: NDArray[np.float64]
    terminations: Flags
    forfeits: Flags

    def planes(self, geometry: Geometry) -> NDArray[np.int8]:
        """Return the pairs as planes, int8[n, rows, columns, 2]: a view."""
        shape = (len(self.pairs), geometry.rows, geometry.columns, 2)
        return self.pairs.view(np.int8).reshape(shape)

    @classmethod
    def empty(cls, n: int, geometry: Geometry) -> "Shown":
        """Return room for what ``n`` agents get; nothing is written there yet."""
        return cls(
            np.empty((n, geometry.cells), dtype=np.uint16),
            np.empty((n, geometry.columns), dtype=np.int8),
            np.zeros(n),
            np.zeros(n, dtype=np.bool_),
            np.zeros(n, dtype=np.bool_),
        )


class Rules(NamedTuple):
    """How the games are played."""

    first: int
    """Who begins, see :mod:`connectlab.integrations.series`."""
    alone: bool
    """Whether the agent moves for both sides."""


_words, _flags, _ints = types.uint64[::1], types.boolean[::1], types.int64[::1]
GAMES = record_type((_words, _words, _words, _words, _ints, _flags, _flags, _flags), Games)
SHOWN = record_type(
    (types.uint16[:, ::1], types.int8[:, ::1], types.float64[::1], _flags, _flags), Shown
)
RULES = record_type((types.int64, types.boolean), Rules)


@kernel(types.void(GAMES, types.int64, RULES), borrows=True)
def _start(games: Games, i: int, rules: Rules) -> None:
    """Begin the game with its number on one board; an opponent that begins then waits."""
    stream = stream_of(games.seeds[i], games.numbers[i])
    games.streams[i] = stream
    games.mover[i] = games.occupied[i] = ZERO
    games.over[i] = games.conceded[i] = False
    games.waiting[i] = not (rules.alone or agent_begins(rules.first, games.numbers[i], stream))


@kernel(types.void(GAMES, _flags, RULES), borrows=True)
def begin(games: Games, chosen: Flags, rules: Rules) -> None:
    """Begin the game with its number on each chosen board."""
    for i in range(chosen.shape[0]):
        if chosen[i]:
            _start(games, i, rules)


@kernel(types.void(GAMES, _ints, SHAPE, RULES, SHOWN), borrows=True)
def act(games: Games, actions: Columns, shape: Shape, rules: Rules, shown: Shown) -> None:
    """Move for the agents; a game that is over does not go on but gives way to the next.

    A full column, or one that is not there, loses the game.
    """
    mover, occupied = games.mover, games.occupied
    over, conceded, waiting = games.over, games.conceded, games.waiting
    rewards, terminations, forfeits = shown.rewards, shown.terminations, shown.forfeits
    for i in range(mover.shape[0]):
        rewards[i] = 0.0
        terminations[i] = forfeits[i] = waiting[i] = False
        if over[i]:
            games.numbers[i] += 1
            _start(games, i, rules)
            continue
        after, stones, stands = step(mover[i], occupied[i], actions[i], shape)
        if conceded[i] or stands == ILLEGAL_MOVE:
            rewards[i] = 1.0 if conceded[i] else -1.0
            over[i] = terminations[i] = forfeits[i] = True
            conceded[i] = False
        elif stands == ONGOING:
            mover[i], occupied[i] = after, stones
            waiting[i] = not rules.alone
        else:
            mover[i], occupied[i] = after ^ stones, stones
            rewards[i] = 0.0 if stands == DRAW else 1.0
            over[i] = terminations[i] = True


@kernel(types.void(GAMES, _ints, SHAPE, SHOWN), borrows=True)
def reply(games: Games, columns: Columns, shape: Shape, shown: Shown) -> None:
    """Move for the opponents that wait; ``columns`` has one entry for each of them, in order."""
    mover, occupied = games.mover, games.occupied
    over, conceded, waiting = games.over, games.conceded, games.waiting
    rewards, terminations, forfeits = shown.rewards, shown.terminations, shown.forfeits
    place = 0
    for i in range(mover.shape[0]):
        if not waiting[i]:
            continue
        column, place = columns[place], place + 1
        after, stones, stands = step(mover[i], occupied[i], column, shape)
        waiting[i] = False
        if stands == ILLEGAL_MOVE and occupied[i] == ZERO:
            conceded[i] = True
        elif stands == ILLEGAL_MOVE:
            mover[i] ^= occupied[i]
            rewards[i] = 1.0
            over[i] = terminations[i] = forfeits[i] = True
        else:
            mover[i], occupied[i] = after, stones
            if stands != ONGOING:
                rewards[i] = 0.0 if stands == DRAW else -1.0
                over[i] = terminations[i] = True


@kernel(types.int64(types.uint64, types.uint64, SHAPE))
def random_column(occupied: Word, stream: Word, shape: Shape) -> int:
    """Return the column that the player ``random`` draws in this game, by the same sums."""
    cells = landing_cells(occupied, shape)
    n = popcount(cells)
    share, lot = 1.0 / n, uniform(at_ply(stream, popcount(occupied)))
    total, passed = 0.0, 0
    for _ in range(n):
        total += share
        passed += total <= lot
    return column_of(pick_cell(cells, min(passed, n - 1)), shape)


@kernel(types.void(GAMES, SHAPE, _ints), borrows=True)
def draw_replies(games: Games, shape: Shape, columns: Columns) -> None:
    """Draw a random column for each opponent that waits, in order."""
    occupied, streams, waiting = games.occupied, games.streams, games.waiting
    place = 0
    for i in range(occupied.shape[0]):
        if waiting[i]:
            columns[place] = random_column(occupied[i], streams[i], shape)
            place += 1


@kernel(types.void(GAMES, SHAPE, SHIFTS, SHOWN), borrows=True)
def show(games: Games, shape: Shape, shifts: U64, shown: Shown) -> None:
    """Write what each agent sees; where the game is over every column is open."""
    mover, occupied, over = games.mover, games.occupied, games.over
    pairs, masks = shown.pairs, shown.masks
    for i in range(mover.shape[0]):
        write_planes(mover[i], mover[i] ^ occupied[i], shifts, pairs[i])
        write_mask(ZERO if over[i] else occupied[i], shape, masks[i])


@kernel(types.void(GAMES, _ints, SHAPE, SHIFTS, RULES, SHOWN, _ints), borrows=True)
def whole_step(
    games: Games,
    actions: Columns,
    shape: Shape,
    shifts: U64,
    rules: Rules,
    shown: Shown,
    columns: Columns,
) -> None:
    """Take a step against random opponents or alone; ``columns`` is room for their moves."""
    act(games, actions, shape, rules, shown)
    if not rules.alone:
        draw_replies(games, shape, columns)
        reply(games, columns, shape, shown)
    show(games, shape, shifts, shown)


@kernel(types.int64(GAMES, _ints, SHAPE), borrows=True)
def first_illegal(games: Games, actions: Columns, shape: Shape) -> int:
    """Return the first environment whose action is illegal, or -1."""
    occupied, over, conceded = games.occupied, games.over, games.conceded
    for i in range(occupied.shape[0]):
        playable = 0 <= actions[i] < shape.columns
        if playable and landing_cell(occupied[i], actions[i], shape) != ZERO:
            continue
        if not (over[i] or conceded[i]):
            return i
    return -1
