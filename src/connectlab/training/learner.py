"""What a learner is: something that takes steps, reports what it measures, and can be saved."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from connectlab.errors import UserError
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.config import LearnerConfig

if TYPE_CHECKING:
    from connectlab.game.position import Position

Metrics: TypeAlias = Mapping[str, float]
"""Named numbers worth a curve, each a mean over the games of a step: a rate, a loss, an error."""


class LearnerError(UserError):
    """A learner that cannot begin, cannot go on, or cannot do what was asked."""


class BrokeDownError(LearnerError):
    """A learner whose values are worth nothing any more: nothing mends them."""


class Learner(ABC):
    """A player in training.

    The same config gives the same bits, however often it was saved and restored between two steps.
    A subclass sets ``Config``, narrows ``config`` to it, and writes the abstract methods.
    """

    Config: ClassVar[type[LearnerConfig]]
    learns_from_games: ClassVar[bool] = False
    """Whether ``learn_from`` works."""

    def __init__(self, config: LearnerConfig, *, threads: int = 1) -> None:
        self.config = config
        self.threads = threads
        self.games_done = 0
        """Games learned from so far; the run ends when they are ``config.games``."""

    @abstractmethod
    def step(self) -> Metrics:
        """Learn the next piece and count its games; never called once all games are done.

        The learner chooses the size of a piece by its config, never by the clock: some tenths of
        a second of work, after which it can be saved.
        """

    @abstractmethod
    def checkpoint(self) -> Checkpoint:
        """Return what is needed to play."""

    @abstractmethod
    def state(self) -> Checkpoint:
        """Return what is needed to go on as if nothing had happened, ``games_done`` included."""

    @abstractmethod
    def restore(self, state: Checkpoint) -> None:
        """Go on from a state whose config differs from this one in ``games`` at most."""

    @abstractmethod
    def begin_from(self, checkpoint: Checkpoint) -> None:
        """Take what a player of this kind has learned as the beginning of a new run."""

    def learn_from(self, games: "Sequence[Position]") -> Metrics:
        """Learn from finished games of others, people included; needs their moves."""
        raise LearnerError(f"{self.config.name} cannot learn from games of others")
