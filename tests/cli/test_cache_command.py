"""``connectlab cache``: what is shown of the folder, and what is removed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectlab import _cache, _jit

Cli = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a set of this version, one of another, and something of somebody else's."""
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path))
    current = _cache.set_path(Path(_jit.__file__))
    for path, size in ((current, 3_000_000), (tmp_path / "kernels-other", 1_000_000)):
        path.mkdir()
        (path / "one.nbc").write_bytes(bytes(size))
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


def test_people_read_where_and_how_much(cli: Cli, folder: Path) -> None:
    ran = cli("cache")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        str(folder),
        "2 sets, 3.8 MB of compiled kernels",
        "  in use by this version: 1 set, 2.9 MB",
        "  of other versions:      1 set, 1.0 MB",
    ]


def test_the_document_names_every_set(cli: Cli, folder: Path) -> None:
    document = cli("cache", "--json").document
    assert document["folder"] == str(folder)
    assert document["bytes"] == 4_000_000
    assert document["sets_in_use"] == 1
    assert document["removed"] == 0
    first, second = document["kernel_sets"]
    assert (first["in_use"], first["bytes"]) == (True, 3_000_000)
    assert (second["in_use"], second["name"]) == (False, "kernels-other")


def test_clearing_removes_the_sets_and_nothing_else(cli: Cli, folder: Path) -> None:
    assert "2 sets removed\n" in cli("cache", "--clear").out
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    document = cli("cache", "--clear", "--json").document
    assert (document["removed"], document["kernel_sets"]) == (0, [])


def test_a_folder_that_is_not_there_is_empty(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONNECTLAB_CACHE_DIR", str(tmp_path / "nowhere"))
    assert "0 sets, 0.0 MB" in cli("cache").out
    assert not (tmp_path / "nowhere").exists()


def test_clearing_what_cannot_be_removed_is_not_counted(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "rename", refuse)
    document = cli("cache", "--clear", "--json").document
    assert document["removed"] == 0
    assert len(document["kernel_sets"]) == 2
    assert (folder / "kernels-other").is_dir()
