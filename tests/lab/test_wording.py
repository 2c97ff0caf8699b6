"""How numbers are written, and what can be pasted into a shell."""

import shlex

import pytest

from connectlab.lab.markdown import markdown_table
from connectlab.lab.wording import command_line, count, percent, rating, share, signed


def test_an_interval_has_two_ends() -> None:
    assert share(0.75, (0.661, 0.821)) == "0.750 [0.661, 0.821]"
    assert percent(0.75, (0.661, 0.821)) == "75 [66, 82]"
    assert rating(1520.4, (1480.2, 1560.6)) == "1520 [1480, 1561]"


@pytest.mark.parametrize(("number", "text"), [(0, "0 games"), (1, "1 game"), (1200, "1,200 games")])
def test_a_count_has_its_noun(number: int, text: str) -> None:
    assert count(number, "game") == text


def test_a_line_to_paste_is_read_as_it_was_meant() -> None:
    words = ["play", "--second", 'ntuple:"runs/a, b",depth=4', "it's", "$HOME", "früh"]
    assert shlex.split(command_line(*words)) == words
    assert command_line("play", "--second", "ntuple:runs/first") == (
        "play --second ntuple:runs/first"
    )


def test_a_bar_in_a_name_does_not_end_its_cell() -> None:
    lines = markdown_table(("player", "score"), [("ntuple:a|b", "1")]).splitlines()
    assert [line.count("|") for line in lines] == [3, 3, 3]


def test_a_difference_that_rounds_to_nothing_has_no_sign() -> None:
    assert [signed(value, 2) for value in (0.334, -0.02, -0.004, 0.004, 0.0)] == [
        "+0.33",
        "-0.02",
        "0.00",
        "0.00",
        "0.00",
    ]
