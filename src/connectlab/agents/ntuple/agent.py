"""How a trained n-tuple network plays and explains itself."""

from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import Agent, AgentError, AgentSettings, Analysis
from connectlab.agents.ntuple.kernels import choose_many
from connectlab.agents.ntuple.network import Network
from connectlab.game import STANDARD, Geometry, Outcome, Position, PositionBatch

CHAMPION = "champion"


class NTupleSettings(AgentSettings):
    """Which network plays."""

    source: str
    """A run folder, a checkpoint file, or "champion" for the one that comes with connectlab."""


class NTupleAgent(Agent):
    """Plays the move whose after-state the network values most; a winning move at once.

    Thill, Koch and Konen (2012): no look-ahead beyond the own move. Equal values are drawn by lot.
    """

    name = "ntuple"
    summary = "an n-tuple network trained by self-play"
    Settings = NTupleSettings

    def __init__(self, settings: NTupleSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        self.network = load_network(settings.source)
        if self.network.geometry != geometry:
            raise AgentError(
                f"ntuple:{settings.source} was trained on a {self.network.geometry} board and "
                f"cannot play on {geometry}"
            )

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Choose by the value of the after-states."""
        self.check_board(batch.geometry)
        network = self.network
        columns = np.empty(len(batch), dtype=np.int64)
        choose_many(
            batch.mover,
            batch.occupied,
            batch.streams,
            network.weights,
            network.views,
            network.geometry.shape,
            columns,
        )
        return columns

    def analyse(self, position: Position) -> Analysis:
        """Value every column: V of its after-state, for the side to move."""
        self.check_position(position)
        values: list[float | None] = [None] * self.geometry.columns
        sign = 1 if position.first_to_move else -1
        for column in position.legal_columns:
            values[column] = sign * self._first_player_value(position.play(column))
        best = max(value for value in values if value is not None)
        return Analysis(
            position,
            tuple(values),
            tuple(c for c, value in enumerate(values) if value == best),
            "value from -1 (lost) to 1 (won)",
        )

    def _first_player_value(self, position: Position) -> float:
        if position.outcome is not Outcome.ONGOING:
            return float(position.outcome.first_player_value)
        return float(self.network.first_player_values(PositionBatch.of([position]))[0])


def load_network(source: str) -> Network:
    """Read the network a spec string names: "champion", a run folder, or a checkpoint file."""
    if source == CHAMPION:
        with as_file(files("connectlab.agents.ntuple") / "champion.safetensors") as path:
            return Network.load(path)
    path = Path(source)
    if path.is_dir():
        found = [path / name for name in ("best.safetensors", "latest.safetensors")]
        existing = [file for file in found if file.is_file()]
        if not existing:
            raise AgentError(f"the folder {path} holds no trained network")
        path = existing[0]
    return Network.load(path)
