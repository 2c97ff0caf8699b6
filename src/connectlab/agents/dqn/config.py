"""The settings of a deep Q-network, each with where the paper tells of it.

Dangel 2021 is "Solving Connect Four with Deep Q-Learning" by Dangel, Merkel and Wegert. The
defaults are theirs; what they leave open is marked, and what goes beyond them is off.

No kernel and no torch is imported here: settings are read, listed and checked without either.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from connectlab.agents.dqn.presets import PRESETS
from connectlab.agents.opponents import SELF, check_specs, join_specs, split_specs
from connectlab.agents.settings import AgentSettings
from connectlab.training.config import TYPED, LearnerConfig, Preset
from connectlab.training.schedules import Rate, Schedule

Side = Literal["first", "second", "both"]
RewardSystem = Literal["default", "streak", "plain"]
Invalid = Literal["forbid", "allow"]
Planes = Literal["players", "own"]
Device = Literal["auto", "cpu", "cuda"]

MOST_CHANNELS = 1_024
MOST_LAYERS = 16
MOST_HIDDEN = 4_096
MOST_PARALLEL = 65_536
MOST_STEPS = 64
MOST_TRANSITIONS = 100_000_000
GREATEST_REWARD = 1e6


class Rewards(NamedTuple):
    """The numbers of a reward system, Table II."""

    win: float
    loss: float
    invalid: float
    draw: float
    step: float
    """Of a move after which the game goes on."""
    streak: float
    """On top of ``step`` for each row of connect - 1 own stones."""


REWARDS: Mapping[RewardSystem, Rewards] = {
    "default": Rewards(10.0, -10.0, -20.0, 1.0, 1 / 42, 0.0),
    "streak": Rewards(20.0, -20.0, -40.0, 1.0, 1 / 42, 3.0),
    "plain": Rewards(1.0, -1.0, -1.0, 0.0, 0.0, 0.0),
}
"""Both columns of Table II, and a plain zero-sum game, which is ours."""


class DQNSettings(AgentSettings):
    """Which network plays, and whether it may choose a full column."""

    name = "dqn"
    summary = "a convolutional network of move values (Dangel et al.)"
    shipped: ClassVar[Mapping[str, str]] = {"best": "best.safetensors"}

    source: str
    """A run folder, a checkpoint file, or "best" for the one that comes with connectlab."""
    invalid: Invalid = "forbid"
    """forbid: the best of the columns with room; allow: the best of all, and the game is lost if
    that one is full (Tables V and VI)."""


class DQNConfig(LearnerConfig):
    """Everything that makes a run of deep Q-learning what it is."""

    name = "dqn"
    summary = "deep Q-learning with a convolutional network (Dangel et al.)"
    usual_measures = ("quota:games=100", "score:negamax,games=100")
    presets: ClassVar[Mapping[str, Preset]] = PRESETS

    games: int = Field(default=20_000, ge=1, le=10**12)
    """Games of the whole run, the paper's episodes."""

    opponents: str = "random"
    """Who it plays against: players in turn, such as "random + negamax"; self for itself."""
    side: Side = "both"
    """Whether it moves first, second or both in turn against other players."""
    switch_every: int = Field(default=1_000, ge=1, le=10**12)
    """Games after which it changes sides (section III)."""
    learn: Literal["auto", "own", "both"] = "auto"
    """Whose moves are learned: its own, and what follows a move is its next turn; or those of both
    sides, and what follows is the other side's turn, whose value is negated. auto: both with self
    among the opponents, else own."""
    parallel: int = Field(default=1, ge=1, le=MOST_PARALLEL)
    """Games played side by side; the paper plays one."""
    openings: int = Field(default=0, ge=0, le=64)
    """Every game begins with up to so many random moves; the paper knows none."""

    rewards: RewardSystem = "default"
    """default or streak (Table II), or plain: 1 for a win, -1 for a loss, else 0."""
    reward_win: float | None = Field(default=None, gt=0, le=GREATEST_REWARD)
    """r of a won game; none for that of the reward system."""
    reward_loss: float | None = Field(default=None, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """r of a lost game; with the moves of both sides learned it is minus that of a win."""
    reward_invalid: float | None = Field(default=None, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """r of a move into a full column, where those are allowed."""
    reward_draw: float | None = Field(default=None, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """r of a drawn game."""
    reward_step: float | None = Field(default=None, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """r of a move after which the game goes on."""
    reward_streak: float | None = Field(default=None, ge=-GREATEST_REWARD, le=GREATEST_REWARD)
    """On top of that for each streak of connect - 1 own stones."""
    streaks: Literal["made", "held"] = "made"
    """Which streaks are rewarded: those that the move makes, or all that it leaves on the board.
    The paper leaves it open."""
    invalid: Invalid = "forbid"
    """Moves into full columns: never made, or allowed and punished, which ends the game."""
    gamma: float = Field(default=0.7, ge=0, le=1)
    """Discount factor."""

    planes: Planes = "players"
    """What the network sees beside the free cells: the stones of the first and of the second
    player (section II A), or its own and the other side's."""
    channels: int = Field(default=64, ge=1, le=MOST_CHANNELS)
    """Features of each convolution (section II B)."""
    layers: int = Field(default=2, ge=1, le=MOST_LAYERS)
    """Convolutions."""
    padding: Annotated[Literal[0, 1], TYPED] = 1
    """Cells of zeros around the board in a convolution; the paper leaves it open."""
    hidden: int = Field(default=300, ge=1, le=MOST_HIDDEN)
    """Neurons of each hidden dense layer."""
    hidden_layers: int = Field(default=2, ge=1, le=MOST_LAYERS)
    """Hidden dense layers."""
    dueling: bool = False
    """Q is the value of the position plus the advantages of the moves (Wang et al. 2016)."""
    noisy: bool = False
    """Noise in the dense layers explores in place of epsilon (Fortunato et al. 2018)."""
    noisy_sigma: float = Field(default=0.5, gt=0, le=10)
    """sigma_0, how strong the noise is at first."""

    replay: int = Field(default=20_000, ge=1, le=MOST_TRANSITIONS)
    """Transitions in the replay buffer."""
    replay_bug: bool = False
    """Once the buffer is full, the newest transition is replaced and not the oldest (Table VII)."""
    warmup: int = Field(default=0, ge=0, le=MOST_TRANSITIONS)
    """Transitions before the first update, "enough experiences"; never fewer than a batch."""
    batch: int = Field(default=32, ge=1, le=1 << 20)
    """Transitions of an update."""
    steps_per_update: int = Field(default=1, ge=1, le=MOST_TRANSITIONS)
    """Transitions played for each update; the paper updates after every step."""
    alpha: Rate = Schedule(start=0.001, end=0.001)
    """Learning rate of Adam."""
    loss: Literal["mse", "huber"] = "mse"
    """Mean squared error, or Huber's loss, which is linear beyond an error of 1."""
    clip: float = Field(default=0.0, ge=0, le=GREATEST_REWARD)
    """Longest gradient of an update; 0 for any. The paper does not speak of it."""
    target_every: int = Field(default=50, ge=1, le=10**12)
    """Games after which the target network becomes a copy of the learned one."""
    target_average: float = Field(default=0.0, ge=0, lt=1)
    """Above 0, the target network is an average instead, and keeps this share with each update."""
    double: bool = False
    """The learned network chooses the next move, the target network values it (van Hasselt)."""
    n_step: int = Field(default=1, ge=1, le=MOST_STEPS)
    """Moves whose rewards are summed before a value is taken for the rest."""
    cut: bool = True
    """Sums over several moves end before an exploratory one."""
    priority: float = Field(default=0.0, ge=0, le=1)
    """alpha of prioritised replay (Schaul et al. 2016); 0 draws all alike."""
    beta: Rate = Schedule(start=0.4, end=1.0, shape="linear")
    """beta of prioritised replay: how far the weights of an update make up for the priorities."""
    mirror: bool = False
    """A transition is learned as its mirror image every other time, by lot."""

    epsilon: Rate = Schedule(start=0.9, end=0.1, shape="exponential")
    """epsilon, the share of random moves; how it falls is left open by the paper."""
    epsilon_games: int = Field(default=1_500, ge=0, le=10**12)
    """Games within which epsilon falls; 0 for the whole run."""

    weights: Literal["float32", "float16"] = "float32"
    """How weights are kept in a player's file; what is measured while training is that file."""
    device: Device = "auto"
    """Where the network learns: cuda, cpu, or auto, which takes the first if there is one."""

    @field_validator("opponents")
    @classmethod
    def _check_opponents(cls, opponents: str) -> str:
        return join_specs(check_specs(opponents))

    @model_validator(mode="after")
    def _check(self) -> "DQNConfig":
        lost = 2 * (1 - self.padding) * self.layers
        if min(self.rows, self.columns) <= lost:
            raise ValueError(
                f"{self.layers} convolutions without padding leave nothing of "
                f"{self.columns}x{self.rows} cells: set padding=1"
            )
        if self.learn == "own" and SELF in self.opponent_specs:
            raise ValueError("against self the moves of both sides are learned: leave learn out")
        numbers = self.reward_numbers
        if self.learns_both and (numbers.draw, numbers.step) != (0, 0):
            raise ValueError(
                "learning both sides' moves takes a zero-sum game: set rewards=plain, or "
                "reward_draw=0 and reward_step=0"
            )
        if self.warmup > self.replay or self.batch > self.replay:
            raise ValueError(f"replay={self.replay} must hold a batch and the warmup")
        return self

    @property
    def opponent_specs(self) -> tuple[str, ...]:
        """The players it learns against, in turn."""
        return split_specs(self.opponents)

    @property
    def learns_both(self) -> bool:
        """Whether the moves of both sides are learned."""
        return SELF in self.opponent_specs if self.learn == "auto" else self.learn == "both"

    @property
    def reward_numbers(self) -> Rewards:
        """The numbers of the reward system, those that are set in place of its own."""
        given = {name: getattr(self, f"reward_{name}") for name in Rewards._fields}
        changed = {name: value for name, value in given.items() if value is not None}
        return REWARDS[self.rewards]._replace(**changed)
