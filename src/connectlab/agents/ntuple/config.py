"""The settings of an n-tuple learner, each with its symbol in the papers, and the presets.

Thill 2012 is "Reinforcement Learning with N-tuples on the Game Connect-4" by Thill, Koch and Konen;
Konen 2015 the poster "Reinforcement Learning for Strategic Board Games with n-Tuple Systems" by
Konen, Bagheri and Thill; Bagheri 2014 "Online Adaptable Learning Rates for the Game Connect-4" by
Bagheri, Thill, Koch and Konen.

No kernel is imported here: settings are read, listed and checked without Numba.
"""

import math
from collections.abc import Mapping
from itertools import product
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from connectlab.agents.settings import AgentSettings
from connectlab.training.config import MOST_TRAINING_GAMES, TYPED, LearnerConfig, Preset
from connectlab.training.schedules import Schedule

Creation = Literal["cover", "cover-any", "walk", "path", "snake", "sample", "file"]
States = Annotated[Literal[3, 4], TYPED]
TableCount = Annotated[Literal[1, 2], TYPED]
Traces = Literal["et", "res", "rep", "rr"]
Updates = Literal["thill", "konen", "framework"]
Output = Literal["tanh", "linear"]
Rule = Literal[
    "fixed",
    "tcl",
    "tcl-linear",
    "tcl-exp",
    "idbd",
    "nl-idbd",
    "idbd-mse",
    "autostep",
    "k1",
    "elk1",
    "alpha-bounds",
    "rprop",
]
Settings: TypeAlias = dict[str, object]

MOST_TUPLES = 2_000
LONGEST_TUPLE = 14
MOST_ROWS = 10
"""Taller columns would have more than 2,047 contents."""
FRAMEWORKS_HASTE = 0.01
"""What a win is worth less for every stone before it in the framework of the papers' authors."""
GREATEST_ALPHA = 1_000.0
GREATEST_BETA = 8.0
"""The fast exponential of the step-size rules is exact down to exp(-8)."""


class NTupleSettings(AgentSettings):
    """Which network plays, and how far it looks ahead."""

    name = "ntuple"
    summary = "an n-tuple network trained by self-play, with or without search"
    shipped: ClassVar[Mapping[str, str]] = {
        name: f"{name}.safetensors" for name in ("champion", "hardened")
    }

    source: str
    """A run folder, a checkpoint file, or one that comes with connectlab: "champion" has learned by
    self-play alone, "hardened" is the same after lessons by the solver, and proven."""
    depth: int = Field(default=1, ge=1, le=64)
    """Plies it looks ahead, its own move the first of them; forced replies count for nothing."""


class NTupleConfig(LearnerConfig):
    """Everything that makes a run of n-tuple learning what it is."""

    name = "ntuple"
    summary = "n-tuple networks by TD(lambda) self-play (Thill 2012, Konen 2015)"
    presets: ClassVar[Mapping[str, Preset]]
    named = (
        *LearnerConfig.named,
        "epsilon_second",
        "safe_second",
        "restarts",
        "surprise",
        "output",
        "haste",
    )

    tuples: int = Field(default=70, ge=1, le=MOST_TUPLES)
    """m, the number of n-tuples."""
    length: int = Field(default=8, ge=1, le=LONGEST_TUPLE)
    """n, the cells of a tuple; for snakes the greatest number."""
    creation: Creation = "cover"
    """How tuples are made: random walks, paths (walks that never meet themselves, no two alike),
    snakes or samples; walks that cover every line, all different (cover) or not (cover-any); from a
    file."""
    tuple_file: str | None = None
    """JSON file with the tuples, for creation=file."""
    tuple_seed: int = Field(default=1, ge=0, lt=2**63)
    """Seed of the tuple set; the same seed gives the same set."""
    states: States = 4
    """P: 3 tells empty, first and second; 4 also which empty cells can be reached."""
    tables: TableCount = 2
    """Look-up tables of a tuple: one, or one for each side to move."""
    mirror: bool = True
    """Read every tuple in the mirrored board too, with the same weights."""
    initial_weights: float = Field(default=0.0005, ge=0, le=100)
    """Weights begin uniform in plus and minus this (half of xi); 0 for all zero."""
    output: Output = "tanh"
    """V of a position: the tanh of the sum of its weights, or the sum itself (linear)."""

    alpha: Schedule = Schedule(start=0.004, end=0.004)
    """alpha, the step size of a weight."""
    epsilon: Schedule = Schedule(start=0.1, end=0.1)
    """epsilon, the share of random moves."""
    epsilon_second: Schedule | None = None
    """The share of random moves of the second player; without it epsilon is that of both."""
    safe_second: bool = False
    """Draw random moves of the second player from those that do not lose at once; where it could
    win, from all."""
    gamma: float = Field(default=1.0, ge=0, le=1)
    """gamma, the discount of the next value."""
    haste: float = Field(default=0.0, ge=0, le=1)
    """What a win is worth less for every stone that lay on the board before it: its reward is 1 - n
    haste (the authors' framework has 0.01); 0 for 1 whenever it comes."""
    trace_lambda: float = Field(default=0.8, ge=0, le=1)
    """lambda of TD(lambda); 0 for no traces."""
    traces: Traces = "rr"
    """[et] plain traces, [res] reset on a random move, [rep] replacing, [rr] both."""
    updates: Updates = "konen"
    """Whether a random move that ends the game is learned from: never (thill, the text of 2012),
    unless it resets traces (konen, Algorithm 3 of the poster), always (the authors' framework).
    No other random move is."""
    rule: Rule = "fixed"
    """Step-size rule: fixed; temporal coherence (tcl, tcl-linear, tcl-exp); delta-bar-delta (idbd,
    its forms for tanh nl-idbd and idbd-mse, autostep); gains (k1, elk1); alpha-bounds; rprop."""
    beta: float = Field(default=2.7, ge=0, le=GREATEST_BETA)
    """beta of TCL-EXP and of piecewise linear TCL: step sizes fall to exp(-beta) of alpha."""
    bounded: bool = False
    """Shrink a step that would carry the value beyond its target (sum of alpha_i e_i^2 above 1)."""
    theta: float = Field(default=3.0, ge=0, le=1_000)
    """theta, the step size of the step sizes, of IDBD, nl-IDBD, IDBD-MSE, K1 and ELK1."""
    mu: float = Field(default=0.01, ge=0, le=10)
    """mu, the step size of the step sizes, of Autostep."""
    restarts: float = Field(default=0.0, ge=0, le=1)
    """The share of games that begin where the network was surprised of late, or a few plies before
    it; 0 for all games from the empty board."""
    surprise: float = Field(default=0.3, ge=0, le=2)
    """The least temporal difference |delta| that is a surprise; with restarts only."""
    average_games: int = Field(default=0, ge=0, le=MOST_TRAINING_GAMES)
    """Play with weights averaged over about this many games (exponentially); 0 for the latest."""

    @field_validator("alpha")
    @classmethod
    def _check_alpha(cls, alpha: Schedule) -> Schedule:
        return _within(alpha, GREATEST_ALPHA)

    @field_validator("epsilon", "epsilon_second")
    @classmethod
    def _check_epsilon(cls, epsilon: Schedule | None) -> Schedule | None:
        return None if epsilon is None else _within(epsilon, 1.0)

    @model_validator(mode="after")
    def _check(self) -> "NTupleConfig":
        if self.creation == "file" and self.tuple_file is None:
            raise ValueError("creation=file needs tuple_file=PATH")
        if self.creation != "file" and self.tuple_file is not None:
            raise ValueError(f"tuple_file needs creation=file: creation={self.creation} draws them")
        if self.rows > MOST_ROWS:
            raise ValueError(
                f"n-tuple networks take boards of up to {MOST_ROWS} rows, not {self.rows}"
            )
        before = self.geometry.cells - 1
        if self.haste * before > 1:
            most = math.floor(1e4 / before) / 1e4
            raise ValueError(
                f"with haste={self.haste:g} a win with the last stone, after {before} others, "
                f"would be worth less than a draw: {most:g} is the most on this board"
            )
        return self

    @property
    def replace(self) -> bool:
        """Whether traces are replaced."""
        return self.traces in ("rep", "rr")

    @property
    def reset(self) -> bool:
        """Whether a random move resets the traces."""
        return self.traces in ("res", "rr")

    @property
    def random_end(self) -> bool:
        """Whether a random move that ends the game is learned from.

        2012's text: no update after a random move. Algorithm 3: an update after every final move,
        but with resetting traces e is 0 by then. Framework: the update comes before the reset.
        """
        return self.updates == "framework" or (self.updates == "konen" and not self.reset)


def _within(schedule: Schedule, greatest: float) -> Schedule:
    """Return a schedule whose values all lie from 0 to ``greatest``; its ends are its extremes."""
    for value in (schedule.start, schedule.end):
        if not (math.isfinite(value) and 0 <= value <= greatest):
            raise ValueError(f"values must lie from 0 to {greatest:g}")
    return schedule


_THILL: Settings = {
    "creation": "path",
    "initial_weights": 0.0,
    "games": 10_000_000,
    "alpha": "0.01->0.001",
    "epsilon": "0.95->0.1:sigmoid(10@0.3)",
    "trace_lambda": 0.0,
    "traces": "et",
    "updates": "thill",
}
"""2012's settings. Its random walks are drawn as the authors' framework draws them; the sigmoid is
the framework's with its inflection at 3 of 10 million games, which fits the published onsets of
Figure 2b (docs/ntuple.md has the measurement)."""
_STATES = {"p3": 3, "p4": 4}
_EPSILONS = {
    "constant": "0.1",
    "linear": "0.95->0.1:linear",
    "exponential": "0.95->0.1",
    "half": "0.5->0.1:linear",
}
_KONEN: Settings = {
    "creation": "path",
    "games": 2_000_000,
    "alpha": "0.004->0.002",
    "epsilon": "0.1",
}
_RULES: dict[Rule, Settings] = {
    "fixed": {},
    "tcl": {"alpha": "0.1"},
    "tcl-linear": {"alpha": "0.05", "beta": 2.7},
    "tcl-exp": {"alpha": "0.05", "beta": 2.7},
    "idbd": {"alpha": str(math.exp(-5.0)), "theta": 3.0, "output": "linear"},
    "nl-idbd": {"alpha": str(math.exp(-3.52) / 4), "theta": 3.1},
    "idbd-mse": {"alpha": str(math.exp(-5.0)), "theta": 2.0},
    "k1": {"alpha": str(math.exp(-4.7)), "theta": 6.0, "output": "linear"},
    "elk1": {"alpha": str(math.exp(-4.5)), "theta": 5.0},
    "autostep": {"alpha": "0.02", "mu": 0.001, "output": "linear"},
    "alpha-bounds": {"alpha": "1", "output": "linear"},
    "rprop": {"alpha": "0.001"},
}
"""The best settings that the authors' framework has for each rule, with lambda = 0.8 [rr] and its
rewards; its beta_init is ln(alpha). It has none for TCL, piecewise linear TCL (here those of
TCL-EXP) and RProp (here its first step). nl-IDBD there has a logistic output of 0 to 1: a quarter
of its alpha moves V = 2 y - 1 alike, with the same theta."""


_CAREFUL: Settings = {
    "length": 10,
    "initial_weights": 0.0,
    "rule": "tcl-exp",
    "bounded": True,
    "gamma": 0.98,
    "epsilon_second": "0.3",
    "safe_second": True,
}
"""What learns best here: tuples that cover every line, coherent and bounded steps, a discount that
prefers quick wins, and a second player that tries out more than the first, but nothing that loses
at once."""


def _presets() -> dict[str, Settings]:
    presets: dict[str, Settings] = {
        "sprint": {
            **_CAREFUL,
            "length": 8,
            "games": 350_000,
            "alpha": "0.3->0.03",
            "average_games": 100_000,
        },
        "quick": {**_CAREFUL, "games": 750_000, "alpha": "0.2->0.05", "average_games": 200_000},
        "champion": {
            **_CAREFUL,
            "games": 4_000_000,
            "alpha": "0.3->0.05",
            "average_games": 1_000_000,
        },
        "thill-p3": {**_THILL, "states": 3},
        "thill-p4": _THILL,
        "thill-tuned": {**_THILL, "alpha": "0.004->0.002"},
    }
    for creation, (word, states) in product(("walk", "snake", "sample"), _STATES.items()):
        made = _THILL["creation"] if creation == "walk" else creation
        settings = {**_THILL, "tables": 1, "creation": made, "states": states}
        presets[f"thill-one-table-{creation}-{word}"] = settings
    for final in ("0.004", "0.006", "0.01"):
        presets[f"thill-alpha-{final}"] = {**_THILL, "alpha": f"0.01->{final}"}
    for shape, epsilon in _EPSILONS.items():
        presets[f"thill-epsilon-{shape}"] = {**_THILL, "epsilon": epsilon}
    for traces in ("et", "res", "rep", "rr"):
        learner = {**_KONEN, "traces": traces, "trace_lambda": 0.8}
        presets[f"konen-tdl-{traces}"] = learner
        presets[f"konen-tcl-{traces}"] = {**learner, "rule": "tcl", "alpha": "0.1"}
        presets[f"konen-tcl-exp-{traces}"] = {**learner, "rule": "tcl-exp", "alpha": "0.05"}
    for name, rule in _RULES.items():
        settings = {**_KONEN, "trace_lambda": 0.8, "rule": name, "haste": FRAMEWORKS_HASTE, **rule}
        presets[f"konen-rules-{name}"] = settings
    return presets


def _judged(name: str, settings: Settings) -> Preset:
    """Return a preset with the evaluations of its paper."""
    paper = name.partition("-")[0]
    if paper == "thill":
        return Preset(settings, ("success:games=50,objective=framework",), 100_000)
    if paper == "konen":
        return Preset(settings, ("success:games=200,objective=framework",), 20_000)
    return Preset(settings)


NTupleConfig.presets = {name: _judged(name, settings) for name, settings in _presets().items()}
