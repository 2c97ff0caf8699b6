"""Which bot of OpenSpiel plays, and how."""

from typing import Literal

from pydantic import Field, model_validator

from connectlab.agents.settings import AgentSettings

OWN_SETTINGS = {
    "mcts": {"simulations", "exploration", "rollouts", "solve"},
    "minimax": {"depth"},
    "random": set[str](),
    "first": set[str](),
}
"""The settings that each bot has."""


class OpenSpielSettings(AgentSettings):
    """The bot and its settings, with the defaults of OpenSpiel's own example of MCTS."""

    name = "openspiel"
    summary = "a bot of OpenSpiel: openspiel:mcts, minimax, random or first"

    source: Literal["mcts", "minimax", "random", "first"] | None = None
    """The bot, which must be named: mcts (C++), minimax (alpha-beta), random, or first (the
    leftmost column)."""
    simulations: int = Field(default=1000, ge=2, le=10_000_000)
    """Simulations of mcts for a move."""
    exploration: float = Field(default=2.0, ge=0, le=1000)
    """The constant of UCT in mcts."""
    rollouts: int = Field(default=1, ge=1, le=10_000)
    """Random games that mcts plays for each simulation."""
    solve: bool = True
    """Whether mcts backs up results that are certain."""
    depth: int = Field(default=4, ge=1, le=63)
    """Plies that minimax looks ahead, its own move the first of them; beyond, all is even."""

    @model_validator(mode="after")
    def _settings_fit_the_bot(self) -> "OpenSpielSettings":
        if self.source is None:
            raise ValueError(f"name a bot, as in openspiel:mcts: {', '.join(OWN_SETTINGS)}")
        for bot, names in OWN_SETTINGS.items():
            strange = sorted(self.model_fields_set & names) if bot != self.source else []
            if strange:
                raise ValueError(f"{strange[0]} is for openspiel:{bot}")
        return self
