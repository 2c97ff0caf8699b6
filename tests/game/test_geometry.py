import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SIZES, boards

from connectlab.errors import UserError
from connectlab.game import STANDARD, GameError, Geometry


def test_the_standard_board_is_connect_four() -> None:
    assert Geometry() == STANDARD == Geometry(7, 6, 4)
    assert STANDARD.cells == 42
    assert str(STANDARD) == "7x6 connect-4"


def test_bits_are_those_of_the_drawing_at_the_top_of_the_module() -> None:
    assert STANDARD.cell(0, 0) == 1
    assert STANDARD.cell(0, 5) == 1 << 5
    assert STANDARD.cell(3, 2) == 1 << 23
    assert STANDARD.cell(6, 5) == 1 << 47


@given(boards)
def test_shape_lists_every_cell_and_no_spare_bit(board: Geometry) -> None:
    cells = [board.cell(c, r) for c in range(board.columns) for r in range(board.rows)]
    assert board.shape.board == sum(cells)
    assert board.shape.bottom == sum(board.cell(c, 0) for c in range(board.columns))
    assert board.shape.column_bits == board.rows + 1


def test_every_board_of_at_most_64_bits_is_accepted_and_no_other() -> None:
    for columns in range(1, 70):
        for rows in range(1, 70):
            if (columns, rows) in SIZES:
                assert Geometry(columns, rows).cells == columns * rows
            else:
                with pytest.raises(GameError, match="too large"):
                    Geometry(columns, rows)


def test_too_large_a_board_is_told_the_limit() -> None:
    with pytest.raises(
        GameError, match=r"9x7 is too large: columns \* \(rows \+ 1\) may be at most 64.*is 72"
    ):
        Geometry(9, 7)


@pytest.mark.parametrize("connect", [2, 1, 0, -4])
def test_connect_below_three_is_refused(connect: int) -> None:
    with pytest.raises(GameError, match=f"connect must be 3 or more, not {connect}"):
        Geometry(7, 6, connect)


@pytest.mark.parametrize(("columns", "rows"), [(0, 6), (7, 0), (-7, 6), (7, -1)])
def test_a_board_without_cells_is_refused(columns: int, rows: int) -> None:
    with pytest.raises(GameError, match=f"at least 1 column and 1 row, not {columns}x{rows}"):
        Geometry(columns, rows)


@pytest.mark.parametrize("name", ["columns", "rows", "connect"])
@pytest.mark.parametrize("value", [4.0, "4", None, True, np.float64(4)])
def test_a_size_that_is_no_whole_number_is_refused(name: str, value: object) -> None:
    with pytest.raises(GameError, match=f"{name} must be a whole number, not"):
        Geometry(**{name: value})  # type: ignore[arg-type]


def test_sizes_from_numpy_become_plain_ints() -> None:
    board = Geometry(np.int64(5), np.uint8(4), np.int32(3))  # type: ignore[arg-type]
    assert board == Geometry(5, 4, 3)
    assert repr(board) == "Geometry(columns=5, rows=4, connect=3)"


@given(st.integers(65, 10**30))
def test_a_line_longer_than_any_board_is_allowed_and_never_reached(connect: int) -> None:
    assert Geometry(7, 6, connect).connect == connect
    assert Geometry(7, 6, connect).shape.connect == 64


def test_a_mistake_in_the_game_is_a_mistake_of_the_user() -> None:
    assert issubclass(GameError, UserError)
