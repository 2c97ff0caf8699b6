"""Exact values of games with chance, against naive expectimax and against the perfect solver."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from connectlab.game import Geometry, Position, PositionBatch
from connectlab.game.lockstep import Lockstep
from connectlab.game.variants import Variant
from connectlab.solver import Solver, SolverError
from connectlab.solver.expectation import EQUAL, Expectation, expectation_of
from naive import NaiveGame, backup, expectimax

SLIPPERY = Geometry(3, 3, 3, Variant(slip=0.25))
FALLING = Geometry(3, 3, 3, Variant(slip=0.125, drop_row=0.25))


def naive_of(position: Position) -> NaiveGame:
    """The same board for the naive rules: the side to move is its player 1."""
    game = NaiveGame(position.geometry.columns, position.geometry.rows, position.geometry.connect)
    for column in range(game.columns):
        for row in range(game.rows):
            cell = position.geometry.cell(column, row)
            stone = 1 if position.mover & cell else 2 if position.opponent & cell else 0
            game.grid[row][column] = stone
    return game


def position_of(game: NaiveGame, board: Geometry) -> Position:
    """Back again, whoever is to move; a position of which only the stones matter."""
    sides = [sum(board.cell(*cell) for cell in game.stones(player)) for player in (1, 2)]
    mover = sides[game.player - 1]
    return Position._unchecked(board, mover, sides[0] | sides[1], None)


def test_a_slippery_game_is_worth_what_trying_everything_says() -> None:
    found = Expectation(SLIPPERY)
    known: dict[str, Fraction] = {}
    assert found.start_value == pytest.approx(
        float(expectimax(NaiveGame(3, 3, 3), Fraction(1, 4), known)), abs=1e-12
    )
    batch = found.batch
    for position, value in zip(batch.positions(), found.values(batch), strict=True):
        assert value == pytest.approx(
            float(expectimax(naive_of(position), Fraction(1, 4), known)), abs=1e-12
        )


def test_where_rows_fall_every_value_is_that_of_its_best_column() -> None:
    found = Expectation(FALLING)
    assert found.sweeps > 1

    def value(game: NaiveGame) -> float:
        if game.winner():
            return -1.0
        return 0.0 if game.is_full() else found.value(position_of(game, FALLING))

    random = Random(1)
    for place in random.sample(range(len(found)), 60):
        batch = found.batch[place : place + 1]
        position = Position._unchecked(FALLING, int(batch.mover[0]), int(batch.occupied[0]), None)
        worth = backup(naive_of(position), Fraction(1, 8), Fraction(1, 4), value)
        own = found.column_values(batch)[0]
        assert own[np.isfinite(own)] == pytest.approx([float(w) for w in worth], abs=1e-9)
        assert found.values(batch)[0] == pytest.approx(float(max(worth)), abs=1e-9)


@pytest.mark.parametrize("board", [Geometry(3, 3, 3), Geometry(4, 4, 3), Geometry(4, 4, 4)])
def test_without_odds_the_values_are_the_outcomes_of_perfect_play(board: Geometry) -> None:
    found = Expectation(board)
    batch = found.batch[:: max(1, len(found) // 500)]
    solver = Solver(board, book=False)
    outcomes = [np.sign(solver.outcome(position)) for position in batch.positions()]
    assert found.values(batch).tolist() == outcomes


def test_values_come_near_those_of_perfect_play_as_slips_become_rare() -> None:
    plain = Expectation(Geometry(4, 4, 3))
    apart = [
        abs(Expectation(Geometry(4, 4, 3, Variant(slip=slip))).start_value - plain.start_value)
        for slip in (0.1, 0.01, 0.001)
    ]
    assert apart[0] > 5 * apart[1] > 25 * apart[2] > 0


def test_the_best_policy_reaches_the_value_against_the_best_opponent() -> None:
    found = expectation_of(SLIPPERY)
    worth = found.column_values(found.batch)
    best = worth >= worth.max(axis=1, keepdims=True) - EQUAL
    result = found.against_best(best / best.sum(axis=1, keepdims=True))
    assert result.first == pytest.approx(found.start_value, abs=1e-12)
    assert result.second == pytest.approx(-found.start_value, abs=1e-12)


def naive_against_best(game: NaiveGame, *, own: bool, known: dict[str, Fraction]) -> Fraction:
    """The value for the side to move if one side plays at random and the other knows it."""
    name = f"{own} {game.player} {game.grid}"
    if name not in known:
        if game.winner():
            known[name] = Fraction(-1)
        elif game.is_full():
            known[name] = Fraction(0)
        else:
            worth = backup(
                game,
                Fraction(1, 4),
                Fraction(0),
                lambda after: naive_against_best(after, own=not own, known=known),
            )
            known[name] = Fraction(sum(worth)) / len(worth) if own else Fraction(max(worth))
    return known[name]


def test_the_best_opponent_of_random_is_the_one_that_trying_everything_finds() -> None:
    found = expectation_of(SLIPPERY)
    legal = np.isfinite(found.column_values(found.batch))
    result = found.against_best(legal / legal.sum(axis=1, keepdims=True))
    known: dict[str, Fraction] = {}
    first = naive_against_best(NaiveGame(3, 3, 3), own=True, known=known)
    second = -naive_against_best(NaiveGame(3, 3, 3), own=False, known=known)
    assert result == pytest.approx((float(first), float(second)), abs=1e-12)


@pytest.mark.parametrize("board", [SLIPPERY, FALLING])
def test_a_worse_policy_is_worth_less_and_what_its_games_say(board: Geometry) -> None:
    found = expectation_of(board)
    legal = np.isfinite(found.column_values(found.batch))
    result = found.against_best(legal / legal.sum(axis=1, keepdims=True))
    assert result.first < found.start_value
    assert result.second < -found.start_value
    # Whoever plays the best moves is one of all opponents, so random does no worse against that.
    games = 4000
    running = Lockstep.start(range(games), board, seed=2)
    random = np.random.default_rng(1)
    first_moves = True
    while len(running):
        worth = found.column_values(running.batch)
        if first_moves:
            worth = np.where(np.isfinite(worth), random.random(worth.shape), -np.inf)
        running = running.play(worth.argmax(axis=1))
        first_moves = not first_moves
    value = np.choose(running.records.outcomes, [0, 1, -1, 0]).mean()
    assert value > result.first - 5 / games**0.5


def test_a_board_with_too_many_positions_is_refused_in_one_line() -> None:
    with pytest.raises(SolverError, match=r"7x6 connect-4 slip:0\.1 has more than 2,000,000 pos"):
        Expectation(Geometry(7, 6, 4, Variant(slip=0.1)))


def test_what_is_no_position_of_the_game_is_refused() -> None:
    found = expectation_of(SLIPPERY)
    with pytest.raises(SolverError, match="cannot be reached"):
        found.value(Position.from_moves("12121", SLIPPERY))
    with pytest.raises(SolverError, match="not of 3x3 connect-3"):
        found.value(Position(Geometry(3, 3, 3)))
    with pytest.raises(SolverError, match="one row a position"):
        found.against_best(np.ones((2, 3)))


def test_a_batch_is_looked_up_as_single_positions_are() -> None:
    found = expectation_of(SLIPPERY)
    positions = [Position.from_moves(moves, SLIPPERY) for moves in ("", "2", "21", "213")]
    batch = PositionBatch.of(positions)
    assert found.values(batch).tolist() == [found.value(position) for position in positions]


def test_the_solver_of_the_plain_game_refuses_all_others() -> None:
    with pytest.raises(SolverError, match=r"plain game, not 4x4 connect-3 slip:0\.25"):
        Solver(Geometry(4, 4, 3, Variant(slip=0.25)))
