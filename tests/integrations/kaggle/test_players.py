"""The players of the runtime themselves: their values, what they prove, and how they choose."""

import random
from math import log, sqrt

import numpy as np
import pytest
from submissions import some_positions

from connectlab.agents import make_agent
from connectlab.agents.minimax import evaluate, streak_gains
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.random_lines import random_lines
from connectlab.integrations.kaggle.opening import book_arrays, opening_arrays
from connectlab.integrations.kaggle.players import ExportError, make_submission
from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.book import BOOK_PLY, OpeningBook
from connectlab.integrations.kaggle.runtime.clock import Clock
from connectlab.integrations.kaggle.runtime.mcts import OPEN, MCTSPlayer, Node, TreePlan
from connectlab.integrations.kaggle.runtime.minimax import MinimaxPlayer
from connectlab.integrations.kaggle.runtime.negamax import NegamaxPlayer
from connectlab.integrations.kaggle.runtime.perfect import PerfectPlayer, halfway
from connectlab.integrations.kaggle.runtime.play import answer
from connectlab.integrations.kaggle.runtime.solver import Prover
from connectlab.solver import Solver
from connectlab.solver.book import Book

BOARD = Board(7, 6, 4)
SMALL = Geometry(5, 4, 4)


def no_hurry() -> Clock:
    return Clock(1e9, 0.0, lambda: 0.0)


def plan(**changed: object) -> TreePlan:
    usual = TreePlan(400, 1.0, False, True, False, True, False, 0.0)
    return usual._replace(**changed)  # type: ignore[arg-type]


def prove(prover: Prover, position: Position, alpha: int) -> int:
    threats = prover.board.winning(position.mover ^ position.occupied, position.occupied)
    prover.limit = 1 << 60
    return prover.search(position.mover, position.occupied, threats, alpha)


def quiet(positions: list[Position]) -> list[Position]:
    """Leave out positions that are won with the next stone."""
    return [
        position
        for position in positions
        if not any(position.play(column).is_over for column in position.legal_columns)
    ]


@pytest.mark.parametrize("geometry", [SMALL, Geometry(4, 5, 3), Geometry(6, 4, 4)], ids=str)
def test_a_bound_of_the_prover_always_holds(geometry: Geometry) -> None:
    solver = Solver(geometry)
    prover = Prover(Board(geometry.columns, geometry.rows, geometry.connect))
    prover.begin(no_hurry())
    positions = [p for p in some_positions(60, geometry) if p.ply > geometry.cells // 4]
    for position in quiet(positions):
        score = solver.score(position)
        for alpha in range(-4, 4):
            bound = prove(prover, position, alpha)
            assert (bound > alpha) == (score > alpha)
            assert bound <= score if bound > alpha else bound >= score


def test_the_prover_knows_late_positions_of_the_standard_board() -> None:
    solver, prover = Solver(), Prover(BOARD)
    prover.begin(no_hurry())
    late = [position for position in quiet(some_positions(800)) if position.ply > 20]
    assert len(late) > 20
    for position in late:
        assert (prove(prover, position, 0) > 0) == (solver.score(position) > 0)


@pytest.fixture(scope="module")
def arrays() -> dict[str, np.ndarray]:
    book = Book.load()
    assert book is not None
    return book_arrays(book)


def test_the_book_of_a_submission_says_what_ours_says(arrays: dict[str, np.ndarray]) -> None:
    book, ours = OpeningBook(BOARD, arrays), Book.load()
    assert ours is not None
    batch = random_lines(400, BOOK_PLY, BOOK_PLY, seed=2).batch
    positions = quiet([batch.position(i) for i in range(len(batch))])  # others are left out
    assert len(positions) > 100
    for position in positions:
        stones = position.mover, position.occupied
        assert book.score(*stones) == ours.score(*stones)


def test_the_first_moves_come_with_their_scores() -> None:
    solver = Solver()
    found = opening_arrays(solver)
    scores = dict(zip(found["keys"].tolist(), found["scores"].tolist(), strict=True))
    assert len(scores) == 7 + 49 + 238
    for line in ("4", "1", "44", "35", "443", "127"):
        position = Position.from_moves(line)
        key = position.mover + position.occupied + BOARD.bottom
        assert scores[key] == solver.score(position)


def test_what_was_learned_is_not_searched_again() -> None:
    found = opening_arrays(Solver())
    prover = Prover(BOARD).learn(found["keys"].tolist(), found["scores"].tolist())
    chances = PerfectPlayer(prover, distance=True).policy(0, 0, no_hurry())
    assert chances == [0, 0, 0, 1, 0, 0, 0]
    assert prover.nodes == 0


def test_without_time_to_prove_a_move_that_does_not_lose_at_once_is_played() -> None:
    player = PerfectPlayer(Prover(BOARD), distance=True)
    position = Position.from_moves("44455")
    chances = player.policy(position.mover, position.occupied, Clock(0.0, 0.0))
    assert not player.solved
    assert sum(chances) == 1.0


@pytest.mark.parametrize(("lower", "upper"), [(-20, -1), (1, 18), (-3, -2), (0, 1), (-1, 1)])
def test_a_threshold_lies_between_the_bounds(lower: int, upper: int) -> None:
    assert lower <= halfway(lower, upper) < upper


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(8, 5, 5)], ids=str)
def test_streaks_are_worth_what_they_are_worth_here(geometry: Geometry) -> None:
    board = Board(geometry.columns, geometry.rows, geometry.connect)
    player, gains = MinimaxPlayer(board, 1, force_center=False), streak_gains(geometry)
    for position in some_positions(100, geometry):
        own, other = position.mover, position.mover ^ position.occupied
        value = evaluate(np.uint64(own), np.uint64(other), geometry.shape, gains)
        assert player.evaluate(own, other) == value


def test_ties_are_broken_with_the_chances_of_kaggles_negamax() -> None:
    positions = some_positions(60)
    chances = make_agent("negamax:depth=3").policy(PositionBatch.of(positions))
    player = NegamaxPlayer(BOARD, 3)
    ours = [player.policy(p.mover, p.occupied, no_hurry()) for p in positions]
    assert np.allclose(ours, chances)
    assert any(sorted(row)[-2] == 0.25 for row in ours)


def test_a_column_is_drawn_with_its_chance() -> None:
    class Biased:
        board = Board(2, 4, 4)

        def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
            return [0.25, 0.75]

    random.seed(3)
    seen = {"board": [0] * 8, "mark": 1}
    rules = {"columns": 2, "rows": 4, "inarow": 4}
    drawn = [answer(Biased(), seen, rules) for _ in range(2000)]
    assert 0.70 < sum(drawn) / 2000 < 0.80


def test_uct_takes_the_highest_sum_of_mean_and_breadth() -> None:
    player = MCTSPlayer(BOARD, plan(exploration=2.0))
    node = Node(0, 0, OPEN, [])
    for cell, visits, total in ((1, 10, 6.0), (128, 2, 0.5), (1 << 14, 30, 20.0)):
        node.children[cell] = Node(0, cell, OPEN, [])
        node.visits[cell], node.totals[cell] = visits, total
    scores = {
        cell: node.totals[cell] / n + 2.0 * sqrt(log(42) / n) for cell, n in node.visits.items()
    }
    assert player.best_by_uct(node) == max(scores, key=lambda cell: scores[cell]) == 128


@pytest.mark.parametrize(
    ("children", "untried", "result"),
    [
        ([-1, OPEN], 1, 1),  # one move to a lost position is enough
        ([1, 1], 0, -1),
        ([1, 0], 0, 0),
        ([1, 1], 1, OPEN),
        ([1, OPEN], 0, OPEN),
        ([0, OPEN], 0, OPEN),
    ],
)
def test_a_position_is_proven_by_its_moves(children: list[int], untried: int, result: int) -> None:
    node = Node(0, 0, OPEN, [1 << 40] * untried)
    node.children = {1 << 7 * i: Node(0, 0, found, []) for i, found in enumerate(children)}
    MCTSPlayer.settle(node)
    assert node.result == result


def test_a_proven_win_is_played_and_nothing_else() -> None:
    position = Position.from_moves("3344")  # an open three on either side wins by force
    player = MCTSPlayer(BOARD, plan(iterations=5000))
    random.seed(1)
    chances = player.policy(position.mover, position.occupied, forever())
    best = make_agent("perfect:objective=outcome").policy_of(position)
    assert {column for column in range(7) if chances[column]} <= {1, 4}
    assert all(best[column] for column in range(7) if chances[column])


def forever() -> Clock:
    """Return a clock by which all iterations are made and none beyond."""
    return Clock(0.0, 1e9, lambda: 0.0)


def test_forced_blocks_are_the_only_moves_considered() -> None:
    threatened = Position.from_moves("11223")  # the first player threatens the fourth column
    player = MCTSPlayer(BOARD, plan(forced_blocks=True, iterations=1))
    chances = player.policy(threatened.mover, threatened.occupied, forever())
    assert chances[3] == 1.0


def test_temperature_spreads_the_chances_by_visits() -> None:
    random.seed(2)
    player = MCTSPlayer(BOARD, plan(temperature=1.0, iterations=300))
    chances = player.policy(0, 0, forever())
    assert sum(chances) == pytest.approx(1.0)
    assert min(chances) > 0.0


@pytest.mark.parametrize(("heuristic", "highest"), [(False, -0.4), (True, -1.0)])
def test_rollouts_know_who_is_about_to_win(heuristic: bool, highest: float) -> None:
    position = Position.from_moves("33445")  # two threats against the side to move
    player = MCTSPlayer(BOARD, plan(heuristic=heuristic))
    random.seed(4)
    values = [player.roll(position.mover, position.occupied) for _ in range(400)]
    assert sum(values) / 400 <= highest


def test_a_rollout_is_worth_as_much_for_either_side() -> None:
    random.seed(5)
    player = MCTSPlayer(Board(4, 4, 5), plan())
    assert {player.roll(0, 0) for _ in range(20)} == {0.0}  # nobody can make a line of five


def test_a_perfect_player_that_loses_anyhow_is_not_exported_as_another() -> None:
    with pytest.raises(ExportError, match="objective=framework cannot be exported"):
        make_submission(make_agent("perfect:objective=framework"))
