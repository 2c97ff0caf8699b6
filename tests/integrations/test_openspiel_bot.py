"""Our players in OpenSpiel's own evaluators."""

import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot

from connectlab.agents import AgentError, make_agent
from connectlab.agents.openspiel.game import load_game
from connectlab.arena.match import play_games
from connectlab.game import STANDARD, Geometry, Outcome, Position
from connectlab.game.streams import make_streams
from connectlab.integrations.openspiel import as_bot


def returns(bots: list[pyspiel.Bot], games: int, game: pyspiel.Game) -> list[list[float]]:
    rng = np.random.RandomState(1)
    return [evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(games)]


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(5, 4, 3)], ids=str)
def test_a_match_in_openspiels_evaluator_is_that_of_the_arena(geometry: Geometry) -> None:
    game = load_game(geometry)
    specs = ("negamax:depth=2", "random")
    bots = [as_bot(spec, player_id, game, seed=4) for player_id, spec in enumerate(specs)]
    there = [int(score[0]) for score in returns(bots, 30, game)]
    players = [make_agent(spec, geometry) for spec in specs]
    here = play_games(*players, 30, seed=4, threads=1).outcomes
    assert there == [Outcome(outcome).first_player_value for outcome in here]
    assert len(set(there)) > 1
    assert sum(there) > 0


def test_a_player_meets_a_bot_of_openspiel() -> None:
    game = load_game(STANDARD)
    bots = [UniformRandomBot(0, np.random.RandomState(5)), as_bot("negamax", 1, game)]
    assert sum(score[1] for score in returns(bots, 10, game)) > 5


def test_the_evaluator_in_c_plus_plus_takes_it_too() -> None:
    game = load_game(STANDARD)
    bots = [as_bot("negamax:depth=3", 0), pyspiel.make_uniform_random_bot(1, 7)]
    state = game.new_initial_state()
    assert pyspiel.evaluate_bots(state, bots, 3) in ([1.0, -1.0], [0.0, 0.0], [-1.0, 1.0])


def test_each_game_has_the_next_stream_of_the_seed() -> None:
    game, agent = load_game(STANDARD), make_agent("random")
    bot = as_bot(agent, 0, seed=9)
    streams = make_streams(9, 3)
    for number in range(3):
        state = game.new_initial_state()
        bot.restart_at(state)
        bot.restart()
        assert bot.stream == streams[number]
        expected = agent.choose_one(Position(), stream=int(streams[number]))
        assert bot.step(state) == bot.step(state) == expected


def test_its_policy_is_that_of_the_player() -> None:
    game, bot = load_game(STANDARD), as_bot("negamax:depth=2", 1)
    state = game.new_initial_state()
    for column in (3, 3, 3, 3, 3):
        state.apply_action(column)
    policy = make_agent("negamax:depth=2").policy_of(Position.from_moves("44444"))
    assert bot.provides_policy()
    assert bot.get_policy(state) == [(column, policy[column]) for column in range(7)]
    state.apply_action(0)
    state.apply_action(3)
    assert 3 not in dict(bot.get_policy(state))
    told, column = bot.step_with_policy(state)
    assert dict(told)[column] > 0


def test_it_does_not_move_for_the_other_side() -> None:
    state = load_game(STANDARD).new_initial_state()
    assert as_bot("random", 1).step(state) == pyspiel.INVALID_ACTION
    assert as_bot("random", 1).player_id() == 1


def test_another_game_or_board_is_refused() -> None:
    with pytest.raises(AgentError, match="not tic_tac_toe"):
        as_bot("random", 0, pyspiel.load_game("tic_tac_toe"))
    with pytest.raises(AgentError, match="was made for the 7x6 connect-4 board, not 5x4"):
        as_bot(make_agent("random"), 0, load_game(Geometry(5, 4, 3)))
    with pytest.raises(AgentError, match="player_id is 0 or 1, not 2"):
        as_bot("random", 2)
    bot = as_bot("random", 0)
    with pytest.raises(AgentError, match="was made for the 7x6 connect-4 board"):
        bot.step(load_game(Geometry(5, 4, 3)).new_initial_state())


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(AgentError, match="pip install open_spiel"):
        as_bot("random", 0)
