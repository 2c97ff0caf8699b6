"""``connectlab engine`` on its standard streams."""

import os
import subprocess
from collections.abc import Callable
from typing import Any

from processes import ENVIRONMENT, PROGRAM, connectlab, in_shell

Cli = Callable[..., Any]


def test_lines_are_answered_until_quit(cli: Cli) -> None:
    ran = cli("engine", "negamax", typed="isready\nposition 121212\ngo\nquit\nisready\n")
    assert (ran.code, ran.out, ran.err) == (0, "readyok\nbestmove 1\n", "")


def test_the_end_of_the_input_is_the_end(cli: Cli) -> None:
    assert cli("engine", "random", typed="") == (0, "", "")
    assert cli("engine", "random", typed="isready").out == "readyok\n"


def test_options_choose_the_board(cli: Cli) -> None:
    board = ("--columns", "2", "--rows", "1", "--connect", "3")
    assert cli("engine", "random", *board, typed="position 1\ngo\n").out == "bestmove 2\n"


def test_a_player_that_does_not_exist_is_a_mistake_of_the_user(cli: Cli) -> None:
    ran = cli("engine", "minmax")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "connectlab: there is no player 'minmax': did you mean 'minimax'?\n"


def test_what_is_no_text_and_lines_without_end_are_answered_once() -> None:
    rubbish = b"\xff\xfe\n" + b"x" * 100_000 + b"\nposition " + b"1" * 50_000 + b"\nisready\n"
    ran = subprocess.run(
        [*PROGRAM, "engine", "random"], input=rubbish, capture_output=True, check=False, timeout=300
    )
    lines = ran.stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["error", "error", "error", "readyok"]
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_each_answer_comes_before_the_next_line_is_sent() -> None:
    with subprocess.Popen(
        [*PROGRAM, "engine", "negamax"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line, answer in (("isready", "readyok"), ("go", "bestmove"), ("no", "error")):
            engine.stdin.write(f"{line}\n")
            engine.stdin.flush()
            assert engine.stdout.readline().split()[0] == answer
        engine.stdin.close()
    assert engine.returncode == 0


def test_a_reader_that_left_ends_it_without_a_word() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as nobody:
        ran = connectlab("engine", "random", input="isready\n" * 3, stdout=nobody)
    assert (ran.returncode, ran.stderr) == (1, "")


def test_closed_streams_are_no_crash() -> None:
    ran = in_shell("CONNECTLAB engine random <&-")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
