"""A multi-layer perceptron (Faußer and Schwenker 2008) that values the states after its moves."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock

POTENTIAL_STEPS = 65_536.0
"""Potentials are rounded to one part in so many; equal ones are ties."""
LOGISTIC_CLIP = 16.0
LOGISTIC_P = (
    0.24999984050813268,
    0.008071024531112867,
    4.59191508467441e-05,
    4.4180484247984094e-08,
)
LOGISTIC_Q = (
    1.0,
    0.11561684494654503,
    0.0014852386489227778,
    3.7035655434686316e-06,
    9.468107090956464e-10,
)


class MLPPlayer:
    """Plays the move after which the network's value is highest."""

    def __init__(self, board: Board, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        self.board = board
        self._inputs = arrays["inputs"]
        self._thresholds = arrays["thresholds"]
        self._outputs = arrays["outputs"].astype(np.float64)
        self._output_threshold = float(arrays["output_threshold"][0])

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Share among the columns of the highest potential."""
        del clock
        board = self.board
        hidden = -self._thresholds
        hidden = hidden + self._inputs[self._rows(mover, 1)].sum(axis=0, dtype=np.float32)
        hidden = hidden + self._inputs[self._rows(mover ^ occupied, 0)].sum(
            axis=0, dtype=np.float32
        )
        landing = board.landing(occupied)
        potentials = self._potentials(hidden + self._inputs[self._rows(landing, 1)])
        best = potentials == potentials.max()
        columns = board.columns_of(landing)
        chances = [0.0] * board.columns
        for column, is_best in zip(columns, best, strict=True):
            chances[column] = float(is_best) / int(best.sum())
        return chances

    def _potentials(self, hidden: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the rounded potential of the output neuron for each row of hidden ones."""
        total = logistic_of(hidden) @ self._outputs - self._output_threshold
        rounded: NDArray[np.float64] = np.rint(POTENTIAL_STEPS * total) / POTENTIAL_STEPS
        return rounded

    def _rows(self, stones: int, own: int) -> list[int]:
        """Return the input neurons of some stones, in the order of their bits.

        Cells are counted row by row from the upper left, two neurons a cell.
        """
        rows = []
        while stones:
            cell = stones & -stones
            stones ^= cell
            column, row = divmod(cell.bit_length() - 1, self.board.bits)
            rows.append(2 * ((self.board.rows - 1 - row) * self.board.columns + column) + own)
        return rows


def logistic_of(x: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return 1 / (1 + exp(-x)) by the rational function that the player was trained with."""
    x = np.clip(x, -LOGISTIC_CLIP, LOGISTIC_CLIP).astype(np.float64)
    z = x * x
    p = LOGISTIC_P[0] + z * (LOGISTIC_P[1] + z * (LOGISTIC_P[2] + z * LOGISTIC_P[3]))
    q = 1.0 + z * (LOGISTIC_Q[1] + z * (LOGISTIC_Q[2] + z * (LOGISTIC_Q[3] + z * LOGISTIC_Q[4])))
    result: NDArray[np.float64] = 0.5 + x * p / q
    return result
