"""``connectlab play``, fed through a pipe."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

Cli = Callable[..., Any]


def type_lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_two_people_play_to_the_end(cli: Cli) -> None:
    ran = cli("play", "--second", "human", typed=type_lines(*"1212121", "quit"))
    assert ran.code == 0
    assert ran.out.count("[X]") == 4
    assert "X the first player wins." in ran.out
    assert ran.out.endswith("Goodbye.\n")


def test_the_end_of_the_input_leaves_the_table(cli: Cli) -> None:
    ran = cli("play", "--second", "human", typed="4\n")
    assert ran.code == 0
    assert ran.out.endswith("Goodbye.\n")
    assert "Traceback" not in ran.err


def test_the_opponent_replies(cli: Cli) -> None:
    ran = cli("play", "--second", "perfect", "--seed", "1", typed=type_lines("4", "q"))
    assert "O perfect plays 4." in ran.out


def test_the_opponent_may_move_first(cli: Cli) -> None:
    ran = cli("play", "--first", "perfect", "--second", "human", typed="q\n")
    assert "X perfect plays 4." in ran.out
    assert "O your move" in ran.out


def test_you_win_and_play_again(cli: Cli) -> None:
    ran = cli("play", "--first", "human", "--second", "extend", "--rows", "4", "--connect", "3",
              "--seed", "4", typed=type_lines("4", "5", "3", "new", "quit"))  # fmt: skip
    assert ran.out.count("X your move") >= 2


def test_undo_takes_back_your_move_and_the_reply(cli: Cli) -> None:
    ran = cli("play", "--second", "perfect", typed=type_lines("4", "undo", "u", "q"))
    boards = ran.out.split("your move")
    assert " | .   .   .   .   .   .   . |\n +-" in boards[2]
    assert "no move of yours to take back" in ran.out


def test_undo_after_the_end(cli: Cli) -> None:
    ran = cli("play", "--second", "human", typed=type_lines(*"1212121", "undo", "3", "q"))
    assert ran.out.count("wins") == 1
    assert ran.out.rstrip().endswith("Goodbye.")


def test_a_hint_shows_the_perfect_scores(cli: Cli) -> None:
    ran = cli("play", "--second", "human", typed=type_lines("hint", "q"))
    assert "  -2  -1   0  +1   0  -1  -2\n" in ran.out
    assert "Perfect play: 4, which wins in 41 plies." in ran.out


def test_why_explains_the_last_move_of_the_opponent(cli: Cli) -> None:
    ran = cli("play", "--second", "minimax", typed=type_lines("why", "4", "why", "q"))
    assert "No opponent has moved yet." in ran.out
    assert "<- would play" in ran.out
    ran = cli("play", "--second", "random", typed=type_lines("4", "why", "q"))
    assert "random holds no opinion" in ran.out


def test_nonsense_and_full_columns_are_explained(cli: Cli) -> None:
    typed = type_lines("8", "fourth", "", *"444444", "4", "help", "quit")
    ran = cli("play", "--second", "human", typed=typed)
    assert ran.out.count("Type a column from 1 to 7, or help.") == 2
    assert "Column 4 is full." in ran.out
    assert "take back your last move" in ran.out


def test_a_column_name_comes_before_the_letter_of_a_word(cli: Cli) -> None:
    """On 20 columns the letter h names the seventeenth; the whole word still asks for help."""
    options = ("--columns", "20", "--rows", "2", "--second", "human")
    ran = cli("play", *options, typed=type_lines("h", "help", "quit"))
    assert ran.out.count("take back your last move") == 1
    assert "X" in ran.out.split("your move")[1]


def test_watching_two_players(cli: Cli) -> None:
    ran = cli("play", "--first", "perfect", "--second", "random", "--seed", "3")
    assert ran.code == 0
    assert ran.out.endswith("X perfect wins.\n")
    assert cli("play", "--first", "perfect", "--second", "random", "--seed", "3").out == ran.out


def test_a_draw_is_announced(cli: Cli) -> None:
    ran = cli("play", "--first", "random", "--second", "random", "--columns", "3", "--rows", "1")
    assert ran.out.endswith("A draw.\n")


def test_a_real_pipe_has_no_escape_codes() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "connectlab", "play", "--second", "random", "--seed", "0"],
        input="4\nhint\nq\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert "Goodbye." in ran.stdout
    assert "\x1b" not in ran.stdout + ran.stderr
