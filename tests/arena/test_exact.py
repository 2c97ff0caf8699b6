"""The exact success rate against games that are really played, and against a plain recursion."""

import numpy as np
import pytest
from numpy.typing import NDArray

from connectlab.agents import Agent, make_agent
from connectlab.arena.exact import exact_success
from connectlab.arena.measures import success_rate
from connectlab.arena.workers import ArenaError
from connectlab.game import Geometry, Outcome, Position, PositionBatch
from connectlab.solver import Solver

SMALL = Geometry(4, 4, 3)


class Lowest(Agent):
    """Plays the first column with room."""

    name = "lowest"
    summary = "the first column with room"

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        return batch.legal.argmax(axis=1)


class Clever(Agent):
    """Plays the first of the best columns, so that it never errs."""

    name = "clever"
    summary = "the first best column"

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        solver = Solver(batch.geometry, table_mb=1)
        return np.array([solver.best_moves(p)[0] for p in batch.positions()])


def expected(agent: Agent, solver: Solver, position: Position) -> float:
    """The expected score of the first player, by the definition."""
    if position.outcome is not Outcome.ONGOING:
        return (1 + position.outcome.first_player_value) / 2
    if position.first_to_move:
        return expected(agent, solver, position.play(agent.choose_one(position)))
    moves = solver.best_moves(position)
    return sum(expected(agent, solver, position.play(c)) for c in moves) / len(moves)


@pytest.mark.parametrize("board", [SMALL, Geometry(4, 4, 4), Geometry(5, 4, 3)])
@pytest.mark.parametrize("kind", [Lowest, Clever])
def test_the_chances_are_those_of_a_plain_recursion(kind: type[Agent], board: Geometry) -> None:
    agent, solver = kind(geometry=board), Solver(board, table_mb=1)
    found = exact_success(agent, solver=solver)
    assert found.success_rate == pytest.approx(expected(agent, solver, Position(board)))
    assert found.win + found.draw + found.loss == pytest.approx(1.0)


def test_sampled_games_agree() -> None:
    agent = Lowest(geometry=Geometry(5, 5, 4))
    low, high = success_rate(agent, 2000, seed=5).success_rate_interval
    assert low <= exact_success(agent).success_rate <= high


class Outermost(Agent):
    """Plays the first or the last column by lot on an empty board, then the first with room."""

    name = "outermost"
    summary = "an outer column"

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        last = batch.geometry.columns - 1
        lot = np.where(batch.streams % 2 == 0, 0, last)
        return np.where(batch.occupied == 0, lot, batch.legal.argmax(axis=1))


def test_a_lot_between_mirror_images_is_no_lot() -> None:
    assert exact_success(Outermost(geometry=SMALL)).win >= 0


def test_a_player_that_draws_lots_is_refused() -> None:
    with pytest.raises(ArenaError, match="random draws lots"):
        exact_success(make_agent("random", SMALL))
