"""Games are read from whatever people paste, and none of it is lost."""

import pytest

from connectlab.errors import GameError
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.variants import Variant
from connectlab.lab.pasted import read_pasted
from connectlab.lab.records import GameRecord

SLIPPING = Geometry(7, 6, 4, Variant.parse("slip:0.1"))
FALLING = Geometry(7, 6, 4, Variant.parse("drop-row:0.1"))


def test_moves_may_have_blanks_between_them() -> None:
    found = read_pasted(" 44 53\n", SLIPPING)
    assert (found.source, found.record.moves, found.record.board) == ("moves", "4453", SLIPPING)


def test_letters_of_wide_boards_are_moves_and_no_drawing() -> None:
    wide = Geometry(30, 1, 4)
    assert read_pasted("o1\n2", wide).record.moves == "o12"


def test_a_record_brings_its_own_board() -> None:
    record = GameRecord.of_moves("1213", Geometry(4, 4, 3))
    found = read_pasted(f"\n{record.to_text()}", STANDARD)
    assert (found.source, found.record) == ("game", record)


@pytest.mark.parametrize("board", [STANDARD, SLIPPING])
def test_a_drawing_keeps_the_variant_of_the_table(board: Geometry) -> None:
    position = Position.from_moves("4453", STANDARD)
    found = read_pasted(position.drawing(), board)
    assert (found.source, found.note, found.record.board) == ("drawing", "", board)
    assert found.record.start.first_stones == position.first_stones


def test_a_drawing_of_another_width_brings_its_own_size() -> None:
    found = read_pasted(". . . .\n. . . .\n. O X .\n1 2 3 4", SLIPPING)
    assert found.record.board == Geometry(4, 3, 4, SLIPPING.variant)
    assert read_pasted(Position(Geometry(7, 8, 4)).drawing()).record.board == Geometry(7, 8, 4)


@pytest.mark.parametrize("text", ["..XO...", "..X....\n..XO.O.", ". . . . . . .\n. . X O . . ."])
def test_rows_that_a_drawing_lacks_are_empty_and_that_is_told(text: str) -> None:
    rows = text.count("\n") + 1
    found = read_pasted(text, SLIPPING)
    assert found.source == "drawing"
    assert found.record.board == SLIPPING
    assert found.note == f"The drawing has only {rows} of 6 rows: those above are empty."
    assert found.record.start.drawing().splitlines()[5].split()[2:4] == ["X", "O"]


def test_a_drawing_does_not_tell_whose_turn_it_is_where_rows_fall() -> None:
    with pytest.raises(GameError, match="where rows fall: give the moves"):
        read_pasted("..XO...", FALLING)


@pytest.mark.parametrize("text", ["hello", "8", "{", "{}", "\0", "X\nY", "OO.....", "X.\nX"])
def test_what_is_no_game_is_told_in_a_sentence(text: str) -> None:
    with pytest.raises(GameError) as error:
        read_pasted(text)
    assert "\n" not in str(error.value)
