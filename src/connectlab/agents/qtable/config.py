"""The settings of a Q-learner, each with its symbol, and the presets.

Cheng is "Connect N: A Reinforcement Learning Approach" by Cheng, Fan and Nguyen; Tokic 2011 "Value-
Difference Based Exploration" by Tokic and Palm (VDBE-softmax); Watkins 1989 "Learning from Delayed
Rewards" (Q-learning and Q(lambda)).

No kernel is imported here: settings are read, listed and checked without Numba.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from connectlab.agents.opponents import SELF, check_specs, join_specs, split_specs
from connectlab.agents.settings import AgentSettings
from connectlab.training.config import LearnerConfig, Preset
from connectlab.training.schedules import Rate, Schedule

Side = Literal["first", "second", "both"]
Exploration = Literal["epsilon-greedy", "vdbe-softmax"]
Traces = Literal["none", "limited", "full"]
Ties = Literal["first", "random"]
Known = Literal["off", "first", "always"]
Settings: TypeAlias = dict[str, object]

VARIANTS = frozenset({"slip", "drop-row", "counts"})
RANDOM = "random"
MOST_PARALLEL = 4_096
GREATEST_REWARD = 1e6


class QTableSettings(AgentSettings):
    """Which table plays."""

    name = "qtable"
    summary = "a table of visited states trained by Q-learning (Cheng et al.)"
    shipped: ClassVar[Mapping[str, str]] = {"cheng-known": "cheng-known.safetensors"}

    source: str
    """A run folder, a checkpoint file, or "cheng-known" for the one that comes with connectlab."""


class QTableConfig(LearnerConfig):
    """Everything that makes a run of tabular Q-learning what it is."""

    name = "qtable"
    summary = "tabular Q-learning with VDBE-softmax, traces and known states (Cheng et al.)"
    usual_measures = ("quota:games=5000",)
    presets: ClassVar[Mapping[str, Preset]]
    variants: ClassVar[frozenset[str]] = VARIANTS

    opponents: str = SELF
    """Who it learns against: self, or players in turn, such as "random + minimax:depth=2"."""
    side: Side = "both"
    """Whether it moves first, second or in turn (both) against other players."""
    parallel: int = Field(default=16, ge=1, le=MOST_PARALLEL)
    """Games played side by side against players other than self and random alone."""
    reward_win: float = Field(default=50.0, gt=0, le=GREATEST_REWARD)
    """r of a won game."""
    reward_draw: float = Field(default=0.0, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """r of a drawn game; 0 in self-play."""
    reward_loss: float = Field(default=0.0, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """r of a lost game; in self-play a loss is always minus reward_win."""

    alpha: Rate = Schedule(start=0.5, end=0.5)
    """alpha, the step size."""
    gamma: float = Field(default=0.95, ge=0, le=1)
    """gamma, the discount of the next value."""
    trace_lambda: float = Field(default=0.8, ge=0, le=1)
    """lambda of Q(lambda); counts only with traces."""
    traces: Traces = "full"
    """none; full: all pairs visited since the last exploratory move (Watkins); limited: the same
    pairs, and every state that one move can reach is entered (Cheng)."""
    replacing: bool = True
    """A pair visited again has eligibility e = 1 in place of e + 1."""

    exploration: Exploration = "epsilon-greedy"
    """How moves are explored: epsilon-greedy, or vdbe-softmax with an epsilon for each state."""
    epsilon: Rate = Schedule(start=0.2, end=0.2)
    """epsilon of epsilon-greedy, the share of random moves."""
    sigma: float = Field(default=1.0, gt=0, le=GREATEST_REWARD)
    """sigma of VDBE, inverse sensitivity: changes of Q far above it keep a state exploring."""
    delta: float | None = Field(default=None, gt=0, le=1)
    """delta of VDBE, how fast epsilon(s) follows; none for one over the moves in s."""
    temperature: float = Field(default=1.0, gt=0, le=1_000)
    """tau of the softmax over Q, which is scaled to lie from -1 to 1."""

    known: Known = "off"
    """Known states: values by what moves do at once, in place of zeros, when a state is entered
    (first, or true), at every visit of it in training too (always), or never (off, or false)."""
    shaping: bool = False
    """Shaping rewards: known_block or known_streak is added to r of a move that earns it."""
    known_win: float = Field(default=25.0, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """Known value of a move that wins; 0 for none."""
    known_block: float = Field(default=20.0, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """Known value of a move that takes the cell where the other side would win; 0 for none."""
    known_streak: float = Field(default=15.0, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """Known value of a move that makes a streak of n - 1 stones or more; 0 for none."""
    ties: Ties = "random"
    """Among equally good moves: the first column, or any at random."""
    mirror: bool = False
    """A position and its mirror image share one state."""

    @field_validator("known", mode="before")
    @classmethod
    def _read_truth(cls, known: object) -> object:
        """Take true for first and false for off."""
        truth = str(known).lower() if isinstance(known, bool | str) else ""
        return {"true": "first", "false": "off"}.get(truth, known)

    @field_validator("opponents")
    @classmethod
    def _check_opponents(cls, opponents: str) -> str:
        specs = check_specs(opponents)
        if SELF in specs and len(specs) > 1:
            raise ValueError("self stands alone: its values are not those against other players")
        return join_specs(specs)

    @model_validator(mode="after")
    def _check(self) -> "QTableConfig":
        if self.self_play and self.reward_draw != 0:
            raise ValueError("self-play is a zero-sum game: reward_draw must be 0")
        looks_at_stones = self.known != "off" or self.shaping or self.mirror
        if self.geometry.variant.counts and looks_at_stones:
            raise ValueError("where only counts are seen, known, shaping and mirror must be false")
        return self

    @property
    def opponent_specs(self) -> tuple[str, ...]:
        """The players it learns against, in turn."""
        return split_specs(self.opponents)

    @property
    def self_play(self) -> bool:
        """Whether both sides learn into the table."""
        return self.opponents == SELF

    @property
    def asks_players(self) -> bool:
        """Whether games need players that are asked for their moves."""
        return self.opponents not in (SELF, RANDOM)


_CHENG: Settings = {
    "games": 10_000,
    "opponents": "random + extend + minimax:depth=2 + minimax:depth=4",
    "side": "first",
    "alpha": "0.1",
    "gamma": 0.95,
    "trace_lambda": 0.8,
    "traces": "limited",
    "exploration": "vdbe-softmax",
    "ties": "first",
}
"""Cheng, Tables 2 to 5. The paper gives 10,000 games "against many different strategies", the
rewards, VDBE-softmax, limited traces and ties by first index; the rest is assumed."""

_CONNECT3: Settings = {
    "columns": 4,
    "rows": 4,
    "connect": 3,
    "games": 1_000_000,
    "alpha": "1",
    "epsilon": "0.7",
    "traces": "none",
    "mirror": True,
}
"""Without chance a step size of 1 is right: what follows from a move is always the same."""

QTableConfig.presets = {
    "quick": Preset({"games": 200_000, "known": True, "mirror": True}),
    "cheng": Preset(_CHENG),
    "cheng-known": Preset({**_CHENG, "known": True}),
    "connect3": Preset(_CONNECT3),
    "connect3-slip": Preset(
        {
            **_CONNECT3,
            "variant": "slip:0.1",
            "games": 2_000_000,
            "alpha": "0.5->0.01",
            "gamma": 1.0,
        }
    ),
}
