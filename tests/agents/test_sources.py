"""Learned players come from files, and a file that somebody made up is refused in one line."""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from connectlab.agents.settings import AgentError
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry
from connectlab.game.variants import Variant
from connectlab.storage.checkpoint import Checkpoint, CheckpointError


@dataclass(frozen=True)
class Weights:
    geometry: Geometry = STANDARD


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "player.safetensors"
    Checkpoint("toy", {}, {"weights": np.zeros(3, np.float32)}).save(path)
    return path


def failing(error: Exception) -> Sources[Weights]:
    def read(_checkpoint: Checkpoint) -> Weights:
        raise error

    return Sources("toy", read)


@pytest.mark.parametrize(
    "error",
    [
        AttributeError("no such thing"),
        IndexError("too far"),
        KeyError("network"),
        MemoryError(),
        OverflowError("too large"),
        RecursionError("too deep"),
        TypeError("no number"),
        ValueError("no sense"),
        ZeroDivisionError("by nothing"),
        struct.error("too short"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_made_up_header_raises_becomes_one_line(error: Exception, file: Path) -> None:
    with pytest.raises(AgentError, match="is damaged: it does not describe a player of kind toy"):
        failing(error).load(str(file), STANDARD)


def test_what_a_reader_says_itself_is_told_with_the_file(file: Path) -> None:
    with pytest.raises(AgentError) as told:
        failing(CheckpointError("its weights are missing")).load(str(file), STANDARD)
    assert str(told.value) == f"{file}: its weights are missing"


def test_a_mistake_of_ours_is_not_called_damage(file: Path) -> None:
    with pytest.raises(NotImplementedError):
        failing(NotImplementedError()).load(str(file), STANDARD)


def test_a_file_is_read_once_and_again_when_it_changed(file: Path) -> None:
    sources = Sources("toy", lambda _checkpoint: Weights())
    first = sources.load(str(file), STANDARD)
    assert sources.load(str(file), STANDARD) is first
    Checkpoint("toy", {"again": True}, {"weights": np.zeros(4, np.float32)}).save(file)
    assert sources.load(str(file), STANDARD) is not first


@pytest.mark.parametrize(
    ("home", "asked", "fits"),
    [
        ("", "slip:0.1", True),
        ("slip:0.1", "", True),
        ("slip:0.1", "drop-row:0.2", True),
        ("counts", "counts+slip:0.1", True),
        ("counts", "", False),
        ("", "counts", False),
    ],
)
def test_what_was_trained_plays_other_odds_but_sees_what_it_saw(
    file: Path, home: str, asked: str, fits: bool
) -> None:
    weights = Weights(Geometry(variant=Variant.parse(home)))
    sources = Sources("toy", lambda _checkpoint: weights)
    board = Geometry(variant=Variant.parse(asked))
    if fits:
        assert sources.load(str(file), board) is weights
        return
    with pytest.raises(AgentError, match=f"cannot play on {board}"):
        sources.load(str(file), board)
