"""``connectlab harden``: a network closes its holes, round by round."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
SMALL = ("columns=4", "rows=4", "connect=3", "tuples=8", "length=4", "games=60")
FEW = (
    "--set",
    "way=games",
    "--set",
    "games=200",
    "--set",
    "alpha=0.1",
    "--set",
    "average_games=0",
    "--threads",
    "1",
)


@pytest.fixture
def run_folder(tmp_path: Path, cli: Cli) -> str:
    folder = str(tmp_path / "run")
    settings = [word for setting in SMALL for word in ("--set", setting)]
    assert cli("train", "ntuple", *settings, "--measure", "none", "--out", folder).code == 0
    return folder


def test_it_goes_on_until_there_is_no_hole(tmp_path: Path, run_folder: str, cli: Cli) -> None:
    out = str(tmp_path / "hard")
    found = cli("harden", run_folder, "--out", out, "--rounds", "1", *FEW, "--json")
    assert found.code == 0
    (first,) = found.document["rounds"]
    assert first["holes"] > 0
    assert not found.document["proven"]
    found = cli("harden", "--out", out, "--rounds", "80", "--threads", "1")
    assert found.code == 0
    assert found.out == f"proven: nobody takes its result from ntuple:{out}\n"
    assert "round 1: 260 games" in found.err
    board = ("--columns", "4", "--rows", "4", "--connect", "3")
    assert "proven:" in cli("evaluate", f"ntuple:{out}", "--measure", "proof", *board).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--out", "new"], "nothing was begun in new: name the network to go on with"),
        (["missing", "--out", "new"], "there is no ntuple player "),
        (["RUN", "--out", "new", "--set", "games"], "'games' sets nothing: write key=value"),
        (["RUN", "--out", "new", "--set", "games=0"], "harden: games=0 should be greater than"),
        (["RUN", "--out", "new", "--set", "speed=9"], "harden has no setting 'speed': "),
        (["RUN", "--out", "new", "--set", "depth=2"], "harden: lessons harden a player without"),
        (["RUN", "--out", "new", "--set", "source=x"], "the network stands before the options"),
        (["champion", "--out", "new", "--set", "way=games"], "name its folder: "),
        (["RUN", "--out", "RUN"], "holds something else: take a new folder"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(
    tmp_path: Path,
    run_folder: str,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = cli("harden", *(run_folder if word == "RUN" else word for word in arguments))
    assert found.code == 2
    assert found.out == ""
    assert told in found.err
    assert found.err.count("\n") == 1
    assert not (tmp_path / "new").exists()
