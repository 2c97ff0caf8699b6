"""Cells are read as they are written."""

import pytest

from connectlab.game import STANDARD, Geometry
from connectlab.lab.cell_names import CellError, format_cells, parse_cells


@pytest.mark.parametrize("geometry", [STANDARD, Geometry(12, 4), Geometry(2, 12)], ids=str)
def test_what_is_written_is_read(geometry: Geometry) -> None:
    cells = tuple((c, r) for c in range(geometry.columns) for r in range(geometry.rows))
    assert parse_cells(format_cells(cells, geometry), geometry) == cells


def test_columns_may_be_letters_as_in_the_papers() -> None:
    assert parse_cells("a1, A2,g6", STANDARD) == ((0, 0), (0, 1), (6, 5))
    assert parse_cells("1/1,1/2 7/6", STANDARD) == ((0, 0), (0, 1), (6, 5))


def test_a_letter_means_the_column_of_that_name_on_a_wide_board() -> None:
    wide = Geometry(12, 4)
    assert parse_cells("a/1", wide) == ((9, 0),)
    with pytest.raises(CellError, match="'a1' is no cell"):
        parse_cells("a1", wide)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no cells"),
        (" , ", "no cells"),
        ("11", "'11' is no cell"),
        ("1/1/1", "is no cell"),
        ("8/1", "no column 8: choose 1 to 7"),
        ("0/1", "no column 0"),
        ("h1", "no column h"),
        ("1/7", "no row 7: choose 1 to 6"),
        ("a0", "no row 0"),
    ],
)
def test_what_is_no_cell_is_refused(text: str, part: str) -> None:
    with pytest.raises(CellError, match=part):
        parse_cells(text, STANDARD)
