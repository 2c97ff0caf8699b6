"""``evaluate``: every measure, for people and as a document."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

TINY = ("--columns", "4", "--rows", "4", "--connect", "3")
PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
SHARES = ("success_rate", "win_rate", "outcome_accuracy", "best_move_accuracy")


def test_evaluate_has_the_usual_measures(cli: Cli) -> None:
    ran = cli("evaluate", "extend", "--games", "20", "--quota-games", "30", "--per-class", "2",
              *TINY, "--json")  # fmt: skip
    document = ran.document
    for key in SHARES:
        low, high = document[f"{key}_interval"]
        assert 0 <= low <= document[key] <= high <= 1
    assert document["games"] == document["wins"] + document["draws"] + document["losses"] == 20
    assert document["best_move_accuracy"] <= document["outcome_accuracy"]
    assert sum(part["positions"] for part in document["classes"].values()) == document["positions"]
    random = document["against_random"]
    assert random["games"] == 30
    assert document["win_rate"] == random["wins"] / 30
    if random["losses"]:
        assert document["winning_quota"] == random["wins"] / random["losses"]
    assert [each["measure"] for each in document["measures"]] == [
        "success:games=20",
        "quota:games=30",
        "accuracy:per_class=2",
    ]


def test_the_seed_decides_the_games(cli: Cli) -> None:
    def figures(seed: int) -> tuple[object, ...]:
        document = cli("evaluate", "random", "--measure", "quota", "--quota-games", "200", *TINY,
                       "--seed", str(seed), "--json").document  # fmt: skip
        return document["seed"], document["win_rate"], document["against_random"]["mean_plies"]

    assert figures(1) == figures(1)
    assert figures(1)[1:] != figures(2)[1:]


def test_the_page_explains_every_key(cli: Cli) -> None:
    ran = cli("evaluate", "extend", *TINY, "--games", "4", "--quota-games", "4", "--per-class", "1",
              "--measure", "success", "--measure", "quota", "--measure", "accuracy", "--measure",
              "exact", "--measure", "score:random,games=4", "--measure", "proof",
              "--json")  # fmt: skip
    section = PAGE.split("\n## evaluate\n")[1].split("\n## ")[0]
    document = ran.document
    for key in (*document, *document["measures"][0]):
        assert f"`{key}`" in section or key.endswith("_interval"), key


def test_a_measure_takes_settings_of_its_own(cli: Cli) -> None:
    ran = cli("evaluate", "random", "--measure", "success:games=7", "--measure",
              "success:objective=outcome", "--games", "9", *TINY, "--json")  # fmt: skip
    first, second = ran.document["measures"]
    assert (first["counts"]["games"], first["facts"]["objective"]) == (7, "distance")
    assert (second["counts"]["games"], second["facts"]["objective"]) == (9, "outcome")
    assert ran.document["games"] == 7


def test_the_score_against_any_player(cli: Cli) -> None:
    ran = cli(
        "evaluate", "random", "--measure", 'score:"minimax:depth=2",games=40', *TINY, "--json"
    )
    assert ran.document["measures"][0]["opponent"] == "minimax:depth=2"
    low, high = ran.document["score_rate_interval"]
    assert 0 <= low <= ran.document["score_rate"] <= high < 0.5
    ran = cli("evaluate", "random", "--measure", "score:extend,games=10", *TINY)
    assert "against extend, moving first in every other game" in ran.out


def test_a_quota_that_is_infinite_is_valid_json(cli: Cli) -> None:
    ran = cli("evaluate", "perfect", "--measure", "quota:games=30", *TINY, "--json")
    document = ran.document
    assert document["against_random"]["losses"] == 0, "no test without a clean sheet"
    assert document["winning_quota"] is None
    low, high = document["winning_quota_interval"]
    assert high is None
    assert low > 5
    ran = cli("evaluate", "perfect", "--measure", "quota:games=30", *TINY)
    assert "winning quota  beyond all" in ran.out


def test_evaluate_one_measure_alone(cli: Cli) -> None:
    ran = cli("evaluate", "random", "--measure", "quota", "--quota-games", "20", "--json", *TINY)
    assert "winning_quota" in ran.document
    assert "success_rate" not in ran.document
    assert "outcome_accuracy" not in ran.document


def test_evaluate_exactly_walks_through_all_games(cli: Cli) -> None:
    document = cli("evaluate", "extend", "--measure", "exact", "--json", *TINY).document
    chances = [document[f"{name}_chance"] for name in ("win", "draw", "loss")]
    assert sum(chances) == pytest.approx(1.0)
    assert document["exact_success_rate"] == pytest.approx(chances[0] + chances[1] / 2)
    assert "exact_success_rate_interval" not in document
    assert "success_rate" not in document
    assert document["positions_walked"] > 0


def test_the_perfect_player_is_perfect(cli: Cli) -> None:
    ran = cli("evaluate", "perfect", "--games", "10", "--measure", "success", "--measure",
              "accuracy", "--per-class", "3", *TINY, "--json")  # fmt: skip
    assert ran.document["success_rate"] == 1
    assert ran.document["outcome_accuracy"] == 1
    assert ran.document["best_move_accuracy"] == 1


def test_evaluate_for_people(cli: Cli) -> None:
    ran = cli("evaluate", "random", "--games", "5", "--quota-games", "5", "--per-class", "2",
              "--objective", "outcome", *TINY)  # fmt: skip
    for word in ("success rate", "objective=outcome", "win rate", "keeps the outcome"):
        assert word in ran.out
    ran = cli("evaluate", "random", "--measure", "exact", *TINY)
    assert "exact success rate 0." in ran.out
    assert "position" in ran.out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--measure", "sucess"], "did you mean 'success'?"),
        (["--measure", "success:game=3"], "did you mean 'games'"),
        (["--measure", "accuracy:positions=no-such-file"], "no-such-file"),
        (["--games", "0"], "--games"),
        (["--side", "second"], "--side is for --measure proof"),
        (["--measure", "proof", "--side", "third"], "--side"),
        (["--measure", "proof", "--sample", "7"], "--sample"),
        (["--measure", "proof:keep=result,side=second"], "take keep=gifts"),
        (["--measure", "proof", "--holes", "."], "--holes"),
        (["--measure", "proof", "--holes", "x", "--executor", "local"], "leave --executor out"),
        (["--measure", "proof:holes=x", "--executor", "local"], "leave --executor out"),
        (["--measure", "proof", "--measure", "proof:sample=8", "--holes", "x"], "into one file"),
    ],
)
def test_mistakes_are_one_line(cli: Cli, arguments: list[str], part: str) -> None:
    ran = cli("evaluate", "random", *arguments, *TINY)
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert ran.err.count("\n") == 1


def test_a_proof_for_people(cli: Cli, tmp_path: Path) -> None:
    ran = cli("evaluate", "perfect", "--measure", "proof", *TINY)
    assert "proven: whatever anybody plays, nobody takes from it the win of the first" in ran.out
    assert "rests on the solver's outcomes" in ran.out
    holes = tmp_path / "holes.txt"
    ran = cli("evaluate", "random", "--measure", "proof", "--holes", holes, *TINY)
    assert "not proven: " in ran.out
    assert re.search(r"the earliest: after \d\d it plays \d\n", ran.out)
    lines = [line for line in holes.read_text().splitlines() if not line.startswith("#")]
    assert f"{len(lines):,} holes" in ran.out
    solved = cli("solve", "--file", holes, "--outcome", *TINY).out.splitlines()
    assert {line.split()[-1] for line in solved} == {"win"}, "before the hole the game was won"


def test_a_sampled_proof_says_that_it_proves_nothing(cli: Cli) -> None:
    ran = cli("evaluate", "perfect", "--measure", "proof", "--sample", "80", *TINY)
    assert "an estimate, no proof: in 1.000000 [0." in ran.out
    ran = cli("evaluate", "random", "--measure", "proof", "--sample", "80", "--side", "second",
              *TINY)  # fmt: skip
    assert "every win and draw that comes to the second player" in ran.out
    document = cli("evaluate", "random", "--measure", "proof", "--sample", "80", *TINY,
                   "--json").document  # fmt: skip
    low, high = document["met_held_rate_interval"]
    assert low < document["met_held_rate"] < high
    assert document["proven"] is False


LISTENING = """
import signal
for number in (signal.SIGTERM, signal.SIGHUP):  # whatever nohup or a background shell ignores
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
from connectlab.cli import main
main()
"""
STOPPED = "stopped: nothing was kept, the same command begins anew"
LONG_WALK = ("evaluate", "ntuple:champion", "--measure", "exact:objective=framework-books")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([signal.SIGINT], {STOPPED}),
        ([signal.SIGTERM], {STOPPED}),
        ([signal.SIGHUP], {STOPPED}),
        ([signal.SIGINT, signal.SIGINT], {"", STOPPED}),  # who is slow takes them for one
    ],
)
def test_a_signal_ends_what_is_measured_by_other_processes(
    numbers: list[signal.Signals], told: set[str]
) -> None:
    """All processes of the group hear it, as from a terminal, in the middle of a walk."""
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, *LONG_WALK, "--executor", "local"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None and len(children.read_text().split()) < 2:
        time.sleep(0.02)
    time.sleep(3)
    for number in numbers:
        os.killpg(process.pid, number)
        time.sleep(0.45)  # the second one is not an echo of the first
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert err.strip() in told
