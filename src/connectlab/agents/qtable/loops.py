"""Whole games without leaving compiled code: self-play, against random, and games that are given.

A loop stops where the table has no room for another turn, and tells how many games have ended;
whoever called it lets the table grow and goes on, in the midst of a game if need be. Random replies
are drawn as the player ``random`` draws them, so that a game does not depend on which loop it is
played in.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.agents.qtable.learning import (
    FREE,
    GAMES,
    RULE,
    Games,
    Rule,
    begin_game,
    take_reply,
    take_turn,
)
from connectlab.agents.qtable.table import TABLE, Table
from connectlab.game.bitboard import (
    ONGOING,
    WORDS,
    column_of,
    landing_cells,
    pick_cell,
    popcount,
)
from connectlab.game.streams import at_ply, uniform

BOTH = 2
"""In place of a seat: the learner moves for both sides."""

_i8 = types.int64
_ints = types.int64[::1]
_rates = types.float64[:, ::1]

Streams = NDArray[np.uint64]
Rates = NDArray[np.float64]
"""float64[games, 2]: alpha and epsilon of each game."""


@kernel(types.boolean(TABLE, RULE), borrows=True)
def _has_room(table: Table, rule: Rule) -> bool:
    """Whether the states of one more turn fit into the table."""
    return bool(table.used[0] + 1 + rule.reading.shape.columns <= len(table.keys))


@kernel(types.void(GAMES), borrows=True)
def _end_game(games: Games) -> None:
    """Count the moves of the game that has ended; no turn is taken in the next one yet."""
    games.plies[0] += games.turns[0]
    games.turns[0] = 0


@kernel(_i8(_i8, GAMES, RULE), borrows=True)
def _random_column(g: int, games: Games, rule: Rule) -> int:
    landing = landing_cells(games.occupied[g], rule.reading.shape)
    lot = uniform(at_ply(games.streams[g], popcount(games.occupied[g])))
    index = int(lot * popcount(landing))
    return column_of(pick_cell(landing, index), rule.reading.shape)


@kernel(_i8(WORDS, _rates, _ints, GAMES, TABLE, RULE), borrows=True)
def learn_games(
    streams: Streams,
    rates: Rates,
    seats: NDArray[np.int64],
    games: Games,
    table: Table,
    rule: Rule,
) -> int:
    """Play games one after the other, against itself or at random; return how many have ended.

    The learner moves first where ``seats`` is 0, second where it is 1, and for ``BOTH`` sides in
    self-play. The first game goes on where it was left, if it has begun.
    """
    for i in range(len(streams)):
        if games.turns[0] == 0:
            begin_game(0, streams[i], rates[i, 0], rates[i, 1], games)
        stands = ONGOING
        while stands == ONGOING:
            if not _has_room(table, rule):
                return i
            if seats[i] == BOTH or games.turns[0] % 2 == seats[i]:
                stands = take_turn(0, FREE, games, table, rule)
            else:
                stands = take_reply(0, _random_column(0, games, rule), games, table, rule)
        _end_game(games)
    return len(streams)


@kernel(types.void(_ints, _i8, types.float64, GAMES, TABLE, RULE), borrows=True)
def learn_given(
    columns: NDArray[np.int64], seat: int, alpha: float, games: Games, table: Table, rule: Rule
) -> None:
    """Learn from a finished game whose columns are given, as a side or ``BOTH`` saw it.

    There must be room.
    """
    begin_game(0, np.uint64(0), alpha, 0.0, games)
    for turn in range(columns.shape[0]):
        if seat == BOTH or turn % 2 == seat:
            take_turn(0, columns[turn], games, table, rule)
        else:
            take_reply(0, columns[turn], games, table, rule)
    _end_game(games)


@kernel(types.void(_ints, GAMES, TABLE, RULE, _ints))
def take_turns(
    which: NDArray[np.int64],
    games: Games,
    table: Table,
    rule: Rule,
    stands: NDArray[np.int64],
) -> None:
    """Take the learner's turn in these games, one after the other, and tell how each stands."""
    for i in range(which.shape[0]):
        stands[which[i]] = take_turn(which[i], FREE, games, table, rule)


@kernel(types.void(_ints, _ints, GAMES, TABLE, RULE, _ints))
def take_replies(
    which: NDArray[np.int64],
    columns: NDArray[np.int64],
    games: Games,
    table: Table,
    rule: Rule,
    stands: NDArray[np.int64],
) -> None:
    """Make the other side's moves in these games, and tell how each stands."""
    for i in range(which.shape[0]):
        stands[which[i]] = take_reply(which[i], columns[i], games, table, rule)
