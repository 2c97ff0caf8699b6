"""How much the web may ask for.

A deadline ends whatever takes too long; these limits are for what a deadline does not see in time,
such as memory, and for what would only waste it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

SETTINGS: Mapping[tuple[str, str], float] = {
    ("minimax", "depth"): 12,
    ("negamax", "depth"): 12,
    ("perfect", "table_mb"): 64,
    ("perfect", "max_nodes"): 200_000_000,
    ("mcts", "iterations"): 200_000,
    ("mcts", "seconds"): 10.0,
    ("allis", "nodes"): 100_000,
    ("allis", "max_nodes"): 200_000_000,
    ("ntuple", "depth"): 16,
    ("openspiel", "simulations"): 100_000,
    ("openspiel", "rollouts"): 10,
    ("openspiel", "depth"): 12,
}
"""The greatest value of a setting by player and setting, where it is below the player's own."""


@dataclass(frozen=True)
class Limits:
    """Limits of the server; tests make smaller ones."""

    body_bytes: int = 1_000_000
    """Of a request."""
    spec_letters: int = 500
    nested_specs: int = 1
    """How deep specs may stand within specs."""
    checkpoint_mb: int = 1_024
    """Of a file that a spec names."""
    queue: int = 200
    """Questions that wait for a worker; a further one is refused."""
    patience_s: float = 30.0
    """How long a question waits for a worker before it is refused."""
    move_s: float = 60.0
    """How long a player may think about a move or an explanation."""
    verdicts_s: float = 20.0
    """How long perfect play may be asked about one position."""
    review_s: float = 60.0
    """How long perfect play may be asked about one game."""
    quick_s: float = 20.0
    """How long everything else may take."""
    grace_s: float = 5.0
    """What a worker gets beyond a limit that it keeps itself, before it is ended."""
    games: int = 20_000
    """Finished games that are kept."""
    settings: Mapping[tuple[str, str], float] = field(default_factory=lambda: SETTINGS)
