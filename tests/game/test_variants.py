"""How a variant is written, and where a board carries it."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectlab.errors import GameError
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.variants import PLAIN, Odds, Variant

odds = st.floats(0, 1, exclude_max=True)


@given(odds, odds, st.booleans())
def test_a_variant_is_read_as_it_was_written(slip: float, drop_row: float, counts: bool) -> None:
    variant = Variant(slip, drop_row, counts)
    assert Variant.parse(str(variant)) == variant
    assert variant.by_chance == bool(slip or drop_row)
    assert variant.is_plain == (str(variant) == "")
    assert variant.odds == Odds(slip, drop_row)


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("", PLAIN),
        ("slip:0", PLAIN),
        ("slip:0.1", Variant(slip=0.1)),
        (" drop-row : 0.05 + slip:0.1 ", Variant(0.1, 0.05)),
        ("counts+slip:1e-3", Variant(slip=0.001, counts=True)),
    ],
)
def test_reads_parts_in_any_order(text: str, variant: Variant) -> None:
    assert Variant.parse(text) == variant


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("slip:1", "slip is a probability from 0 to below 1, not 1.0"),
        ("slip:-0.1", "from 0 to below 1, not -0.1"),
        ("drop-row:nan", "drop-row is a probability from 0 to below 1, not nan"),
        ("slip:often", "not 'often'"),
        ("slip", "slip needs a probability, as in slip:0.1"),
        ("slip:0.1+slip:0.2", "has slip twice"),
        ("counts:3", "counts takes no number"),
        ("sloop:0.1", "there is no variant 'sloop': did you mean 'slip'?"),
        ("gravity", "write some of slip:0.1, drop-row:0.05, counts with + between them"),
        ("slip:0.1+", "there is no variant"),
    ],
)
def test_refuses_what_is_no_variant_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(GameError) as caught:
        Variant.parse(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [True, "0.1", None, 1.5])
def test_refuses_what_is_no_probability(wrong: float) -> None:
    with pytest.raises(GameError, match="probability"):
        Variant(slip=wrong)


def test_a_plain_board_looks_as_ever() -> None:
    assert str(STANDARD) == "7x6 connect-4"
    assert repr(STANDARD) == "Geometry(columns=7, rows=6, connect=4)"
    assert json.dumps(STANDARD.to_json()) == '{"columns": 7, "rows": 6, "connect": 4}'


def test_a_board_names_its_variant() -> None:
    board = Geometry(4, 4, 3, Variant.parse("slip:0.1+drop-row:0.05"))
    assert str(board) == "4x4 connect-3 slip:0.1+drop-row:0.05"
    assert board.to_json()["variant"] == "slip:0.1+drop-row:0.05"
    assert eval(repr(board)) == board
    assert board != Geometry(4, 4, 3)
    assert board.plain == Geometry(4, 4, 3)
    assert Position(board) != Position(Geometry(4, 4, 3))


def test_a_variant_needs_no_kernel() -> None:
    code = "import sys, connectlab.game.geometry; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
