"""The settings of Monte Carlo tree search, each with its symbol in the papers.

Cheng is "Connect-N" by Cheng et al.; Kocsis 2006 "Bandit based Monte-Carlo Planning" (UCT);
Winands 2008 "Monte-Carlo Tree Search Solver"; Childs 2008 "Transpositions and Move Groups in
Monte Carlo Tree Search"; Silver 2017 "Mastering the game of Go without human knowledge" (PUCT).

No kernel is imported here: settings are read, listed and checked without Numba.
"""

from typing import Literal

from pydantic import Field, model_validator

from connectlab.agents.settings import AgentSettings

Rollouts = Literal["random", "heuristic"]

MOST_ITERATIONS = 4_000_000
"""A tree of so many nodes takes some 600 megabytes on the standard board."""
LONGEST_S = 600.0
"""Visits are counted in 32 bits, which this fills on the smallest boards."""


class MCTSSettings(AgentSettings):
    """How long Monte Carlo tree search thinks, what it explores and how it judges a leaf."""

    name = "mcts"
    summary = "Monte Carlo tree search: UCT with rollouts or any player's values, PUCT, solver"

    iterations: int = Field(default=1_000, ge=1, le=MOST_ITERATIONS)
    """Simulations a move; fewer only where the result is proven before."""
    seconds: float | None = Field(default=None, gt=0, le=LONGEST_S)
    """Time a move in place of iterations. Such play is not reproducible: the clock decides."""
    exploration: float = Field(default=1.0, ge=0, le=100)
    """C, the weight of what was tried seldom; values go from -1 to 1."""
    rollouts: Rollouts = "random"
    """The default policy from a leaf on: random moves, or win, block and else the centre."""
    value: str | None = None
    """Spec of a player whose values judge the leaves in place of rollouts, as ntuple:champion."""
    prior: str | None = None
    """Spec of a player whose policy is the prior P of PUCT; without one, selection is UCT."""
    prior_share: float = Field(default=0.75, ge=0, le=1)
    """Share of the prior that is the player's; the rest goes to all columns alike."""
    stop_at_win: bool = True
    """Look no further where the side to move can win at once (the extension of Cheng)."""
    forced_blocks: bool = False
    """Where the other side threatens to win at once, consider only the moves that block."""
    transpositions: bool = False
    """Positions reached by several orders of moves share one node (UCT1 of Childs 2008)."""
    solver: bool = True
    """Propagate proven wins, losses and draws up the tree (MCTS-Solver of Winands 2008)."""
    temperature: float = Field(default=0.0, ge=0, le=100)
    """T: chances go with visits^(1/T); 0 plays the column of most visits."""

    @model_validator(mode="after")
    def _take_one_of_two(self) -> "MCTSSettings":
        given = self.model_fields_set
        if self.seconds is not None and "iterations" in given:
            raise ValueError("it thinks for iterations or for seconds: leave one of them out")
        if self.value is not None and "rollouts" in given:
            raise ValueError("a leaf is judged by value or by rollouts: leave one of them out")
        if self.prior is None and "prior_share" in given:
            raise ValueError("prior_share needs a prior, as in prior=ntuple:champion")
        return self
