"""Checkpoints: the same bits come back, and anything else is one line."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from connectlab.storage.checkpoint import FORMAT, MOST_HEADER, Checkpoint, CheckpointError


@pytest.fixture
def checkpoint() -> Checkpoint:
    arrays = {
        "weights": np.arange(6, dtype=np.float32).reshape(2, 3).T,  # not contiguous
        "counts": np.array([1, -2], dtype=np.int64),
        "scale": np.array(0.25),
        "none": np.empty((0, 3), dtype=np.uint8),
    }
    return Checkpoint("ntuple", {"settings": {"alpha": 0.05}, "games": 3}, arrays)


@pytest.fixture
def saved(checkpoint: Checkpoint, tmp_path: Path) -> Path:
    path = tmp_path / "run" / "last.safetensors"
    checkpoint.save(path)
    return path


def test_round_trip_gives_the_same_bits(checkpoint: Checkpoint, saved: Path) -> None:
    loaded = Checkpoint.load(saved, kind="ntuple")
    assert loaded.kind == checkpoint.kind
    assert loaded.header == checkpoint.header
    assert loaded.arrays.keys() == checkpoint.arrays.keys()
    for name, array in checkpoint.arrays.items():
        assert loaded.arrays[name].dtype == array.dtype
        assert loaded.arrays[name].shape == array.shape
        assert np.array_equal(loaded.arrays[name], array)


def test_saving_the_same_twice_gives_the_same_file(checkpoint: Checkpoint, saved: Path) -> None:
    again = saved.with_name("again.safetensors")
    checkpoint.save(again)
    assert again.read_bytes() == saved.read_bytes()


def test_numbers_as_keys_become_text(tmp_path: Path) -> None:
    Checkpoint("ntuple", {"sizes": {9: (1, 2), 10: None}}, {}).save(tmp_path / "x")
    assert Checkpoint.load(tmp_path / "x").header == {"sizes": {"9": [1, 2], "10": None}}


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"there is no checkpoint .*nowhere"):
        Checkpoint.load(tmp_path / "nowhere")


def test_another_learners_file(saved: Path) -> None:
    with pytest.raises(CheckpointError, match="was written by 'ntuple', not by 'mlp'"):
        Checkpoint.load(saved, kind="mlp")


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", bytes(100)])
def test_a_foreign_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="is damaged or is no checkpoint"):
        Checkpoint.load(path)


def test_a_safetensors_file_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    save_file({"x": np.zeros(2)}, path, metadata={"format": "pt"})
    with pytest.raises(CheckpointError, match="connectlab did not write it"):
        Checkpoint.load(path)


def test_a_file_of_a_later_version(tmp_path: Path) -> None:
    path = tmp_path / "later.safetensors"
    save_file({"x": np.zeros(2)}, path, metadata={FORMAT: json.dumps({"version": 2})})
    with pytest.raises(CheckpointError, match="has checkpoint version 2"):
        Checkpoint.load(path)


@pytest.mark.parametrize("about", ["", "[]", "{}", '{"version": 1}', "3"])
def test_a_header_that_makes_no_sense(tmp_path: Path, about: str) -> None:
    path = tmp_path / "odd.safetensors"
    save_file({"x": np.zeros(2)}, path, metadata={FORMAT: about})
    with pytest.raises(CheckpointError, match="is damaged: its header"):
        Checkpoint.load(path)


def forged(path: Path, about: object) -> Path:
    """Write a safetensors file with a header of our format that says ``about``."""
    text = about if isinstance(about, str) else json.dumps(about)
    save_file({"x": np.zeros(2)}, path, metadata={FORMAT: text})
    return path


WHOLE = {"version": 1, "kind": "ntuple", "header": {}, "digest": ""}


@pytest.mark.parametrize(
    "change",
    [
        {"version": "1"},
        {"version": 1.0},
        {"version": True},
        {"version": None},
        {"version": "9" * 100_000},
        {"kind": 3},
        {"kind": ["ntuple"]},
        {"header": []},
        {"header": None},
        {"header": "text"},
        {"digest": 0},
        {"more": 1},
    ],
    ids=lambda change: str(change)[:30],
)
def test_a_forged_header_is_refused_in_one_short_line(
    tmp_path: Path, change: dict[str, object]
) -> None:
    path = forged(tmp_path / "forged", {**WHOLE, **change})
    with pytest.raises(CheckpointError, match=r"version|damaged") as raised:
        Checkpoint.load(path)
    assert "digest" not in str(raised.value), "refused for what it says, before any counting"
    assert len(str(raised.value)) < len(str(path)) + 150
    assert "\n" not in str(raised.value)


def test_a_header_nested_deeper_than_python_reads(tmp_path: Path) -> None:
    path = forged(tmp_path / "deep", '{"version": ' + "[" * 200_000)
    with pytest.raises(CheckpointError, match="its header cannot be read"):
        Checkpoint.load(path)


def test_a_huge_header_is_not_even_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = forged(tmp_path / "huge", " " * (MOST_HEADER + 1))
    monkeypatch.setattr("connectlab.storage.checkpoint.json.loads", pytest.fail)
    with pytest.raises(CheckpointError, match="its header has 16,000,001 characters"):
        Checkpoint.load(path)


def test_the_kind_of_a_foreign_file_is_shown_shortened(tmp_path: Path) -> None:
    path = forged(tmp_path / "odd", {**WHOLE, "kind": "x\n" * 1000})
    with pytest.raises(CheckpointError, match="was written by") as raised:
        Checkpoint.load(path, kind="ntuple")
    assert len(str(raised.value)) < len(str(path)) + 150
    assert "\n" not in str(raised.value)


def test_numbers_that_numpy_does_not_know(tmp_path: Path) -> None:
    """A safetensors file may hold bfloat16, of which NumPy has never heard."""
    about = json.dumps({**WHOLE, "version": 1})
    entries = {
        "__metadata__": {FORMAT: about},
        "x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]},
    }
    text = json.dumps(entries).encode()
    path = tmp_path / "bf16"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(4))
    with pytest.raises(CheckpointError):
        Checkpoint.load(path)


def test_a_folder_and_a_fifo_are_no_checkpoints(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="is a folder"):
        Checkpoint.load(tmp_path)
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        Checkpoint.load(tmp_path / "fifo")


def test_a_file_that_may_not_be_read(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CheckpointError, match="cannot be read: permission denied"):
        Checkpoint.load(saved)


def test_a_file_cut_short_anywhere(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(0, len(whole), 7):
        saved.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            Checkpoint.load(saved)


def test_a_flipped_bit_anywhere_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    for index in range(len(whole)):
        damaged = bytearray(whole)
        damaged[index] ^= 1 << index % 8
        saved.write_bytes(damaged)
        with pytest.raises(CheckpointError):
            Checkpoint.load(saved, kind="ntuple")


def test_a_changed_setting_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    assert whole.count(b"0.05") == 1
    saved.write_bytes(whole.replace(b"0.05", b"0.15"))
    with pytest.raises(CheckpointError, match="digest"):
        Checkpoint.load(saved)


def test_a_failed_save_leaves_the_old_file(saved: Path) -> None:
    before = saved.read_bytes()
    with pytest.raises(TypeError):
        Checkpoint("ntuple", {"bad": object()}, {}).save(saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]


def test_the_header_is_plain_json(saved: Path) -> None:
    size = int.from_bytes(saved.read_bytes()[:8], "little")
    header = json.loads(saved.read_bytes()[8 : 8 + size])
    about = json.loads(header["__metadata__"][FORMAT])
    assert about["kind"] == "ntuple"
    assert about["header"]["settings"] == {"alpha": 0.05}


def test_a_full_disk_is_an_error_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left") as caught:
        Checkpoint("x", {}, {"a": np.zeros(3)}).save(tmp_path / "c.safetensors")
    assert caught.value.filename == str(tmp_path / "c.safetensors")
    assert list(tmp_path.iterdir()) == []
