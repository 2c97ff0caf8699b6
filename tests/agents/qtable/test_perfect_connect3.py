"""On 4x4 Connect-3 the table becomes perfect, and a walk through all games proves it.

The walk follows the player's policy with every move that it may make, and every legal move of the
opponent, from either seat. In each position the player's move must keep what the solver knows.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from connectlab.agents import Agent, make_agent
from connectlab.agents.qtable.config import QTableConfig
from connectlab.agents.qtable.training import QTableLearner
from connectlab.arena.exact import exact_success
from connectlab.arena.expected import exact_value
from connectlab.game import Geometry, Outcome, Position, PositionBatch
from connectlab.solver import Solver

BOARD = Geometry(4, 4, 3)
GAMES = {1: 1_000_000, 2: 1_000_000, 7: 1_000_000}
"""Games of the run for each seed."""


@cache
def solver() -> Solver:
    return Solver(BOARD)


@cache
def outcome(position: Position) -> int:
    """1, 0 or -1 for the side to move, or, once the game is over, for who would be."""
    if position.is_over:
        return 0 if position.outcome == Outcome.DRAW else -1
    return int(np.sign(solver().score(position)))


def decisions(agent: Agent, seat: int) -> Iterator[tuple[Position, Position]]:
    """Yield each position in which the agent may have to move, with each that it may make of it."""
    front, turn = PositionBatch.start(1, BOARD), 0
    while len(front):
        own = turn % 2 == seat
        rows, columns = np.nonzero(agent.policy(front) if own else front.legal)
        after = front[rows].play(columns)
        if own:
            for i, row in enumerate(rows.tolist()):
                yield front.position(row), after.position(i)
        front, _ = after[after.outcomes == Outcome.ONGOING].distinct()
        turn += 1


def mistakes(agent: Agent) -> tuple[int, int]:
    """Return how many moves were looked at, and how many of them spoil the outcome."""
    found = [
        -outcome(after) != outcome(before)
        for seat in (0, 1)
        for before, after in decisions(agent, seat)
    ]
    return len(found), sum(found)


def trained(folder: Path, seed: int, games: int) -> Agent:
    preset = {**QTableConfig.presets["connect3"].settings, "seed": seed, "games": games}
    learner = QTableLearner(QTableConfig.model_validate(preset))
    while learner.games_done < games:
        learner.step()
    learner.checkpoint().save(folder / "table.safetensors")
    return make_agent(f"qtable:{folder / 'table.safetensors'}", BOARD)


@pytest.mark.slow
@pytest.mark.parametrize("seed", GAMES)
def test_the_preset_reaches_perfect_play_from_either_seat(tmp_path: Path, seed: int) -> None:
    agent = trained(tmp_path, seed, GAMES[seed])
    moves, spoiled = mistakes(agent)
    assert spoiled == 0
    assert moves > 2_000
    exact = exact_success(agent)
    assert (exact.draw, exact.loss) == (0, 0), "no perfect opponent escapes"


@pytest.mark.slow
def test_where_moves_slip_it_comes_within_two_hundredths_of_the_optimum(tmp_path: Path) -> None:
    """Against the best opponent there is, one that knows its policy."""
    learner = QTableLearner(
        QTableConfig.model_validate(QTableConfig.presets["connect3-slip"].settings)
    )
    beginner = QTableLearner(learner.config)
    while learner.games_done < learner.config.games:
        learner.step()
    values = []
    for each in (beginner, learner):
        each.checkpoint().save(tmp_path / f"{each.games_done}.safetensors")
        spec = f"qtable:{tmp_path / str(each.games_done)}.safetensors"
        values.append(exact_value(make_agent(spec, learner.config.geometry)))
    assert values[0].value.first < 0
    assert values[1].value.first > values[1].best.first - 0.02
    assert values[1].value.second > values[1].best.second - 0.02


def test_the_walk_finds_the_mistakes_of_a_beginner(tmp_path: Path) -> None:
    moves, spoiled = mistakes(trained(tmp_path, 1, 500))
    assert 0 < spoiled < moves


def test_the_walk_finds_none_in_perfect_play() -> None:
    moves, spoiled = mistakes(make_agent("perfect:objective=outcome", BOARD))
    assert moves > 2_000
    assert spoiled == 0
