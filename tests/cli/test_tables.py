"""Tables keep every name and every number, however narrow the terminal is."""

import os
import pty
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from processes import PROGRAM
from rich.console import Console

from connectlab.arena.match import MatchResult, Tally
from connectlab.arena.measures import Accuracy, SuccessRate
from connectlab.arena.tournament import TournamentResult, rate
from connectlab.cli import console, demo
from connectlab.cli.tables import Table
from connectlab.game import Geometry
from connectlab.lab.demo import DemoResult, Measured, Trained

Cli = Callable[..., Any]

WIDTHS = [40, 60, 80, 200]
LONG = "ntuple:runs/a-folder-with-a-very-long-name/below/another-one/run-12,depth=4"
INTERVAL = re.compile(r"\[-?[\d.]+, -?[\d.]+\]")
BOARD = ("--columns", "5", "--rows", "4")


def printed(made: Table, width: int, capsys: pytest.CaptureFixture[str]) -> str:
    made.print(Console(width=width, force_terminal=False))
    return capsys.readouterr().out


def squeezed(text: str) -> str:
    """Return a text without blanks and line ends, as a folded word can be found in."""
    return "".join(text.split())


@pytest.mark.parametrize("width", WIDTHS)
def test_no_name_and_no_number_is_cut(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    made = Table(("", "player", "rating", "score", "wins"), left=2)
    made.add_row("1", LONG, "1523 [1480, 1566]", "0.750 [0.661, 0.821]", "1,200")
    made.add_row("2", "random", "1477 [1434, 1520]", "0.250 [0.179, 0.339]", "400")
    out = printed(made, width, capsys)
    assert max(len(line) for line in out.splitlines()) <= width
    for cell in ("1523 [1480, 1566]", "0.250 [0.179, 0.339]", "1,200", "random"):
        assert cell in out
    assert "…" not in out


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_row_names_its_numbers(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    made = Table(("player", "rating", "score", "success", "right moves"), title="all of them")
    made.add_row(LONG, "1523 [1480, 1566]", "90 [87, 92]", "98 [94, 100]", "82 [74, 88]")
    out = printed(made, width, capsys)
    assert out.startswith("all of them\n")
    assert LONG in squeezed(out)
    for pair in ("rating 1523 [1480, 1566]", "score 90 [87, 92]", "right moves 82 [74, 88]"):
        assert pair in out


def test_a_wide_row_stands_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    made = Table(("player", "score"))
    made.add_row("random", "0.250 [0.179, 0.339]")
    made.add_row()
    made.add_row("extend")
    assert printed(made, 80, capsys).splitlines() == [
        "player                 score",
        "random  0.250 [0.179, 0.339]",
        "",
        "extend",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "minimax:depth=1,force_center=true", "random", "--games", "4", *BOARD],
        ["tournament", "minimax:depth=1,force_center=true", "random", "extend", "--games", "4",
         *BOARD],
        ["evaluate", "extend", "--games", "2", "--quota-games", "2", "--per-class", "1", *BOARD],
        ["agents"],
        ["learners"],
    ],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_a_command_says_the_same_at_every_width(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    said = {}
    for width in WIDTHS:
        monkeypatch.setattr(console, "PLAIN_WIDTH", width)
        ran = cli(*arguments)
        assert ran.code == 0
        table_lines = [line for line in ran.out.splitlines() if INTERVAL.search(line)]
        assert all(len(line) <= width for line in table_lines)
        said[width] = sorted(INTERVAL.findall(ran.out)), sorted(re.findall(r"\w{12,}", ran.out))
    assert said[40][0] == said[60][0] == said[80][0] == said[200][0]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_demo_says_the_same_at_every_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    monkeypatch.setattr(console, "PLAIN_WIDTH", width)
    results = np.zeros((2, 2, 3), dtype=np.int64)
    results[0, 1], results[1, 0] = (30, 60, 10), (10, 60, 30)
    names, tally = (LONG, "random"), Tally(9, 0, 1)
    match = MatchResult(LONG, "perfect", Geometry(), "fixed", 0, tally, Tally(), 20.0, 10, 1.0)
    measured = Measured(
        SuccessRate(match, "distance"),
        SimpleNamespace(total=Accuracy(positions=20, kept=15, best=10)),  # type: ignore[arg-type]
    )
    held = DemoResult(
        Trained(LONG, Path(), 1000, 2.0, None, {}),
        TournamentResult(names, Geometry(), 100, 0, results, rate(names, results), (), 1.0),
        dict.fromkeys(names, measured),
    )
    demo._print_result(held, 3.0)
    out = capsys.readouterr().out
    assert out.count("ntuple:runs/a-") == out.count("depth=4") == 1
    assert len(INTERVAL.findall(out)) == 2 * 4
    assert out.count("60 [50, 69]") == 1
    assert out.count("90 [60, 98]") == out.count("75 [53, 89]") == 2
    demo._print_next_steps(held, Path("demo"))
    assert f"play --second {LONG}\n" in capsys.readouterr().out


def test_a_real_terminal_of_40_columns_loses_nothing() -> None:
    arguments = ("tournament", "minimax:depth=1,force_center=true", "random", "--games", "2")
    out = on_terminal(*arguments, columns=40)
    assert all(len(line) <= 40 for line in out.splitlines())
    assert "minimax:depth=1,force_center=true" in squeezed(out)
    assert len(INTERVAL.findall(out)) == 4


def on_terminal(*arguments: str, columns: int) -> str:
    """Run the program with a terminal as its standard output; return what it shows there."""
    parent, child = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1", "TERM": "dumb"}
    process = subprocess.Popen(
        [*PROGRAM, *arguments], stdout=child, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(child)
    seen = b""
    while True:
        try:
            part = os.read(parent, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(parent)
    assert process.wait(timeout=60) == 0
    return re.sub(r"\x1b\[[\d;]*m", "", seen.decode()).replace("\r\n", "\n")


def test_a_path_to_paste_is_never_broken(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / ("long-" * 30) / "positions.txt"
    ran = cli("positions", "--per-class", "1", *BOARD, "-o", str(target))
    assert ran.out.endswith(f"written to {target}\n")
