"""``connectlab play``, fed through a pipe and on a terminal."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from terminal import Terminal

from connectlab.agents import registry
from connectlab.lab import table as lab_table

Cli = Callable[..., Any]

TINY = ("--columns", "4", "--rows", "4", "--connect", "3")


def type_lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def replies(output: str, name: str) -> list[str]:
    """Return the columns that a player said it plays."""
    return [line.split()[-1].rstrip(".") for line in output.splitlines() if f"{name} plays" in line]


@pytest.fixture
def bad_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter a player that crashes, as ``fake``."""
    entry = registry.Entry(None, "crashing_player:Crashing")
    monkeypatch.setattr(registry, "players", lambda: registry.PLAYERS | {"fake": entry})


# Playing


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
    assert ran.err == ""


def test_the_opponent_replies(cli: Cli) -> None:
    ran = cli("play", "--second", "perfect", "--seed", "1", typed=type_lines("4", "q"))
    assert "O perfect plays 4." in ran.out


def test_the_opponent_may_move_first(cli: Cli) -> None:
    ran = cli("play", "--first", "perfect", "--second", "human", typed="q\n")
    assert "X perfect plays 4." in ran.out
    assert "O your move" in ran.out


def test_you_win_and_play_again(cli: Cli) -> None:
    """Three in the second column: the opponent has one reply in between and looks at its own."""
    ran = cli("play", *TINY, "--second", "extend", "--seed", "4",
              typed=type_lines("2", "2", "2", "3", "new", "1", "quit"))  # fmt: skip
    assert "X you win!" in ran.out
    after = ran.out.split("you win!")[1]
    assert " | .   .   .   . |\n +-" in after, "the new board is empty"
    assert "O extend plays" in after


def test_a_draw_is_announced(cli: Cli) -> None:
    ran = cli("play", "--first", "random", "--second", "random", "--columns", "3", "--rows", "1")
    assert ran.out.endswith("A draw.\n")


def test_the_lot_differs_from_move_to_move_and_from_game_to_game(cli: Cli) -> None:
    typed = type_lines("1", "7", "1", "7", "new", "1", "7", "1", "7")
    ran = cli("play", "--second", "random", "--seed", "2", typed=typed)
    columns = replies(ran.out, "random")
    assert len(columns) == 8
    assert len(set(columns[:4])) > 1
    assert columns[:4] != columns[4:]
    assert replies(cli("play", "--second", "random", "--seed", "2", typed=typed).out, "random") == (
        columns
    )


def test_nonsense_and_full_columns_are_explained(cli: Cli) -> None:
    typed = type_lines("8", "fourth", "", *"444444", "4", "help", "redo", "quit")
    ran = cli("play", "--second", "human", typed=typed)
    assert ran.out.count("Type a column from 1 to 7, or help.") == 2
    assert "Column 4 is full." in ran.out
    assert "take back your last move" in ran.out
    assert "There is no move to play again." in ran.out


def test_a_column_name_comes_before_the_letter_of_a_word(cli: Cli, tmp_path: Path) -> None:
    """On 20 columns the letter h names the seventeenth; the whole word still asks for help."""
    options = ("--columns", "20", "--rows", "2", "--second", "human")
    file = tmp_path / "game.txt"
    ran = cli("play", *options, typed=type_lines("h", f"save {file}", "help", "quit"))
    assert ran.out.count("take back your last move") == 1
    assert file.read_text() == "h\n"


# Words


def test_undo_takes_back_your_move_and_the_reply_and_redo_brings_them_back(cli: Cli) -> None:
    typed = type_lines("4", "undo", "redo", "undo", "u", "q")
    ran = cli("play", "--second", "perfect", typed=typed)
    empty = " | .   .   .   .   .   .   . |\n +-"
    assert [empty in board for board in ran.out.split("your move")[:4]] == [
        True,
        False,
        True,
        False,
    ]
    assert "There is no move to take back." in ran.out


def test_undo_after_the_end(cli: Cli) -> None:
    ran = cli("play", "--second", "human", typed=type_lines(*"1212121", "undo", "3", "q"))
    assert ran.out.count("wins") == 1
    assert ran.out.rstrip().endswith("Goodbye.")


def test_a_hint_shows_the_perfect_scores(cli: Cli) -> None:
    ran = cli("play", "--second", "human", typed=type_lines("hint", "q"))
    assert "  -2  -1   0  +1   0  -1  -2\n" in ran.out
    assert "Perfect play: 4, which wins in 41 plies." in ran.out


def test_a_hint_on_a_hard_board_says_that_there_was_no_time(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    hint = lab_table.Table.hint
    monkeypatch.setattr(lab_table.Table, "hint", lambda table: hint(table, deadline_s=0.3))
    ran = cli("play", "--columns", "8", "--rows", "7", "--second", "human",
              typed=type_lines("hint", "4", "q"))  # fmt: skip
    assert "Perfect play could not be found out in time" in ran.out
    assert ran.out.count("your move") == 3, "the game goes on"


def test_why_explains_the_last_move_of_the_opponent(cli: Cli) -> None:
    ran = cli("play", "--second", "minimax", "--seed", "1", typed=type_lines("why", "4", "why"))
    assert "No player has moved yet." in ran.out
    told = ran.out.split(": why\n")[2]
    assert f"minimax played {replies(ran.out, 'minimax')[0]}." in told
    assert "14.3 %" in told
    assert "Every column loses, so it cannot err." in told


def test_a_review_says_where_it_was_lost(cli: Cli) -> None:
    typed = type_lines(*"1212121", "review", "quit")
    ran = cli("play", "--second", "human", typed=typed)
    assert "X Move 1, column 1, turned a win into a loss (column 4 would have kept it)." in (
        ran.out
    )
    assert "Move 6 decided the game." in ran.out


def test_a_watched_game_can_be_reviewed(cli: Cli) -> None:
    ran = cli("play", *TINY, "--first", "perfect", "--second", "perfect", "--review")
    assert ran.out.endswith("No win and no draw was thrown away.\n")


# Where a game begins, and where it is kept


def test_a_game_begins_after_moves_or_on_a_drawing(cli: Cli, tmp_path: Path) -> None:
    drawing = tmp_path / "board.txt"
    drawing.write_text("....\n....\n....\nXOX.\n")
    ran = cli("play", "--board", str(drawing), "--connect", "3", "--second", "human", typed="4\n")
    assert " | X   O   X   . |\n" in ran.out
    assert " | X   O   X   O |\n" in ran.out
    ran = cli("play", "--moves", "4453", "--second", "human", typed="")
    assert " | .   .   O   X   X   .   . |\n" in ran.out


def test_a_game_is_saved_and_goes_on_later(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    ran = cli("play", "--second", "random", "--seed", "5", typed=type_lines("4", f"save {game}"))
    reply = replies(ran.out, "random")[0]
    record = json.loads(game.read_text())
    assert record["moves"] == f"4{reply}"
    assert record["players"] == ["human", "random"]
    whole = cli("play", "--second", "random", "--seed", "5", typed=type_lines("4", "5"))
    ran = cli("play", "--load", str(game), typed=type_lines("5"))
    assert replies(ran.out, "random") == replies(whole.out, "random")[1:], "the lots go on"


def test_load_takes_a_move_string_and_keeps_the_players(cli: Cli, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("4453\n")
    ran = cli("play", "--second", "random", typed=type_lines("1", f"load {moves}", "4"))
    assert " | .   .   O   X   X   .   . |\n" in ran.out
    assert len(replies(ran.out, "random")) == 2


def test_every_game_is_kept_in_a_file_of_its_own(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    typed = type_lines(*"1212121", "new", "4", "new", "new", "7")
    assert cli("play", "--second", "human", "--save", str(game), typed=typed).code == 0
    kept = [json.loads((tmp_path / f"game{n}.json").read_text())["moves"] for n in ("", "-2", "-3")]
    assert kept == ["1212121", "4", "7"]


def test_a_watched_game_is_kept_too(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    ran = cli("play", *TINY, "--first", "random", "--second", "random", "--save", str(game))
    assert "".join(replies(ran.out, "random")) == game.read_text().strip()


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("load nowhere.json", "nowhere.json: no such file or directory."),
        ("load", "Name a file, as in game.json."),
        ("save", "Name a file, as in game.json."),
        ("load .", ".: is a directory."),
        ("second", "Say who: human, or a player such as minimax:depth=4."),
        ("second nobody", "There is no player 'nobody'"),
        ("first minimax:depth=0", "depth=0"),
    ],
)
def test_a_word_that_cannot_be_obeyed_does_not_end_the_game(cli: Cli, word: str, line: str) -> None:
    ran = cli("play", "--second", "human", typed=type_lines("4", word, "4"))
    assert line in ran.out
    assert ran.code == 0
    assert ran.out.count("your move") == 4


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--moves", "44", "--load", "x"), "only one of --moves, --board and --load"),
        (("--moves", "49"), "no column '9'"),
        (("--load", "nowhere.json"), "nowhere.json: no such file"),
        (("--board", "nowhere.txt"), "nowhere.txt: no such file"),
        (("--save", "."), ""),
        (("--second", "nobody"), "no player 'nobody'"),
    ],
)
def test_a_game_that_cannot_begin_is_one_line(
    cli: Cli, options: tuple[str, ...], line: str
) -> None:
    ran = cli("play", *options)
    assert ran.code == 2
    assert line in ran.err
    assert ran.err.count("\n") == 1


def test_what_is_no_game_is_not_written_over(cli: Cli, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada,")
    ran = cli("play", "--save", str(letter))
    assert ran.code == 2
    assert "holds no game" in ran.err
    assert letter.read_text() == "Dear Ada,"


# Players that fail


@pytest.mark.usefixtures("bad_player")
def test_a_player_that_fails_is_named_and_replaced(cli: Cli) -> None:
    typed = type_lines("4", "", "hint", "second random", "4", "q")
    ran = cli("play", "--second", "fake", typed=typed)
    assert ran.out.count("fake failed (RuntimeError: out of ideas).") == 2, "once more when asked"
    assert "undo, second WHO, new, quit, or enter to try again: " in ran.out
    assert len(replies(ran.out, "random")) == 2
    assert ran.code == 0
    assert ran.err == ""


@pytest.mark.usefixtures("bad_player")
def test_after_a_failure_you_may_take_back(cli: Cli) -> None:
    ran = cli("play", "--second", "fake", typed=type_lines("4", "undo", "second human", "3"))
    assert " | .   .   X   .   .   .   . |\n" in ran.out
    assert ran.code == 0


def test_perfect_play_on_a_hard_board_does_not_end_the_program(cli: Cli) -> None:
    ran = cli("play", "--columns", "8", "--rows", "7", "--second", "perfect:max_nodes=1000",
              typed=type_lines("4", "undo", "q"))  # fmt: skip
    assert "perfect:max_nodes=1000 cannot solve" in ran.out
    assert ran.code == 0


@pytest.mark.usefixtures("bad_player")
def test_a_watched_player_that_fails_is_a_mistake_of_one_line(cli: Cli) -> None:
    ran = cli("play", "--first", "random", "--second", "fake")
    assert ran.code == 2
    assert ran.err == "connectlab: fake failed (RuntimeError: out of ideas)\n"


def test_a_watched_player_that_forfeits_ends_the_game(cli: Cli, tmp_path: Path) -> None:
    stubborn = tmp_path / "main.py"
    stubborn.write_text("def agent(observation):\n    return 0\n")
    player = f"kaggle:{stubborn}"
    ran = cli("play", "--first", player, "--second", player, "--delay", "0")
    assert ran.code == 0
    assert ran.out.rstrip().endswith("played column 1, which is full: that loses the game.")


@pytest.mark.usefixtures("bad_player")
def test_at_a_terminal_a_watched_player_that_fails_is_replaced(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectlab.cli.table_game.at_terminal", lambda: True)
    typed = type_lines("second random", "quit")
    ran = cli("play", "--first", "random", "--second", "fake", typed=typed)
    assert ran.code == 0
    assert "fake failed (RuntimeError: out of ideas)." in ran.out
    assert "random wins." in ran.out or "A draw." in ran.out


# Watching


def test_watching_two_players(cli: Cli) -> None:
    ran = cli("play", "--first", "perfect", "--second", "random", "--seed", "3")
    assert ran.code == 0
    assert ran.out.endswith("X perfect wins.\n")
    assert cli("play", "--first", "perfect", "--second", "random", "--seed", "3").out == ran.out


# Pipes and terminals


def connectlab(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "connectlab", *arguments]


def test_a_real_pipe_has_no_escape_codes() -> None:
    ran = subprocess.run(
        connectlab("play", "--second", "random", "--seed", "0"),
        input="4\nhint\nq\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert "Goodbye." in ran.stdout
    assert "\x1b" not in ran.stdout + ran.stderr
    assert "(y/n)" not in ran.stdout, "nobody is there to be asked"


def test_a_pipe_that_closes_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        connectlab("play", "--first", "random", "--second", "random"),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=300,
    )
    os.close(writing)
    assert ran.returncode == 1
    assert ran.stderr == b""


def test_a_closed_input_leaves_the_table() -> None:
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *connectlab("play", "--second", "human")],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("Goodbye.\n")


def test_an_unfinished_game_is_not_thrown_away_unasked(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    with Terminal("play", "--second", "random", "--seed", "1") as terminal:
        terminal.expect("help): ")
        terminal.type("4")
        terminal.expect("plays")
        terminal.expect("help): ")
        for word in ("new", "quit"):
            terminal.type(word)
            terminal.expect("Throw this game away? (y/n) ")
            terminal.type("n")
            terminal.expect("help): ")
        terminal.type(f"save {game}")
        terminal.expect("help): ")
        terminal.type("quit")
        assert terminal.leave() == 0
    assert terminal.output.count("(y/n)") == 2, "a saved game is not lost"
    assert len(json.loads(game.read_text())["moves"]) == 2


def test_a_narrow_terminal_shows_whole_boards_and_prompts() -> None:
    with Terminal("play", "--second", "random", "--columns", "20", "--rows", "2",
                  columns=40) as terminal:  # fmt: skip
        board = terminal.expect("your move: ")
        terminal.type("help")
        help_text = terminal.expect("your move: ")
        terminal.type("q")
        assert terminal.leave() == 0
    assert "│" + "".join(["\x1b[2m·\x1b[0m"] * 20) in board.replace("\x1b[34m", "").replace(
        "│\x1b[0m", "│"
    )
    assert max(len(line) for line in help_text.splitlines()) <= 40


def test_a_watched_game_is_drawn_in_place() -> None:
    options = ("--first", "random", "--second", "random", "--delay", "0", "--seed", "1")
    with Terminal("play", *TINY, *options) as terminal:
        assert terminal.leave() == 0
    assert "\x1b[9F\x1b[J" in terminal.output
    with Terminal("play", *TINY, *options, rows=8) as terminal:
        assert terminal.leave() == 0
    assert "\x1b[J" not in terminal.output, "there is no room to go up"


def test_a_slow_player_is_seen_thinking_and_can_be_stopped() -> None:
    with Terminal("play", "--second", "perfect:max_nodes=4000000000", "--columns", "8", "--rows",
                  "7") as terminal:  # fmt: skip
        terminal.expect("help): ")
        terminal.type("4")
        terminal.expect("is thinking … 1 s")
        terminal.interrupt()
        terminal.expect("Stopped.")
        terminal.expect("try again: ")
        terminal.type("second random")
        terminal.expect("random plays")
        terminal.expect("help): ")
        terminal.interrupt()
        assert terminal.leave() == 130
