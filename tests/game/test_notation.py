import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_board, games

from connectlab.game import STANDARD, GameError, Geometry, Position
from connectlab.game.notation import (
    array_to_stones,
    column_name,
    format_drawing,
    format_moves,
    kaggle_to_stones,
    parse_drawing,
    parse_moves,
    stones_to_array,
    stones_to_kaggle,
)
from naive import NaiveGame


def position_of(drawn: tuple[Geometry, NaiveGame]) -> Position:
    return Position.from_moves(drawn[1].history, drawn[0])


@given(any_board(), st.lists(st.integers(0, 31)))
def test_move_strings_round_trip(board: Geometry, numbers: list[int]) -> None:
    columns = tuple(number % board.columns for number in numbers)
    text = format_moves(columns, board)
    assert len(text) == len(columns)
    assert parse_moves(text, board) == parse_moves(f" {text.upper()}\n", board) == columns


@given(games())
def test_the_moves_of_a_position_rebuild_it(drawn: tuple[Geometry, NaiveGame]) -> None:
    position = position_of(drawn)
    again = Position.from_moves(position.moves, position.geometry)
    assert (again, again.history) == (position, position.history)


@given(games())
def test_drawings_round_trip(drawn: tuple[Geometry, NaiveGame]) -> None:
    position = position_of(drawn)
    stones = position.first_stones, position.second_stones
    text = format_drawing(position.geometry, *stones)
    assert parse_drawing(text, position.geometry.connect) == (position.geometry, *stones)
    assert Position.from_drawing(str(position), position.geometry.connect) == position


@given(games(), st.sampled_from([-1, 2]))
def test_arrays_round_trip(drawn: tuple[Geometry, NaiveGame], second: int) -> None:
    position = position_of(drawn)
    stones = position.first_stones, position.second_stones
    array = stones_to_array(position.geometry, *stones, second)
    assert array.dtype == np.int8
    assert array.tolist() == drawn[1].array(second)
    assert array_to_stones(array, position.geometry) == stones
    assert array_to_stones(array.astype(float).tolist(), position.geometry) == stones


@given(games())
def test_kaggle_lists_round_trip(drawn: tuple[Geometry, NaiveGame]) -> None:
    position = position_of(drawn)
    stones = position.first_stones, position.second_stones
    board = stones_to_kaggle(position.geometry, *stones)
    assert board == [value for row in drawn[1].array(2) for value in row]
    assert {type(value) for value in board} == {int}
    assert kaggle_to_stones(board, position.geometry) == stones


@given(games(), st.booleans())
def test_a_position_reads_back_its_arrays_and_lists(
    drawn: tuple[Geometry, NaiveGame], signed: bool
) -> None:
    position = position_of(drawn)
    array = position.to_array(signed=signed)
    assert Position.from_array(array, position.geometry.connect) == position
    assert Position.from_kaggle(position.to_kaggle(), position.geometry) == position


def test_an_array_must_have_two_dimensions() -> None:
    with pytest.raises(GameError, match="3 dimensions"):
        Position.from_array(np.zeros((1, 6, 7)))


def test_columns_are_named_in_base_36() -> None:
    wide = Geometry(32, 1)
    names = "".join(column_name(column, wide) for column in range(32))
    assert names == "123456789abcdefghijklmnopqrstuvw"
    with pytest.raises(GameError, match="there is no column 33: choose 1 to w"):
        column_name(32, wide)
    with pytest.raises(GameError, match="there is no column 0: choose 1 to w"):
        column_name(-1, wide)


def test_drawings_may_be_tight_lower_case_indented_and_without_names() -> None:
    expected = Position.from_moves("1322", Geometry(3, 2, 3))
    text = """
        . o .
        x x o
        """
    assert Position.from_drawing(text, 3) == expected
    assert Position.from_drawing(".O.\nXXO\n123", 3) == expected


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "the drawing has no rows"),
        (" \n\n", "the drawing has no rows"),
        ("1 2 3", "the drawing has no rows"),
        (". . .\n. Z .", "row 2 of the drawing has 'Z': use only X, O and ."),
        ("X 0 .\nX O .", "row 1 of the drawing has '0'"),
        (". . .\nX O X\n1 2 3 4", "row 3 of the drawing has '1'"),
        (". . .\nX O", "row 2 of the drawing has 2 cells, the first has 3"),
        ("\n".join(["." * 9] * 7), "a board of 9x7 is too large"),
    ],
)
def test_a_bad_drawing_is_refused_at_its_row(drawing: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        parse_drawing(drawing, 4)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[0, 0, 0]], r"the array has shape \(1, 3\); a 3x2 connect-3 board is \(2, 3\)"),
        ([0] * 6, r"the array has shape \(6,\)"),
        ([[0, 0], [0, 0], [0, 0]], r"the array has shape \(3, 2\)"),
        (None, r"the array has shape \(\)"),
        ([[0, 0, 0], [0, 0]], "the rows of the array differ in length"),
        ([[0, 0, 3], [0, 0, 0]], "column 3, row 2 holds 3: use 0, 1 and -1, or 0, 1 and 2"),
        ([[0, 0, 0], [0, 0.5, 0]], "column 2, row 1 holds 0.5"),
        ([["0", "1", "2"], ["0"] * 3], "column 1, row 2 holds '0'"),
        ([[float("nan"), 0, 0], [0] * 3], "column 1, row 2 holds nan"),
        ([[None, 0, 0], [0] * 3], "column 1, row 2 holds None"),
        ([[0, 0, 0], [2, -1, 1]], "the array mixes 2 and -1"),
    ],
)
def test_a_bad_array_is_refused_at_its_cell(array: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        array_to_stones(array, Geometry(3, 2, 3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ([0] * 41, "the list has 41 cells; a 7x6 connect-4 board has 42"),
        ([0] * 41 + [-1], r"column 7, row 1 \(entry 41\) holds -1: Kaggle uses 0, 1 and 2"),
        ([3] + [0] * 41, r"column 1, row 6 \(entry 0\) holds 3"),
        (["1"] + [0] * 41, r"column 1, row 6 \(entry 0\) holds '1'"),
    ],
)
def test_a_bad_kaggle_list_is_refused_at_its_cell(board: list[int], message: str) -> None:
    with pytest.raises(GameError, match=message):
        kaggle_to_stones(board, STANDARD)


def test_kaggle_boards_may_be_numpy_arrays() -> None:
    board = np.zeros(42, dtype=np.int8)
    board[-4] = 1
    assert kaggle_to_stones(board, STANDARD) == (1 << 21, 0)  # type: ignore[arg-type]
    board[0] = 7
    with pytest.raises(GameError, match=r"holds 7: Kaggle"):
        kaggle_to_stones(board, STANDARD)  # type: ignore[arg-type]
