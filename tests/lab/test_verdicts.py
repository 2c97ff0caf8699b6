"""What perfect play says, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectlab.game import Geometry, Position
from connectlab.lab import verdicts
from connectlab.solver import Solver, distance_of

EMPTY = Position(Geometry(4, 4, 3))
SURE = (1.0, 0.0, 0.0, 0.0)


def said(scores: list[int | None], policy: tuple[float, ...]) -> str:
    return verdicts.disagreement(EMPTY, scores, policy).sentence


@pytest.mark.parametrize(
    ("scores", "policy", "sentence"),
    [
        ([0, -1, 3, 2], SURE, "it would throw away the win (columns 3 and 4 keep it)"),
        ([-1, 0, -1, -2], SURE, "it would throw away the draw (column 2 keeps it)"),
        ([1, -1, 3, 2], SURE, "it keeps the win"),
        ([0, -1, 0, -2], SURE, "it keeps the draw"),
        ([-1, -2, -3, -3], SURE, "every column loses, so it cannot err"),
        ([1, 2, 3, 3], SURE, "every column wins, so it cannot err"),
        (
            [0, 1, 1, -1],
            (0.2, 0.3, 0.3, 0.2),
            "it would throw away the win with a chance of 40 % (columns 2 and 3 keep it)",
        ),
        ([0, None, 0, 0], SURE, "whether it errs could not be found out in time"),
        ([None, 1, 0, 0], SURE, "whether it errs could not be found out in time"),
        ([0, 1, None, 0], SURE, "it would throw away the win (column 2 keeps it)"),
    ],
)
def test_a_sentence_says_what_would_be_thrown_away(
    scores: list[int | None], policy: tuple[float, ...], sentence: str
) -> None:
    assert said(scores, policy) == sentence


def test_each_column_keeps_the_outcome_or_not() -> None:
    found = verdicts.disagreement(EMPTY, [0, 2, None, 1], SURE, values=(0.0, -1.0, 3.0, -2.0))
    assert [column.keeps for column in found.columns] == [False, True, None, True]
    assert [column.outcome for column in found.columns] == ["draw", "win", None, "win"]
    assert found.outcome == "win"
    assert found.chance == 1.0
    assert found.throws_away
    assert found.overrated == (0,), "0.0 is no less a value than any other"


@given(st.lists(st.integers(-3, 3) | st.none(), min_size=4, max_size=4))
def test_some_column_keeps_an_outcome_that_is_known(scores: list[int | None]) -> None:
    columns = verdicts.column_verdicts(EMPTY, scores)
    known = verdicts.outcome_of(scores) is not None
    assert any(column.keeps for column in columns) == known


def test_columns_that_are_full_are_passed_over() -> None:
    position = Position.from_moves("111122", Geometry(4, 4, 4))
    found = verdicts.disagreement(position, [1, 0, 0], (0.0, 0.0, 1.0, 0.0))
    assert found.sentence == "it would throw away the win (column 2 keeps it)"
    assert verdicts.column_notes(position, [1, None, 0]) == ["", "+1", "?", "0"]
    assert verdicts.best_columns(position, [1, 0, 0]) == ["2"]
    assert verdicts.best_columns(position, [1, None, 0]) == []


def test_the_scores_of_the_columns_are_those_of_the_solver() -> None:
    solver = Solver(EMPTY.geometry)
    position = Position.from_moves("12", EMPTY.geometry)
    told: list[tuple[int, int]] = []
    scores = verdicts.column_scores(
        solver, position, progress=lambda done, total: told.append((done, total))
    )
    assert scores == list(solver.analyse(position))
    assert told[-1] == (4, 4)
    outcomes = verdicts.column_scores(solver, position, outcome_only=True)
    assert outcomes == list(solver.analyse(position, outcome_only=True))


def test_a_question_nobody_asks_any_more_is_left() -> None:
    solver = Solver(EMPTY.geometry)
    assert verdicts.column_scores(solver, EMPTY, stopped=lambda: True) == [None] * 4
    assert verdicts.column_scores(solver, EMPTY, deadline_s=0) == [None] * 4


def test_a_search_grows_to_its_limit_and_no_further() -> None:
    limits = list(verdicts._rounds(10_000_000))
    assert limits[-1] == 10_000_000
    assert limits == sorted(set(limits))
    assert list(verdicts._rounds(5)) == [5]


def test_a_verdict_is_a_sentence() -> None:
    position = Position.from_moves("4")
    assert verdicts.verdict(position, -1, 40) == (
        "the second player is to move and loses in 40 plies"
    )
    assert verdicts.verdict(Position.from_moves("1212121"), -18, 0) == (
        "the game is over, the first player has won"
    )
    assert verdicts.prospect(18, 1) == "wins in 1 ply"
    assert verdicts.prospect(0, 12) == "draws"
    assert distance_of(1, 0, position.geometry) == 41


def test_advice_admits_what_is_not_known() -> None:
    assert verdicts.advice(EMPTY, [1, 1, 0, -1]).startswith("Perfect play: 1 or 2, which wins in")
    assert "could not be found out" in verdicts.advice(EMPTY, [None] * 4)
    assert verdicts.advice(EMPTY, [1, None, 2, 0]).startswith("Columns 1 and 3 win;")
    assert "the best one is not known" in verdicts.advice(EMPTY, [0, None, 0, 0])


def test_names_are_listed_as_people_do() -> None:
    assert verdicts.listed(["1"], "or") == "1"
    assert verdicts.listed(["1", "2", "3"], "or") == "1, 2 or 3"
