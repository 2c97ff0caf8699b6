"""Tuple sets by name: from a file, a trained network, a preset, or drawn by a recipe.

A recipe is a way to make tuples with its settings, in the syntax of players:
``walk:tuples=70,length=8,seed=3``; a preset of the n-tuple learner is one too (``thill-p3``), with
the states and tables that it has.
"""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ConfigDict, Field

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.config import (
    LONGEST_TUPLE,
    MOST_TUPLES,
    Creation,
    NTupleConfig,
    NTupleSettings,
)
from connectlab.agents.ntuple.coverage import Coverage, measure_coverage
from connectlab.agents.ntuple.layout import Layout
from connectlab.agents.ntuple.tuples import Tuples, check_cells, parse_tuples, winning_lines
from connectlab.agents.settings import AgentError
from connectlab.agents.spec import Spec, suggest, validate
from connectlab.errors import UserError
from connectlab.game.geometry import STANDARD, Geometry

CREATIONS = tuple(kind for kind in get_args(Creation) if kind != "file")
"""The ways to make tuples by lot."""
CHECKPOINT = ".safetensors"


class TupleSourceError(UserError):
    """Something that names no set of tuples."""


class Recipe(BaseModel):
    """What may be set of a set that is drawn; None for what the learner has by default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tuples: int | None = Field(default=None, ge=1, le=MOST_TUPLES)
    length: int | None = Field(default=None, ge=1, le=LONGEST_TUPLE)
    seed: int | None = Field(default=None, ge=0, lt=2**63)


@dataclass(frozen=True)
class Reading:
    """How a network reads its tuples; None for what the source says, or the learner's default."""

    states: int | None = None
    tables: int | None = None
    mirror: bool | None = None


@dataclass(frozen=True)
class TupleSet:
    """Tuples on a board, and how a network would read them."""

    source: str
    geometry: Geometry
    tuples: Tuples
    states: int
    """P, the number of states of a cell."""
    tables: int
    mirror: bool

    @property
    def coverage(self) -> Coverage:
        """What the set sees of the board, and which weights can occur."""
        return measure_coverage(
            self.tuples, self.geometry, states=self.states, mirror=self.mirror, tables=self.tables
        )

    @property
    def weights(self) -> int:
        """Weights as Table 1 of Thill 2012 counts them: tables times P^n of every tuple."""
        return int(self.tables * sum(self.states ** len(cells) for cells in self.tuples))

    @property
    def lines_held(self) -> tuple[int, ...]:
        """How many winning lines lie whole within each tuple."""
        lines = winning_lines(self.geometry)
        return tuple(sum(line <= set(cells) for line in lines) for cells in self.tuples)

    def one(self, number: int) -> tuple[Cell, ...]:
        """Return a tuple by its number, from 1."""
        if not 1 <= number <= len(self.tuples):
            raise TupleSourceError(
                f"there is no tuple {number}: {self.source} has 1 to {len(self.tuples)}"
            )
        return self.tuples[number - 1]

    def having(self, tuples: Tuples) -> "TupleSet":
        """Return other tuples that are read in the same way."""
        return replace(self, tuples=tuples)


def find_tuples(
    source: str, geometry: Geometry | None = None, reading: Reading | None = None
) -> TupleSet:
    """Return the set that a source names, on a board (None for that of a network, or 7x6)."""
    wanted = {key: value for key, value in vars(reading or Reading()).items() if value is not None}
    path = _path_of(source)
    if path is None:
        found = _of_spec(source, geometry, wanted)
    elif path.is_dir() or path.suffix == CHECKPOINT:
        found = _of_network(source, str(path), geometry)
    else:
        found = _of_file(source, path, geometry or STANDARD)
    check_cells(found.tuples, found.geometry)
    return replace(found, **wanted)


def _path_of(source: str) -> Path | None:
    """Return the file or folder that a source names, if there is one."""
    try:
        path = Path(source).expanduser()
        return path if source and path.exists() else None
    except RuntimeError:  # "~nobody" is the home of nobody
        return None


def _of_spec(source: str, geometry: Geometry | None, wanted: dict[str, int]) -> TupleSet:
    spec = Spec.parse(source)
    if spec.name in CREATIONS:
        return _of_recipe(source, {"creation": spec.name, **wanted}, spec, geometry)
    if spec.name in NTupleConfig.presets:
        preset = NTupleConfig.presets[spec.name].settings
        return _of_recipe(source, {**preset, **wanted}, spec, geometry)
    from connectlab.agents.registry import players

    if spec.name not in players():
        raise TupleSourceError(
            f"{source} is no file, no run, no player and no way to make tuples{_hint(spec.name)}"
        )
    return _of_player(source, geometry)


def _hint(name: str) -> str:
    """Return what may have been meant: a name that is near, or a way to make tuples."""
    if "/" in name or "." in name:  # meant as a path
        return ""
    known = [*CREATIONS, *NTupleConfig.presets, NTupleSettings.name]
    return suggest(name, get_close_matches(name, known, n=1) or list(CREATIONS))


def _of_recipe(
    source: str, settings: dict[str, object], spec: Spec, geometry: Geometry | None
) -> TupleSet:
    recipe = validate(spec.name, Recipe, spec.settings)
    asked = {"tuples": recipe.tuples, "length": recipe.length, "tuple_seed": recipe.seed}
    settings |= {key: value for key, value in asked.items() if value is not None}
    if geometry is not None:
        settings |= geometry.plain.to_json()
    config = validate(spec.name, NTupleConfig, settings)
    layout = Layout.of(config)
    return TupleSet(
        source, layout.geometry, layout.tuples, config.states, config.tables, config.mirror
    )


def _of_file(source: str, path: Path, geometry: Geometry) -> TupleSet:
    default = NTupleConfig()
    tuples = parse_tuples(path)
    return TupleSet(source, geometry, tuples, default.states, default.tables, default.mirror)


def _of_player(source: str, geometry: Geometry | None) -> TupleSet:
    from connectlab.agents.registry import settings_class

    spec = Spec.parse(source)
    settings = spec.validate(settings_class(spec.name))
    if not isinstance(settings, NTupleSettings):
        raise AgentError(f"{spec.name} is no n-tuple network, so it has no tuples")
    return _of_network(source, settings.source, geometry)


def _of_network(source: str, trained: str, geometry: Geometry | None) -> TupleSet:
    """Take the tuples of a network; they fit every board that has their cells."""
    from connectlab.agents.ntuple.agent import load_network

    network = load_network(trained)
    layout = network.layout
    return TupleSet(
        source,
        geometry or layout.geometry,
        layout.tuples,
        layout.states,
        network.tables,
        layout.mirror,
    )
