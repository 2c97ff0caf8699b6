"""What every player is: a policy, and one way to draw from it."""

from abc import ABC, abstractmethod
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Analysis
from connectlab.agents.choice import draw_columns
from connectlab.agents.contents import Contents
from connectlab.agents.forfeits import FORFEIT, ILLEGAL, ForfeitError, ForfeitLog
from connectlab.agents.settings import AgentError, AgentSettings
from connectlab.agents.spec import Spec
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.variants import Variant


class Agent(ABC):
    """A player. A subclass sets ``Settings``, narrows ``settings`` to it, and writes ``policy``.

    Opinion and chance are apart: ``policy`` says how likely each column is, and ``choose`` draws
    with the number that belongs to this game and this ply. Asking changes nothing: an agent keeps
    no memory of a game, and the same question has the same answer. One agent may be asked by
    several threads at once.
    """

    Settings: ClassVar[type[AgentSettings]]
    sampled: ClassVar[bool] = False
    """Whether the policy itself comes from chance, as that of rollouts does.

    Such a player takes its numbers from ``batch.streams``, so its policy belongs to one game and
    ply. All others have the same policy in a position whatever the stream.
    """
    variants: ClassVar[frozenset[str]] = frozenset()
    """Which variants of the game it plays: some of "slip", "drop-row" and "counts".

    Whoever plays ``counts`` must not look at the stones of a batch but through ``count_runs``.
    """
    symmetric: bool = False
    """Whether it plays the mirror image of its moves in the mirror image of any position.

    Then a walk through all games may count the two as one. False promises nothing.
    """
    may_forfeit: ClassVar[bool] = False
    """Whether it may lose a game by what is no move: then a row of its policy is all zeros.

    Such a player can write ``forfeit_reason``.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for method in ("choose", "choose_or_forfeit"):
            if method in vars(cls):
                raise TypeError(f"{cls.__name__} must not write {method}: it writes policy")

    def __init__(
        self, settings: AgentSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        self.settings = self.Settings() if settings is None else settings
        self.geometry = geometry
        self.forfeits = ForfeitLog()
        self._check_variant(geometry.variant)

    @abstractmethod
    def policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return how likely each column is played, float64[n, columns].

        Rows sum to 1 and are 0 where a column is full; a row of zeros forfeits. No
        game of the batch may be over.
        """

    @final
    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Draw a column (0-based) for each position from the policy, int64[n].

        Raises ``ForfeitError`` if the player forfeits one of the games.
        """
        columns = self.choose_or_forfeit(batch)
        if self.may_forfeit and (columns == FORFEIT).any():
            i = int(np.argmax(columns == FORFEIT))
            reason = self.forfeit_reason(batch.position(i), int(batch.streams[i]))
            raise ForfeitError(f"{self.spec} {reason}")
        return columns

    @final
    def choose_or_forfeit(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Draw as ``choose`` does, but give ``FORFEIT`` where the player forfeits, and log it."""
        self.check_board(batch.geometry)
        chances = np.asarray(self.policy(batch))
        if chances.shape != (len(batch), self.geometry.columns) or chances.dtype != np.float64:
            raise AgentError(
                f"{self.spec} must give float64 of shape ({len(batch)}, {self.geometry.columns}) "
                f"as its policy, not {chances.dtype} of shape {chances.shape}"
            )
        columns, wrong = draw_columns(chances, batch, may_forfeit=self.may_forfeit)
        if wrong is not None:
            raise AgentError(
                f"{self.spec} gives no chances in {batch.position(wrong)!r}: {chances[wrong]} "
                "should sum to 1 over the columns with room"
            )
        if self.may_forfeit:
            for i in np.flatnonzero(columns == FORFEIT).tolist():
                self.forfeits.note(self.forfeit_reason(batch.position(i), int(batch.streams[i])))
        return columns

    def forfeit_reason(self, position: Position, stream: int) -> str:
        """Say why the player forfeits here, after its name: "took longer than 2 s"."""
        del position, stream
        return ILLEGAL

    @final
    def choose_one(self, position: Position, *, stream: int = 0) -> int:
        """Return the column for a single position of the game with this stream."""
        self.check_position(position)
        return int(self.choose(PositionBatch.of([position], streams=[stream]))[0])

    def values(self, batch: PositionBatch) -> NDArray[np.float64]:
        """Return how good each position is for the side to move, float64[n] from -1 to 1.

        -1 is lost, 1 won. No game of the batch may be over. A player need not have values: those
        that do write this, and searches of others can then ask them.
        """
        raise AgentError(f"{self.spec} has no values of positions")

    @property
    def has_values(self) -> bool:
        """Whether the player writes ``values``."""
        return type(self).values is not Agent.values

    def analyse(self, position: Position, *, stream: int = 0) -> Analysis:
        """Explain a position that is not over, as the game with this stream would see it."""
        return Analysis(position, self.policy_of(position, stream=stream))

    @property
    def games_at_once(self) -> int | None:
        """How many games may go on beside each other; None for any number.

        Only a player behind which somebody has a memory, as another program may, needs a limit.
        """
        return None

    def contents(self) -> Contents | None:
        """Say what the player is made of; None if it has learned nothing that could be listed."""
        return None

    @final
    def policy_of(self, position: Position, *, stream: int = 0) -> tuple[float, ...]:
        """Return the policy for a single position."""
        self.check_position(position)
        row = self.policy(PositionBatch.of([position], streams=[stream]))[0]
        return tuple(float(chance) for chance in row)

    @classmethod
    def home_board(cls, settings: AgentSettings) -> Geometry | None:
        """Return the one board that a player with these settings knows; None if any will do."""
        del settings
        return None

    def _check_variant(self, variant: Variant) -> None:
        unable = variant.beyond(self.variants)
        if unable is not None:
            able = f"only {', '.join(sorted(self.variants))}" if self.variants else "no variant"
            name = self.settings.name
            raise AgentError(f"{name} cannot play the variant {unable}: it plays {able}")

    @final
    def check_board(self, geometry: Geometry) -> None:
        """Raise ``AgentError`` unless this is the board the player was made for."""
        if geometry != self.geometry:
            raise AgentError(f"{self.spec} was made for the {self.geometry} board, not {geometry}")

    @final
    def check_position(self, position: Position) -> None:
        """Raise ``AgentError`` if the position is on another board or the game is over."""
        self.check_board(position.geometry)
        if position.is_over:
            raise AgentError(f"{self.spec} has no move: the game is over")

    @property
    def spec(self) -> str:
        """The spec string that makes this player again."""
        return str(Spec.of(self.settings))

    def __repr__(self) -> str:
        return f"make_agent({self.spec!r}, {self.geometry!r})"
