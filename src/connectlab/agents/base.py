"""What every player is: something that chooses a column for each position of a batch."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.game.notation import column_name


class AgentError(UserError):
    """A player that does not exist, is set up wrongly, or cannot play on this board."""


class AgentSettings(BaseModel):
    """The settings of a player: frozen, checked, and the same in a spec string and in JSON.

    A field called ``source`` takes what stands first in a spec string without a key, such as the
    path in ``ntuple:runs/first``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of one position."""

    position: Position
    values: tuple[float | None, ...]
    """How good each column is for the side to move; None where it cannot be played."""
    best: tuple[int, ...]
    """The columns, 0-based, among which the agent would choose."""
    unit: str
    """What the values count, in a few words."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else the agent can tell, ready for JSON."""

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as plain data, with columns named as people type them."""
        names = [column_name(c, self.position.geometry) for c in range(len(self.values))]
        return {
            "values": dict(zip(names, self.values, strict=True)),
            "best": [names[column] for column in self.best],
            "unit": self.unit,
            "details": dict(self.details),
        }


class Agent(ABC):
    """A player. Subclasses set ``name``, ``summary`` and ``Settings`` and write ``choose``.

    An agent keeps no memory of a game: what it chooses depends on the position, its settings
    and the random stream of that game alone. One agent may be called from several threads.
    """

    name: ClassVar[str]
    """The name in a spec string."""
    summary: ClassVar[str]
    """One line for lists of players."""
    Settings: ClassVar[type[AgentSettings]] = AgentSettings

    def __init__(
        self, settings: AgentSettings | None = None, geometry: Geometry = STANDARD
    ) -> None:
        self.check_geometry(geometry)
        self.geometry = geometry
        self.settings = self.Settings() if settings is None else settings

    @classmethod
    def check_geometry(cls, geometry: Geometry) -> None:
        """Raise ``AgentError`` if this kind of player cannot play on such a board."""

    @abstractmethod
    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        """Return a playable column (0-based) for each position, int64[n]; none may be over.

        An agent that draws lots advances ``batch.streams`` in place, each game its own.
        """

    def choose_one(self, position: Position, *, seed: int = 0) -> int:
        """Return the column for a single position."""
        self.check_position(position)
        return int(self.choose(PositionBatch.of([position], seed=seed))[0])

    def analyse(self, position: Position) -> Analysis | None:
        """Explain a position that is not over; None for a player with nothing to tell."""
        del position
        return None

    def check_board(self, geometry: Geometry) -> None:
        """Raise ``AgentError`` unless this is the board the player was made for."""
        if geometry != self.geometry:
            raise AgentError(f"{self.spec} was made for the {self.geometry} board, not {geometry}")

    def check_position(self, position: Position) -> None:
        """Raise ``AgentError`` if the position is on another board or the game is over."""
        self.check_board(position.geometry)
        if position.is_over:
            raise AgentError(f"{self.spec} has no move: the game is over")

    @property
    def spec(self) -> str:
        """The spec string that makes this player again."""
        from connectlab.agents.spec import Spec

        return str(Spec.of(self.name, self.settings))

    def __repr__(self) -> str:
        return f"make_agent({self.spec!r}, {self.geometry!r})"
