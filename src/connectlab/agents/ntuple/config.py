"""The settings of an n-tuple learner, each with its symbol in the papers, and the presets.

Thill 2012 is "Reinforcement Learning with N-tuples on the Game Connect-4" by Thill, Koch and Konen;
Konen 2015 the poster "Reinforcement Learning for Strategic Board Games with n-Tuple Systems" by
Konen, Bagheri and Thill.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from connectlab.agents.settings import AgentSettings
from connectlab.training.config import LearnerConfig
from connectlab.training.schedules import Schedule

Creation = Literal["cover", "cover-any", "walk", "snake", "sample", "file"]
Traces = Literal["et", "res", "rep", "rr"]
Rule = Literal["fixed", "tcl", "tcl-linear", "tcl-exp", "idbd", "autostep", "elk1", "alpha-bounds"]


class NTupleSettings(AgentSettings):
    """Which network plays, and how far it looks ahead."""

    name = "ntuple"
    summary = "an n-tuple network trained by self-play, with or without search"

    source: str
    """A run folder, a checkpoint file, or "champion" for the one that comes with connectlab."""
    depth: int = Field(default=1, ge=1, le=64)
    """Plies it looks ahead, its own move the first of them; forced replies count for nothing."""


class NTupleConfig(LearnerConfig):
    """Everything that makes a run of n-tuple learning what it is."""

    name = "ntuple"
    summary = "n-tuple networks by TD(lambda) self-play (Thill 2012, Konen 2015)"
    presets: ClassVar[Mapping[str, Mapping[str, object]]]

    tuples: int = Field(default=70, ge=1, le=2000)
    """m, the number of n-tuples."""
    length: int = Field(default=8, ge=1, le=14)
    """n, the cells of a tuple; for snakes the greatest number."""
    creation: Creation = "cover"
    """How tuples are made: random walks, snakes or samples; walks that cover every line, all
    different (cover) or not (cover-any); from a file."""
    tuple_file: str | None = None
    """JSON file with the tuples, for creation=file."""
    tuple_seed: int = Field(default=1, ge=0)
    """Seed of the tuple set; the same seed gives the same set."""
    states: Literal[3, 4] = 4
    """P: 3 tells empty, first and second; 4 also which empty cells can be reached."""
    tables: Literal[1, 2] = 2
    """Look-up tables of a tuple: one, or one for each side to move."""
    mirror: bool = True
    """Read every tuple in the mirrored board too, with the same weights."""
    initial_weights: float = Field(default=0.0005, ge=0)
    """Weights begin uniform in plus and minus this (half of xi); 0 for all zero."""

    alpha: Schedule = Schedule(start=0.004, end=0.004)
    """alpha, the step size of a weight."""
    epsilon: Schedule = Schedule(start=0.1, end=0.1)
    """epsilon, the share of random moves."""
    gamma: float = Field(default=1.0, ge=0, le=1)
    """gamma, the discount of the next value."""
    trace_lambda: float = Field(default=0.8, ge=0, le=1)
    """lambda of TD(lambda); 0 for no traces."""
    traces: Traces = "rr"
    """[et] plain traces, [res] reset on a random move, [rep] replacing, [rr] both."""
    rule: Rule = "fixed"
    """Step-size rule: fixed, tcl, tcl-linear, tcl-exp, idbd, autostep, elk1 or alpha-bounds."""
    beta: float = Field(default=2.7, ge=0, le=8)
    """beta of TCL-EXP."""
    slope: float = Field(default=1.5, gt=0)
    """Slope of piecewise linear TCL around 1/2."""
    bounded: bool = False
    """Shrink a step that would carry the value beyond its target (sum of alpha_i e_i^2 above 1)."""
    theta: float = Field(default=3.0, ge=0)
    """theta, the step size of the step sizes, of IDBD and ELK1."""
    mu: float = Field(default=0.01, ge=0)
    """mu, the step size of the step sizes, of Autostep."""
    average_games: int = Field(default=0, ge=0)
    """Play with weights averaged over about this many games (exponentially); 0 for the latest."""

    @model_validator(mode="after")
    def _check(self) -> "NTupleConfig":
        if self.creation == "file" and self.tuple_file is None:
            raise ValueError("creation=file needs tuple_file=PATH")
        for name in ("alpha", "epsilon"):
            schedule: Schedule = getattr(self, name)
            if min(schedule.start, schedule.end) < 0:
                raise ValueError(f"{name}={schedule}: values must not be below 0")
        return self

    @property
    def replace(self) -> bool:
        """Whether traces are replaced."""
        return self.traces in ("rep", "rr")

    @property
    def reset(self) -> bool:
        """Whether a random move resets the traces."""
        return self.traces in ("res", "rr")


_THILL: dict[str, Any] = {
    "creation": "walk",
    "initial_weights": 0.0,
    "games": 10_000_000,
    "alpha": "0.01->0.001",
    "epsilon": "0.95->0.1:sigmoid",
    "trace_lambda": 0.0,
    "traces": "et",
}
_KONEN: dict[str, Any] = {
    "creation": "walk",
    "games": 2_000_000,
    "alpha": "0.004->0.002",
    "epsilon": "0.1",
}


def _presets() -> dict[str, dict[str, Any]]:
    presets: dict[str, dict[str, Any]] = {
        "quick": {"length": 10, "games": 750_000, "alpha": "0.006", "average_games": 250_000},
        "champion": {
            "creation": "cover-any",
            "length": 10,
            "tuple_seed": 9,
            "seed": 9,
            "games": 5_000_000,
            "alpha": "0.006->0.001",
            "gamma": 0.99,
            "average_games": 1_000_000,
        },
        "thill-one-table": {**_THILL, "tables": 1},
        "thill-p3": {**_THILL, "states": 3},
        "thill-p4": _THILL,
        "thill-tuned": {**_THILL, "alpha": "0.004->0.002"},
    }
    for traces in ("et", "res", "rep", "rr"):
        learner = {**_KONEN, "traces": traces, "trace_lambda": 0.8}
        presets[f"konen-tdl-{traces}"] = learner
        presets[f"konen-tcl-{traces}"] = {**learner, "rule": "tcl", "alpha": "0.1"}
        presets[f"konen-tcl-exp-{traces}"] = {**learner, "rule": "tcl-exp", "alpha": "0.05"}
    return presets


NTupleConfig.presets = _presets()
