"""The referee of a run: how a checkpoint does against perfect play."""

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from connectlab.agents import Agent
from connectlab.agents.learners import make_player
from connectlab.agents.perfect import PerfectSettings, shared_solver
from connectlab.arena.exact import exact_success
from connectlab.arena.measures import success_rate
from connectlab.arena.workers import ArenaError
from connectlab.game import Geometry, Position
from connectlab.solver import Solver


@dataclass(frozen=True)
class PerfectReferee:
    """Judges checkpoints of a learner by games in which it moves first against the perfect player.

    It can be sent to another process. Its solver is kept for the life of the process, so
    positions that come again, in this checkpoint or a later one, cost next to nothing.
    """

    learner: str
    geometry: Geometry
    games: int
    exact: bool = False
    """Measure without sampling where the player draws no lots."""

    def __call__(self, path: Path, seed: int) -> dict[str, Any]:
        """Return the success rate with its interval, what it rests on, and what is possible."""
        solver = _kept_solver(self.geometry)
        player = make_player(self.learner, path, self.geometry)
        empty = solver.outcome(Position.from_moves("", self.geometry))
        measures = self._exactly(player, solver) or self._by_games(player, seed)
        return {**measures, "perfect_success_rate": (1 + empty) / 2}

    def _exactly(self, player: Agent, solver: Solver) -> dict[str, Any] | None:
        """Walk through all games; None if that was not asked for, or lots are drawn."""
        if not self.exact:
            return None
        began = time.perf_counter()
        try:
            success = exact_success(player, solver=solver)
        except ArenaError:
            return None
        return {
            "success_rate": success.success_rate,
            "success_rate_interval": [success.success_rate] * 2,
            "positions": success.positions,
            "evaluation_seconds": round(time.perf_counter() - began, 3),
        }

    def _by_games(self, player: Agent, seed: int) -> dict[str, Any]:
        success = success_rate(player, self.games, seed=seed, workers=1)
        return {
            "success_rate": success.success_rate,
            "success_rate_interval": list(success.success_rate_interval),
            "evaluation_games": success.games,
            "wins": success.wins,
            "draws": success.draws,
            "losses": success.losses,
            "distinct_games": success.distinct_games,
            "evaluation_seconds": round(success.match.seconds, 3),
        }


@cache
def _kept_solver(geometry: Geometry) -> Solver:
    """Hold the solver that perfect players of this process share."""
    return shared_solver(geometry, PerfectSettings().table_mb)
