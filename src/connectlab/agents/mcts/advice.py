"""Other players as advisers of the search: one values the leaves, one gives the priors.

All trees of a batch are searched in lock step, so an adviser is asked once for the leaves of all of
them.
"""

import itertools
import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import Agent
from connectlab.agents.mcts.config import MCTSSettings
from connectlab.agents.mcts.search import back_up_all, descend_all, plant_all
from connectlab.agents.mcts.tree import Forest, Plan
from connectlab.agents.registry import make_agent
from connectlab.agents.settings import AgentError
from connectlab.game import Geometry, PositionBatch

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Advisers:
    """Who is asked about a leaf; nobody if both are None."""

    value: Agent | None
    prior: Agent | None
    prior_share: float

    @classmethod
    def of(cls, settings: MCTSSettings, geometry: Geometry) -> "Advisers":
        """Make the players that the settings name; refuse one that has no values to give."""
        value = None if settings.value is None else make_agent(settings.value, geometry)
        if value is not None and not value.has_values:
            raise AgentError(
                f"{value.spec} cannot be the value of mcts: it has no values of positions"
            )
        prior = None if settings.prior is None else make_agent(settings.prior, geometry)
        return cls(value, prior, settings.prior_share)

    def __bool__(self) -> bool:
        return self.value is not None or self.prior is not None

    def values_of(self, leaves: PositionBatch) -> Values:
        """Return the value of each leaf for the side to move; nothing where rollouts judge."""
        if self.value is None or not len(leaves):
            return np.empty(0)
        values = np.asarray(self.value.values(leaves), dtype=np.float64)
        if values.shape != (len(leaves),) or not (np.abs(values) <= 1.0).all():
            raise AgentError(
                f"{self.value.spec} must give {len(leaves)} values from -1 to 1 to mcts"
            )
        return values

    def write_priors(self, nodes: NDArray[np.int64], forest: Forest, leaves: PositionBatch) -> None:
        """Ask for the priors of some nodes, which hold the positions of ``leaves``."""
        if self.prior is None or not len(leaves):
            return
        legal = leaves.legal
        equal = legal / legal.sum(axis=1, keepdims=True)
        share = self.prior_share
        forest.priors[nodes] = share * self.prior.policy(leaves) + (1.0 - share) * equal


def search_in_lock_step(
    batch: PositionBatch,
    advisers: Advisers,
    forest: Forest,
    plan: Plan,
    iterations: int | None,
    seconds: float | None,
) -> None:
    """Search a tree of the forest for each position, for some simulations or seconds (or None).

    It ends before where every tree is full or its root proven.
    """
    n = len(batch)
    states, streams = np.empty((2, n), dtype=np.uint64)
    leaves, active = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.bool_)
    plant_all(batch.mover, batch.occupied, batch.streams, forest, plan, states)
    advisers.write_priors(np.arange(n) * forest.capacity, forest, batch)
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    for _ in itertools.count() if iterations is None else range(iterations):
        if time.monotonic() >= deadline:
            break
        n_asked = descend_all(states, forest, plan, active, leaves, streams)
        if not active.any():
            break
        nodes = leaves[:n_asked]
        asked = PositionBatch(
            batch.geometry, forest.mover[nodes], forest.occupied[nodes], streams[:n_asked].copy()
        )
        advisers.write_priors(nodes, forest, asked)
        values = advisers.values_of(asked)
        back_up_all(states, forest, plan, active, advisers.value is None, values)
