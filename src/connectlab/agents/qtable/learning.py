"""What happens in a turn: a value is learned, a move is chosen, eligibility fades or is cut.

Q-learning (Watkins 1989) over the learner's own decisions. Against other players s' is its next
turn, after the reply, and a move is worth what it brings::

    delta = r + gamma * max Q(s', .) - Q(s, a)

In self-play every turn is the learner's; s' is the other side's, so its value is negated, and so is
the eligibility from one turn to the next (``sign`` is -1)::

    delta = r - gamma * max Q(s', .) - Q(s, a)

Q(lambda) of Watkins: every pair visited since the last exploratory move is changed by
alpha * delta * e; then e fades by gamma * lambda, and a move that is not among the best cuts all
eligibility. Limited traces (Cheng) run over "each board state it currently knows and all board
states that can be reached by taking one action from the current board state". Only visited pairs
have any eligibility, so the values are those of the full traces; what differs is that every state
within one move becomes known, that is, has an entry.

Two more readings of Cheng's known states: every visit may populate a state anew (``repopulates``),
and with ``shaping`` r is, besides the reward of the game's end, that of a streak or a block.

In variants with chance a move is what was chosen, wherever the stone lands: its value is a mean
over what may come of it. A shaping reward is that of the stone where it lands.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, record_type, tuple_type
from connectlab.agents.qtable.exploration import (
    MANNER,
    Manner,
    best_value,
    choose_column,
    next_epsilon,
)
from connectlab.agents.qtable.states import (
    READING,
    Reading,
    enter_state,
    populate,
    read_values,
    shaping_reward,
    table_column,
)
from connectlab.agents.qtable.table import TABLE, Table
from connectlab.game.bitboard import (
    DRAW,
    ONGOING,
    ZERO,
    column_cells,
    landing_cells,
    popcount,
    winning_cells,
)
from connectlab.game.chance import ODDS, WON, chance_move, chance_state, next_stream
from connectlab.game.streams import at_ply
from connectlab.game.variants import LONGEST_GAME, Odds

_u8, _i8, _f8, _bool = types.uint64, types.int64, types.float64, types.boolean

FREE = -1
"""In place of a given column: the learner chooses."""


class Rule(NamedTuple):
    """The numbers of the learning rule, as the kernels take them."""

    reading: Reading
    odds: Odds
    """The chances of the variant that is played."""
    manner: Manner
    gamma: float
    trace_lambda: float
    sign: float
    """1 if the next state is the learner's own, -1 if it is the other side's (self-play)."""
    reward_win: float
    reward_draw: float
    reward_loss: float
    lasting: bool
    """Whether there are traces."""
    entering: bool
    """Whether every state within one move is entered (limited traces)."""
    replacing: bool
    repopulates: bool
    """Whether every visit gives a state its known values, not the first alone."""
    shaping: bool
    """Whether a move that makes a streak or blocks a win is rewarded at once."""


RULE = record_type((READING, ODDS, MANNER) + 6 * (_f8,) + 5 * (_bool,), Rule)


class Games(NamedTuple):
    """Games in progress, one entry each."""

    mover: NDArray[np.uint64]
    occupied: NDArray[np.uint64]
    streams: NDArray[np.uint64]
    turns: NDArray[np.int64]
    """Moves made so far."""
    rates: NDArray[np.float64]
    """float64[games, 2]: alpha and epsilon."""
    length: NDArray[np.int64]
    """Pairs in the trace; the last is the one to learn next."""
    moves: NDArray[np.int64]
    """Moves there were in the state of the last pair."""
    shaped: NDArray[np.float64]
    """The shaping reward of the last pair."""
    entries: NDArray[np.int64]
    """int64[games, longest]: the states of the pairs."""
    places: NDArray[np.int64]
    """int64[games, longest]: where the value of their move stands."""
    eligibility: NDArray[np.float64]
    """float64[games, longest]"""
    row: NDArray[np.float64]
    """float64[columns]: the values of a state; working memory."""
    tally: NDArray[np.float64]
    """float64[5]: moves chosen, of them exploratory; updates, sums of |delta| and |change|."""
    plies: NDArray[np.int64]
    """int64[1]: moves of both sides in all games that have ended."""


_ints, _pairs = types.int64[::1], types.int64[:, ::1]
GAMES = record_type(
    (
        types.uint64[::1],
        types.uint64[::1],
        types.uint64[::1],
        _ints,
        types.float64[:, ::1],
        _ints,
        _ints,
        types.float64[::1],
        _pairs,
        _pairs,
        types.float64[:, ::1],
        types.float64[::1],
        types.float64[::1],
        _ints,
    ),
    Games,
)
MOVES, EXPLORED, UPDATES, ERROR, CHANGE = range(5)
"""What stands where in ``tally``."""


def make_games(n: int, columns: int, longest: int) -> Games:
    """Return room for so many games with traces of so many pairs."""
    return Games(
        np.zeros(n, dtype=np.uint64),
        np.zeros(n, dtype=np.uint64),
        np.zeros(n, dtype=np.uint64),
        np.zeros(n, dtype=np.int64),
        np.zeros((n, 2)),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n),
        np.zeros((n, longest), dtype=np.int64),
        np.zeros((n, longest), dtype=np.int64),
        np.zeros((n, longest)),
        np.zeros(columns),
        np.zeros(5),
        np.zeros(1, dtype=np.int64),
    )


@kernel(types.void(_i8, _u8, _f8, _f8, GAMES), borrows=True)
def begin_game(g: int, stream: Word, alpha: Real, epsilon: Real, games: Games) -> None:
    """Clear the board of game g."""
    games.mover[g], games.occupied[g], games.streams[g] = ZERO, ZERO, stream
    games.rates[g, 0], games.rates[g, 1] = alpha, epsilon
    games.turns[g] = games.length[g] = 0


@kernel(types.void(_i8, _f8, GAMES, TABLE, RULE), borrows=True)
def _learn(g: int, target: Real, games: Games, table: Table, rule: Rule) -> None:
    """Move the last pair of game g towards its target, and those before it along.

    The shaping reward of the pair comes on top of the target.
    """
    length, values = games.length[g], table.values
    if length == 0:
        return
    entry, place = games.entries[g, length - 1], games.places[g, length - 1]
    before = float(values[entry, place])  # as plain Python, NumPy would stay with 32 bits
    delta = target + games.shaped[g] - before
    step_size = games.rates[g, 0] * delta
    fading = rule.sign * rule.gamma * rule.trace_lambda
    for k in range(length):
        pair = games.entries[g, k], games.places[g, k]
        values[pair] = float(values[pair]) + step_size * games.eligibility[g, k]
        games.eligibility[g, k] *= fading
    if rule.manner.vdbe:
        table.epsilon[entry] = next_epsilon(
            float(table.epsilon[entry]), step_size, games.moves[g], rule.manner
        )
    games.tally[UPDATES] += 1
    games.tally[ERROR] += abs(delta)
    games.tally[CHANGE] += abs(values[entry, place] - before)


@kernel(types.void(_i8, _i8, _i8, _bool, GAMES, RULE), borrows=True)
def _remember(g: int, entry: int, place: int, cut: bool, games: Games, rule: Rule) -> None:
    """Put a pair at the end of the trace of game g, after what is left of it."""
    length = 0 if cut else games.length[g]
    e, kept = 1.0, 0
    for k in range(length):
        same = games.entries[g, k] == entry and games.places[g, k] == place
        if same and not rule.replacing:
            e += games.eligibility[g, k]
        forgotten = same or (k == 0 and length == games.entries.shape[1])
        if not forgotten:
            games.entries[g, kept] = games.entries[g, k]
            games.places[g, kept] = games.places[g, k]
            games.eligibility[g, kept] = games.eligibility[g, k]
            kept += 1
    games.entries[g, kept] = entry
    games.places[g, kept] = place
    games.eligibility[g, kept] = e
    games.length[g] = kept + 1


@kernel(types.void(_u8, _u8, TABLE, RULE), borrows=True)
def _enter_reachable(own: Word, occupied: Word, table: Table, rule: Rule) -> None:
    """Enter every state within one move of a position that does not end the game.

    In self-play it is a state of the other side; else the learner's own, as Cheng writes a board.
    """
    shape = rule.reading.shape
    wins = winning_cells(own, occupied, shape)
    landing = landing_cells(occupied, shape)
    for column in range(shape.columns):
        cell = landing & column_cells(column, shape)
        after = occupied | cell
        if cell == ZERO or cell & wins != ZERO or after == shape.board:
            continue
        seen = own ^ occupied if rule.sign < 0 else own | cell
        enter_state(seen, after, table, rule.reading)


@kernel(tuple_type(_i8, _i8)(_i8, _i8, GAMES, RULE), borrows=True)
def _move(g: int, column: int, games: Games, rule: Rule) -> tuple[int, int]:
    """Make a move in game g; return ``WON`` (by who moved), ``DRAW`` or ``ONGOING``, and where.

    Where is the column in which the stone landed.
    """
    mover, occupied, stream = games.mover[g], games.occupied[g], games.streams[g]
    state = chance_state(stream, popcount(occupied))
    mover, occupied, _, stands, landed, fell = chance_move(
        mover, occupied, column, state, rule.reading.shape, rule.odds
    )
    games.mover[g], games.occupied[g] = mover, occupied
    if fell:
        games.streams[g] = next_stream(stream)
    games.turns[g] += 1
    if stands == ONGOING and games.turns[g] >= LONGEST_GAME:
        stands = DRAW
    return stands, landed


@kernel(_i8(_i8, _i8, GAMES, TABLE, RULE), borrows=True)
def take_turn(g: int, given: int, games: Games, table: Table, rule: Rule) -> int:
    """Learn from how game g has come along, and make the learner's next move.

    ``given`` is the column to play, or ``FREE``. Returns how the game then stands. A turn enters
    one state, and with limited traces one for each column more.
    """
    mover, occupied = games.mover[g], games.occupied[g]
    shape, row = rule.reading.shape, games.row
    entry, flipped = enter_state(mover, occupied, table, rule.reading)
    if rule.repopulates:
        populate(mover, occupied, entry, flipped, table, rule.reading)
    read_values(mover, occupied, entry, flipped, table.values, rule.reading, row)
    if games.length[g] > 0:
        _learn(g, rule.sign * rule.gamma * best_value(row), games, table, rule)
        read_values(mover, occupied, entry, flipped, table.values, rule.reading, row)
    state = at_ply(games.streams[g], games.turns[g])
    column = given
    if given == FREE:
        epsilon = table.epsilon[entry] if rule.manner.vdbe else games.rates[g, 1]
        column, state = choose_column(row, epsilon, rule.manner, state)
    explores = row[column] < best_value(row)
    place = table_column(column, flipped, shape.columns)
    _remember(g, entry, place, explores or not rule.lasting, games, rule)
    games.moves[g] = popcount(landing_cells(occupied, shape))
    table.visits[entry] += 1
    games.tally[MOVES] += 1
    games.tally[EXPLORED] += explores
    if rule.entering:
        _enter_reachable(mover, occupied, table, rule)
    stands, landed = _move(g, column, games, rule)
    if rule.shaping:
        cell = landing_cells(occupied, shape) & column_cells(landed, shape)
        games.shaped[g] = shaping_reward(mover, occupied, cell, rule.reading)
    if stands != ONGOING:
        _learn(g, rule.reward_win if stands == WON else rule.reward_draw, games, table, rule)
    return stands


@kernel(_i8(_i8, _i8, GAMES, TABLE, RULE), borrows=True)
def take_reply(g: int, column: int, games: Games, table: Table, rule: Rule) -> int:
    """Make the other side's move in game g; a lost or drawn game is learned from at once."""
    stands, _ = _move(g, column, games, rule)
    if stands != ONGOING:
        _learn(g, rule.reward_loss if stands == WON else rule.reward_draw, games, table, rule)
    return stands
