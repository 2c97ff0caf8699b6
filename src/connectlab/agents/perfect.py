"""The perfect player: the solver's best moves, drawn at random."""

from collections.abc import Iterator
from threading import Lock
from typing import Literal
from weakref import WeakValueDictionary

import numpy as np
from numba import types
from numpy.typing import NDArray
from pydantic import Field

from connectlab._jit import kernel
from connectlab.agents.base import Agent, AgentError, AgentSettings, Analysis
from connectlab.agents.choice import draw_column
from connectlab.game import STANDARD, Geometry, Position, PositionBatch, Shape
from connectlab.game.bitboard import SHAPE, landing_cell
from connectlab.game.streams import GAMMA
from connectlab.solver import ILLEGAL, Solver, distance_of
from connectlab.solver.moves import spread_children

ZERO = np.uint64(0)

_words = types.uint64[::1]
_ints = types.int64[::1]


class PerfectSettings(AgentSettings):
    """What the perfect player aims at, and what it may use."""

    objective: Literal["distance", "outcome"] = "distance"
    """distance: win as soon, lose as late as possible; outcome: any move that keeps the result."""
    table_mb: int = Field(default=64, ge=1)
    """Megabytes of the transposition table; players on the same board and size share one."""
    max_nodes: int = Field(default=200_000_000, ge=1)
    """Nodes it may search for one move (some 40 s) before it says that the board is too hard."""


class PerfectAgent(Agent):
    """Plays one of the solver's best moves, each equally likely.

    By ``distance`` the best moves have the highest score: the quickest win, else a draw, else the
    slowest loss. By ``outcome`` every move that keeps a win, a draw or a loss is as good as
    any other, so this player errs never but may take its time, and a lost game it plays at random.
    """

    name = "perfect"
    summary = "never errs: a best move by the solver, ties at random"
    Settings = PerfectSettings
    settings: PerfectSettings

    def __init__(
        self, settings: PerfectSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        super().__init__(settings, geometry)
        self.solver = shared_solver(geometry, self.settings.table_mb)

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Draw one of the best columns for each position."""
        self.check_board(batch.geometry)
        # Games of one batch often agree in their opening: solve each position once.
        stones = np.stack([batch.mover, batch.occupied], axis=1)
        distinct, where = np.unique(stones, axis=0, return_inverse=True)
        scores = self._scores(distinct)[where.reshape(-1)]
        columns = np.empty(len(batch), dtype=np.int64)
        _draw_best(scores, batch.occupied, batch.streams, self.geometry.shape, columns)
        return columns

    def analyse(self, position: Position) -> Analysis:
        """Give the solver's score of each column; by ``outcome`` 1, 0 or -1."""
        self.check_position(position)
        stones = np.array([[position.mover, position.occupied]], dtype=np.uint64)
        scores = self._scores(stones)[0]
        best = int(scores.max())
        details: dict[str, object] = {"objective": self.settings.objective, "score": best}
        if self.settings.objective == "distance":
            details["plies_to_end"] = distance_of(best, position.ply, self.geometry)
        return Analysis(
            position,
            values=tuple(None if score == ILLEGAL else score for score in scores.tolist()),
            best=tuple(np.flatnonzero(scores == best).tolist()),
            unit="half the stones still to place at the end, + won, - lost"
            if self.settings.objective == "distance"
            else "1 won, 0 drawn, -1 lost",
            details=details,
        )

    def _scores(self, stones: NDArray[np.uint64]) -> NDArray[np.int8]:
        """Return int8[n, columns], ``ILLEGAL`` where full, for uint64[n, 2] (mover, occupied)."""
        mover, occupied = (np.ascontiguousarray(stones[:, i]) for i in range(2))
        rows, columns, children = spread_children(mover, occupied, self.geometry.shape)
        scores = np.full((len(mover), self.geometry.columns), ILLEGAL, dtype=np.int8)
        for part in _growing_parts(len(rows)):
            found = self.solver.solve_many(
                (children[0][part], children[1][part]),
                outcome_only=self.settings.objective == "outcome",
                max_nodes=self.settings.max_nodes,
            )
            if not found.known.all():
                self._give_up(int(np.bitwise_count(children[1][part][~found.known][0])))
            scores[rows[part], columns[part]] = -found.scores
        return scores

    def _give_up(self, n_stones: int) -> None:
        raise AgentError(
            f"{self.spec} cannot solve {self.geometry} after {n_stones} moves within "
            f"{self.settings.max_nodes:,} nodes: take a smaller board or raise max_nodes"
        )


def _growing_parts(n: int) -> Iterator[slice]:
    """Cut n items into parts of 1, 2, 4, …: on a board that is too hard the first one tells."""
    start, size = 0, 1
    while start < n:
        yield slice(start, start + size)
        start, size = start + size, 2 * size


_solvers: WeakValueDictionary[tuple[Geometry, int], Solver] = WeakValueDictionary()
_solvers_lock = Lock()


def shared_solver(geometry: Geometry, table_mb: int) -> Solver:
    """Return the one solver of this process for a board and a table size, while anyone holds it."""
    with _solvers_lock:
        solver = _solvers.get((geometry, table_mb))
        if solver is None:
            solver = _solvers[geometry, table_mb] = Solver(geometry, table_mb=table_mb)
        return solver


@kernel(types.void(types.int8[:, ::1], _words, _words, SHAPE, _ints))
def _draw_best(
    scores: NDArray[np.int8],
    occupied: NDArray[np.uint64],
    streams: NDArray[np.uint64],
    shape: Shape,
    columns: NDArray[np.int64],
) -> None:
    for i in range(scores.shape[0]):
        best = np.max(scores[i])
        cells = ZERO
        for column in range(shape.columns):
            if scores[i, column] == best:
                cells |= landing_cell(occupied[i], column, shape)
        streams[i] += GAMMA
        columns[i] = draw_column(cells, streams[i], shape)
