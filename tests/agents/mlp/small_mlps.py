"""Small perceptrons for tests of what plays with them."""

from pathlib import Path

from connectlab.agents.mlp.config import MLPConfig
from connectlab.agents.mlp.network import Network
from connectlab.game import STANDARD, Geometry, Position

TRAINED = f"mlp:{Path(__file__).parents[2] / 'golden/networks/mlp-7x6-4.safetensors'}"
"""The spec of a small network that was trained."""


def random_mlp(geometry: Geometry = STANDARD, *, hidden: int = 9, seed: int = 1) -> Network:
    """A network that was never trained."""
    board = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    return Network.create(MLPConfig.model_validate({**board, "hidden": hidden, "seed": seed}))


def save_mlp(network: Network, folder: Path) -> str:
    """Write a network and return the spec that plays with it."""
    path = folder / "network.safetensors"
    network.checkpoint({}).save(path)
    return f"mlp:{path}"


def midgames(geometry: Geometry = STANDARD) -> list[Position]:
    """Some unfinished positions, with either side to move."""
    moves = ["", "1", "12", "1213", "2314", "31241", "434112"]
    positions = [Position.from_moves(text, geometry) for text in moves]
    return [position for position in positions if not position.is_over]
