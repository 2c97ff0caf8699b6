"""The other side of a single-agent environment: a player of the house, or the agent itself."""

from typing import TypeAlias

from connectlab.agents import Agent, make_agent
from connectlab.game import Geometry
from connectlab.integrations.series import SeriesError

SELF = "self"
"""In place of a spec: the agent moves for both sides, each step one move."""

Opponent: TypeAlias = Agent | None
"""None stands for the agent itself."""


def make_opponent(opponent: str | Agent, geometry: Geometry) -> Opponent:
    """Return the player a spec string names, or the one given, for this board."""
    if isinstance(opponent, Agent):
        opponent.check_board(geometry)
        return opponent
    if not isinstance(opponent, str):
        raise SeriesError(f"opponent is a spec such as minimax:depth=2, not {opponent!r}")
    return None if opponent == SELF else make_agent(opponent, geometry)
