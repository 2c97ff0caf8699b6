"""The exact success rate against games that are really played, and against a plain recursion."""

import numpy as np
import pytest
from players import AnswerAgent, LowestAgent, Policy, certain

from connectlab.agents import Agent, make_agent
from connectlab.arena.exact import exact_success
from connectlab.arena.expected import exact_value
from connectlab.arena.match import play_match
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry, Outcome, Position, PositionBatch
from connectlab.game.variants import Variant
from connectlab.solver import Solver

SMALL = Geometry(4, 4, 3)


def lowest(board: Geometry) -> Agent:
    return LowestAgent(None, board)


def clever(board: Geometry) -> Agent:
    """Plays the first of the best columns, so that it never errs."""
    solver = Solver(board, table_mb=1)

    def answer(batch: PositionBatch) -> Policy:
        return certain(np.array([solver.best_moves(p)[0] for p in batch.positions()]), board)

    return AnswerAgent(answer, board)


def wavering(board: Geometry) -> Agent:
    """Has chances of all sizes, other ones in each position."""

    def answer(batch: PositionBatch) -> Policy:
        weights = batch.legal * (
            1.0 + (batch.keys[:, None] >> np.arange(board.columns, dtype=np.uint64)) % 5
        )
        policy: Policy = weights / weights.sum(axis=1, keepdims=True)
        return policy

    return AnswerAgent(answer, board)


def chance(board: Geometry) -> Agent:
    return make_agent("random", board)


def expected(agent: Agent, solver: Solver, position: Position) -> float:
    """The expected score of the first player, by the definition."""
    if position.outcome is not Outcome.ONGOING:
        return (1 + position.outcome.first_player_value) / 2
    if position.first_to_move:
        policy = agent.policy_of(position)
    else:
        best = solver.best_moves(position)
        columns = range(agent.geometry.columns)
        policy = tuple((column in best) / len(best) for column in columns)
    return sum(
        chance * expected(agent, solver, position.play(column))
        for column, chance in enumerate(policy)
        if chance
    )


@pytest.mark.parametrize("board", [SMALL, Geometry(4, 3, 3), Geometry(3, 4, 3)], ids=str)
@pytest.mark.parametrize("make", [lowest, clever, wavering, chance])
def test_the_chances_are_those_of_a_plain_recursion(make: object, board: Geometry) -> None:
    agent, solver = make(board), Solver(board, table_mb=1)
    found = exact_success(agent)
    assert found.success_rate == pytest.approx(expected(agent, solver, Position(board)))
    assert found.win + found.draw + found.loss == pytest.approx(1.0)


@pytest.mark.parametrize("make", [wavering, chance])
def test_a_position_reached_in_several_ways_is_walked_through_once(make: object) -> None:
    agent, perfect = make(SMALL), make_agent("perfect", SMALL)
    reached = {Position(SMALL)}
    asked = 0
    while reached:
        mover = agent if min(reached, key=lambda p: p.ply).first_to_move else perfect
        after = {
            position.play(column)
            for position in reached
            for column, share in enumerate(mover.policy_of(position))
            if share
        }
        reached = {position for position in after if not position.is_over}
        asked += len(reached) * (mover is agent)
    assert exact_success(agent).positions == asked


@pytest.mark.parametrize("make", [lowest, wavering])
def test_sampled_games_agree(make: object) -> None:
    board = Geometry(4, 4, 4)
    agent = make(board)
    match = play_match(agent, make_agent("perfect", board), 2000, sides="fixed", seed=5)
    low, high = match.tally.score_rate_interval
    assert low <= exact_success(agent).success_rate <= high


def test_an_opening_at_random_is_walked_through_with_all_its_chances() -> None:
    """A board that the first player wins, so that the framework's opponent has lost openings."""
    board = Geometry(5, 4, 3)
    agent, opponent = wavering(board), make_agent("perfect:objective=framework", board)
    match = play_match(agent, opponent, 2000, sides="fixed", seed=5)
    found = exact_success(agent, opponent)
    low, high = match.tally.score_rate_interval
    assert low <= found.success_rate <= high
    assert found.win + found.draw + found.loss == pytest.approx(1.0)
    assert found.positions > exact_success(agent).positions


def test_a_tie_that_costs_the_game_half_the_time_is_seen() -> None:
    """Column 2 wins on this board and column 1 loses; a coin decides between them."""
    board = Geometry(5, 4, 3)
    assert Solver(board, table_mb=1).analyse(Position(board))[:2] == (-5, 6)
    perfect = make_agent("perfect", board)

    def answer(batch: PositionBatch) -> Policy:
        coin = np.array([0.5, 0.5, 0, 0, 0])
        return np.where(batch.plies[:, None] == 0, coin, perfect.policy(batch))

    found = exact_success(AnswerAgent(answer, board))
    assert (found.win, found.loss) == (pytest.approx(0.5), pytest.approx(0.5))


def test_a_harmless_tie_costs_nothing() -> None:
    assert exact_success(make_agent("perfect", SMALL)).success_rate == 1.0


def test_a_policy_that_comes_from_chance_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = make_agent("random", SMALL)
    monkeypatch.setattr(type(agent), "sampled", True)
    with pytest.raises(ArenaError, match="policy of random comes from chance"):
        exact_success(agent)


def test_a_game_with_chance_is_left_to_expected_values() -> None:
    slippery = Geometry(4, 4, 3, Variant(slip=0.1))
    with pytest.raises(ArenaError, match="take exact_value"):
        exact_success(make_agent("extend", slippery))
    match = play_match(
        make_agent("extend", slippery), make_agent("perfect", slippery), 2000, sides="fixed"
    )
    found = exact_value(make_agent("extend", slippery))
    # The best opponent of one player does at least as well as the one that is best at large.
    assert found.success_rate <= match.tally.score_rate_interval[1]
    assert found.success_rate < found.best_success_rate
