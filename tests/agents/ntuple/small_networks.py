"""Small n-tuple networks with weights of chance, for tests of what plays with them."""

from pathlib import Path

import numpy as np

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.network import Network
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.bitboard import has_line

TRAINED = f"ntuple:{Path(__file__).parents[2] / 'golden/networks/ntuple-7x6-4.safetensors'}"
"""The spec of a small network that was trained."""


def random_network(geometry: Geometry = STANDARD, *, seed: int = 1, **settings: object) -> Network:
    """A network that was never trained: every state has another weight, some of them large."""
    board = {"columns": geometry.columns, "rows": geometry.rows, "connect": geometry.connect}
    plain = {"tuples": 6, "length": 4, "creation": "walk", "seed": seed, "initial_weights": 0.3}
    config = NTupleConfig.model_validate({**board, **plain, **settings})
    return Network.create(config)


def save(network: Network, folder: Path, *, half: bool = False) -> str:
    """Write a network and return the spec that plays with it."""
    path = folder / "network.safetensors"
    network.checkpoint({}, half=half).save(path)
    return f"ntuple:{path}"


def random_positions(geometry: Geometry, n: int, *, seed: int = 0) -> list[Position]:
    """Unfinished positions after random moves, of all lengths."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < n:
        position = Position(geometry)
        for _ in range(int(rng.integers(0, geometry.cells))):
            following = position.play(int(rng.choice(position.legal_columns)))
            if following.is_over:
                break
            position = following
        found.append(position)
    return found


def wins_of(position: Position, stones: int) -> list[int]:
    """The columns in which the owner of these stones would win if it were their turn."""
    cells = {c: position.play(c).occupied ^ position.occupied for c in position.legal_columns}
    shape = position.geometry.shape
    return [c for c, cell in cells.items() if has_line(np.uint64(stones | cell), shape)]
