"""``--variant`` wherever a game is played, measured or solved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

TINY = ("--columns", "4", "--rows", "4", "--connect", "3")
SLIP = ("--variant", "slip:0.1")


def test_match_names_the_variant(cli: Cli) -> None:
    ran = cli("match", "minimax:depth=2", "random", "--games", "40", *SLIP, *TINY)
    assert ran.out.startswith("minimax:depth=2 against random on 4x4 connect-3 slip:0.1\n")
    document = cli("match", "random", "random", "--games", "9", *SLIP, *TINY, "--json").document
    assert document["geometry"]["variant"] == "slip:0.1"


def test_tournament_plays_variants(cli: Cli) -> None:
    players = ("random", "extend", "mcts:iterations=20")
    both = ("--variant", "slip:0.1+drop-row:0.05")
    document = cli("tournament", *players, "--games", "4", *both, *TINY, "--json").document
    assert document["geometry"]["variant"] == "slip:0.1+drop-row:0.05"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("match", "random", "random", "--variant", "slop:0.1"), "did you mean 'slip'?"),
        (("match", "minimax", "random", "--variant", "counts"), "it plays only drop-row, slip"),
        (("match", "random", "random", "--variant", "slip:2"), "from 0 to below 1, not 2.0"),
        (("solve", "", *SLIP), "has more than 2,000,000 positions"),
        (("solve", "", "--variant", "counts", *TINY), "leave out counts"),
        (("solve", "--file", "-", *SLIP, *TINY), "--variant is for one position"),
        (("solve", "121314", *SLIP, *TINY), "move 6: the game is over"),
        (("evaluate", "random", "--measure", "exact", *SLIP), "too hard to be judged"),
        (
            ("evaluate", "random", "--measure", "success", "--variant", "counts", *TINY),
            "perfect play sees the board, which 4x4 connect-3 counts hides",
        ),
        (("train", "ntuple", *SLIP), "ntuple cannot learn the variant slip"),
    ],
)
def test_a_mistake_is_one_line(cli: Cli, arguments: tuple[str, ...], complaint: str) -> None:
    ran = cli(*arguments)
    assert ran.code == 2
    assert complaint in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_solve_gives_the_expected_value_of_each_column(cli: Cli) -> None:
    document = cli("solve", "", *SLIP, *TINY, "--json").document
    values = document["column_values"]
    assert document["value"] == max(values.values()) == pytest.approx(0.699351353)
    assert document["best"] == ["2", "3"]
    assert values["1"] == pytest.approx(values["4"])
    assert document["positions"] == 23_930
    ran = cli("solve", "2_", "--variant", "drop-row:0.05", *TINY)
    assert "for the second player, who is to move" in ran.out


def test_evaluate_exact_stands_beside_the_optimum(cli: Cli) -> None:
    ran = cli("evaluate", "perfect", "--measure", "exact", *SLIP, *TINY, "--json")
    document = ran.document
    assert document["value_first"] == pytest.approx(document["best_value_first"])
    assert document["value_second"] == pytest.approx(document["best_value_second"])
    assert document["exact_success_rate"] == pytest.approx((1 + 0.699351353) / 2)
    ran = cli("evaluate", "random", "--measure", "exact", *SLIP, *TINY)
    assert "at best 0.699351 moving first, -0.699351 moving second" in ran.out


def test_evaluate_leaves_out_what_needs_solved_positions(cli: Cli) -> None:
    options = ("--games", "20", "--quota-games", "20", *SLIP, *TINY)
    ran = cli("evaluate", "random", *options)
    assert ran.code == 0
    assert "no solved positions of 4x4 connect-3 slip:0.1: only success:games=20" in ran.err


def test_inspect_shows_a_variant_without_asking_perfect_play(cli: Cli) -> None:
    document = cli("inspect", "mcts:iterations=50", "22", *SLIP, *TINY, "--json").document
    assert document["geometry"]["variant"] == "slip:0.1"
    assert "column_scores" not in document


def test_a_person_sees_what_slips_and_falls(cli: Cli, tmp_path: Path) -> None:
    variant = ("--variant", "slip:0.5+drop-row:0.4")
    path = tmp_path / "game.json"
    typed = "4\n4\n4\nundo\n4\nhint\nquit\n"
    ran = cli("play", "--second", "random", *variant, "--seed", "5", "--save", path, typed=typed)
    assert ran.code == 0
    assert "O random plays 5. It slips to 4. The bottom row falls." in ran.out
    assert "\nIt slips to 3. The bottom row falls.\n" in ran.out
    assert "Perfect play knows only the plain game" in ran.out
    again = cli("play", "--load", path, "--first", "random", "--second", "random", "--delay", "0")
    assert again.code == 0
    assert " wins." in again.out or "A draw." in again.out


def test_a_person_is_told_counts_and_sees_the_board_at_the_end(cli: Cli) -> None:
    typed = "1\n2\n1\n2\n1\nquit\n"
    ran = cli("play", "--second", "human", "--variant", "counts", *TINY, typed=typed)
    assert "4 stones on the board; room in 1 2 3 4\n  streaks, yours: 1 of 2" in ran.out
    assert ran.out.count("+---------------+") == 2
    assert ran.out.count("[X]") == 3


def test_a_hidden_board_has_an_opponent_that_can_play_it(cli: Cli) -> None:
    ran = cli("play", "--variant", "counts", *TINY, typed="quit\n")
    assert ran.code == 0
    assert "mcts" in ran.out


def test_nobody_tells_what_a_player_saw_of_a_hidden_board(cli: Cli) -> None:
    player = "mcts:iterations=20"
    ran = cli("play", "--second", player, "--variant", "counts", *TINY, typed="1\nwhy\nquit\n")
    assert "told when the game is over: the board is hidden" in ran.out + ran.err
    assert " played " not in ran.out


def test_a_drawn_board_can_be_slippery_but_not_lose_rows(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("....\n....\n....\nXO..\n")
    options = ("play", "--board", str(path), "--connect", "3", "--second", "random")
    assert cli(*options, *SLIP, typed="3\nquit\n").code == 0
    ran = cli(*options, "--variant", "drop-row:0.1")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "a drawing does not tell whose turn it is where rows fall" in ran.err
