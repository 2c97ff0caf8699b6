from itertools import islice

import numpy as np
import pytest
from test_solver import arrays, random_positions

from connectlab.game import STANDARD, Position
from connectlab.solver import Solver
from connectlab.solver.book import NO_BOOK, Book
from connectlab.solver.path import make_board
from connectlab.solver.table import MAX_SCORE, Table
from connectlab.solver.takebacks import lower_bound

BOARD = make_board(STANDARD, Table(STANDARD, 1).store.tag_bits, has_book=True)


def bound(position: Position) -> int:
    book = Book.load(STANDARD)
    assert book is not None
    return lower_bound(np.uint64(position.mover), np.uint64(position.occupied), book.arrays, BOARD)


def taken_back(position: Position) -> list[Position]:
    """Return every position of which this one is a move, whether a game goes there or not."""
    found = []
    for column in range(7):
        cells = [1 << (7 * column + row) for row in range(6)]
        top = max((cell for cell in cells if cell & position.occupied), default=0)
        if top & position.opponent:
            found.append(Position(STANDARD, position.opponent ^ top, position.occupied ^ top))
    return found


def test_a_position_scores_no_less_than_the_places_it_comes_from_allow() -> None:
    book = Book.load(STANDARD)
    assert book is not None
    exact = tight = several = 0
    positions = list(islice(random_positions(13, seed=11), 60))
    scores = Solver(book=False).solve_many(arrays(positions)).scores.tolist()
    for position, score in zip(positions, scores, strict=True):
        found = [book.score(each.mover, each.occupied) for each in taken_back(position)]
        least = max((-each for each in found if each is not None), default=-MAX_SCORE)
        assert bound(position) == least <= score
        exact += least > -MAX_SCORE
        tight += least == score
        several += len(found) > 1
    assert min(exact, several) > 40
    assert 0 < tight < 60


@pytest.mark.parametrize("outcome_only", [False, True])
def test_scores_with_and_without_the_bound_agree(outcome_only: bool) -> None:
    """Without a book there is no bound."""
    positions = arrays(list(islice(random_positions(13, seed=12), 40)))
    bounded, plain = (
        Solver(book=book).solve_many(positions, outcome_only=outcome_only) for book in (True, False)
    )
    np.testing.assert_array_equal(bounded.scores, plain.scores)
    assert bounded.nodes.sum() < plain.nodes.sum()


@pytest.mark.parametrize("ply", [0, 5, 11, 12, 14, 20])
def test_nothing_is_said_of_positions_the_book_is_not_next_to(ply: int) -> None:
    for position in islice(random_positions(ply, seed=13), 3):
        assert bound(position) == -MAX_SCORE


def test_nothing_is_said_without_a_book() -> None:
    bare = make_board(STANDARD, Table(STANDARD, 1).store.tag_bits, has_book=False)
    position = next(random_positions(13, seed=14))
    words = np.uint64(position.mover), np.uint64(position.occupied)
    assert lower_bound(*words, NO_BOOK, bare) == -MAX_SCORE
