"""Three ways to compute Q agree, and files hold what was learned."""

from pathlib import Path

import numpy as np
import pytest
import torch
from naive_dqn import Module
from small_dqns import config

from connectlab.agents.dqn.forward import Eyes, QFunction
from connectlab.agents.dqn.kernels import make_brain, make_scratch, value_columns
from connectlab.agents.dqn.network import Network, NetworkHeader, board_planes, forward
from connectlab.agents.dqn.parameters import Layout, new_parameters
from connectlab.game import Geometry, PositionBatch
from connectlab.storage.checkpoint import Checkpoint, CheckpointError

KINDS: list[dict[str, object]] = [
    {},
    {"planes": "own", "dueling": True, "hidden_layers": 3},
    {"columns": 7, "rows": 6, "connect": 4, "padding": 0, "layers": 2},
    {"columns": 5, "rows": 4, "layers": 3, "hidden_layers": 1},
]


def network_of(**changes: object) -> Network:
    settings = config(**changes)
    header = NetworkHeader.of(settings)
    layout = Layout(header, noisy=settings.noisy)
    return Network(header, layout.saved(new_parameters(layout, 7, 0.5), settings.weights))


def positions_on(geometry: Geometry, n: int = 40) -> PositionBatch:
    """Positions of random games with any number of stones."""
    batches = [PositionBatch.start(n, geometry, seed=4)]
    rng = np.random.default_rng(3)
    for _ in range(9):
        last = batches[-1]
        columns = [rng.choice(np.flatnonzero(row)) for row in last.legal]
        after = last.play(np.array(columns, dtype=np.int64))
        batches.append(after[after.outcomes == 0])
    return PositionBatch.joined(batches)


def by_torch(network: Network, batch: PositionBatch) -> np.ndarray:
    layout = Layout(network.header, noisy=False)
    vector = torch.zeros(layout.size)
    layout.fill(vector, network.arrays)
    words = torch.from_numpy(np.stack([batch.mover, batch.occupied]).view(np.int64))
    planes = Eyes(network.header, torch.device("cpu")).planes(*words)
    return QFunction(layout)(vector, planes).numpy()


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_numpy_torch_and_the_kernel_agree_with_layers_of_torch(changes: dict[str, object]) -> None:
    network = network_of(**changes)
    batch = positions_on(network.geometry)
    module = Module(network)
    wanted = np.array([module(position).detach().numpy() for position in batch.positions()])
    plain = forward(network, board_planes(batch, network.header.planes))
    compiled = np.empty((len(batch), network.geometry.columns))
    value_columns(batch.mover, batch.occupied, make_scratch(network), make_brain(network), compiled)
    assert np.ptp(wanted, axis=0).min() > 0.001, "positions should differ in their values"
    np.testing.assert_allclose(plain, wanted, atol=2e-6)
    np.testing.assert_allclose(by_torch(network, batch), wanted, atol=2e-6)
    np.testing.assert_allclose(compiled, wanted, atol=network.header.reward_win / 65_536)


def test_the_paper_has_three_planes_two_convolutions_and_three_dense_layers() -> None:
    header = NetworkHeader.of(
        config(columns=7, rows=6, connect=4, channels=64, hidden=300, padding=0)
    )
    assert header.shapes == {
        "conv1": (3, 3, 3, 64),
        "conv1_bias": (64,),
        "conv2": (3, 3, 64, 64),
        "conv2_bias": (64,),
        "hidden1": (2 * 3 * 64, 300),
        "hidden1_bias": (300,),
        "hidden2": (300, 300),
        "hidden2_bias": (300,),
        "output": (300, 7),
        "output_bias": (7,),
    }


def test_noise_disturbs_the_dense_layers_by_its_strength() -> None:
    settings = config(noisy=True)
    header = NetworkHeader.of(settings)
    layout = Layout(header, noisy=True)
    vector = new_parameters(layout, 1, 0.5)
    planes = torch.ones(2, 3, 4, 4)
    noise = torch.randn(layout.noise_size, generator=torch.Generator().manual_seed(1))
    still, moved = QFunction(layout)(vector, planes), QFunction(layout)(vector, planes, noise)
    assert (still - moved).abs().min() > 1e-4
    arrays = layout.arrays(vector)
    for name in ("hidden1_sigma", "hidden1_bias_sigma"):
        arrays[name].zero_()
    for name in ("hidden2_sigma", "hidden2_bias_sigma", "output_sigma", "output_bias_sigma"):
        arrays[name].zero_()
    assert torch.equal(QFunction(layout)(vector, planes, noise), still)


@pytest.mark.parametrize("weights", ["float32", "float16"])
def test_a_file_holds_the_network(tmp_path: Path, weights: str) -> None:
    network = network_of(weights=weights, dueling=True)
    network.checkpoint({"games_done": 1}).save(tmp_path / "one")
    again = Network.from_checkpoint(Checkpoint.load(tmp_path / "one"))
    assert again.header == network.header
    assert all(array.dtype == weights for array in again.arrays.values())
    assert all((again.arrays[name] == array).all() for name, array in network.arrays.items())


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ({"planes": "none"}, "planes"),
        ({"rows": 0}, "at least 1 column"),
        ({"channels": 5}, "conv1 must be float32"),
        ({"padding": 0}, "hidden1 must be float32"),
        ({"reward_win": 0.0}, "reward_win"),
    ],
    ids=str,
)
def test_a_damaged_header_is_refused(damage: dict[str, object], complaint: str) -> None:
    whole = network_of().checkpoint({})
    header = {"network": {**network_of().header.model_dump(), **damage}}
    with pytest.raises(CheckpointError, match=complaint):
        Network.from_checkpoint(Checkpoint(whole.kind, header, whole.arrays))


def test_weights_that_are_no_numbers_are_refused() -> None:
    whole = network_of().checkpoint({})
    arrays = {**whole.arrays, "output": np.full((8, 4), np.nan, dtype=np.float32)}
    with pytest.raises(CheckpointError, match="some of its output are no numbers"):
        Network.from_checkpoint(Checkpoint(whole.kind, whole.header, arrays))
