"""``connectlab demo`` trains, measures, writes a report and says how to play."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectlab.cli.demo import OTHERS

Cli = Callable[..., Any]
SHORT = ("--games", "2", "--training-games", "2000")


@pytest.mark.slow
def test_demo_prints_a_table_and_writes_the_report(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    ran = cli("demo", *SHORT, "--out", str(folder))
    assert ran.code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["curve.png", "heatmap.png", "report.md", "run-1"]
    for picture in ("curve.png", "heatmap.png"):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
    page = (folder / "report.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| \d+ \[", page, re.MULTILINE)
    assert len(rows) == len(OTHERS) + 1
    assert rows[0] == "perfect"
    assert "(heatmap.png)" in page
    assert "(curve.png)" in page
    assert f"play --second ntuple:{folder / 'run-1'}" in ran.out


@pytest.mark.slow
def test_demo_can_be_run_again_and_tells_its_steps_on_standard_error(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "run-1").mkdir()
    ran = cli("demo", *SHORT, "--out", str(tmp_path), "--json")
    assert ran.document["report"] == str(tmp_path / "report.md")
    assert ran.document["training"]["games"] == 2000
    assert ran.document["training"]["run"] == str(tmp_path / "run-2")
    assert len(ran.document["success_rates"]) == len(OTHERS) + 1
    assert "Everyone meets everyone, 2 games a pairing" in ran.err


def test_demo_refuses_a_file_as_its_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = cli("demo", *SHORT, "--out", str(tmp_path / "file"))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
