"""The other side of a single-agent environment: a player of the house, or the agent itself."""

import warnings
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from connectlab.agents import Agent, make_agent
from connectlab.agents.forfeits import FORFEIT
from connectlab.agents.opponents import SELF
from connectlab.game import Geometry, PositionBatch
from connectlab.integrations.series import SeriesError

Opponent: TypeAlias = Agent | None
"""None stands for the agent itself, ``SELF`` in a spec: it moves for both sides, one a step."""


def make_opponent(opponent: str | Agent, geometry: Geometry) -> Opponent:
    """Return the player a spec string names, or the one given, for this board."""
    if isinstance(opponent, Agent):
        opponent.check_board(geometry)
        return opponent
    if not isinstance(opponent, str):
        raise SeriesError(f"opponent is a spec such as minimax:depth=2, not {opponent!r}")
    return None if opponent == SELF else make_agent(opponent, geometry)


def answers(opponent: Agent, batch: PositionBatch) -> NDArray[np.int64]:
    """Return the opponent's column in each position, or ``FORFEIT`` with a warning of the reason.

    Python shows a warning once: an opponent that always fails must not pass for a weak one.
    """
    columns = opponent.choose_or_forfeit(batch)
    gone = np.flatnonzero(columns == FORFEIT)
    if len(gone):
        i = int(gone[0])
        reason = opponent.forfeit_reason(batch.position(i), int(batch.streams[i]))
        warnings.warn(f"{opponent.spec} {reason}: the agent wins that game", stacklevel=2)
    return columns
