"""``match``, ``tournament`` and ``positions``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from connectlab.arena.match import MatchResult, Tally
from connectlab.arena.positions import read_position_set
from connectlab.arena.tournament import TournamentResult, rate
from connectlab.cli import match, tournament
from connectlab.game import Geometry

Cli = Callable[..., Any]

TINY = ("--columns", "4", "--rows", "4", "--connect", "3")


def without_times(document: Any) -> Any:
    """Drop what differs from run to run."""
    if isinstance(document, dict):
        return {k: without_times(v) for k, v in document.items() if k != "seconds"}
    if isinstance(document, list):
        return [without_times(item) for item in document]
    return document


def test_match_counts_every_game(cli: Cli) -> None:
    document = cli("match", "extend", "random", "--games", "101", "--json").document
    assert document["games"] == 101
    assert document["wins"] + document["draws"] + document["losses"] == 101
    assert (document["first"]["games"], document["second"]["games"]) == (51, 50)
    assert document["wins"] == document["first"]["wins"] + document["second"]["wins"]
    low, high = document["win_rate_interval"]
    assert 0 <= low <= document["win_rate"] <= high <= 1
    assert 1 <= document["distinct_games"] <= 101


def test_match_with_fixed_sides(cli: Cli) -> None:
    ran = cli("match", "random", "random", "--games", "10", "--sides", "fixed", "--json")
    assert ran.document["first"]["games"] == 10


def test_match_depends_on_the_seed_and_not_on_threads(cli: Cli) -> None:
    def play(*options: str) -> Any:
        ran = cli("match", "random", "extend", "--games", "60", "--json", *options)
        return without_times(ran.document)

    assert play("--threads", "1") == play("--threads", "3")
    first, second = play("--seed", "1"), play("--seed", "2")
    assert (first["wins"], first["mean_plies"]) != (second["wins"], second["mean_plies"])


def test_match_for_people(cli: Cli) -> None:
    ran = cli("match", "random", "extend", "--games", "20", *TINY)
    assert ran.out.startswith("random against extend on 4x4 connect-3\n")
    for word in ("wins", "draws", "losses", "distinct games", "share of wins"):
        assert word in ran.out
    assert "\x1b" not in ran.out
    assert ran.err == ""


def test_tournament_with_a_heat_map(cli: Cli, tmp_path: Path) -> None:
    picture = tmp_path / "cross.png"
    ran = cli("tournament", "random", "extend", "perfect", "--games", "10", *TINY, "--json",
              "--heatmap", str(picture))  # fmt: skip
    assert ran.document["agents"] == ["random", "extend", "perfect"]
    assert {rating["agent"] for rating in ran.document["ratings"]} == {
        "random",
        "extend",
        "perfect",
    }
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_match_is_printed_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = Tally(wins=30, draws=15, losses=5), Tally(wins=20, draws=5, losses=25)
    match.print_result(
        MatchResult("a", "b", Geometry(), "alternate", 0, first, second, 20.5, 99, 1.25)
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["first", "50", "30", "15", "5"] in lines
    assert ["second", "50", "20", "5", "25"] in lines
    assert ["either", "100", "50", "20", "30"] in lines
    assert ["share", "of", "wins", "0.500", "[0.404,", "0.596]"] in lines
    assert ["share", "of", "points", "0.600", "[0.502,", "0.691]"] in lines


def test_a_draw_is_half_a_point_in_the_printed_tables(capsys: pytest.CaptureFixture[str]) -> None:
    results = np.zeros((2, 2, 3), dtype=np.int64)
    results[0, 1], results[1, 0] = (30, 60, 10), (10, 60, 30)
    ratings = rate(["strong", "weak"], results)
    tournament.print_result(
        TournamentResult(("strong", "weak"), Geometry(), 100, 0, results, ratings, (), 1.0)
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    strong, weak = (line for line in lines if len(line) == 11)
    assert (strong[1], strong[5], strong[8:]) == ("strong", "0.600", ["30", "60", "10"])
    assert (weak[1], weak[5], weak[8:]) == ("weak", "0.400", ["10", "60", "30"])
    assert ["1", "strong", "-", "60.0"] in lines
    assert ["2", "weak", "40.0", "-"] in lines


def test_a_cross_table_stands_in_the_order_of_the_ranking(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The strongest entered last: rows and columns both begin with it."""
    names, results = ("weak", "fair", "strong"), np.zeros((3, 3, 3), dtype=np.int64)
    for row, column, wins in ((1, 0, 70), (2, 0, 90), (2, 1, 80)):
        results[row, column], results[column, row] = (wins, 0, 100 - wins), (100 - wins, 0, wins)
    tournament.print_result(
        TournamentResult(names, Geometry(), 100, 0, results, rate(names, results), (), 1.0)
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["1", "strong", "-", "80.0", "90.0"] in lines
    assert ["2", "fair", "20.0", "-", "70.0"] in lines
    assert ["3", "weak", "10.0", "30.0", "-"] in lines


def test_positions_are_read_back_by_evaluate(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    ran = cli("positions", "--per-class", "4", "--columns", "5", "--rows", "4", "-o", str(file))
    assert ran.code == 0
    written = read_position_set(file, Geometry(5, 4))
    assert str(len(written)) in ran.out
    ran = cli("evaluate", "perfect", "--columns", "5", "--rows", "4", "--measure", "accuracy",
              "--positions", str(file), "--json")  # fmt: skip
    assert ran.document["positions"] == len(written) > 0
    assert ran.document["best_move_accuracy"] == 1


def test_positions_go_to_standard_output_without_a_file(cli: Cli) -> None:
    options = ("positions", "--per-class", "2", "--columns", "5", "--rows", "4")
    lines = [line.split() for line in cli(*options).out.splitlines() if not line.startswith("#")]
    document = cli(*options, "--json").document
    assert [[p["moves"], str(p["score"]), p["class"]] for p in document["positions"]] == lines
    assert sum(document["counts"].values()) == len(lines)


def test_classes_that_a_board_does_not_have_are_told(cli: Cli) -> None:
    ran = cli("positions", "--per-class", "50", *TINY)
    assert "fewer than 50 were found of" in ran.err


def test_the_former_names_of_options_still_work_and_are_not_shown(cli: Cli) -> None:
    words = ("match", "random", "extend", "--games", "20", "--json")
    old, new = (cli(*words, *option).document for option in (["--workers", "1"], ["--threads=1"]))
    assert without_times(old) == without_times(new)
    assert "0 is not from 1 to 1,024" in cli(*words, "--workers=0").err
    assert "0 is not from 1 to 1,024" in cli("train", "ntuple", "--jobs", "0").err
    shown = {name: cli(name, "--help").out for name in ("match", "train")}
    assert "--workers" not in shown["match"]
    assert "--workers" in shown["train"]
    assert "--jobs" not in shown["train"]


def test_a_trained_player_brings_its_board(cli: Cli) -> None:
    folder = Path(__file__).parents[1] / "golden" / "networks"
    spec = f"ntuple:{folder / 'ntuple-4x4-3.safetensors'}"
    ran = cli("match", "random", spec, "--games", "4", "--json")
    assert ran.document["geometry"] == {"columns": 4, "rows": 4, "connect": 3}
    assert cli("evaluate", spec, "--measure", "exact", "--json").document["geometry"]["rows"] == 4
    refused = cli("match", "random", spec, "--columns", "7")
    assert refused.code == 2
    assert "was trained on a 4x4 connect-3 board" in refused.err


def test_a_tournament_needs_players_or_all(cli: Cli) -> None:
    for given in ((), ("random",)):
        ran = cli("tournament", *given)
        assert ran.code == 2
        assert ran.err.count("\n") == 1
        assert "invite --all" in ran.err


@pytest.mark.slow
def test_everyone_can_be_invited(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    ran = cli("tournament", "--all", "minimax:depth=2", "--games", "2", "--per-class", "1", *TINY,
              "--report", str(folder), "--json")  # fmt: skip
    assert ran.code == 0
    assert {"random", "mcts", "perfect", "minimax:depth=2"} <= set(ran.document["agents"])
    assert "external is not invited: it needs command=…" in ran.err
    assert set(ran.document["costs"]) == set(ran.document["agents"])
    assert (folder / "report.md").exists()


def test_a_report_that_cannot_be_written_is_refused_before_the_games(cli: Cli) -> None:
    ran = cli("tournament", "random", "extend", "--report", "/dev/null/folder")
    assert ran.code == 2
    assert "cannot be written" in ran.err
    assert ran.out == ""
