"""``connectlab demo`` writes a report and says how to play."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectlab.cli.demo import PLAYERS

Cli = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "new" / "folder"


def test_demo_prints_a_table_and_writes_the_report(cli: Cli, folder: Path) -> None:
    ran = cli("demo", "--games", "2", "--out", str(folder))
    assert ran.code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["heatmap.png", "report.md"]
    assert (folder / "heatmap.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "report.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| \d+ \[", page, re.MULTILINE)
    assert len(rows) == len(PLAYERS)
    assert rows[0] == "perfect"
    assert "![" in page
    assert "(heatmap.png)" in page
    assert "connectlab play --second" in ran.out
    assert all(name in ran.out for name in rows)


def test_demo_tells_its_steps_on_standard_error(cli: Cli, tmp_path: Path) -> None:
    ran = cli("demo", "--games", "1", "--out", str(tmp_path), "--json")
    assert ran.document["report"] == str(tmp_path / "report.md")
    assert len(ran.document["success_rates"]) == len(PLAYERS)
    assert "Everyone meets everyone, 1 game a pairing" in ran.err


def test_demo_refuses_a_file_as_its_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = cli("demo", "--games", "1", "--out", str(tmp_path / "file"))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
