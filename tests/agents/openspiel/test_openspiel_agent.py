"""Bots of OpenSpiel as players: the same bot, the same board, the same lots for the same seed."""

import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import minimax

from connectlab.agents import AgentError, make_agent
from connectlab.agents.openspiel.game import geometry_of, load_game, position_of, state_of
from connectlab.arena.exact import exact_success
from connectlab.arena.match import play_match
from connectlab.arena.threads import ArenaError
from connectlab.errors import GameError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.streams import at_ply

BOARDS = [STANDARD, Geometry(5, 4, 3), Geometry(10, 5, 5), Geometry(3, 3, 4)]


def positions(geometry: Geometry, n: int) -> PositionBatch:
    """Positions of random games that go on, of all lengths."""
    batch, random, found = PositionBatch.start(n, geometry, seed=5), None, []
    random = make_agent("random", geometry)
    while len(batch):
        found.append(batch[:2])
        batch = batch.play(random.choose(batch))
        batch = batch[batch.outcomes == 0]
    return PositionBatch.joined(found)


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_boards_and_stones_are_the_same_there_and_here(geometry: Geometry) -> None:
    game = load_game(geometry)
    assert geometry_of(game) == geometry
    for position in positions(geometry, 10).positions():
        state = state_of(position, game)
        assert position_of(state) == position
        assert state.current_player() == (0 if position.first_to_move else 1)
        assert tuple(state.legal_actions()) == position.legal_columns


def test_a_board_that_is_not_told_is_the_usual_one() -> None:
    assert geometry_of(pyspiel.load_game("connect_four")) == STANDARD
    assert geometry_of(pyspiel.load_game("connect_four(rows=5)")) == Geometry(7, 5, 4)
    with pytest.raises(AgentError, match="plays OpenSpiel's connect_four, not tic_tac_toe"):
        geometry_of(pyspiel.load_game("tic_tac_toe"))
    with pytest.raises(GameError, match="connect must be 3 or more"):
        geometry_of(pyspiel.load_game("connect_four(x_in_row=2)"))


def test_mcts_is_the_bot_with_the_settings_and_a_seed_of_the_game() -> None:
    settings = "simulations=30,exploration=1.5,rollouts=2,solve=false"
    agent = make_agent(f"openspiel:mcts,{settings}")
    batch = positions(STANDARD, 12)
    chosen, expected = agent.choose(batch).tolist(), []
    game = pyspiel.load_game("connect_four")
    for i, stream in enumerate(batch.streams):
        seed = int(at_ply(stream, int(batch.plies[i]))) % 2**31
        evaluator = pyspiel.RandomRolloutEvaluator(2, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.5, 30, 1000, False, seed, False)
        expected.append(bot.step(state_of(batch.position(i), game)))
    assert chosen == expected
    others = make_agent("openspiel:mcts,simulations=30").choose(batch)
    assert others.tolist() != expected, "settings make a difference"


def test_minimax_is_the_alpha_beta_of_openspiel() -> None:
    batch = positions(STANDARD, 6)
    game = pyspiel.load_game("connect_four")
    chosen = make_agent("openspiel:minimax,depth=3").choose(batch)
    for i, column in enumerate(chosen):
        state = state_of(batch.position(i), game)
        _, expected = minimax.alpha_beta_search(
            game, state=state, value_function=lambda _: 0, maximum_depth=3
        )
        assert column == expected
    threat = Position.from_moves("112233")
    assert make_agent("openspiel:minimax,depth=1").choose_one(threat) == 3
    assert make_agent("openspiel:minimax,depth=2").choose_one(Position.from_moves("1122337")) == 3
    assert make_agent("openspiel:minimax,depth=1").choose_one(Position.from_moves("1122337")) == 0


def test_random_and_first_tell_their_chances() -> None:
    position = Position.from_moves("111111")
    assert make_agent("openspiel:first").policy_of(position) == (0, 1, 0, 0, 0, 0, 0)
    policy = make_agent("openspiel:random").policy_of(position)
    assert policy == pytest.approx(make_agent("random").policy_of(position))
    batch = positions(STANDARD, 8)
    drawn = make_agent("openspiel:random").choose(batch)
    assert np.array_equal(drawn, make_agent("random").choose(batch))


def test_more_simulations_win_and_threads_change_nothing() -> None:
    strong, weak = make_agent("openspiel:mcts,simulations=100"), make_agent("openspiel:random")
    one, two = (play_match(strong, weak, 16, seed=2, threads=n) for n in (1, 2))
    assert one.tally == two.tally
    assert one.tally.wins >= 14


def test_its_games_are_not_walked_through() -> None:
    with pytest.raises(ArenaError, match="comes from chance"):
        exact_success(make_agent("openspiel:first"))


def test_an_analysis_says_what_the_bot_does() -> None:
    first = make_agent("openspiel:first").analyse(Position.from_moves("44"))
    assert first.sentences == ("The bot first of OpenSpiel answers 1.",)
    drawn = make_agent("openspiel:random", Geometry(3, 3, 3)).analyse(Position(Geometry(3, 3, 3)))
    assert drawn.sentences == ("The bot random of OpenSpiel draws 1, 2, 3.",)
    assert drawn.facts == {"game": "connect_four(columns=3,rows=3,x_in_row=3)"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("openspiel", "name a bot, as in openspiel:mcts: mcts, minimax, random, first"),
        ("openspiel:alphazero", "openspiel: source=alphazero"),
        ("openspiel:random,simulations=5", "simulations is for openspiel:mcts"),
        ("openspiel:mcts,depth=5", "depth is for openspiel:minimax"),
        ("openspiel:mcts,simulations=0", "simulations=0 should be greater than"),
    ],
)
def test_wrong_settings_are_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(AgentError, match=told):
        make_agent(text)


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(AgentError, match="OpenSpiel is not installed: pip install open_spiel"):
        make_agent("openspiel:mcts")


def test_stones_that_no_moves_lead_to_are_refused() -> None:
    tower = Position.from_drawing("X . .\nX . .\nO . O", connect=4)
    with pytest.raises(AgentError, match="no moves lead to"):
        make_agent("openspiel:first", tower.geometry).choose_one(tower)
