"""Running games, many side by side: moves are made, rewarded, and become transitions.

A *decision* is a position with the column that was chosen there. Where only the learner's own
moves are learned, what follows a decision is its own next turn, after the reply; where those of
both sides are, it is the other side's turn, and every value from there on is negated (``sign``).
With rewards r, f = sign * gamma and n = ``n_step``, a decision at t becomes::

    reward r[t] + f r[t+1] + ... + f^(m-1) r[t+m-1],  bootstrap f^m,  position at t+m

where m is n, or less where the game ends (then bootstrap is 0) or, with ``cut``, where the next
decision was no best move: its reward tells nothing of the best ones.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, record_type
from connectlab.agents.dqn.config import DQNConfig
from connectlab.game.bitboard import (
    DRAW,
    FIRST_WINS,
    ILLEGAL_MOVE,
    ONGOING,
    SHAPE,
    ZERO,
    landing_cells,
    pick_cell,
    popcount,
    step,
)
from connectlab.game.bitboard import column_of as column_of_cell
from connectlab.game.counts import count_runs
from connectlab.game.geometry import Shape
from connectlab.game.streams import GAMMA, at_ply, below, uniform

BOTH = -1
"""In place of a seat: the learner sits on both sides."""
IDLE = -1
"""In place of a game's number: none is played here."""
GREEDY = -1
"""In place of a random column: the best one is to be played."""
GIVEN_UP = -2
"""In place of a column: the other player forfeits the game."""

_i8, _f8, _f4, _bool = types.int64, types.float64, types.float32, types.boolean
_ints, _words = types.int64[::1], types.uint64[::1]


class Rule(NamedTuple):
    """The numbers of the learning task, as the kernels take them."""

    shape: Shape
    win: float
    loss: float
    invalid: float
    draw: float
    step: float
    streak: float
    held: bool
    """All streaks on the board are rewarded, not those alone that the move makes."""
    factor: float
    """f above."""
    n_step: int
    cut: bool
    both: bool
    """The moves of both sides are learned."""
    allow: bool
    """Moves into full columns are made, and punished."""
    openings: int


RULE = record_type((SHAPE,) + 6 * (_f8,) + (_bool, _f8, _i8, _bool, _bool, _bool, _i8), Rule)


class Games(NamedTuple):
    """Games in progress, one entry each."""

    mover: NDArray[np.uint64]
    occupied: NDArray[np.uint64]
    streams: NDArray[np.uint64]
    number: NDArray[np.int64]
    """Which game of the run it is; ``IDLE`` for none."""
    seat: NDArray[np.int64]
    """0 if the learner moves first, 1 if second, ``BOTH``."""
    length: NDArray[np.int64]
    """Decisions made so far."""
    emitted: NDArray[np.int64]
    """Decisions that have become transitions."""
    movers: NDArray[np.uint64]
    """uint64[games, plies + 1]: ``mover`` of each decision, and of what follows the last."""
    stones: NDArray[np.uint64]
    """The same of ``occupied``."""
    columns: NDArray[np.int64]
    """int64[games, plies]: the column of each decision."""
    rewards: NDArray[np.float64]
    """float64[games, plies]"""
    explored: NDArray[np.bool_]
    """bool[games, plies]: whether it was another than the best column."""


_table = types.uint64[:, ::1]
GAMES = record_type(
    3 * (_words,)
    + 4 * (_ints,)
    + 2 * (_table,)
    + (types.int64[:, ::1], types.float64[:, ::1], types.boolean[:, ::1]),
    Games,
)


class Output(NamedTuple):
    """What a round gives: transitions, and a tally."""

    words: NDArray[np.int64]
    """int64[4, room], bits of uint64."""
    columns: NDArray[np.uint8]
    reals: NDArray[np.float32]
    """float32[2, room]: reward and bootstrap."""
    tally: NDArray[np.int64]
    """int64[6]: games ended, their plies; won, drawn and lost by the learner against others, and
    those of the won ones that were forfeited to it."""


OUTPUT = record_type(
    (types.int64[:, ::1], types.uint8[::1], types.float32[:, ::1], types.int64[::1]), Output
)
ENDED, PLIES, WON, DRAWN, LOST, FORFEITED = range(6)


def make_rule(config: DQNConfig) -> Rule:
    """Return the settings of a learner as the kernels take them."""
    sign = -1.0 if config.learns_both else 1.0
    return Rule(
        config.geometry.shape,
        *config.reward_numbers,
        config.streaks == "held",
        sign * config.gamma,
        config.n_step,
        config.cut,
        config.learns_both,
        config.invalid == "allow",
        config.openings,
    )


def make_games(n: int, cells: int) -> Games:
    """Return room for so many games, all idle."""
    plies = cells + 1  # one more for a move into a full column
    return Games(
        np.zeros(n, dtype=np.uint64),
        np.zeros(n, dtype=np.uint64),
        np.zeros(n, dtype=np.uint64),
        np.full(n, IDLE, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros((n, plies + 1), dtype=np.uint64),
        np.zeros((n, plies + 1), dtype=np.uint64),
        np.zeros((n, plies), dtype=np.int64),
        np.zeros((n, plies)),
        np.zeros((n, plies), dtype=np.bool_),
    )


def make_output(n: int, n_step: int) -> Output:
    """Return room for what one round of so many games may give."""
    room = n * (n_step + 1)
    return Output(
        np.zeros((4, room), dtype=np.int64),
        np.zeros(room, dtype=np.uint8),
        np.zeros((2, room), dtype=np.float32),
        np.zeros(6, dtype=np.int64),
    )


@kernel(types.void(_i8, _i8, types.uint64, _i8, GAMES), borrows=True)
def begin_game(g: int, number: int, stream: Word, seat: int, games: Games) -> None:
    """Clear the board at place g for a game."""
    games.mover[g], games.occupied[g], games.streams[g] = ZERO, ZERO, stream
    games.number[g], games.seat[g] = number, seat
    games.length[g] = games.emitted[g] = 0
    games.movers[g, 0] = games.stones[g, 0] = ZERO


@kernel(_bool(_i8, GAMES), borrows=True)
def learner_moves(g: int, games: Games) -> bool:
    """Say whether the learner is to move."""
    return bool(games.seat[g] == BOTH or games.seat[g] == popcount(games.occupied[g]) % 2)


@kernel(types.void(GAMES, _f8, RULE, _ints), borrows=True)
def draw_random(games: Games, epsilon: Real, rule: Rule, columns: NDArray[np.int64]) -> None:
    """Write a random column where one is to be played, else ``GREEDY``.

    An opening move is random in the first plies of a game, their number drawn for each game,
    whoever makes it; later moves are random in the learner's turns alone. If it may choose full
    columns, it draws from all of them.
    """
    shape = rule.shape
    for g in range(columns.shape[0]):
        columns[g] = GREEDY
        if games.number[g] == IDLE:
            continue
        occupied = games.occupied[g]
        ply = popcount(occupied)
        state = at_ply(games.streams[g], ply)
        opening = ply < below(games.streams[g], rule.openings + 1)
        own = learner_moves(g, games)
        if not opening and not (own and uniform(state) < epsilon):
            continue
        state += GAMMA
        if rule.allow and own:
            columns[g] = below(state, shape.columns)
        else:
            landing = landing_cells(occupied, shape)
            cell = pick_cell(landing, below(state, popcount(landing)))
            columns[g] = column_of_cell(cell, shape)


@kernel(_f8(types.uint64, types.uint64, types.uint64, types.uint64, RULE, types.int64[:, ::1]))
def step_reward(
    before: Word, occupied_before: Word, own: Word, occupied: Word, rule: Rule, runs: Word
) -> Real:
    """Return the reward of a move after which the game goes on: ``step``, and ``streak`` for each.

    ``before`` and ``own`` are the stones of who moved, without and with the new one; ``runs`` is
    working memory, int64[2, connect - 1].
    """
    if rule.streak == 0.0:
        return rule.step
    count_runs(own, occupied, rule.shape, runs)
    streaks = runs[0, runs.shape[1] - 1]
    if not rule.held:
        count_runs(before, occupied_before, rule.shape, runs)
        streaks -= runs[0, runs.shape[1] - 1]
    return rule.step + rule.streak * streaks


@kernel(_i8(_i8, _i8, GAMES, RULE, OUTPUT, _i8), borrows=True)
def emit(g: int, complete: int, games: Games, rule: Rule, output: Output, at: int) -> int:
    """Turn decisions of game g into transitions, from number ``at`` on; return the next number.

    ``complete`` decisions have their reward and what follows them. Those of a game that is over
    (its number is ``IDLE``) are all turned, else those that ``n_step`` others follow.
    """
    over = games.number[g] == IDLE
    t = games.emitted[g]
    while t < complete and (over or t + rule.n_step <= complete):
        total, factor, m = games.rewards[g, t], rule.factor, 1
        while m < rule.n_step and t + m < complete:
            if rule.cut and games.explored[g, t + m]:
                break
            total += factor * games.rewards[g, t + m]
            factor *= rule.factor
            m += 1
        ends = over and t + m == complete
        output.words[0, at] = np.int64(games.movers[g, t])
        output.words[1, at] = np.int64(games.stones[g, t])
        output.words[2, at] = np.int64(games.movers[g, t + m])
        output.words[3, at] = np.int64(games.stones[g, t + m])
        output.columns[at] = np.uint8(games.columns[g, t])
        output.reals[0, at] = np.float32(total)
        output.reals[1, at] = np.float32(0.0 if ends else factor)
        at += 1
        t += 1
    games.emitted[g] = t
    return at


@kernel(types.void(_i8, _i8, _bool, GAMES), borrows=True)
def decide(g: int, column: int, explored: bool, games: Games) -> None:
    """Note a decision of game g in the position as it is."""
    at = games.length[g]
    games.movers[g, at], games.stones[g, at] = games.mover[g], games.occupied[g]
    games.columns[g, at], games.explored[g, at] = column, explored
    games.length[g] = at + 1


@kernel(_i8(_i8, _i8, _bool, GAMES, RULE, types.int64[:, ::1]))
def play_move(g: int, column: int, explored: bool, games: Games, rule: Rule, runs: Word) -> int:
    """Make a move in game g, reward it, and tell how the game then stands.

    A decision is noted if the move is to be learned. Where only the learner's are, its reward waits
    for the reply, which may end the game.
    """
    own = learner_moves(g, games)
    learned = own or rule.both
    mover, occupied = games.mover[g], games.occupied[g]
    if learned:
        decide(g, column, explored, games)
    last = games.length[g] - 1
    after, stones, stands = step(mover, occupied, column, rule.shape)
    games.mover[g], games.occupied[g] = after, stones
    if stands == ILLEGAL_MOVE:
        games.rewards[g, last] = rule.invalid
    elif last >= 0 and stands == DRAW:
        games.rewards[g, last] = rule.draw
    elif last >= 0 and stands != ONGOING:
        games.rewards[g, last] = rule.win if learned else rule.loss
    elif learned:
        games.rewards[g, last] = step_reward(mover, occupied, stones ^ after, stones, rule, runs)
    games.movers[g, games.length[g]] = after
    games.stones[g, games.length[g]] = stones
    return stands


@kernel(types.void(_i8, _i8, _bool, GAMES, OUTPUT), borrows=True)
def end_game(g: int, stands: int, own: bool, games: Games, output: Output) -> None:
    """Count a game that has ended and leave its place idle; ``own``: the learner moved last."""
    games.number[g] = IDLE
    output.tally[ENDED] += 1
    output.tally[PLIES] += popcount(games.occupied[g])
    if games.seat[g] == BOTH:
        return
    if stands == DRAW:
        output.tally[DRAWN] += 1
    elif own and stands != ILLEGAL_MOVE:
        output.tally[WON] += 1
    else:
        output.tally[LOST] += 1


@kernel(types.void(_i8, GAMES, RULE, OUTPUT))
def give_game(g: int, games: Games, rule: Rule, output: Output) -> None:
    """End a game that the other player forfeits: the learner's move before it, if any, has won."""
    if games.length[g]:
        games.rewards[g, games.length[g] - 1] = rule.win
    end_game(g, FIRST_WINS, True, games, output)
    output.tally[FORFEITED] += 1


@kernel(_i8(GAMES, _ints, _ints, RULE, OUTPUT))
def play_round(
    games: Games, best: NDArray[np.int64], chosen: NDArray[np.int64], rule: Rule, output: Output
) -> int:
    """Make a move in every game; return how many transitions came of it.

    ``chosen`` holds the column to play or ``GREEDY``, in its place the one in ``best`` is played.
    In the learner's turns a chosen column that differs from the best was explored; others' moves
    always count as explored. Where the other player has ``GIVEN_UP``, the learner's last move has
    won. Games that end leave their place idle.
    """
    runs = np.zeros((2, rule.shape.connect - 1), dtype=np.int64)
    at = 0
    for g in range(chosen.shape[0]):
        if games.number[g] == IDLE:
            continue
        if chosen[g] == GIVEN_UP:
            give_game(g, games, rule, output)
            at = emit(g, games.length[g], games, rule, output, at)
            continue
        own = learner_moves(g, games)
        column = best[g] if chosen[g] == GREEDY else chosen[g]
        stands = play_move(g, column, not own or column != best[g], games, rule, runs)
        complete = games.length[g]
        if stands != ONGOING:
            end_game(g, stands, own, games, output)
        elif not learner_moves(g, games) and not rule.both:
            complete -= 1
        at = emit(g, complete, games, rule, output, at)
    return at
