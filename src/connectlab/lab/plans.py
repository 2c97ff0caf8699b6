"""What was asked for: a config that was checked once, measures, and which runs to make of them."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from connectlab.agents.registry import config_class
from connectlab.agents.settings import AgentError
from connectlab.agents.spec import suggest, validate
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.lab.measures import (
    AccuracyMeasure,
    ExactMeasure,
    Measure,
    ProofMeasure,
    QuotaMeasure,
    parse_measures,
)
from connectlab.storage.files import write_text
from connectlab.training.config import MOST_TRAINING_GAMES, LearnerConfig, Preset
from connectlab.training.folder import MOST_THREADS, read_model
from connectlab.training.metrics import RunError

PLAN_FILE = "plan.json"
MOST_RUNS = 10_000


@dataclass(frozen=True)
class Request:
    """What somebody asked for; None where nothing was said."""

    learner: str
    preset: str | None = None
    file: Path | None = None
    """TOML with settings, or the ``run.json`` of a run."""
    changes: Mapping[str, object] = field(default_factory=dict)
    threads: int | None = None
    measures: tuple[Measure, ...] | None = None
    evaluation_every: int | None = None
    begin_from: Path | None = None
    """A run or a checkpoint that a new run begins from."""

    def given(self) -> dict[str, object]:
        """Return the settings that were named: preset, then file, then changes."""
        values: dict[str, object] = {}
        if (preset := find_preset(self.learner, self.preset)) is not None:
            values |= preset.settings
        if self.file is not None:
            values |= read_config(self.file, self.learner)
        return values | dict(self.changes)

    def config(self) -> LearnerConfig:
        """Return the config that was asked for, checked."""
        return make_config(self.learner, self.given())

    def judged_by(self, config: LearnerConfig) -> tuple[tuple[Measure, ...], str | None]:
        """Return what judges a new run, and a line if something cannot: asked for, preset, usual.

        This may take a while to solve the board.
        """
        usual = usual_measures(self.learner, self.preset)
        return choose_measures(self.measures, config.geometry, usual)

    def interval(self, config: LearnerConfig) -> int | None:
        """Return the games between two evaluations of a new run; None for a share of the run.

        The preset's is that of its own length: a run that was made shorter keeps their number.
        """
        preset = find_preset(self.learner, self.preset)
        if self.evaluation_every is not None or preset is None:
            return self.evaluation_every
        whole = preset.settings.get("games")
        if preset.evaluation_every is None or not isinstance(whole, int) or config.games >= whole:
            return preset.evaluation_every
        return max(1, preset.evaluation_every * config.games // whole)

    def config_of_old(self, path: Path, old: LearnerConfig) -> LearnerConfig:
        """Return the config a run goes on with: its own, but for games that were set anew."""
        new = make_config(self.learner, old.plain() | self.given())
        wanted = new.model_dump(mode="json")
        for key, value in old.model_dump(mode="json").items():
            may_change = key == "games" and key in self.changes
            if wanted[key] != value and not may_change:
                hint = ": change it by --set games=N" if key == "games" else ""
                raise RunError(
                    f"{path} goes on with its own settings: {key} is {_said(value)}, not "
                    f"{_said(wanted[key])}{hint}"
                )
        return new


def _said(value: object) -> object:
    """Return a setting as people write it."""
    if value is None:
        return "none"
    return "empty" if value == "" else value


def find_preset(learner: str, name: str | None) -> Preset | None:
    """Return a preset of a learner by its name, if one is named."""
    if name is None:
        return None
    presets = config_class(learner).presets
    if name not in presets:
        raise AgentError(f"{learner} has no preset {name!r}{suggest(name, [*presets])}")
    return presets[name]


def usual_measures(learner: str, preset: str | None) -> tuple[str, ...]:
    """Return what judges a run unless something else is asked for: by its preset, or at all."""
    found = find_preset(learner, preset)
    own = None if found is None else found.measures
    return config_class(learner).usual_measures if own is None else own


def make_config(learner: str, values: Mapping[str, object]) -> LearnerConfig:
    """Return the config of a learner with these settings and the defaults of all others."""
    return validate(learner, config_class(learner), values)


def read_config(file: Path, learner: str) -> dict[str, object]:
    """Read the settings in a TOML file, or those of the run that a ``run.json`` describes."""
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix.lower() == ".json":
            return _config_of_run(file, json.loads(text), learner)
        return dict(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AgentError(f"{file} is no TOML file: {error}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, AgentError):
            raise
        raise AgentError(f"{file} is no JSON file: {error}") from None


def _config_of_run(file: Path, plain: object, learner: str) -> dict[str, object]:
    if not isinstance(plain, dict):
        raise AgentError(f"{file} holds no settings: write an object, or name a run.json")
    config = plain.get("config")
    if not isinstance(config, dict):
        return plain
    if plain.get("learner", learner) != learner:
        raise AgentError(f"{file} is of a run of {plain['learner']}, not of {learner}")
    return config


def parse_changes(items: Iterable[str]) -> dict[str, str]:
    """Read ``key=value`` items; values stay text until the config is checked."""
    changes: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise AgentError(f"{item!r} sets nothing: write key=value, such as games=1000")
        if key.strip() in changes:
            raise AgentError(f"{key.strip()} is set twice")
        changes[key.strip()] = value.strip()
    return changes


def choose_measures(
    measures: tuple[Measure, ...] | None, geometry: Geometry, usual: Sequence[str] = ("success",)
) -> tuple[tuple[Measure, ...], str | None]:
    """Return the measures that can judge players on a board, and a line if some cannot.

    None stands for the ``usual`` ones. What was asked for and leaves nothing behind is refused.
    """
    from connectlab.lab.bench import perfect_success

    wanted = parse_measures(usual) if measures is None else measures
    fitting = tuple(each for each in wanted if _fits(each, geometry))
    asks = any(each.needs_opening for each in fitting)
    too_hard = asks and perfect_success(geometry) is None
    rest = tuple(each for each in fitting if not (too_hard and each.needs_opening))
    if rest == wanted:
        return wanted, None
    problem = _why_not(geometry, too_hard=too_hard)
    if not rest and measures is not None:
        raise RunError(f"{problem}: choose --measure quota, score:PLAYER or none")
    rest = rest or (QuotaMeasure(),)
    return rest, f"{problem}: only {', '.join(each.spec for each in rest)} is measured"


def _fits(measure: Measure, geometry: Geometry) -> bool:
    """Say whether a measure is for this game: solved positions are those of the plain one."""
    return geometry.variant.is_plain or not isinstance(measure, AccuracyMeasure | ProofMeasure)


def _why_not(geometry: Geometry, *, too_hard: bool) -> str:
    """Tell why perfect play cannot judge all that was asked."""
    if not too_hard:
        return f"there are no solved positions of {geometry}"
    if geometry.variant.counts:
        return f"perfect play sees the board, which {geometry} hides"
    return f"{geometry} is too hard to be judged by perfect play"


def short_forms(
    measures: Sequence[str] | None,
    games: int | None,
    *,
    exact: bool,
    usual: Sequence[str] = ("success",),
) -> tuple[Measure, ...] | None:
    """Put --measure, --eval-games and --eval-exact together; None if nothing was said.

    ``usual`` is what exact comes before if no measure is named.
    """
    if measures and games is not None:
        raise RunError("--eval-games is short for --measure success:games=N: give one of the two")
    if measures:
        found = parse_measures(measures)
    elif games is not None:
        found = parse_measures([f"success:games={games}"]) if games else ()
    else:
        found = parse_measures(usual)
    if exact:
        return tuple(dict.fromkeys([ExactMeasure(), *found]))
    return found if measures or games is not None else None


class Vary(BaseModel):
    """A setting that differs from run to run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    values: tuple[str, ...] | None = None
    """The values of a grid; None to add the number of the repeat."""

    @classmethod
    def parse(cls, text: str) -> "Vary":
        """Read ``name`` or ``name=value,value``."""
        name, equals, rest = text.partition("=")
        values = tuple(value.strip() for value in rest.split(",")) if equals else None
        if not name.strip() or (values is not None and not all(values)):
            raise AgentError(f"{text!r} varies nothing: write seed, or alpha=0.002,0.004")
        return cls(name=name.strip(), values=values)


@dataclass(frozen=True)
class Variant:
    """One run of a plan: its config, and what sets it apart."""

    number: int
    config: LearnerConfig
    group: Mapping[str, str]
    """The values of the grid; runs that agree in them are repeats of each other."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"run-{self.number}"


class Plan(BaseModel):
    """Several runs of one learner: what ``plan.json`` says."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    learner: str
    preset: str | None
    config: dict[str, object]
    """What all runs have in common, every setting of it."""
    threads: int = Field(ge=1, le=MOST_THREADS)
    measures: list[str]
    evaluation_every: int | None = Field(ge=1, le=MOST_TRAINING_GAMES)
    began_from: str | None = None
    repeat: int = Field(ge=1, le=MOST_RUNS)
    """Runs of each combination of the grid."""
    vary: list[Vary]

    def variants(self) -> list[Variant]:
        """Return all runs: every combination of the grid, each repeated."""
        grid = [each for each in self.vary if each.values is not None]
        moved = [each.name for each in self.vary if each.values is None]
        combinations = list(product(*(each.values or () for each in grid)))
        if self.repeat * len(combinations) > MOST_RUNS:
            raise RunError(f"a plan has {MOST_RUNS:,} runs at most")
        found: list[Variant] = []
        for number in range(self.repeat):
            for values in combinations:
                group = dict(zip((each.name for each in grid), values, strict=True))
                config = self._config(group, moved, number)
                found.append(Variant(len(found) + 1, config, group))
        return found

    def _config(self, group: Mapping[str, str], moved: list[str], number: int) -> LearnerConfig:
        config = make_config(self.learner, {**self.config, **group})
        if not number:
            return config
        shifted = {name: _shifted(config, name, number) for name in moved}
        return make_config(self.learner, config.plain() | shifted)

    def save(self, folder: Path) -> None:
        """Write ``plan.json``."""
        write_text(folder / PLAN_FILE, self.model_dump_json(indent=2) + "\n")

    @classmethod
    def read(cls, folder: Path) -> "Plan":
        """Read the plan of a folder with several runs."""
        file = folder / PLAN_FILE
        if not file.is_file():
            raise RunError(f"{folder} holds no plan to go on with: there is no {PLAN_FILE}")
        plan = read_model(cls, file)
        config = make_config(plan.learner, plan.config)
        for each in plan.vary:
            try:
                _check_vary(config, each)
            except UserError as error:
                raise RunError(f"{file} is damaged: {error}") from None
        return plan


def make_vary(
    config: LearnerConfig, texts: Sequence[str], *, repeat: int | None, seed_only: bool = False
) -> tuple[list[Vary], int]:
    """Return what differs from run to run, and how often each combination is repeated.

    Unless a setting is named that moves with the repeat, the seed does, and every other setting
    whose name ends in ``_seed``; with ``seed_only`` the seed alone, for runs that begin with what
    another has learned.
    """
    found = [Vary.parse(text) for text in texts]
    known = list(type(config).model_fields)
    for each in found:
        _check_vary(config, each)
        _check_distinct(config, each)
    if len({each.name for each in found}) < len(found):
        raise RunError("--vary names the same setting twice")
    moves = any(each.values is None for each in found)
    if moves and repeat is None:
        raise RunError("--vary NAME moves a setting from repeat to repeat: add --repeat N")
    if not moves:
        fixed = {each.name for each in found}
        others = [] if seed_only else [name for name in known if name.endswith("_seed")]
        seeds = ["seed", *others]
        found += [Vary(name=name) for name in seeds if name not in fixed]
    return found, repeat or 1


def _check_vary(config: LearnerConfig, vary: Vary) -> None:
    """Refuse a setting that the learner does not have, or that cannot move with the repeat."""
    known = list(type(config).model_fields)
    if vary.name not in known:
        raise AgentError(f"{config.name} has no setting {vary.name!r}{suggest(vary.name, known)}")
    if vary.values is None:
        _shifted(config, vary.name, 0)


def _check_distinct(config: LearnerConfig, vary: Vary) -> None:
    """Refuse a value that is there twice: the same run would count as its own repeat."""
    known: dict[str, str] = {}
    for text in vary.values or ():
        meaning = _meaning(config, vary.name, text)
        if meaning in known:
            other = "" if known[meaning] == text else f"{known[meaning]} and "
            raise RunError(f"--vary {vary.name} names the same value twice: {other}{text}")
        known[meaning] = text


def _meaning(config: LearnerConfig, name: str, text: str) -> str:
    """Return how a value is read; as it is written where it is right only beside others."""
    try:
        return repr(getattr(make_config(config.name, config.plain() | {name: text}), name))
    except AgentError:
        return text


def _shifted(config: LearnerConfig, name: str, number: int) -> int:
    value = getattr(config, name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RunError(f"{name} is no whole number: name its values, as in --vary {name}=A,B")
    return value + number
