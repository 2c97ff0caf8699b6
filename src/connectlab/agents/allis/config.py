"""The settings of Allis's player.

No kernel is imported here: settings are read, listed and checked without Numba.
"""

from typing import Literal

from pydantic import Field

from connectlab.agents.settings import AgentSettings

Level = Literal["a", "b", "c"]

LOOK_AHEAD: dict[Level, int] = {"a": 2, "b": 6, "c": 6}
"""Plies that are searched for forced wins and losses, the player's own move the first of them."""
RULE_NODES = 2_000
"""Instances a proof may try before it is given up; most proofs take fewer than twenty."""


class AllisSettings(AgentSettings):
    """How far the player of rules looks, after the levels of Velena."""

    name = "allis"
    summary = "proves what it holds by the nine rules of Allis's thesis; levels as Velena's"

    level: Level = "b"
    """a and b: a little look-ahead, then the rules; c: never gives a result away."""
    nodes: int = Field(default=300, ge=1, le=1_000_000)
    """Positions that level c looks at in proof-number search before it asks the solver."""
    max_nodes: int = Field(default=200_000_000, ge=1, lt=2**62)
    """Nodes the solver may search for one move of level c before a board counts as too hard."""
