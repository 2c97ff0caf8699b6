from itertools import islice

import numpy as np
import pytest
from oracle import Oracle
from test_solver import HARD, random_positions

from connectlab.game import Geometry, Position, PositionBatch
from connectlab.solver import ILLEGAL, Solver
from connectlab.solver import best_moves as module
from connectlab.solver.best_moves import WORTH_KEEPING


def memory_size(solver: Solver, *, outcome_only: bool = False) -> int:
    return len(solver._memories[outcome_only])


def mirrored(batch: PositionBatch) -> PositionBatch:
    return PositionBatch.of([position.mirror() for position in batch.positions()])


@pytest.fixture(scope="module")
def middle() -> PositionBatch:
    """Positions that take long enough to be remembered."""
    return PositionBatch.of(list(islice(random_positions(16, seed=9), 30)))


@pytest.mark.parametrize("outcome_only", [False, True])
@pytest.mark.parametrize("geometry", [Geometry(4, 4, 3), Geometry(3, 5, 4)], ids=str)
def test_every_position_of_a_small_board_has_the_best_moves_of_plain_minimax(
    geometry: Geometry, outcome_only: bool
) -> None:
    oracle = Oracle(geometry)
    batch = PositionBatch.of(
        [
            Position(geometry, oracle.bits(mover), oracle.bits(mover | other))
            for mover, other in islice(oracle.reachable(), 0, None, 7)
        ]
    )
    scores = Solver(geometry).analyse_many(batch, outcome_only=outcome_only)
    over = (scores == ILLEGAL).all(axis=1)
    assert over.any()
    found = Solver(geometry).best_moves_many(batch, outcome_only=outcome_only)
    assert found.known.all()
    best = (scores == scores.max(axis=1, keepdims=True)) & ~over[:, None]
    np.testing.assert_array_equal(found.moves, best)
    np.testing.assert_array_equal(found.scores[~over], scores.max(axis=1)[~over])


def test_they_take_fewer_nodes_than_the_scores_of_all_moves(middle: PositionBatch) -> None:
    every, best = Solver(), Solver()
    scores = every.analyse_many(middle)
    found = best.best_moves_many(middle)
    np.testing.assert_array_equal(found.moves, scores == scores.max(axis=1, keepdims=True))
    assert best._nodes < every._nodes / 1.5


@pytest.mark.parametrize("outcome_only", [False, True])
def test_what_took_long_is_not_searched_again_nor_is_its_mirror_image(
    middle: PositionBatch, outcome_only: bool
) -> None:
    solver = Solver()
    first = solver.best_moves_many(middle, outcome_only=outcome_only)
    kept = memory_size(solver, outcome_only=outcome_only)
    assert 0 < kept <= len(middle)
    assert memory_size(solver, outcome_only=not outcome_only) == 0
    solver.table.clear()
    before = solver._nodes
    again = solver.best_moves_many(middle, outcome_only=outcome_only)
    turned = solver.best_moves_many(mirrored(middle), outcome_only=outcome_only)
    assert solver._nodes - before < 2 * WORTH_KEEPING * (len(middle) - kept + 1)
    for found, moves in ((again, first.moves), (turned, first.moves[:, ::-1])):
        np.testing.assert_array_equal(found.moves, moves)
        np.testing.assert_array_equal(found.scores, first.scores)
        assert found.known.all()


def test_a_batch_with_copies_and_mirror_images_has_the_moves_of_each(
    middle: PositionBatch,
) -> None:
    alone = Solver().best_moves_many(middle)
    both = PositionBatch.joined([middle, mirrored(middle), middle])
    found = Solver().best_moves_many(both)
    wanted = np.concatenate([alone.moves, alone.moves[:, ::-1], alone.moves])
    np.testing.assert_array_equal(found.moves, wanted)
    np.testing.assert_array_equal(found.scores, np.tile(alone.scores, 3))


def test_what_hit_a_limit_is_not_known_and_not_remembered() -> None:
    batch = PositionBatch.of([Position.from_moves(HARD), Position.from_moves("112233")])
    solver = Solver(book=False)
    found = solver.best_moves_many(batch, max_nodes=2 * WORTH_KEEPING)
    assert found.known.tolist() == [False, True]
    assert found.moves[1].tolist() == [column == 3 for column in range(7)]
    assert memory_size(solver) == 0


def test_a_full_memory_starts_afresh(
    middle: PositionBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 5)
    solver = Solver()
    found = solver.best_moves_many(middle)
    assert 0 < memory_size(solver) <= 5
    np.testing.assert_array_equal(solver.best_moves_many(middle).moves, found.moves)


def test_clearing_a_solver_clears_what_it_remembers(middle: PositionBatch) -> None:
    solver = Solver()
    solver.best_moves_many(middle)
    solver.clear()
    assert memory_size(solver) == 0


def test_no_positions_have_no_moves() -> None:
    found = Solver().best_moves_many(PositionBatch.start(0))
    assert found.moves.shape == (0, 7)
    assert len(found.scores) == len(found.known) == 0
