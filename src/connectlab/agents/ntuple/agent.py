"""How a trained n-tuple network plays and explains itself."""

from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from connectlab.agents.base import Agent, AgentError, AgentSettings, Analysis
from connectlab.agents.choice import columns_of
from connectlab.agents.ntuple.evaluator import Evaluator, make_memory
from connectlab.agents.ntuple.explain import explain
from connectlab.agents.ntuple.network import Network
from connectlab.agents.ntuple.search import choose_all, search_root
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import column_name

CHAMPION = "champion"
CHAMPION_FILE = "champion.safetensors"
RUN_FILES = ("best.safetensors", "latest.safetensors")
"""What is looked for in a run folder, the first that exists."""
UNIT = "value from -1 (lost) to 1 (won); 2 - n/100 for a win proven in n plies"


class NTupleSettings(AgentSettings):
    """Which network plays, and how far it looks ahead."""

    source: str
    """A run folder, a checkpoint file, or "champion" for the one that comes with connectlab."""
    depth: int = Field(default=0, ge=0, le=63)
    """Plies it looks beyond its own move; forced replies count for nothing."""


class NTupleAgent(Agent):
    """Plays the move that the network, or a search on top of it, values most.

    Depth 0 is the player of Thill, Koch and Konen (2012): a winning move, or else the one whose
    after-state has the highest value. Deeper, the values are those of minimax with the network
    at the leaves, as :mod:`~connectlab.agents.ntuple.search` defines them. Equal values are drawn
    by lot.
    """

    name = "ntuple"
    summary = "an n-tuple network trained by self-play, with or without search"
    Settings = NTupleSettings
    settings: NTupleSettings

    def __init__(self, settings: NTupleSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        self.network, self._evaluator = _load(settings.source)
        if self.network.geometry != geometry:
            raise AgentError(
                f"ntuple:{settings.source} was trained on a {self.network.geometry} board and "
                f"cannot play on {geometry}"
            )

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Return a column of the highest value for each position."""
        self.check_board(batch.geometry)
        columns = np.empty(len(batch), dtype=np.int64)
        brain, depth = self._evaluator.brain, self.settings.depth
        memory = make_memory(brain, depth)
        choose_all(batch.mover, batch.occupied, batch.streams, depth, brain, memory, columns)
        return columns

    def analyse(self, position: Position) -> Analysis:
        """Value every column, and tell what the tuples see in the position itself."""
        self.check_position(position)
        evaluator, depth = self._evaluator, self.settings.depth
        memory = make_memory(evaluator.brain, depth)
        worth = np.zeros(self.geometry.columns, dtype=np.int64)
        mover, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        best = search_root(mover, occupied, depth, True, evaluator.brain, memory, worth)
        found = dict(zip(position.legal_columns, worth.tolist(), strict=False))
        values = {c: evaluator.value(w, position.ply) for c, w in found.items()}
        details = {
            "depth": depth,
            "nodes": int(memory.nodes[0]),
            "proven": self._proven(found, position.ply),
            **explain(self.network, position),
        }
        return Analysis(
            position,
            tuple(values.get(column) for column in range(self.geometry.columns)),
            columns_of(best, self.geometry),
            UNIT,
            details,
        )

    def _proven(self, worth: dict[int, int], ply: int) -> dict[str, int]:
        """Return the plies to the end for each column that is decided: negative for a loss."""
        ends = {column: self._evaluator.plies_to_end(w, ply) for column, w in worth.items()}
        return {
            column_name(column, self.geometry): plies if worth[column] > 0 else -plies
            for column, plies in ends.items()
            if plies is not None
        }


class _Loaded(NamedTuple):
    network: Network
    evaluator: Evaluator


def load_network(source: str) -> Network:
    """Read the network a spec string names: "champion", a run folder, or a checkpoint file.

    As long as the file does not change, all players of a process share one network.
    """
    return _load(source).network


def _load(source: str) -> _Loaded:
    if source == CHAMPION:
        return _load_champion()
    path = _find(Path(source).expanduser())
    status = path.stat()
    return _read(path.resolve(), status.st_mtime_ns, status.st_size)


def _load_champion() -> _Loaded:
    resource = files("connectlab.agents.ntuple") / CHAMPION_FILE
    if not resource.is_file():
        raise AgentError(
            "this build of connectlab comes without a champion: train a network "
            "(connectlab train ntuple) and name its folder, as in ntuple:runs/first"
        )
    with as_file(resource) as path:
        return _read(path, 0, 0)


def _find(path: Path) -> Path:
    """Return the checkpoint file for a path that a user gave."""
    if path.is_file():
        return path
    if not path.is_dir():
        raise AgentError(
            f"there is no network {path}: name a run folder, a checkpoint file, or champion"
        )
    for name in RUN_FILES:
        if (path / name).is_file():
            return path / name
    raise AgentError(f"the folder {path} holds no trained network ({' or '.join(RUN_FILES)})")


@lru_cache(maxsize=8)
def _read(path: Path, _modified: int, _size: int) -> _Loaded:
    """Read and prepare a network; the last two arguments tell versions of a file apart."""
    try:
        network = Network.load(path)
    except AgentError:
        raise
    except (KeyError, TypeError, ValueError):
        raise AgentError(f"{path} is damaged: it does not describe an n-tuple network") from None
    expected = network.tables * network.layout.weights
    if network.weights.shape != (expected,):
        raise AgentError(f"{path} is damaged: its tuples need {expected:,} weights")
    if not np.isfinite(network.weights).all():
        raise AgentError(f"{path} cannot play: some of its weights are no numbers")
    return _Loaded(network, Evaluator.of(network))
