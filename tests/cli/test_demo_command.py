"""``connectlab demo`` trains, measures, writes a report and says how to play."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from connectlab.agents.registry import config_class, make_learner
from connectlab.cli import demo
from connectlab.lab.demo import OTHERS, Trained
from connectlab.storage.checkpoint import Checkpoint

Cli = Callable[..., Any]
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "demo-curve.png"
LEARNED = "ntuple:champion"
GAMES = 4000


@pytest.fixture
def without_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the network that comes along stand for one that was just trained."""
    trained = Trained(LEARNED, PICTURE, 1000, 2.0, None, {"run": "run-1", "games": 1000})
    monkeypatch.setattr(demo, "_train", lambda *_: trained)


@pytest.mark.slow
def test_the_report_and_the_screen_say_the_same(
    cli: Cli, tmp_path: Path, without_training: None
) -> None:
    folder = tmp_path / "new" / "folder"
    ran = cli("demo", "--games", "2", "--out", str(folder))
    assert ran.code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["curve.png", "heatmap.png", "report.md"]
    assert (folder / "heatmap.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "curve.png").read_bytes() == PICTURE.read_bytes()
    page = (folder / "report.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (\S+) \| (-?\d+ \[.*?\]) \| (.*) \|$", page, re.MULTILINE)
    assert sorted(name for name, *_ in cells) == sorted((*OTHERS, LEARNED))
    for name, rating, rest in cells:
        (line,) = [line for line in ran.out.splitlines() if line.startswith(f"{name} ")]
        assert line.split() == [name, *rating.split(), *rest.replace("|", "").split()]
    assert f"play --second {LEARNED}" in ran.out
    assert f"`connectlab play --second {LEARNED}`" in page
    assert "Everyone meets everyone, 2 games a pairing" in ran.err


@pytest.mark.slow
def test_a_report_that_cannot_be_written_loses_no_result(
    cli: Cli, tmp_path: Path, without_training: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "report.md")

    monkeypatch.setattr("connectlab.lab.report.write_text", fail)
    ran = cli("demo", "--games", "1", "--out", str(tmp_path))
    assert ran.code == 2
    assert all(f"{name} " in ran.out for name in (*OTHERS, LEARNED))
    assert ran.err.splitlines()[-1] == "connectlab: report.md: no space left on device"


@pytest.mark.slow
def test_what_is_measured_has_learned(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a preset no average is taken, so a few games already change what plays."""
    monkeypatch.setattr(demo, "PRESET", None)
    folder = tmp_path / "a folder, with blanks"
    (folder / "run-1").mkdir(parents=True)
    ran = cli(
        "demo", "--games", "2", "--training-games", str(GAMES), "--out", str(folder), "--json"
    )
    document = ran.document
    assert document["training"]["games"] == GAMES
    assert document["training"]["run"] == str(folder / "run-2")
    assert len(document["success_rates"]) == len(document["move_accuracies"]) == len(OTHERS) + 1
    assert document["tournament"]["agents"][-1] == document["training"]["agent"]
    config = config_class(demo.LEARNER)(games=GAMES)
    before = make_learner(config).checkpoint()
    measured = Checkpoint.load(folder / "run-2" / "best.safetensors", demo.LEARNER)
    assert any(
        not np.array_equal(measured.arrays[name], before.arrays[name]) for name in before.arrays
    )
    page = (folder / "report.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"Play against what was learned: `(.*)`", page)
    assert shlex.split(command)[-1] == document["training"]["agent"]


def test_demo_refuses_a_file_as_its_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = cli("demo", "--games", "2", "--out", str(tmp_path / "file"))
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_demo_refuses_a_folder_it_cannot_make_before_it_trains(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "_train", pytest.fail)
    (tmp_path / "file").write_text("")
    ran = cli("demo", "--out", str(tmp_path / "file" / "below"))
    assert ran.code == 2
    assert "is no folder that takes new files" in ran.err
    assert ran.err.count("\n") == 1
