"""The success rate without sampling: every game the perfect player can choose, weighted.

Against a player that never draws lots, a game is decided by the perfect opponent's choices among
equally good moves. Those form a graph of some ten thousand positions, which is small enough to
walk through level by level: the result is the exact expected score of the measure
:func:`~connectlab.arena.measures.success_rate`, and 1 is a proof that no perfect opponent escapes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.agents.perfect import PerfectSettings, shared_solver
from connectlab.arena.workers import ArenaError
from connectlab.game import Outcome, PositionBatch
from connectlab.game.streams import make_streams
from connectlab.solver import ILLEGAL, Solver

MAX_POSITIONS = 1_000_000
"""Positions of one ply; beyond them the walk is given up."""


@dataclass(frozen=True)
class ExactSuccess:
    """The exact chances of an agent that moves first against the perfect player."""

    win: float
    draw: float
    loss: float
    positions: int
    """Different positions in which the perfect player had to choose."""

    @property
    def success_rate(self) -> float:
        """Expected score: 1 for a win, 1/2 for a draw."""
        return self.win + self.draw / 2

    def to_json(self) -> dict[str, Any]:
        """Return the chances as plain data."""
        return {
            "exact_success_rate": self.success_rate,
            "win_chance": self.win,
            "draw_chance": self.draw,
            "loss_chance": self.loss,
            "positions_walked": self.positions,
        }


@dataclass(frozen=True, eq=False)
class _Level:
    """The different positions after a number of plies, and how likely each is."""

    batch: PositionBatch
    chance: NDArray[np.float64]

    @classmethod
    def merged(cls, levels: list["_Level"]) -> "_Level":
        """Put levels together; a position that comes twice adds up its chances."""
        first = levels[0].batch
        stones = np.concatenate([[lv.batch.mover, lv.batch.occupied] for lv in levels], axis=1)
        chance = np.concatenate([level.chance for level in levels])
        distinct, where = np.unique(stones, axis=1, return_inverse=True)
        mover, occupied = np.ascontiguousarray(distinct)
        streams = np.zeros(len(mover), dtype=np.uint64)
        batch = PositionBatch(first.geometry, mover, occupied, streams)
        return cls(batch, _sum_by(where.ravel(), chance, len(mover)))

    def split(self) -> tuple["_Level", NDArray[np.float64]]:
        """Return the games that go on, and the chances of each ``Outcome`` (float64[4])."""
        outcomes = self.batch.outcomes
        ended = _sum_by(outcomes, self.chance, len(Outcome))
        goes_on = outcomes == Outcome.ONGOING
        ended[Outcome.ONGOING] = 0.0
        return _Level(self.batch[goes_on], self.chance[goes_on]), ended


def exact_success(agent: Agent, *, solver: Solver | None = None) -> ExactSuccess:
    """Walk through all games of an agent, moving first, against perfect play for distance.

    Raises ``ArenaError`` for an agent that draws lots on the way: its games must be sampled.
    """
    solver = solver or shared_solver(agent.geometry, PerfectSettings().table_mb)
    level = _Level(PositionBatch.start(1, agent.geometry), np.ones(1))
    ended = np.zeros(len(Outcome))
    positions = 0
    while len(level.batch):
        moved = _Level(level.batch.play(_certain_moves(agent, level.batch)), level.chance)
        level, over = moved.split()
        ended += over
        if len(level.batch) == 0:
            break
        level = _Level.merged([level])
        positions += len(level.batch)
        level, over = _reply(level, solver).split()
        ended += over
    return ExactSuccess(
        float(ended[Outcome.FIRST_WINS]),
        float(ended[Outcome.DRAW]),
        float(ended[Outcome.SECOND_WINS]),
        positions,
    )


def _sum_by(group: NDArray[np.integer], values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    sums = np.zeros(n)
    np.add.at(sums, group, values)
    return sums


def _reply(level: _Level, solver: Solver) -> _Level:
    """Let the perfect player make each of its best moves, all equally likely."""
    if len(level.batch) > MAX_POSITIONS:
        raise ArenaError(
            f"the perfect player has more than {MAX_POSITIONS:,} ways: sample games instead"
        )
    scores = solver.analyse_many(level.batch).astype(np.int64)
    scores[scores == ILLEGAL] = np.iinfo(np.int64).min
    best = scores == scores.max(axis=1, keepdims=True)
    share = level.chance / best.sum(axis=1)
    replies = []
    for column in range(level.batch.geometry.columns):
        chosen = best[:, column]
        if chosen.any():
            moves = np.full(int(chosen.sum()), column)
            replies.append(_Level(level.batch[chosen].play(moves), share[chosen]))
    return _Level.merged(replies)


def _certain_moves(agent: Agent, batch: PositionBatch) -> NDArray[np.int64]:
    """Ask twice with different random streams; refuse an agent that answers differently.

    On a board that is its own mirror image, a move and its image are the same move.
    """
    first, second = (agent.choose(_with_seed(batch, seed)) for seed in (1, 2))
    symmetric = (batch.mirror().mover == batch.mover) & (batch.mirror().occupied == batch.occupied)
    image = symmetric & (first + second == batch.geometry.columns - 1)
    if not ((first == second) | image).all():
        raise ArenaError(f"{agent.spec} draws lots, so its games must be sampled")
    return first


def _with_seed(batch: PositionBatch, seed: int) -> PositionBatch:
    streams = make_streams(seed, len(batch))
    return PositionBatch(batch.geometry, batch.mover, batch.occupied, streams)
