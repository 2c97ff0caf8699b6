"""What a run knows of a learner: a few methods, and nothing of how it learns."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from pydantic import BaseModel


class Saved(Protocol):
    """Something that can be written to a file, whole or not at all."""

    def save(self, path: Path) -> None:
        """Write the file."""


class Learner(Protocol):
    """A player in training.

    The same settings give the same bits, however the games are cut into calls of ``learn``, and
    whether or not the learner was saved and loaded in between.
    """

    Config: ClassVar[type[BaseModel]]
    """The settings: frozen, with at least ``games``, ``seed`` and a ``geometry``."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]]
    """Settings by name that differ from the defaults."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as plain data."""

    @property
    def games_done(self) -> int:
        """Games learned from so far."""

    @property
    def plies_done(self) -> int:
        """Moves made in them."""

    def learn(self, games: int) -> None:
        """Play and learn some more games."""

    def rates(self) -> Mapping[str, float]:
        """Return the rates of the next game by name, such as alpha and epsilon."""

    def checkpoint(self) -> Saved:
        """Return what is needed to play."""

    def state(self) -> Saved:
        """Return what is needed to go on as if nothing had happened."""

    @classmethod
    def load(cls, path: Path, *, threads: int = 1) -> Self:
        """Go on from a saved state; refuse a file that is damaged or not of this learner."""
