"""docs/cli.md says what the program says."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from all_commands import all_commands

from connectlab.cli import demo
from connectlab.lab.demo import Trained

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = all_commands()
TINY = ("--columns", "4", "--rows", "4", "--connect", "3")
SOME = ("--games", "4", "--quota-games", "4", "--per-class", "1")
Cli = Callable[..., Any]

NAMES_OF_DATA = {
    "presets",
    "default",
    "values",
    "policy",
    "column_notes",
    "facts",
    "part_columns",
    "classes",
    "counts",
    "column_scores",
    "column_outcomes",
}
"""Keys whose own keys are data, such as columns or classes, and not part of the format."""


def writer() -> ModuleType:
    """Import the script that writes the page."""
    path = ROOT / "scripts" / "write_cli_docs.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def keys_of(document: Any) -> Iterator[str]:
    """Yield every key of a document that belongs to its format."""
    if isinstance(document, list):
        for item in document:
            yield from keys_of(item)
    elif isinstance(document, dict):
        for key, value in document.items():
            yield key
            if key not in NAMES_OF_DATA:
                yield from keys_of(value)


def test_the_page_is_up_to_date() -> None:
    assert writer().refresh(PAGE) == PAGE, "run make docs"


def test_an_outdated_page_is_noticed() -> None:
    outdated = PAGE.replace("Columns of the board.", "Columns.")
    assert writer().refresh(outdated) == PAGE != outdated


@pytest.mark.parametrize("command", ["connectlab", *COMMANDS])
def test_every_command_is_on_the_page(command: str) -> None:
    assert f"<!-- help: {command} -->" in PAGE


def test_every_json_key_of_the_demo_is_documented(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = Trained("random", ROOT / "docs" / "images" / "demo-curve.png", 1, 1.0, None, {})
    monkeypatch.setattr(demo, "_train", lambda *_: trained)
    monkeypatch.setattr("connectlab.lab.demo.OTHERS", ("extend",))
    ran = cli("demo", "--games", "2", "--out", str(tmp_path), "--json")
    section = PAGE.split("\n## demo\n")[1].split("\n## ")[0]
    assert not [key for key in ran.document if f"`{key}`" not in section]
    assert not [key for key in keys_of(ran.document) if f"`{key}`" not in PAGE]


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "12"],
        ["solve", "12", "--outcome"],
        ["match", "random", "extend", "--games", "4"],
        ["tournament", "random", "extend", "--games", "4"],
        ["evaluate", "random", *SOME],
        ["inspect", "perfect", "12"],
        ["inspect", "ntuple:champion", "4453"],
        ["inspect", "ntuple:champion", "--contents"],
        ["inspect", "ntuple:champion", "--part", "1"],
        ["positions", "--per-class", "1"],
        ["export", "kaggle", "minimax"],
        ["agents"],
        ["learners"],
        ["cache"],
        ["tuples", "list", "walk"],
        ["tuples", "draw", "walk"],
        ["tuples", "export", "walk", "-o", "set.json"],
        ["tuples", "vary", "walk", "-o", "set.json", "--drop", "1"],
        ["tuples", "index", "1/1,2/1", "12"],
    ],
    ids=" ".join,
)
def test_every_json_key_is_documented_under_its_command(
    cli: Cli, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    boardless = arguments[0] in ("agents", "learners", "cache") or "ntuple:champion" in arguments
    board = [] if boardless else TINY
    ran = cli(*arguments, *board, "--json")
    assert ran.code == 0
    missing = [key for key in keys_of(ran.document) if f"`{key}`" not in PAGE]
    assert not missing
    section = PAGE.split(f"\n## {arguments[0]}\n")[1].split("\n## ")[0]
    top = ran.document[0] if isinstance(ran.document, list) else ran.document
    assert not [key for key in top if f"`{key}`" not in section]
