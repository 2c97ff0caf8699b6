"""The settings of a multi-layer perceptron, each with its symbol in the paper, and the presets.

Faußer 2008 is "Neural Approximation of Monte Carlo Policy Evaluation Deployed in Connect Four" by
Faußer and Schwenker.

No kernel is imported here: settings are read, listed and checked without Numba.
"""

import math
from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from connectlab.agents.settings import AgentSettings
from connectlab.game.variants import COUNTS, DROP_ROW, SLIP
from connectlab.training.config import LearnerConfig, Preset
from connectlab.training.schedules import Schedule

Optimiser = Literal["sgd", "momentum", "rmsprop"]

MOST_HIDDEN = 4_096
GREATEST_ETA = 100.0


class MLPSettings(AgentSettings):
    """Which network plays."""

    name = "mlp"
    summary = "a multi-layer perceptron trained on the results of whole games"
    shipped: ClassVar[Mapping[str, str]] = {
        name: f"mlp-{name}.safetensors" for name in ("best", "1", "2", "3", "4", "5")
    }

    source: str
    """A run folder, a checkpoint file, or one that comes along: "1" to "5", or "best"."""


class MLPConfig(LearnerConfig):
    """Everything that makes a run of Monte Carlo learning with a perceptron what it is."""

    name = "mlp"
    summary = "a multi-layer perceptron by Monte Carlo policy evaluation (Faußer 2008)"
    usual_measures = ("quota:games=20000",)
    presets: ClassVar[Mapping[str, Preset]]
    variants = frozenset({SLIP, DROP_ROW, COUNTS})

    games: int = Field(default=2_000_000, ge=1, le=10**12)
    """Games of the whole run, the paper's episodes."""
    hidden: int = Field(default=100, ge=1, le=MOST_HIDDEN)
    """h, the neurons of the hidden layer."""
    eta: Schedule = Schedule(start=0.1, end=0.025, shape="halving")
    """eta, the step along the gradient."""
    gamma: float = Field(default=0.97, gt=0, le=1)
    """gamma, the discount of the Return for each own state before the last."""
    exploit: float = Field(default=0.7, ge=0, le=1)
    """epsilon, which in this paper is the share of moves by value; the others are random."""
    initial_weights: float = Field(default=0.77, ge=0, le=100)
    """a: weights and thresholds begin uniform in plus and minus this."""
    draw_return: float = Field(default=0.0, ge=0, le=1)
    """Return of a drawn game, which the paper leaves open."""
    error: Literal["sum", "mean"] = "sum"
    """E of an episode: the sum over its states as in Eq. (6), or their mean, which divides eta by
    their number."""
    both_sides: bool = False
    """Learn the opponent's states too, as an episode of its own; the paper learns the agent's."""
    mirror: bool = False
    """Learn every episode mirrored too, as an episode of its own; the paper does not."""
    optimiser: Optimiser = "sgd"
    """What turns a gradient into a step: sgd (the paper's plain step), momentum or rmsprop."""
    decay: float = Field(default=0.9, ge=0, lt=1)
    """Share that momentum or rmsprop keeps of its memory from one episode to the next."""

    @field_validator("eta")
    @classmethod
    def _check_eta(cls, eta: Schedule) -> Schedule:
        for value in (eta.start, eta.end):
            if not (math.isfinite(value) and 0 <= value <= GREATEST_ETA):
                raise ValueError(f"values must lie from 0 to {GREATEST_ETA:g}")
        return eta

    @model_validator(mode="after")
    def _check_mirror(self) -> "MLPConfig":
        if self.mirror and self.geometry.variant.counts:
            raise ValueError("counts have no mirror image: leave mirror out")
        return self


def _network(hidden: int, eta: str, millions: int, **others: object) -> Preset:
    return Preset({"hidden": hidden, "eta": eta, "games": millions * 1_000_000, **others})


MLPConfig.presets = {
    "quick": Preset({"eta": "0.5->0.0625:halving", "games": 1_000_000, "error": "mean"}),
    "mlp-1": _network(40, "0.1->0.025:halving", 14),
    "mlp-2": _network(60, "0.1->0.025:halving", 14),
    "mlp-3": _network(100, "0.1->0.025:halving", 14),
    "mlp-4": _network(120, "0.5->0.03125:halving", 6, error="mean"),
    "mlp-5": _network(250, "0.5->0.0625:halving", 14, error="mean"),
    "best": _network(250, "0.5->0.0625:halving", 14, error="mean", both_sides=True, mirror=True),
}
"""The five networks of Table 2. Of the first the paper says how long each step size lasts (2, 4 and
8 million episodes); the same is assumed for the others: each half as large and twice as long as the
one before, between the ends that the table gives. E is the sum over the states of an episode, as
Eq. (6) has it, for networks 1 to 3. With that sum the step sizes of networks 4 and 5 drive every
value to 0 or 1 within the first thousand games, where nothing can be learned: they are trained with
the mean, which is ours. ``best`` learns four episodes from each game of network 5."""
