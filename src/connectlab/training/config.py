"""The settings that every learner has, whatever it learns with. No kernel is imported here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BeforeValidator, Field, model_validator

from connectlab.errors import GameError
from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant
from connectlab.settings import NamedSettings


def _read_whole(value: object) -> object:
    """Read a whole number that was typed; what is none is left to be refused."""
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


TYPED = BeforeValidator(_read_whole)
"""For a setting that is one of a few whole numbers: it may be given as text."""
MOST_TRAINING_GAMES = 10**12


@dataclass(frozen=True)
class Preset:
    """Settings by name, and how a run with them is judged unless something else is asked for."""

    settings: Mapping[str, object]
    """What differs from the defaults."""
    measures: tuple[str, ...] | None = None
    """What evaluations measure; None for the usual measures of the learner."""
    evaluation_every: int | None = None
    """Games between two evaluations; None for a twentieth of the run."""


class LearnerConfig(NamedSettings):
    """What a learner is trained with, the same in TOML, JSON and a checkpoint.

    A subclass sets ``name`` (which is also that of its player), ``summary`` and ``presets``, and
    adds its own settings, each with its symbol in the paper.
    """

    presets: ClassVar[Mapping[str, Preset]] = {}
    """Settings by name that differ from the defaults, with the measures that go with them."""
    variants: ClassVar[frozenset[str]] = frozenset()
    """Which variants of the game it learns: some of "slip", "drop-row" and "counts"."""
    usual_measures: ClassVar[tuple[str, ...]] = ("success",)
    """What judges a run unless something else is asked for; the first chooses the best."""

    named: ClassVar[tuple[str, ...]] = ("variant",)
    """Settings that are told only where they are not as by default: those that came later, so that
    what was written before them still says the same."""

    columns: int = 7
    """Columns of the board."""
    rows: int = 6
    """Rows of the board."""
    connect: int = 4
    """Stones in a line that win."""
    variant: str = ""
    """How the game differs from the plain one, such as slip:0.1; empty for the plain game."""
    games: int = Field(default=500_000, ge=1, le=MOST_TRAINING_GAMES)
    """Games of the whole run."""
    seed: int = Field(default=1, ge=0, lt=2**63)
    """Seed of everything that is drawn in the run."""

    @model_validator(mode="after")
    def _check_board(self) -> "LearnerConfig":
        unable = self.geometry.variant.beyond(self.variants)
        if unable is not None:
            able = f"only {', '.join(sorted(self.variants))}" if self.variants else "no variant"
            raise GameError(f"{self.name} cannot learn the variant {unable}: it learns {able}")
        return self

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return Geometry(self.columns, self.rows, self.connect, Variant.parse(self.variant))

    def plain(self) -> dict[str, object]:
        """Return the settings as plain data, ready for JSON; those of ``named`` only if set."""
        fields = type(self).model_fields
        unset = {name for name in self.named if getattr(self, name) == fields[name].default}
        settings = self.model_dump(mode="json")
        return {name: value for name, value in settings.items() if name not in unset}
