"""The success rate without sampling: every game that can come about, weighted by its chance.

Against the perfect player a game is decided by the agent's policy and by the opponent's choice
among equally good moves. The positions that can arise form a graph of some ten thousand, small
enough to walk through ply by ply: the result is the exact expected score of the measure
:func:`~connectlab.arena.measures.success_rate`, and 1 is a proof that no perfect opponent escapes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent
from connectlab.agents.perfect import PerfectAgent
from connectlab.agents.settings import PerfectSettings
from connectlab.arena.threads import ArenaError
from connectlab.game import Outcome, PositionBatch

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

    def to_json(self) -> dict[str, float | int]:
        """Return the chances as plain data."""
        return {
            "exact_success_rate": self.success_rate,
            "win_chance": self.win,
            "draw_chance": self.draw,
            "loss_chance": self.loss,
            "positions_walked": self.positions,
        }


@dataclass(frozen=True, eq=False)
class Frontier:
    """The different positions after a number of plies, and how likely each is."""

    batch: PositionBatch
    chance: NDArray[np.float64]
    """float64[n]."""

    @classmethod
    def start(cls, agent: Agent) -> "Frontier":
        """Return the empty board of the agent's geometry."""
        return cls(PositionBatch.start(1, agent.geometry), np.ones(1))

    def __len__(self) -> int:
        return len(self.batch)

    def after(self, agent: Agent) -> tuple["Frontier", float]:
        """Let an agent make every move it may make; equal positions add up their chances.

        Also returns the chance that it forfeits.
        """
        policy = agent.policy(self.batch)
        forfeited = float(self.chance[~policy.any(axis=1)].sum()) if agent.may_forfeit else 0.0
        rows, columns = np.nonzero(policy)
        batch = self.batch[rows].play(columns)
        chance = self.chance[rows] * policy[rows, columns]
        distinct, where = batch.distinct()
        return Frontier(distinct, _sum_by(where, chance, len(distinct))), forfeited

    def split(self) -> tuple["Frontier", NDArray[np.float64]]:
        """Return the games that go on, and the chances of each ``Outcome`` (float64[4])."""
        outcomes = self.batch.outcomes
        ended = _sum_by(outcomes, self.chance, len(Outcome))
        ended[Outcome.ONGOING] = 0.0
        goes_on = outcomes == Outcome.ONGOING
        return Frontier(self.batch[goes_on], self.chance[goes_on]), ended


def _sum_by(group: NDArray[np.integer], values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    return np.bincount(group, values, n).astype(np.float64)


def exact_success(agent: Agent, opponent: Agent | None = None) -> ExactSuccess:
    """Walk through all games of an agent, moving first, against perfect play for distance.

    Raises ``ArenaError`` for an agent whose policy comes from chance: its games must be sampled;
    and where the game itself has chance in it, for which there is ``exact_value``.
    """
    if agent.geometry.variant.by_chance:
        raise ArenaError(f"{agent.geometry} has chance in it: take exact_value")
    other = opponent or PerfectAgent(PerfectSettings(), agent.geometry)
    for player in (agent, other):
        if player.sampled:
            raise ArenaError(f"the policy of {player.spec} comes from chance: sample games instead")
    frontier = Frontier.start(agent)
    ended = np.zeros(len(Outcome))
    positions = 0
    while len(frontier):
        frontier = _move(frontier, agent, Outcome.SECOND_WINS, ended)
        positions += len(frontier)
        _check_size(frontier)
        if len(frontier):
            frontier = _move(frontier, other, Outcome.FIRST_WINS, ended)
    ended /= ended.sum()  # 1 but for the rounding of many small chances: what always wins has 1
    return ExactSuccess(
        float(ended[Outcome.FIRST_WINS]),
        float(ended[Outcome.DRAW]),
        float(ended[Outcome.SECOND_WINS]),
        positions,
    )


def _move(
    frontier: Frontier, mover: Agent, if_forfeited: Outcome, ended: NDArray[np.float64]
) -> Frontier:
    """Return the games that go on after a move; add the chances of those that end to ``ended``."""
    after, forfeited = frontier.after(mover)
    goes_on, over = after.split()
    ended += over
    ended[if_forfeited] += forfeited
    return goes_on


def _check_size(frontier: Frontier) -> None:
    if len(frontier) > MAX_POSITIONS:
        raise ArenaError(
            f"there are more than {MAX_POSITIONS:,} ways these games can go: sample games instead"
        )
