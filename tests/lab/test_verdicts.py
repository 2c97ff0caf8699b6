"""What perfect play says, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectlab.game import Geometry, Position
from connectlab.lab import verdicts
from connectlab.lab.verdicts import Verdicts, ask_solver
from connectlab.solver import Solver, distance_of

EMPTY = Position(Geometry(4, 4, 3))


def of(*scores: int | None, outcome_only: bool = False) -> Verdicts:
    return Verdicts(EMPTY, scores, outcome_only)


@pytest.mark.parametrize(
    ("scores", "outcome", "best"),
    [
        ((0, -1, 3, 2), "win", (2,)),
        ((-1, 0, 0, -2), "draw", (1, 2)),
        ((-1, -2, -3, -1), "loss", (0, 3)),
        ((0, 1, None, 0), "win", ()),
        ((0, None, 0, 0), None, ()),
        ((None, None, None, None), None, ()),
    ],
)
def test_the_outcome_is_known_as_soon_as_nothing_can_change_it(
    scores: tuple[int | None, ...], outcome: str | None, best: tuple[int, ...]
) -> None:
    assert of(*scores).outcome == outcome
    assert of(*scores).best == best


@given(st.lists(st.integers(-3, 3) | st.none(), min_size=4, max_size=4))
def test_some_column_leads_to_an_outcome_that_is_known(scores: list[int | None]) -> None:
    found = of(*scores)
    assert found.outcome is None or found.leading_to(found.outcome)
    assert {*found.known, *found.unknown} == set(range(4))


def test_columns_that_are_full_are_passed_over() -> None:
    position = Position.from_moves("111122", Geometry(4, 4, 4))
    found = Verdicts(position, (None, 1, None, 0))
    assert found.unknown == (2,)
    assert found.notes() == ["", "+1", "?", "0"]
    assert found.words(0) == found.words(2) == ""
    assert found.names(found.leading_to("win")) == ["2"]
    assert Verdicts(position, (None, 1, 0, 0)).best == (1,)


def test_outcomes_tell_no_distance() -> None:
    found = of(1, 0, -1, None, outcome_only=True)
    assert found.notes() == ["+", "=", "-", "?"]
    assert [found.words(column) for column in range(4)] == ["wins", "draws", "loses", ""]


@pytest.mark.parametrize("moves", ["12", "1112"])
def test_the_scores_of_the_columns_are_those_of_the_solver(moves: str) -> None:
    solver = Solver(EMPTY.geometry)
    position = Position.from_moves(moves, EMPTY.geometry)
    told: list[tuple[int, int]] = []
    found = ask_solver(solver, position, progress=lambda *count: told.append(count))
    assert found.scores == solver.analyse(position)
    assert told[-1] == (4, 4)
    outcomes = ask_solver(solver, position, outcome_only=True)
    assert outcomes.scores == solver.analyse(position, outcome_only=True)
    assert outcomes.outcome_only


def test_an_opening_is_solved_with_the_book() -> None:
    solver = Solver()
    for moves in ("", "4453", "444444", "57267654256"):
        position = Position.from_moves(moves)
        assert ask_solver(solver, position).scores == solver.analyse(position)


def test_a_question_nobody_asks_any_more_is_left() -> None:
    solver = Solver(EMPTY.geometry)
    assert ask_solver(solver, EMPTY, stopped=lambda: True).known == {}
    assert ask_solver(solver, EMPTY, deadline_s=0).unknown == (0, 1, 2, 3)


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
    assert of(1, 1, 0, -1).advice.startswith("Perfect play: 1 or 2, each of which wins in")
    assert of(1, 2, 0, -1).advice.startswith("Perfect play: 2, which wins in")
    assert "could not be found out" in of(None, None, None, None).advice
    assert of(1, None, 2, 0).advice.startswith("Columns 1 and 3 win;")
    assert "the best one is not known" in of(0, None, 0, 0).advice


def test_names_are_listed_as_people_do() -> None:
    assert verdicts.listed(["1"], "or") == "1"
    assert verdicts.listed(["1", "2", "3"], "or") == "1, 2 or 3"
