"""How boards look on a terminal and in a pipe."""

import io

import pytest
from rich.console import Console

from connectlab.cli import console
from connectlab.cli.drawing import board_lines, has_colours, print_board
from connectlab.game import Geometry, Position

WON = Position.from_moves("1212121")


def drawn(position: Position, *, coloured: bool) -> list[str]:
    return [line.plain for line in board_lines(position, coloured=coloured)]


def test_letters_where_there_are_no_colours() -> None:
    assert drawn(Position.from_moves("112", Geometry(3, 2, 3)), coloured=False) == [
        "       v",
        " +-----------+",
        " | O   .   . |",
        " | X   X   . |",
        " +-----------+",
        "   1   2   3",
    ]


def test_discs_have_the_colour_of_their_side() -> None:
    output = io.StringIO()
    colours = Console(file=output, force_terminal=True, color_system="standard", no_color=False)
    assert has_colours(colours)
    print_board(colours, Position.from_moves("12"))
    assert "\x1b[1;31m ● " in output.getvalue()
    assert "\x1b[1;33m ● " in output.getvalue()


def test_without_colours_nobody_has_to_tell_red_from_yellow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    output = io.StringIO()
    print_board(Console(file=output, force_terminal=True), Position.from_moves("12"))
    assert " | X   O  " in output.getvalue()


def test_the_winning_line_stands_out() -> None:
    assert sum(line.count("[X]") for line in drawn(WON, coloured=False)) == 4
    styles = [span.style for line in board_lines(WON, coloured=True) for span in line.spans]
    assert sum("reverse" in str(style) for style in styles) == 4


def test_the_last_move_is_pointed_at() -> None:
    for moves, place in (("1", 3), ("7", 27)):
        assert drawn(Position.from_moves(moves), coloured=True)[0].index("▼") == place
    assert "▼" not in "".join(drawn(Position(), coloured=True))


def test_notes_stand_below_their_columns() -> None:
    notes = ["+1", "-18", "-18", "", "0", "?", "-2"]
    lines = board_lines(Position(), coloured=False, notes=notes)
    assert [line.plain for line in lines[-2:]] == [
        "   1   2   3   4   5   6   7",
        "  +1  -18 -18      0   ?  -2",
    ]


WIDE_BOARD = Geometry(12, 3, 3)


@pytest.mark.parametrize(("width", "pitch"), [(None, 4), (50, 4), (49, 2), (26, 2), (25, 1)])
def test_a_board_is_drawn_as_wide_as_there_is_room(width: int | None, pitch: int) -> None:
    lines = board_lines(Position(WIDE_BOARD), coloured=False, width=width)
    row = lines[1].plain
    assert [place for place, mark in enumerate(row) if mark == "."][1:3] == [
        row.index(".") + pitch,
        row.index(".") + 2 * pitch,
    ]
    assert width is None or all(len(line.plain) <= width for line in lines)


@pytest.mark.parametrize("width", [40, 20])
def test_a_narrow_board_still_points_marks_and_notes(width: int) -> None:
    position = Position.from_moves("a1b1c", WIDE_BOARD)
    notes = ["+1", "-18", *[""] * 9, "0"]
    lines = [line.plain for line in board_lines(position, coloured=False, width=width, notes=notes)]
    assert lines[0].index("v") == lines[-2].index("c"), "the pointer stands above its column"
    assert lines[-3].count("-") > 0
    assert sum(line.count("*") for line in lines) == 3
    assert lines[-1] == "1: +1, 2: -18, c: 0"
    assert all(len(line) <= width for line in lines)


def test_a_share_is_written_with_its_interval() -> None:
    assert console.share(0.75, (0.6, 0.9)) == "0.750 [0.600, 0.900]"
    assert console.count(1, "game") == "1 game"
    assert console.count(1200, "game") == "1,200 games"


@pytest.mark.parametrize(
    ("called", "shown"),
    [
        (".venv/bin/connectlab", ".venv/bin/connectlab"),
        ("connectlab", "connectlab"),
        ("/somewhere/connectlab/__main__.py", "connectlab"),
    ],
)
def test_the_program_is_named_as_it_was_called(
    called: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [called, "demo"])
    assert console.program() == shown
