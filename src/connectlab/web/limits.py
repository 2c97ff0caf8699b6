"""How much the web may ask for.

A deadline ends whatever takes too long; these limits are for what a deadline does not see in time,
such as memory, and for what would only waste it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

SettingLimits: TypeAlias = Mapping[tuple[str, str], float]
"""The greatest value of a setting, by who has it and its name."""

PLAYERS: SettingLimits = MappingProxyType(
    {
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
)
LEARNERS: SettingLimits = MappingProxyType(
    {
        ("ntuple", "games"): 20_000_000,
        ("ntuple", "tuples"): 300,
        ("ntuple", "length"): 12,
        ("mlp", "games"): 50_000_000,
        ("mlp", "hidden"): 512,
        ("qtable", "games"): 5_000_000,
        ("qtable", "parallel"): 1_024,
        ("dqn", "games"): 5_000_000,
        ("dqn", "parallel"): 4_096,
        ("dqn", "channels"): 256,
        ("dqn", "layers"): 8,
        ("dqn", "hidden"): 1_024,
        ("dqn", "hidden_layers"): 4,
        ("dqn", "replay"): 2_000_000,
        ("dqn", "warmup"): 2_000_000,
        ("dqn", "batch"): 16_384,
    }
)
MEASURES: SettingLimits = MappingProxyType(
    {
        ("success", "games"): 2_000,
        ("quota", "games"): 10_000,
        ("score", "games"): 2_000,
        ("accuracy", "per_class"): 500,
        ("proof", "sample"): 80_000,
        ("proof", "memory_mb"): 4096,
    }
)


@dataclass(frozen=True)
class Limits:
    """Limits of the server; tests make smaller ones."""

    body_bytes: int = 1_000_000
    """Of a request."""
    body_s: float = 20.0
    """How long its bytes may take to come."""
    spec_letters: int = 500
    nested_specs: int = 1
    """How deep specs may stand within specs."""
    checkpoint_mb: int = 1_024
    """Of a file that a spec names."""
    queue: int = 200
    """Questions that wait for a worker in each lane; a further one is refused."""
    queue_share: int = 60
    """Questions of one visitor that wait in each lane."""
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
    game_bytes: int = 200_000
    """Of a game that is kept."""
    runs: int = 1_000
    """Runs and pupils in the runs folder beyond which the page makes no more."""
    runs_at_once: int = 2
    """Runs that are made at the same time; others wait in line."""
    streams: int = 100
    """Pages that watch runs and tournaments at the same time."""
    streams_share: int = 20
    """Those of one visitor."""
    head_s: float = 10.0
    """How long a connection may be without a complete head of a request."""
    connections: int = 1_000
    """Connections at the same time; fewer where the system allows fewer files to be open."""
    tournament_players: int = 16
    tournament_games: int = 2_000
    """Games of a pairing."""
    players: SettingLimits = field(default_factory=lambda: PLAYERS)
    learners: SettingLimits = field(default_factory=lambda: LEARNERS)
    measures: SettingLimits = field(default_factory=lambda: MEASURES)

    def greatest(self, kind: str, name: str, setting: str) -> float | None:
        """Return the greatest value of a setting of a player, learner or measure; None for any."""
        limits = {"player": self.players, "learner": self.learners, "measure": self.measures}
        return limits[kind].get((name, setting))
