"""Networks and their checkpoints, forged ones too."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from small_networks import random_network, random_positions

from connectlab.agents.ntuple.network import Network
from connectlab.game import STANDARD, Geometry, PositionBatch
from connectlab.storage.checkpoint import Checkpoint, CheckpointError


def forged(arrays: dict[str, NDArray[Any]] | None = None, **changes: object) -> Checkpoint:
    """The checkpoint of a good network with some of its header, or its arrays, exchanged."""
    good = random_network().checkpoint({})
    described = {**good.header["network"], **changes}
    return Checkpoint(good.kind, {"network": described}, good.arrays if arrays is None else arrays)


@pytest.mark.parametrize("half", [False, True])
def test_a_network_comes_back_from_its_checkpoint(tmp_path: Path, half: bool) -> None:
    network = random_network(Geometry(5, 4, 3), states=3, mirror=False, tables=1)
    network.checkpoint({"games_done": 3}, half=half).save(tmp_path / "network")
    back = Network.load(tmp_path / "network")
    assert back.header == network.header
    assert back.geometry == Geometry(5, 4, 3)
    assert back.weights.dtype == np.float32
    expected = network.weights.astype(np.float16) if half else network.weights
    assert np.array_equal(back.weights, expected)


def test_the_output_is_told_where_it_is_linear_and_comes_back() -> None:
    """Networks from before there was another output say nothing of it."""
    usual, linear = random_network(), random_network(output="linear")
    assert "output" not in usual.checkpoint({}).header["network"]
    assert Network.from_checkpoint(usual.checkpoint({})).output == "tanh"
    assert Network.from_checkpoint(linear.checkpoint({})).output == "linear"


def test_the_values_of_a_linear_output_are_sums_within_a_win_and_a_loss() -> None:
    usual, linear = random_network(), random_network(output="linear")
    assert np.array_equal(usual.weights, linear.weights)
    batch = PositionBatch.of(random_positions(STANDARD, 50))
    sums = np.arctanh(usual.first_player_values(batch))
    values = linear.first_player_values(batch)
    assert values == pytest.approx(np.clip(sums, -1, 1), abs=1e-5)
    assert 1 in values and -1 in values and (np.abs(values) < 1).any()


CELLS = [[c, r] for c in range(7) for r in range(6)]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"columns": 10**9}, "too large"),
        ({"columns": "7"}, "columns: input should be a valid integer"),
        ({"rows": 11, "columns": 5}, "up to 10 rows, not 11"),
        ({"connect": 0}, "connect must be 3 or more"),
        ({"tuples": [CELLS + [[0, 0]] * 18]}, "tuples.0: tuple should have at most 14 items"),
        ({"tuples": [[[0, 0]]] * 10**6}, "tuples: tuple should have at most 2000 items"),
        ({"tuples": [[[0, 9]]]}, "outside the 7x6 connect-4 board"),
        ({"tuples": [[[0, 0], [0, 0]]]}, "a cell twice"),
        ({"tuples": []}, "at least one tuple"),
        ({"tuples": "all"}, "tuples: input should be a valid tuple"),
        ({"tuples": [CELLS[k : k + 14] for k in range(28)] * 50}, "more than .* that fit"),
        ({"tables": 10**6}, "tables: input should be 1 or 2"),
        ({"states": 99}, "states: input should be 3 or 4"),
        ({"output": "sigmoid"}, "output: input should be 'tanh' or 'linear'"),
        ({"mirror": "perhaps"}, "mirror: input should be a valid boolean"),
        ({"colour": "red"}, "colour: extra inputs are not permitted"),
    ],
)
def test_a_forged_header_is_refused_in_one_line(changes: dict[str, object], says: str) -> None:
    with pytest.raises(CheckpointError, match=says) as refused:
        Network.from_checkpoint(forged(**changes))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("network", [None, 5, [], {}])
def test_a_checkpoint_that_describes_no_network_is_refused(network: object) -> None:
    with pytest.raises(CheckpointError, match="its header is damaged"):
        Network.from_checkpoint(Checkpoint("ntuple", {"network": network}, {}))


SIZE = len(random_network().weights)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (np.zeros(SIZE - 1, dtype=np.float32), "damaged: its tuples need"),
        (np.zeros((SIZE, 1), dtype=np.float32), "damaged: its tuples need"),
        (np.zeros(SIZE, dtype=np.int32), "of type int32, not float16 or float32"),
        (np.zeros(SIZE, dtype=np.float64), "of type float64"),
        (np.full(SIZE, np.nan, dtype=np.float16), "some of its weights are no numbers"),
        (np.full(SIZE, np.inf, dtype=np.float32), "some of its weights are no numbers"),
    ],
)
def test_weights_that_no_network_can_have_are_refused(weights: NDArray[Any], says: str) -> None:
    with pytest.raises(CheckpointError, match=says):
        Network.from_checkpoint(forged({"weights": weights}))


def test_a_checkpoint_without_weights_is_refused() -> None:
    with pytest.raises(CheckpointError, match="its tuples need"):
        Network.from_checkpoint(forged({}))
