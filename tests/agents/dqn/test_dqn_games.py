"""What moves are worth (Table II), and which transitions come of a game."""

from typing import NamedTuple

import numpy as np
import pytest
from small_dqns import BOARD, config

from connectlab.agents.dqn.games import (
    BOTH,
    DRAWN,
    ENDED,
    GREEDY,
    LOST,
    WON,
    begin_game,
    draw_random,
    make_games,
    make_output,
    make_rule,
    play_round,
)
from connectlab.game import Geometry, Position
from connectlab.game.notation import parse_moves
from connectlab.game.streams import make_streams

STANDARD = {"columns": 7, "rows": 6, "connect": 4}
STEP = 1 / 42


class Played(NamedTuple):
    """What came of a game: transitions as (position, column, reward, position then, bootstrap)."""

    transitions: list[tuple[Position, int, float, Position, float]]
    tally: list[int]


def play(moves: str, seat: int, explored: str = "", **changes: object) -> Played:
    """Play a game; at the plies named in ``explored`` (from 0) the best column was another."""
    settings = config(**changes)
    geometry, rule = settings.geometry, make_rule(settings)
    games, output = make_games(1, geometry.cells), make_output(1, settings.n_step)
    begin_game(0, 0, make_streams(1, 1)[0], seat, games)
    found = []
    for ply, column in enumerate(parse_moves(moves, geometry)):
        best = column if str(ply) not in explored else (column + 1) % geometry.columns
        n = play_round(games, np.array([best]), np.array([column]), rule, output)
        for i in range(n):
            own, stones, own_then, stones_then = (int(word) for word in output.words[:, i])
            found.append(
                (
                    Position(geometry, own, stones),
                    int(output.columns[i]),
                    float(output.reals[0, i]),
                    Position(geometry, own_then, stones_then),
                    float(output.reals[1, i]),
                )
            )
    return Played(found, output.tally.tolist())


def rewards(played: Played) -> list[float]:
    return [round(each[2], 4) for each in played.transitions]


def bootstraps(played: Played) -> list[float]:
    return [round(each[4], 4) for each in played.transitions]


WIN_UPWARD = "1213141"
"""The first player stacks four stones in column 1; the last one wins."""
LOSS_UPWARD = "21314161"
"""The same by the second player."""


def test_the_default_rewards_of_table_2() -> None:
    won = play(WIN_UPWARD, 0, **STANDARD)
    assert rewards(won) == [round(STEP, 4)] * 3 + [10]
    lost = play(LOSS_UPWARD, 0, **STANDARD)
    assert rewards(lost) == [round(STEP, 4)] * 3 + [-10]
    assert won.tally[ENDED] == won.tally[WON] == lost.tally[LOST] == 1


def test_the_streak_rewards_of_table_2() -> None:
    """The third stone upward makes a three: 3 on top of the step; the fourth wins."""
    won = play(WIN_UPWARD, 0, **STANDARD, rewards="streak")
    assert rewards(won) == [round(r, 4) for r in (STEP, STEP, STEP + 3, 20)]
    assert rewards(play(LOSS_UPWARD, 0, **STANDARD, rewards="streak"))[-1] == -20


def test_streaks_are_rewarded_once_or_as_long_as_they_are_held() -> None:
    """Column 1 holds a three from the third move on; the fourth move is elsewhere."""
    moves = "1213141"[:5] + "1773"
    made = play(moves, 0, **STANDARD, rewards="streak")
    held = play(moves, 0, **STANDARD, rewards="streak", streaks="held")
    assert rewards(made) == [round(r, 4) for r in (STEP, STEP, STEP + 3, STEP)]
    assert rewards(held) == [round(r, 4) for r in (STEP, STEP, STEP + 3, STEP + 3)]


def test_a_draw_is_worth_one_to_whoever_moves_last() -> None:
    full = "4321311144234232"
    played = [play(full, seat, **{**BOARD, "connect": 4}) for seat in (0, 1)]
    assert Position.from_moves(full, Geometry(4, 4, 4)).is_over
    assert [rewards(each)[-1] for each in played] == [1, 1]
    assert all(each.tally[DRAWN] == 1 for each in played)


@pytest.mark.parametrize(("system", "worth"), [("default", -20), ("streak", -40)])
def test_a_move_into_a_full_column_ends_the_game(system: str, worth: float) -> None:
    played = play("111111" + "1", 0, **STANDARD, rewards=system, invalid="allow")
    assert rewards(played)[-1] == worth
    assert bootstraps(played)[-1] == 0
    assert played.tally[ENDED] == played.tally[LOST] == 1


def test_every_number_of_the_rewards_can_be_set() -> None:
    changes = {"reward_win": 5, "reward_step": 0.5, "reward_streak": 2, "reward_loss": -7}
    assert rewards(play(WIN_UPWARD, 0, **STANDARD, **changes)) == [0.5, 0.5, 2.5, 5]
    assert rewards(play(LOSS_UPWARD, 0, **STANDARD, **changes))[-1] == -7


@pytest.mark.parametrize("seat", [0, 1])
def test_what_follows_a_move_is_the_own_next_turn(seat: int) -> None:
    played = play(WIN_UPWARD, seat, **STANDARD)
    moves = parse_moves(WIN_UPWARD, Geometry())
    lines = [Position.from_moves(moves[:ply]) for ply in range(len(moves) + 1)]
    for number, (position, column, _, then, bootstrap) in enumerate(played.transitions):
        ply = 2 * number + seat
        assert (position, column) == (bare(lines[ply]), moves[ply])
        last = number == len(played.transitions) - 1
        assert bootstrap == (0 if last else pytest.approx(0.7))
        assert last or then == bare(lines[ply + 2])
    assert len(played.transitions) == len(moves[seat::2])


def bare(position: Position) -> Position:
    """The position without its history."""
    return Position(position.geometry, position.mover, position.occupied)


def test_against_itself_every_move_counts_and_the_other_side_is_next() -> None:
    played = play(WIN_UPWARD, BOTH, **STANDARD, opponents="self", rewards="plain", gamma=0.9)
    assert rewards(played) == [0] * 6 + [1]
    assert bootstraps(played) == [-0.9] * 6 + [0]
    assert played.tally == [1, 7, 0, 0, 0, 0], "a game against itself is neither won nor lost"
    assert [each[3].ply for each in played.transitions] == [1, 2, 3, 4, 5, 6, 7]


def test_several_steps_are_summed_with_the_signs_of_their_sides() -> None:
    changes = {"opponents": "self", "rewards": "plain", "gamma": 0.5, "n_step": 3}
    played = play(WIN_UPWARD, BOTH, **STANDARD, **changes)
    assert rewards(played) == [0, 0, 0, 0, 0.25, -0.5, 1]
    assert bootstraps(played) == [-0.125] * 4 + [0, 0, 0]
    assert [each[3].ply for each in played.transitions] == [3, 4, 5, 6, 7, 7, 7]


def test_a_sum_ends_before_an_exploratory_move() -> None:
    changes = {"opponents": "self", "rewards": "plain", "gamma": 0.5, "n_step": 3}
    cut = play(WIN_UPWARD, BOTH, "5", **STANDARD, **changes)
    assert rewards(cut) == [0, 0, 0, 0, 0, -0.5, 1]
    assert bootstraps(cut) == [-0.125, -0.125, -0.125, 0.25, -0.5, 0, 0]
    assert rewards(play(WIN_UPWARD, BOTH, "5", **STANDARD, **changes, cut=False))[4] == 0.25


def test_random_moves_come_as_often_as_epsilon_says_and_never_where_there_is_no_room() -> None:
    settings = config()
    n = 2_000
    games = make_games(n, 16)
    for g, stream in enumerate(make_streams(5, n)):
        begin_game(g, g, stream, 0, games)
        games.occupied[g] = 0b1111
        games.mover[g] = 0b0101
    columns = np.empty(n, dtype=np.int64)
    draw_random(games, 0.25, make_rule(settings), columns)
    random = columns[columns != GREEDY]
    assert 0.2 < len(random) / n < 0.3
    assert set(random) == {1, 2, 3}
    draw_random(games, 1.0, make_rule(config(invalid="allow")), columns)
    assert set(columns) == {0, 1, 2, 3}


def test_openings_are_random_for_a_number_of_plies_that_varies() -> None:
    settings = config(**{**BOARD, "rows": 5}, openings=4)
    n = 1_000
    games = make_games(n, 20)
    for g, stream in enumerate(make_streams(5, n)):
        begin_game(g, g, stream, 0, games)
    columns = np.empty(n, dtype=np.int64)
    shares = []
    for stones in (0, 0b1, 0b11, 0b111, 0b1111):
        games.occupied[:] = stones
        draw_random(games, 0.0, make_rule(settings), columns)
        shares.append(float(np.mean(columns != GREEDY)))
    np.testing.assert_allclose(shares, [0.8, 0.6, 0.4, 0.2, 0.0], atol=0.05)
