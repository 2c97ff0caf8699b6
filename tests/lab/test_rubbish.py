"""What a killed process left half written is removed; what others are writing is not."""

import os
from pathlib import Path

import pytest

from connectlab.lab import lessons
from connectlab.lab.rubbish import sweep
from connectlab.storage.files import replacing
from connectlab.storage.locks import hold

LONG_AGO = (1_000_000_000, 1_000_000_000)


def half_written(path: Path) -> Path:
    """Leave what a process leaves that is killed while it writes a file."""
    with replacing(path) as beside:
        left = beside
    left.write_text("half")
    return left


def half_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Leave the folder of a pupil whose making was ended."""
    with monkeypatch.context() as killed:
        killed.setattr(lessons.shutil, "rmtree", lambda *_args, **_kwargs: None)
        killed.setattr(lessons, "_put", lambda *_: None)
        lessons.make_pupil("cheng-known", path)
    (left,) = path.parent.glob(".mine.*")
    return left


def test_only_what_is_old_and_half_written_is_removed(tmp_path: Path) -> None:
    left, young = half_written(tmp_path / "game-0001.json"), half_written(tmp_path / "b.json")
    kept = [tmp_path / name for name in ("game-0001.json", ".hidden.json", ".orders", "notes.txt")]
    for path in kept[1:]:
        path.touch()
    for path in (left, *kept):
        os.utime(path, LONG_AGO)
    assert sweep([tmp_path, tmp_path / "nowhere"]) == [left]
    assert all(path.exists() for path in (young, *kept))
    assert sweep([tmp_path], older_than=-1.0) == [young]


def test_a_pupil_half_made_is_removed_unless_somebody_is_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = half_made(tmp_path / "mine", monkeypatch)
    lock = hold(left / ".lock", "it")
    assert lock is not None
    with lock:
        assert sweep([tmp_path], older_than=-1.0) == []
    assert sweep([tmp_path]) == []
    assert sweep([tmp_path], older_than=-1.0) == [left]
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    runs, outside = tmp_path / "runs", tmp_path / "outside"
    runs.mkdir()
    outside.mkdir()
    (outside / "file").touch()
    (runs / ".mine.0123456789ab").symlink_to(outside)
    sweep([runs], older_than=-1.0)
    assert (outside / "file").exists()
