"""Measures against perfect play, against chance, and move by move."""

import json

import numpy as np
import pytest
from players import AnswerAgent, LowestAgent, LowestSettings

from connectlab.agents import AgentError, make_agent
from connectlab.arena.match import MatchResult, Tally
from connectlab.arena.measures import (
    Accuracy,
    SuccessRate,
    WinningQuota,
    move_accuracy,
    success_rate,
    winning_quota,
)
from connectlab.arena.positions import PositionSet, PositionSetError, generate_positions
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry, Position
from connectlab.solver import Solver

SMALL = Geometry(4, 4, 3)


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(SMALL, table_mb=1)


@pytest.fixture(scope="module")
def positions(solver: Solver) -> PositionSet:
    return generate_positions(20, geometry=SMALL, solver=solver)


def test_a_perfect_first_player_wins_every_game_of_a_won_board(solver: Solver) -> None:
    assert solver.outcome(Position(SMALL)) == 1
    rate = success_rate(make_agent("perfect", SMALL), 40)
    assert rate.match.tally == Tally(40, 0, 0)
    assert rate.success_rate == 1


def test_a_poor_first_player_does_not(solver: Solver) -> None:
    rate = success_rate(make_agent("random", SMALL), 100, solver=solver)
    assert rate.success_rate < 0.5
    assert rate.success_rate_interval.low < rate.success_rate < rate.success_rate_interval.high
    tally = rate.match.tally
    assert rate.success_rate == (tally.wins + tally.draws / 2) / 100


def test_the_perfect_opponent_takes_the_objective_and_the_solver() -> None:
    class Counting(Solver):
        calls = 0

        def best_moves_many(self, *arguments: object, **options: object) -> object:  # type: ignore[override]
            Counting.calls += 1
            return super().best_moves_many(*arguments, **options)  # type: ignore[arg-type]

    rate = success_rate(
        make_agent("random", SMALL), 5, objective="outcome", solver=Counting(SMALL, table_mb=1)
    )
    assert rate.match.opponent == "perfect:objective=outcome"
    assert rate.objective == "outcome"
    framework = success_rate(make_agent("random", SMALL), 5, objective="framework")
    assert framework.match.opponent == "perfect:objective=framework"
    assert Counting.calls > 0
    with pytest.raises(ArenaError, match="outcome, framework, framework-books, not 'speed'"):
        success_rate(make_agent("random"), 5, objective="speed")


def test_the_success_rate_does_not_depend_on_threads() -> None:
    agent = make_agent("random", SMALL)
    one, three = (success_rate(agent, 60, threads=threads).to_json() for threads in (1, 3))
    assert {**one, "seconds": 0} == {**three, "seconds": 0}


def test_random_wins_about_half_against_random() -> None:
    quota = winning_quota(make_agent("random"), 4000)
    assert quota.win_rate == pytest.approx(0.5, abs=0.03)
    assert quota.winning_quota == pytest.approx(1.0, abs=0.12)
    assert quota.match.first.games == quota.match.second.games == 2000


def played(first: Tally, second: Tally) -> MatchResult:
    return MatchResult("a", "b", SMALL, "alternate", 0, first, second, 10.0, 50, 1.0)


def test_intervals_are_those_worked_out_by_hand() -> None:
    """30 won, 10 drawn and 10 lost; Wilson's interval with z = 1.95996 on paper."""
    match = played(Tally(20, 5, 4), Tally(10, 5, 6))
    quota = WinningQuota(match)
    assert quota.win_rate == 0.6
    assert quota.win_rate_interval == pytest.approx((0.4618, 0.7239), abs=1e-4)
    assert quota.winning_quota == 3.0
    assert quota.winning_quota_interval == pytest.approx((1.4879, 6.0487), abs=5e-4)
    success = SuccessRate(match, "distance")
    assert success.success_rate == 0.7
    assert success.success_rate_interval == pytest.approx((0.5625, 0.8090), abs=1e-4)
    accuracy = Accuracy(50, 35, 30)
    assert accuracy.outcome_accuracy_interval == pytest.approx((0.5625, 0.8090), abs=1e-4)
    assert accuracy.best_move_accuracy_interval == pytest.approx((0.4618, 0.7239), abs=1e-4)


def test_the_quota_of_nothing_lost_is_bounded_below_only() -> None:
    quota = WinningQuota(played(Tally(20, 0, 0), Tally(20, 3, 0)))
    assert quota.winning_quota is None
    low, high = quota.winning_quota_interval
    assert high is None
    assert low == pytest.approx(40 / 3.8415, rel=1e-3)  # Wilson: low = n / (n + z^2)
    plain = json.loads(json.dumps(quota.to_json(), allow_nan=False))
    assert plain["winning_quota"] is None
    assert plain["winning_quota_interval"] == [low, None]


def test_a_draw_counts_in_neither_part_of_the_quota() -> None:
    # No line of four fits on three columns and rows, so every game is a draw.
    quota = winning_quota(make_agent("random", Geometry(3, 3, 4)), 10)
    assert quota.match.tally == Tally(0, 10, 0)
    assert quota.win_rate == 0
    assert quota.winning_quota is None
    assert quota.winning_quota_interval == (0.0, None)


def test_the_perfect_player_is_accurate_everywhere(positions: PositionSet, solver: Solver) -> None:
    found = move_accuracy(make_agent("perfect", SMALL), positions, solver=solver)
    assert found.total.outcome_accuracy == found.total.best_move_accuracy == 1
    assert all(accuracy.best == accuracy.positions == 20 for accuracy in found.classes.values())
    assert list(found.classes) == list(positions.class_names)


def test_playing_for_the_outcome_keeps_it_but_misses_best_moves(
    positions: PositionSet, solver: Solver
) -> None:
    agent = make_agent("perfect:objective=outcome", SMALL)
    found = move_accuracy(agent, positions, solver=solver)
    assert found.total.outcome_accuracy == 1
    assert found.total.best_move_accuracy < 1


def test_accuracy_agrees_with_the_analysis_of_every_position(
    positions: PositionSet, solver: Solver
) -> None:
    agent = LowestAgent(LowestSettings(), SMALL)
    columns = agent.choose(positions.batch())
    kept = best = 0
    for position, column in zip(positions.positions, columns, strict=True):
        scores = solver.analyse(position)
        top = max(score for score in scores if score is not None)
        kept += np.sign(scores[column]) == np.sign(top)
        best += scores[column] == top
    found = move_accuracy(agent, positions, solver=solver).total
    assert found == Accuracy(len(positions), kept, best)
    assert best < kept < len(positions)


def test_classes_add_up_to_the_whole(positions: PositionSet, solver: Solver) -> None:
    found = move_accuracy(make_agent("random", SMALL), positions, solver=solver)
    sums = np.sum([list(accuracy) for accuracy in found.classes.values()], axis=0)
    assert tuple(sums) == tuple(found.total)


def test_accuracy_does_not_depend_on_threads(positions: PositionSet, solver: Solver) -> None:
    agent = make_agent("random", SMALL)
    one, three = (
        move_accuracy(agent, positions, solver=solver, threads=threads) for threads in (1, 3)
    )
    other = move_accuracy(agent, positions, solver=solver, seed=1)
    assert one.total == three.total
    assert one.classes == three.classes
    assert other.classes != one.classes


def test_a_set_whose_score_is_too_low_is_found_out(solver: Solver) -> None:
    position = Position.from_moves("112", SMALL)
    score = solver.score(position)
    wrong = PositionSet(SMALL, (position,), np.array([score - 1], dtype=np.int8), ("x",))
    with pytest.raises(PositionSetError, match=r"112.*leave the score out"):
        move_accuracy(make_agent("perfect", SMALL), wrong, solver=solver)


def test_the_set_must_be_of_the_agents_board(positions: PositionSet) -> None:
    with pytest.raises(ArenaError, match="random plays 7x6 connect-4, the positions are of 4x4"):
        move_accuracy(make_agent("random"), positions)


def test_a_policy_that_is_none_names_the_agent(positions: PositionSet, solver: Solver) -> None:
    cheat = AnswerAgent(lambda batch: np.ones((len(batch), 4)), SMALL)
    with pytest.raises(AgentError, match="answer gives no chances in"):
        move_accuracy(cheat, positions, solver=solver)


def test_the_shared_solver_serves_when_none_is_given(positions: PositionSet) -> None:
    agent = make_agent("perfect", SMALL)
    assert move_accuracy(agent, positions).total.best_move_accuracy == 1


MATCH_KEYS = [
    "agent",
    "opponent",
    "geometry",
    "sides",
    "seed",
    "games",
    "wins",
    "draws",
    "losses",
    "first",
    "second",
    "mean_plies",
    "distinct_games",
    "agent_forfeits",
    "opponent_forfeits",
    "seconds",
]
ACCURACY_KEYS = [
    "positions",
    "outcome_accuracy",
    "outcome_accuracy_interval",
    "best_move_accuracy",
    "best_move_accuracy_interval",
]


def test_the_json_has_the_documented_keys(positions: PositionSet, solver: Solver) -> None:
    agent = make_agent("random", SMALL)
    success = json.loads(json.dumps(success_rate(agent, 4).to_json()))
    quota = json.loads(json.dumps(winning_quota(agent, 4).to_json()))
    accuracy = json.loads(json.dumps(move_accuracy(agent, positions, solver=solver).to_json()))
    assert list(success) == ["success_rate", "success_rate_interval", "objective", *MATCH_KEYS]
    rates = ["win_rate", "win_rate_interval", "winning_quota", "winning_quota_interval"]
    assert list(quota) == [*rates, *MATCH_KEYS]
    assert list(accuracy) == ["agent", "geometry", "seed", *ACCURACY_KEYS, "classes", "seconds"]
    assert list(accuracy["classes"]["end-easy"]) == ACCURACY_KEYS
