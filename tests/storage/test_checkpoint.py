import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from connectlab.agents import AgentError
from connectlab.storage.checkpoint import FORMAT, Checkpoint


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
    with pytest.raises(AgentError, match=r"there is no checkpoint .*nowhere"):
        Checkpoint.load(tmp_path / "nowhere")


def test_another_learners_file(saved: Path) -> None:
    with pytest.raises(AgentError, match="was written by 'ntuple', not by 'mlp'"):
        Checkpoint.load(saved, kind="mlp")


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", bytes(100)])
def test_a_foreign_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(AgentError, match="is damaged or is no checkpoint"):
        Checkpoint.load(path)


def test_a_safetensors_file_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    save_file({"x": np.zeros(2)}, path, metadata={"format": "pt"})
    with pytest.raises(AgentError, match="connectlab did not write it"):
        Checkpoint.load(path)


def test_a_file_of_a_later_version(tmp_path: Path) -> None:
    path = tmp_path / "later.safetensors"
    save_file({"x": np.zeros(2)}, path, metadata={FORMAT: json.dumps({"version": 2})})
    with pytest.raises(AgentError, match="has checkpoint version 2"):
        Checkpoint.load(path)


@pytest.mark.parametrize("about", ["", "[]", "{}", '{"version": 1}', "3"])
def test_a_header_that_makes_no_sense(tmp_path: Path, about: str) -> None:
    path = tmp_path / "odd.safetensors"
    save_file({"x": np.zeros(2)}, path, metadata={FORMAT: about})
    with pytest.raises(AgentError, match="is damaged: its header"):
        Checkpoint.load(path)


def test_a_file_cut_short_anywhere(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(0, len(whole), 7):
        saved.write_bytes(whole[:length])
        with pytest.raises(AgentError):
            Checkpoint.load(saved)


def test_a_flipped_bit_anywhere_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    for index in range(len(whole)):
        damaged = bytearray(whole)
        damaged[index] ^= 1 << index % 8
        saved.write_bytes(damaged)
        with pytest.raises(AgentError):
            Checkpoint.load(saved, kind="ntuple")


def test_a_changed_setting_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    assert whole.count(b"0.05") == 1
    saved.write_bytes(whole.replace(b"0.05", b"0.15"))
    with pytest.raises(AgentError, match="digest"):
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
