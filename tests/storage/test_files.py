import os
from pathlib import Path

import pytest

from connectlab.storage.files import replacing, write_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writes_a_new_file_and_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "note.txt"
    write_text(path, "früh\n")
    assert path.read_bytes() == "früh\n".encode()
    assert names(path.parent) == ["note.txt"]


def test_replaces_an_old_file(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")
    write_text(path, "new")
    assert path.read_text() == "new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")

    def fail_half_way() -> None:
        with replacing(path) as beside:
            beside.write_text("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_half_way()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["note.txt"]


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")
    with replacing(path) as beside:
        beside.write_text("half")
        assert path.read_text() == "old"
        assert beside.parent == path.parent
        beside.write_text("new")
    assert path.read_text() == "new"


def test_the_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    plain, careful = tmp_path / "plain", tmp_path / "careful"
    before = os.umask(0o027)
    try:
        plain.write_text("x")
        write_text(careful, "x")
    finally:
        os.umask(before)
    assert careful.stat().st_mode == plain.stat().st_mode
