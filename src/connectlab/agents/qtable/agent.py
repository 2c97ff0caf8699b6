"""How a trained table plays."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.agents.analysis import Analysis
from connectlab.agents.base import Agent
from connectlab.agents.choice import Chances
from connectlab.agents.contents import Contents
from connectlab.agents.qtable.config import VARIANTS, QTableSettings
from connectlab.agents.qtable.contents import qtable_contents
from connectlab.agents.qtable.explain import explain
from connectlab.agents.qtable.exploration import best_value
from connectlab.agents.qtable.model import KIND, Model
from connectlab.agents.settings import AgentSettings
from connectlab.agents.sources import Sources
from connectlab.game import STANDARD, Geometry, Position, PositionBatch

SOURCES = Sources(KIND, Model.from_checkpoint, QTableSettings)


class QTableAgent(Agent):
    """Plays the move of the highest value in its table (Cheng et al., *Connect-N*).

    A position that it never met has the values that a state begins with: those of known states if
    it was trained with them, else zeros. Of equally good moves it plays the first or any, as it
    was trained. It plays greedily, whatever exploration it learned with.
    """

    Settings = QTableSettings
    settings: QTableSettings
    variants = VARIANTS

    def __init__(self, settings: QTableSettings, geometry: Geometry = STANDARD) -> None:
        super().__init__(settings, geometry)
        self.model = SOURCES.load(settings.source, geometry)

    @classmethod
    def home_board(cls, settings: AgentSettings) -> Geometry | None:
        """Return the board that the table was trained on."""
        assert isinstance(settings, QTableSettings)
        return SOURCES.open(settings.source).geometry

    def policy(self, batch: PositionBatch) -> Chances:
        """Share among the columns of the highest value, or take the first of them."""
        chances = self.model.action_values(batch)
        _share_best(chances, self.model.header.ties == "first")
        return chances

    def values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return the highest value as a share of the reward for a win, cut to [-1, 1]."""
        best: NDArray[np.float64] = self.model.action_values(batch).max(axis=1, initial=-np.inf)
        return np.clip(best / self.model.header.reward_win, -1.0, 1.0)

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Tell the value of every column and how well the position is known."""
        return explain(self.model, position, self.policy_of(position, stream=stream))

    def contents(self) -> Contents:
        """Count the states and list them in layers by stones."""
        return qtable_contents(self.model)


@kernel(types.void(types.float64[:, ::1], types.boolean))
def _share_best(values: Chances, first_tie: bool) -> None:
    """Turn values into chances, in place."""
    for i in range(values.shape[0]):
        row = values[i]
        best, ties = best_value(row), 0
        for column in range(row.shape[0]):
            is_best = row[column] == best and not (first_tie and ties > 0)
            ties += is_best
            row[column] = 1.0 if is_best else 0.0
        for column in range(row.shape[0]):
            row[column] /= ties
