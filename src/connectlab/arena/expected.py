"""What a player is worth in a game with chance, exactly: its expected value at worst and at best.

On a board small enough for :mod:`connectlab.solver.expectation` nothing has to be sampled: the
player is asked for its policy in every position, and the best opponent of that policy is found.
"""

from dataclasses import dataclass

from connectlab.agents import Agent
from connectlab.solver.expectation import AgainstBest, expectation_of


@dataclass(frozen=True)
class ExactValue:
    """The expected value of a player against the best opponent there is, beside the optimum."""

    value: AgainstBest
    """Of the player, from -1 to 1, against an opponent that knows its policy."""
    best: AgainstBest
    """What nobody can exceed against such an opponent."""
    positions: int
    """All positions of the game."""

    @property
    def success_rate(self) -> float:
        """Expected score when it moves first: 1 for a win, 1/2 for a draw."""
        return (1 + self.value.first) / 2

    @property
    def best_success_rate(self) -> float:
        """The highest success rate there is."""
        return (1 + self.best.first) / 2


def exact_value(agent: Agent) -> ExactValue:
    """Find what an agent is worth on its board; raise ``SolverError`` if that is too large.

    Of an agent whose policy comes from chance this is the value of one draw: of what it does in
    each position, in a game of its own.
    """
    found = expectation_of(agent.geometry)
    start = found.start_value
    value = found.against_best(agent.policy(found.batch))
    return ExactValue(value, AgainstBest(start, -start), len(found))
