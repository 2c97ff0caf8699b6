"""The solver as a whole: against plain minimax, against BitBully, and its own promises."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice

import bitbully
import numpy as np
import pytest
from bitbully import bitbully_core
from numpy.typing import NDArray
from oracle import Oracle

from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch
from connectlab.solver import (
    ILLEGAL,
    Book,
    Solution,
    Solutions,
    Solver,
    SolverError,
    distance_of,
)
from connectlab.solver import solver as solver_module
from connectlab.solver.path import Path

OPENING_SCORES = (-2, -1, 0, 1, 0, -1, -2)
HARD = "4444"
"""Takes seconds without a book."""

OTHER_BOARDS = [
    Geometry(5, 5, 4),
    Geometry(6, 5, 4),
    Geometry(5, 6, 4),
    Geometry(9, 6, 4),
    Geometry(8, 7, 4),
    Geometry(5, 4, 3),
    Geometry(7, 6, 5),
    Geometry(12, 4, 4),
    Geometry(21, 2, 3),
    Geometry(32, 1, 3),
    Geometry(4, 10, 4),
    Geometry(3, 20, 4),
    Geometry(3, 5, 3),
    Geometry(2, 31, 4),
    Geometry(1, 9, 3),
    Geometry(6, 6, 7),
]


def random_positions(ply: int, seed: int, geometry: Geometry = STANDARD) -> Iterator[Position]:
    """Yield positions with ``ply`` stones from random games that are not over by then."""
    rng = random.Random(f"{seed} {ply} {geometry}")
    while True:
        position = Position(geometry)
        while position.ply < ply and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if position.ply == ply and not position.is_over:
            yield position


def endgames(oracle: Oracle, n_games: int, n_empty: int) -> list[tuple[int, int]]:
    """Return (mover, other) late in games at random that avoid lines as long as they can."""
    rng = random.Random(f"endgames {oracle.geometry}")
    found = []
    for _ in range(n_games):
        mover = other = 0
        while not oracle.has_line(other) and (cells := oracle.landings(mover | other)):
            if oracle.geometry.cells - (mover | other).bit_count() <= n_empty:
                found.append((mover, other))
            quiet = [cell for cell in cells if not oracle.has_line(mover | cell)]
            mover, other = other, mover | rng.choice(quiet or cells)
    assert len(found) > n_games
    return found


def arrays(positions: list[Position]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    batch = PositionBatch.of(positions)
    return batch.mover, batch.occupied


def bitbully_score(position: Position, opponent: bitbully_core.BitBullyCore) -> int:
    board = bitbully_core.BoardCore()
    assert board.setBoard(list(position.history or ()))
    return int(opponent.mtdf(board, 0))


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


@pytest.fixture(scope="module")
def bookless() -> Solver:
    return Solver(book=False)


@pytest.mark.parametrize("geometry", [Geometry(4, 4, 3), Geometry(4, 4, 4)], ids=str)
def test_every_position_of_a_small_board_has_the_score_of_plain_minimax(
    geometry: Geometry,
) -> None:
    oracle = Oracle(geometry)
    rows = [
        (oracle.bits(mover), oracle.bits(mover | other), oracle.score(mover, other))
        for mover, other in oracle.reachable()
    ]
    mover, occupied = (np.array([row[i] for row in rows], dtype=np.uint64) for i in (0, 1))
    scores = np.array([row[2] for row in rows])
    found = Solver(geometry).solve_many((mover, occupied))
    assert found.known.all()
    np.testing.assert_array_equal(found.scores, scores)
    outcomes = Solver(geometry).solve_many((mover, occupied), outcome_only=True)
    np.testing.assert_array_equal(outcomes.scores, np.sign(scores))


@pytest.mark.parametrize("geometry", OTHER_BOARDS, ids=str)
def test_endgames_of_other_boards_have_the_score_of_plain_minimax(geometry: Geometry) -> None:
    oracle = Oracle(geometry)
    solver = Solver(geometry, table_mb=1)
    for mover, other in endgames(oracle, n_games=60, n_empty=9):
        position = Position(geometry, oracle.bits(mover), oracle.bits(mover | other))
        assert solver.score(position) == oracle.score(mover, other)


@pytest.mark.parametrize("ply", range(42))
def test_scores_agree_with_bitbully_at_every_ply(ply: int, solver: Solver) -> None:
    opponent = bitbully.BitBully("12-ply-dist")._core if ply < 12 else bitbully_core.BitBullyCore()
    n = 1 if ply == 0 else 4 if ply == 12 else 10 if ply < 14 or ply > 37 else 40
    positions = list(islice(random_positions(ply, seed=1), n))
    found = Solver(book=ply < 12, table_mb=16).solve_many(arrays(positions))
    assert found.scores.tolist() == [bitbully_score(p, opponent) for p in positions]


@pytest.mark.slow
@pytest.mark.parametrize("ply", range(12, 42))
def test_many_scores_agree_with_bitbully(ply: int) -> None:
    opponent = bitbully_core.BitBullyCore()
    n = {12: 30, 13: 60, 14: 100, 15: 150}.get(ply, 200 if ply < 37 else 50)
    positions = list(islice(random_positions(ply, seed=2), n))
    found = Solver(book=False).solve_many(arrays(positions), threads=2)
    assert found.scores.tolist() == [bitbully_score(p, opponent) for p in positions]


def test_opening_has_the_published_scores(solver: Solver) -> None:
    assert solver.book is not None
    assert solver.analyse(Position()) == OPENING_SCORES
    assert solver.best_moves(Position()) == (3,)
    assert solver.distance(Position()) == 41


@pytest.mark.slow
def test_opening_is_won_by_search_alone(bookless: Solver) -> None:
    assert bookless.book is None
    assert bookless.outcome(Position()) == 1


def test_book_and_search_agree(solver: Solver, bookless: Solver) -> None:
    for ply in (10, 11, 12):
        for position in islice(random_positions(ply, seed=3), 2):
            assert solver.score(position) == bookless.score(position)


def test_book_can_be_given() -> None:
    book = Book.load(STANDARD)
    assert book is not None
    assert Solver(book=book, table_mb=1).book is book


def test_a_book_of_another_board_is_refused() -> None:
    for geometry in (Geometry(7, 6, 5), Geometry(6, 6, 4)):
        with pytest.raises(SolverError, match="the book knows 7x6 connect-4, not"):
            Solver(geometry, book=Book.load(STANDARD) or False)


def test_mirror_image_has_the_same_score(bookless: Solver) -> None:
    for ply in (13, 14, 20, 30):
        for position in islice(random_positions(ply, seed=4), 5):
            assert bookless.score(position.mirror()) == bookless.score(position)


def test_outcome_is_the_sign_of_the_score_and_costs_less() -> None:
    positions = [p for ply in (14, 16, 18) for p in islice(random_positions(ply, seed=5), 20)]
    exact = Solver(book=False).solve_many(arrays(positions))
    outcome = Solver(book=False).solve_many(arrays(positions), outcome_only=True)
    np.testing.assert_array_equal(outcome.scores, np.sign(exact.scores))
    assert outcome.nodes.sum() < exact.nodes.sum() / 2


def test_lost_game_scores_as_the_move_that_lost_it(solver: Solver) -> None:
    before = Position.from_moves("112233")
    over = before.play(3)
    assert over.outcome is Outcome.FIRST_WINS
    assert solver.score(over) == -solver.score(before) == -18
    assert solver.outcome(over) == -1
    assert solver.distance(over) == 0
    assert solver.analyse(over) == (None,) * 7
    assert solver.best_moves(over) == ()


def test_full_board_is_a_draw() -> None:
    geometry = Geometry(3, 3, 4)
    full = Position.from_moves("111222333", geometry)
    assert Solver(geometry).solve(full) == Solution(0, 0, pytest.approx(0, abs=1), 0)


def test_analysis_has_the_score_after_each_move(solver: Solver) -> None:
    position = Position.from_moves("44444412")
    scores = solver.analyse(position)
    assert scores[3] is None
    for column in position.legal_columns:
        assert scores[column] == -solver.score(position.play(column))
    assert max(score for score in scores if score is not None) == solver.score(position)


def test_best_moves_by_outcome_include_slower_wins(solver: Solver) -> None:
    position = Position.from_moves("444453331")
    assert solver.best_moves(position) == (2,)
    assert set(solver.best_moves(position, "outcome")) > {2}


def test_analyse_many_gives_each_position_its_row(solver: Solver) -> None:
    positions = list(islice(random_positions(24, seed=6), 30))
    positions.append(Position.from_moves("1122334"))
    rows = solver.analyse_many(PositionBatch.of(positions))
    assert rows.dtype == np.int8
    assert rows.shape == (31, 7)
    assert (rows[-1] == ILLEGAL).all()
    for position, row in zip(positions, rows, strict=True):
        expected = [ILLEGAL if s is None else s for s in solver.analyse(position)]
        assert row.tolist() == expected


def test_perfect_play_ends_when_the_distance_says(solver: Solver) -> None:
    for position in islice(random_positions(16, seed=7), 4):
        ending = position
        while not ending.is_over:
            ending = ending.play(solver.best_moves(ending)[0])
        assert solver.distance(position) == ending.ply - position.ply


@pytest.mark.parametrize(
    ("score", "ply", "distance"),
    [(18, 6, 1), (1, 0, 41), (-1, 0, 42), (1, 1, 41), (-1, 1, 40), (0, 10, 32), (-18, 7, 0)],
)
def test_distance_of_a_score(score: int, ply: int, distance: int) -> None:
    assert distance_of(score, ply, STANDARD) == distance


@pytest.mark.parametrize("outcome_only", [False, True])
def test_node_limit_ends_in_unknown(outcome_only: bool) -> None:
    solver = Solver(book=False, table_mb=1)
    solution = solver.solve(Position.from_moves(HARD), max_nodes=5000, outcome_only=outcome_only)
    assert solution.score is None
    assert solution.distance is None
    assert solution.nodes == 5000


def test_deadline_ends_in_unknown_at_the_next_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()  # a second passes whenever somebody looks
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(solver_module, "PAUSE_NODES", 1000)
    solution = Solver(book=False, table_mb=1).solve(Position.from_moves(HARD), deadline_s=8)
    assert solution.score is None
    assert solution.distance is None
    assert solution.nodes == 3 * 1000  # each piece of work looks at the clock three times
    assert solution.seconds == 3


@pytest.mark.parametrize("max_nodes", [-1, 2**62 + 1, 2**64, 10**40])
def test_impossible_limits_of_nodes_are_refused(max_nodes: int, bookless: Solver) -> None:
    for ask in (bookless.solve, one_of_many(bookless)):
        with pytest.raises(SolverError, match=f"nodes is 0 to .* not {max_nodes}"):
            ask(Position.from_moves("112233"), max_nodes=max_nodes)


@pytest.mark.parametrize("deadline_s", [float("nan"), float("inf"), 1e300])
def test_impossible_limits_of_time_are_refused(deadline_s: float, bookless: Solver) -> None:
    for ask in (bookless.solve, one_of_many(bookless)):
        with pytest.raises(SolverError, match="seconds is at most 1,000,000,000, not"):
            ask(Position.from_moves("112233"), deadline_s=deadline_s)


def one_of_many(solver: Solver) -> Callable[..., Solutions]:
    return lambda position, **limits: solver.solve_many(PositionBatch.of([position]), **limits)


def test_largest_limits_are_no_limits(bookless: Solver) -> None:
    position = Position.from_moves("112233")
    assert bookless.solve(position, max_nodes=2**62, deadline_s=10**9).score == 18
    assert bookless.solve(position, deadline_s=-1).score is None


def test_impossible_table_is_refused() -> None:
    with pytest.raises(UserError, match="1 to 65,536 MB, not 1000000000"):
        Solver(table_mb=10**9)


def test_table_grows_in_the_middle_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_moves("444425453")
    small = Solver(book=False, table_mb=1).solve(position)
    growing = Solver(book=False, table_mb=8)
    assert 1000 < small.nodes < 30_000  # enough to grow, too few to lose entries before
    monkeypatch.setattr(growing.table, "nodes_before_growth", 500)
    grown = growing.solve(position)
    assert growing.table.store is growing.table.stores[-1]
    assert grown.score == small.score
    assert abs(grown.nodes - small.nodes) <= small.nodes / 20
    growing.clear()
    assert growing.table.store is growing.table.stores[0]
    assert growing.solve(position).nodes == small.nodes


@pytest.mark.parametrize("threads", [1, 3])
def test_table_may_grow_while_threads_search(
    threads: int, bookless: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = PositionBatch.of(list(islice(random_positions(18, seed=13), 60)))
    growing = Solver(book=False, table_mb=4)
    monkeypatch.setattr(growing.table, "nodes_before_growth", 2000)
    found = growing.solve_many(batch, threads=threads)
    assert growing.table.store is growing.table.stores[-1]
    np.testing.assert_array_equal(found.scores, bookless.solve_many(batch).scores)


def test_time_of_a_batch_is_shared_by_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    positions = [next(random_positions(ply, seed=14)) for ply in (16, 20, 24, 30)]
    found = Solver(book=False, table_mb=1).solve_many(arrays(positions))
    shares = (found.nodes + 1) / (found.nodes + 1).sum()
    np.testing.assert_allclose(found.seconds, shares)  # one piece of work, one second


def test_limits_leave_no_trace_in_later_answers() -> None:
    solver = Solver(book=False, table_mb=1)
    position = next(random_positions(16, seed=8))
    for limit in (1, 10, 100):
        solver.solve(position, max_nodes=limit)
    assert solver.score(position) == Solver(book=False).score(position)


def test_limited_batch_says_which_scores_are_known() -> None:
    easy = Position.from_moves("112233")
    mover, occupied = arrays([easy, Position.from_moves(HARD), easy])
    found = Solver(book=False).solve_many((mover, occupied), max_nodes=100)
    assert found.known.tolist() == [True, False, True]
    assert found.scores.tolist() == [18, 0, 18]
    assert found.nodes.tolist() == [0, 100, 0]
    late = Solver(book=False).solve_many((mover, occupied), deadline_s=0)
    assert not late.known.any()


@pytest.mark.parametrize("table_mb", [1, 64])
def test_results_do_not_depend_on_threads(table_mb: int) -> None:
    positions = [p for ply in (16, 20, 24) for p in islice(random_positions(ply, seed=9), 60)]
    batch = PositionBatch.of(positions)
    alone = Solver(book=False, table_mb=table_mb).solve_many(batch)
    shared = Solver(book=False, table_mb=table_mb).solve_many(batch, threads=2)
    np.testing.assert_array_equal(alone.scores, shared.scores)
    assert alone.known.all() and shared.known.all()
    assert (alone.seconds > 0).all() and (shared.seconds > 0).all()


def test_one_solver_serves_several_threads_at_once(bookless: Solver) -> None:
    positions = list(islice(random_positions(20, seed=10), 40))
    expected = [bookless.score(p) for p in positions]
    fresh = Solver(book=False, table_mb=1)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fresh.score, positions)) == expected


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_reported_to_the_end(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "PAUSE_NODES", 20)
    calls: list[tuple[int, int]] = []
    batch = PositionBatch.of(list(islice(random_positions(30, seed=11), 100)))
    Solver(book=False, table_mb=1).solve_many(
        batch, threads=threads, progress=lambda done, total: calls.append((done, total))
    )
    assert len(calls) > 2
    assert calls == sorted(calls)
    assert calls[-1] == (100, 100)


def test_no_positions_have_no_scores(solver: Solver) -> None:
    empty = PositionBatch.of([])
    assert len(solver.solve_many(empty).scores) == 0
    assert solver.analyse_many(empty).shape == (0, 7)


def test_cleared_solver_starts_again() -> None:
    solver = Solver(book=False, table_mb=1)
    position = Position.from_moves("4444531")
    first = solver.solve(position)
    assert solver.solve(position).nodes < first.nodes
    solver.clear()
    assert solver.solve(position).nodes == first.nodes


def test_other_board_is_refused(solver: Solver) -> None:
    with pytest.raises(SolverError, match="this solver is for the 7x6 connect-4 board, not 6x5"):
        solver.score(Position(Geometry(6, 5, 4)))
    with pytest.raises(SolverError, match="not 6x5"):
        solver.solve_many(PositionBatch.start(3, Geometry(6, 5, 4)))


def test_nonsense_is_refused(solver: Solver) -> None:
    with pytest.raises(SolverError, match="'distance' or 'outcome', not 'speed'"):
        solver.best_moves(Position(), "speed")  # type: ignore[arg-type]
    with pytest.raises(SolverError, match="threads must be 1 or more, not 0"):
        solver.solve_many(PositionBatch.start(1), threads=0)
    with pytest.raises(SolverError, match=r"1-D and alike, not \(2,\) and \(3,\)"):
        solver.solve_many((np.zeros(2, np.uint64), np.zeros(3, np.uint64)))
    for pair in [
        (np.zeros(2), np.zeros(2)),
        (np.zeros(2, np.uint64),),
        ([2**70], [2**70]),
        (["a"], ["b"]),
    ]:
        with pytest.raises(SolverError, match="a pair of arrays of whole numbers of 64 bits"):
            solver.best_moves_many(pair)  # type: ignore[arg-type]
    assert solver.solve_many(([0], [0])).scores.tolist() == [1]  # type: ignore[arg-type]


class Emptied(list[Path]):
    """Paths that another thread takes between a look and a grasp."""

    def __bool__(self) -> bool:
        return True


def test_a_path_that_another_thread_took_first_is_made_anew() -> None:
    solver = Solver(Geometry(4, 4, 3))
    solver._paths = Emptied()
    assert solver.score(Position(solver.geometry)) > 0
