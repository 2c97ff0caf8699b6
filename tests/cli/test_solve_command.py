"""``connectlab solve``: one position and files of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from connectlab.game import Geometry, Position, PositionBatch
from connectlab.solver import Solution, Solutions, Solver

Cli = Callable[..., Any]

SMALL = ("--columns", "5", "--rows", "4")


def test_the_scores_of_the_opening(cli: Cli) -> None:
    document = cli("solve", "", "--json").document
    assert document["column_scores"] == dict(zip("1234567", [-2, -1, 0, 1, 0, -1, -2], strict=True))
    assert document["moves"] == ""
    assert document["score"] == 1
    assert document["winner"] == "first"
    assert document["distance"] == 41
    assert document["best"] == ["4"]
    assert document["nodes"] == Solver().solve(Position()).nodes > 1000
    assert 0 < document["seconds"] < 60
    assert document["geometry"] == {"columns": 7, "rows": 6, "connect": 4}


def test_people_read_who_wins_and_when(cli: Cli) -> None:
    ran = cli("solve", "121212")
    assert ran.code == 0
    assert "score 18: the first player is to move and wins in 1 ply\n" in ran.out
    assert "best move: 1\n" in ran.out
    assert "nodes in" in ran.out
    assert "the second player is to move and loses in" in cli("solve", "4").out


def test_a_finished_game_is_said_to_be_over(cli: Cli) -> None:
    ran = cli("solve", "1212121")
    assert ran.code == 0
    assert "the game is over, the first player has won" in ran.out
    assert "[X]" in ran.out


def test_a_drawn_position_is_called_a_draw(cli: Cli) -> None:
    assert "is to move and draws" in cli("solve", "", *SMALL).out


@pytest.mark.parametrize(
    ("moves", "word"), [("", "win"), ("1", "win"), ("4", "loss"), ("3", "draw")]
)
def test_outcome_alone_is_a_word(cli: Cli, moves: str, word: str) -> None:
    document = cli("solve", moves, "--outcome", "--json").document
    assert document["outcome"] == word
    assert "score" not in document
    assert document["winner"] == {"": "first", "1": "second", "4": "first", "3": None}[moves]


def test_outcome_for_people(cli: Cli) -> None:
    assert (
        "outcome win: the first player is to move and wins\n" in cli("solve", "", "--outcome").out
    )


def test_no_book_gives_the_same_score(cli: Cli) -> None:
    moves = "4444452356"
    with_book = cli("solve", moves, "--json").document
    without = cli("solve", moves, "--no-book", "--json").document
    assert with_book["column_scores"] == without["column_scores"]
    assert with_book["nodes"] < without["nodes"]


@pytest.mark.parametrize(
    ("option", "value", "part"),
    [
        ("--max-nodes", "9223372036854775808", "--max-nodes"),
        ("--max-nodes", "1" + "0" * 40, "--max-nodes"),
        ("--max-nodes", "1" + "0" * 5000, "--max-nodes"),
        ("--max-nodes", "0", "--max-nodes"),
        ("--max-nodes", "nan", "--max-nodes"),
        ("--table-mb", "100000000", "100000000 is not from 1 to 65,536"),
        ("--table-mb", "1" + "0" * 40, "is not from 1 to 65,536"),
        ("--table-mb", "-5", "--table-mb"),
        ("--table-mb", "inf", "--table-mb"),
        ("--max-seconds", "nan", "--max-seconds"),
        ("--max-seconds", "inf", "the limit of seconds is at most 1,000,000,000, not inf"),
        ("--max-seconds", "1e300", "the limit of seconds is at most 1,000,000,000, not 1e+300"),
        ("--max-seconds", "-1", "--max-seconds"),
    ],
)
@pytest.mark.parametrize("what", [("4453",), ("--file", "-")])
def test_an_impossible_limit_is_one_line(
    cli: Cli, option: str, value: str, part: str, what: tuple[str, ...]
) -> None:
    ran = cli("solve", *what, option, value, typed="4453\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert part in ran.err


def test_seconds_are_counted_once_over_all_columns(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each search takes three seconds of a made-up clock, and is told what is left of ten."""
    clock, told = [100.0], []

    def solve(_solver: Solver, _position: Position, **limits: Any) -> Solution:
        told.append(limits["deadline_s"])
        clock[0] += 3
        return Solution(0, 1, 3.0, 10)

    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    monkeypatch.setattr(Solver, "solve", solve)
    assert cli("solve", "4453", "--max-seconds", "10").code == 0
    assert told == [10, 7, 4, 1], "and then nobody is asked any more"


def test_seconds_of_a_file_are_counted_once(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    def solve_many(_solver: Solver, batch: PositionBatch, **limits: Any) -> Solutions:
        told.append((len(batch), limits["deadline_s"]))
        n = len(batch)
        return Solutions(
            np.zeros(n, np.int8), np.zeros(n, np.bool_), np.zeros(n, np.int64), np.zeros(n)
        )

    monkeypatch.setattr(Solver, "solve_many", solve_many)
    ran = cli("solve", "--file", "-", "--max-seconds", "10", typed="1\n2\n3\n")
    assert ran.out == "1 unknown\n2 unknown\n3 unknown\n"
    assert told == [(3, 10)]


@pytest.mark.parametrize("limit", [("--max-nodes", "1"), ("--max-seconds", "0")])
def test_a_limit_ends_in_unknown(cli: Cli, limit: tuple[str, str]) -> None:
    ran = cli("solve", "", "--columns", "9", *limit)
    assert ran.code == 0
    assert "unknown: the limit was reached before the position was solved\n" in ran.out
    document = cli("solve", "", "--columns", "9", *limit, "--json").document
    assert document["score"] is None
    assert document["best"] == []
    assert set(document["column_scores"].values()) == {None}


def test_wide_boards_name_columns_by_letters(cli: Cli) -> None:
    document = cli("solve", "aab", "--columns", "12", "--rows", "3", "--connect", "3", "--json")
    assert document.document["moves"] == "aab"
    assert {"9", "a", "c"} <= set(document.document["column_scores"])


def test_a_line_in_gives_a_line_out(cli: Cli, tmp_path: Path) -> None:
    lines = ["# a comment", "", "1122", "  333 -2", "12 17 # spare words", "4321"]
    file = tmp_path / "moves.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    ran = cli("solve", "--file", str(file), *SMALL)
    solver = Solver(Geometry(5, 4))
    expected = [
        f"{moves} {solver.score(Position.from_moves(moves, solver.geometry))}"
        for moves in ("1122", "333", "12", "4321")
    ]
    assert ran.out.splitlines() == expected
    assert (ran.code, ran.err) == (0, "")


def test_a_file_as_json_has_nodes_and_seconds_of_each(cli: Cli) -> None:
    ran = cli("solve", "--file", "-", *SMALL, "--json", typed="1122\n333\n")
    assert [entry["moves"] for entry in ran.document] == ["1122", "333"]
    for entry in ran.document:
        assert set(entry) == {"moves", "score", "nodes", "seconds"}
        assert entry["nodes"] > 0
        assert entry["seconds"] > 0


def test_a_bad_line_is_reported_and_the_rest_solved(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("1122\n9\n\n11111\n333\n", encoding="utf-8")
    ran = cli("solve", "--file", str(file), *SMALL)
    assert ran.code == 2
    assert [line.split()[0] for line in ran.out.splitlines()] == ["1122", "333"]
    first, second = ran.err.splitlines()
    assert "line 2: move 1: there is no column '9'" in first
    assert "line 4: move 5: column 1 is full" in second


def test_bad_lines_keep_the_json_pure(cli: Cli) -> None:
    ran = cli("solve", "--file", "-", *SMALL, "--json", typed="x\n333\n")
    assert ran.code == 2
    assert len(ran.document) == 1
    assert "line 1" in ran.err


def test_an_empty_file_has_no_lines(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("# nothing\n", encoding="utf-8")
    assert cli("solve", "--file", str(file)) == (0, "", "")
    assert cli("solve", "--file", str(file), "--json").document == []


def test_a_file_that_is_not_text_is_refused(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "moves.bin"
    file.write_bytes(b"\xff\xfe\x00\x01")
    ran = cli("solve", "--file", str(file))
    assert ran.code == 2
    assert "not a text file" in ran.err


def test_scores_and_nodes_of_a_file_with_threads(cli: Cli) -> None:
    lines = "\n".join(f"{a}{b}{c}" for a in "12345" for b in "12345" for c in "12345")
    one = cli("solve", "--file", "-", *SMALL, typed=lines)
    two = cli("solve", "--file", "-", *SMALL, "--threads", "2", typed=lines)
    assert one.out == two.out
    assert len(one.out.splitlines()) == 125
    again, once = (
        cli("solve", "--file", "-", *SMALL, "--json", typed=lines).document for _ in range(2)
    )
    assert [entry["nodes"] for entry in again] == [entry["nodes"] for entry in once]


def test_outcomes_and_limits_of_a_file(cli: Cli) -> None:
    ran = cli("solve", "--file", "-", "--outcome", typed="4\n3\n1\n")
    assert ran.out == "4 loss\n3 draw\n1 win\n"
    ran = cli("solve", "--file", "-", "--columns", "9", "--max-nodes", "1", typed="4\n")
    assert ran.out == "4 unknown\n"
