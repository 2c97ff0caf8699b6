"""What the web may name: players, learners, measures and files; whatever is not allowed is refused.

A spec of the web may name a player of ``PLAYERS`` only: those that start programs are not among
them, and neither is what other packages bring along. What a player was trained into is a name that
comes along, or a path in the runs folder, written as on the command line. A setting that is free
text is refused unless ``MEANINGS`` says what it means, so a new setting is closed until
somebody has thought about it.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import UnionType
from typing import Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, JsonValue

from connectlab.agents.opponents import SELF, split_specs
from connectlab.agents.registry import config_class, settings_class
from connectlab.agents.settings import AgentSettings
from connectlab.agents.sources import RUN_FILES
from connectlab.agents.spec import SOURCE, Spec, suggest, validate
from connectlab.lab.measures import Measure, ProofMeasure, parse_measure
from connectlab.settings import NamedSettings
from connectlab.training.config import LearnerConfig
from connectlab.web.limits import Limits, SettingLimits
from connectlab.web.options import WebError

PLAYERS = (
    "ntuple",
    "mcts",
    "minimax",
    "perfect",
    "allis",
    "negamax",
    "mlp",
    "dqn",
    "qtable",
    "openspiel",
    "extend",
    "random",
)
"""Players of the web, as the page lists them."""
LEARNERS = ("ntuple", "mlp", "qtable", "dqn")
"""Learners of the web, as the page lists them."""

Kind: TypeAlias = Literal["player", "learner", "measure"]
Meaning: TypeAlias = Literal["trained", "player", "players", "variant", "tuple file"]

MEANINGS: Mapping[tuple[Kind, str, str], Meaning] = {
    **{("player", name, SOURCE): "trained" for name in ("ntuple", "mlp", "dqn", "qtable")},
    ("player", "mcts", "value"): "player",
    ("player", "mcts", "prior"): "player",
    **{("learner", name, "variant"): "variant" for name in LEARNERS},
    ("learner", "ntuple", "tuple_file"): "tuple file",
    ("learner", "qtable", "opponents"): "players",
    ("learner", "dqn", "opponents"): "players",
    ("measure", "score", SOURCE): "player",
}
"""What settings mean that are free text; all others cannot be set from the web."""
TUPLES = "tuples"
"""The folder of tuple files in the data folder."""
FORBIDDEN = 403
SHOWN = 80

SettingsT = TypeVar("SettingsT", bound=NamedSettings)


class Guard:
    """Checks what the web names against the folders and the limits."""

    def __init__(self, runs: Path, data: Path, limits: Limits) -> None:
        self._runs = runs
        self._tuples = data / TUPLES
        self._limits = limits

    def spec(self, text: str) -> str:
        """Return a player's spec in its shortest form; raise if the web may not name it."""
        return str(Spec.of(self._player(text, 0)))

    def settings(self, name: str, given: Mapping[str, object]) -> str:
        """Return the spec of a player by its name and settings, checked in the same way."""
        known = _settings_class(name)
        self._check_given("player", name, given)
        return str(Spec.of(self._checked("player", validate(name, known, given), 0)))

    def config(self, learner: str, given: Mapping[str, object]) -> LearnerConfig:
        """Return what a learner shall be trained with; raise if the web may not ask for it."""
        known = _config_class(learner)
        self._check_given("learner", learner, given)
        return self._checked("learner", validate(learner, known, given), 0)

    def measure(self, text: str) -> Measure:
        """Return a measure by its spec; raise if the web may not ask for it."""
        if len(text) > self._limits.spec_letters:
            raise WebError(f"a measure has at most {self._limits.spec_letters} letters")
        measure = parse_measure(text)
        if isinstance(measure, ProofMeasure) and measure.sample is None:
            raise WebError("a whole proof takes too long for the page: take proof:sample=8000")
        return self._checked("measure", measure, 0)

    def schema(self, name: str) -> dict[str, JsonValue]:
        """Return the JSON schema of the settings of a player, with the limits that hold here."""
        return _limited(_settings_class(name), name, self._limits.players)

    def learner_schema(self, name: str) -> dict[str, JsonValue]:
        """Return the JSON schema of what a learner is trained with, with the limits that hold."""
        return _limited(_config_class(name), name, self._limits.learners)

    def run_path(self, text: str) -> Path:
        """Return a path in the runs folder, written as that is; raise ``WebError`` for others."""
        return _inside(self._runs, text, f"the runs folder {self._runs}")

    def tuple_file(self, text: str) -> Path:
        """Return a path in the folder of tuple files; raise ``WebError`` for any other."""
        return _inside(self._tuples, text, f"the folder of tuple files {self._tuples}")

    def _player(self, text: str, depth: int) -> AgentSettings:
        if len(text) > self._limits.spec_letters:
            raise WebError(f"a spec has at most {self._limits.spec_letters} letters")
        parsed = Spec.parse(text)
        known = _settings_class(parsed.name)
        self._check_given("player", parsed.name, parsed.settings)
        return self._checked("player", parsed.validate(known), depth)

    def _check_given(self, kind: Kind, name: str, given: Mapping[str, object]) -> None:
        """Refuse numbers by the limits of the page before the player tells its own, which is more.

        What is no number is left to the player.
        """
        for setting, value in given.items():
            self._check_limit(kind, name, setting, _number(value), value)

    def _checked(self, kind: Kind, settings: SettingsT, depth: int) -> SettingsT:
        for setting, field in type(settings).model_fields.items():
            value = getattr(settings, setting)
            self._check_limit(kind, settings.name, setting, value, value)
            if isinstance(value, str) and value and str in _kinds(field.annotation):
                meaning = MEANINGS.get((kind, settings.name, setting))
                self._check_text(meaning, settings.name, setting, value, depth)
        return settings

    def _check_limit(
        self, kind: Kind, name: str, setting: str, number: object, given: object
    ) -> None:
        most = self._limits.greatest(kind, name, setting)
        if most is not None and isinstance(number, int | float) and number > most:
            written = str(given)[:SHOWN]
            raise WebError(f"{name}: {setting}={written} is more than the page allows: {most:,}")

    def _check_text(
        self, meaning: Meaning | None, name: str, setting: str, value: str, depth: int
    ) -> None:
        if meaning == "trained":
            self._check_source(name, value)
        elif meaning == "player":
            self._check_nested(name, setting, value, depth)
        elif meaning == "players":
            for spec in split_specs(value):
                if spec != SELF:
                    self._check_nested(name, setting, spec, depth)
        elif meaning == "tuple file":
            self.tuple_file(value)
        elif meaning is None:  # a variant is checked by the model itself
            raise WebError(f"{name}: {setting} cannot be set from the page", FORBIDDEN)

    def _check_nested(self, name: str, setting: str, spec: str, depth: int) -> None:
        if depth >= self._limits.nested_specs:
            raise WebError(f"{name}: {setting}={spec[:SHOWN]} stands too deep within other specs")
        self._player(spec, depth + 1)

    def _check_source(self, name: str, source: str) -> None:
        if source in settings_class(name).shipped:
            return
        path = self.run_path(source)
        for file in [path / name for name in RUN_FILES] if path.is_dir() else [path]:
            self.run_path(str(file))  # a link in a run may lead out as well
            if file.is_file() and file.stat().st_size > self._limits.checkpoint_mb << 20:
                raise WebError(f"{source[:SHOWN]} is too large to be played from the page")


def _settings_class(name: str) -> type[AgentSettings]:
    if name not in PLAYERS:
        raise WebError(f"the page has no player {name[:SHOWN]!r}{suggest(name, list(PLAYERS))}")
    return settings_class(name)


def _config_class(name: str) -> type[LearnerConfig]:
    if name not in LEARNERS:
        raise WebError(f"the page has no learner {name[:SHOWN]!r}{suggest(name, list(LEARNERS))}")
    return config_class(name)


def _inside(folder: Path, text: str, named: str) -> Path:
    """Return a path that is written as one in a folder and, all links followed, is one there."""
    refused = WebError(f"{text[:SHOWN]!r} is not in {named}", FORBIDDEN)
    path, depth = Path(text), len(folder.parts)
    if "\0" in text or path.parts[:depth] != folder.parts or ".." in path.parts[depth:]:
        raise refused
    try:
        _look_at(path)
        real, home = os.path.realpath(path), os.path.realpath(folder)
    except (OSError, ValueError):
        raise refused from None
    if not Path(real).is_relative_to(home):
        raise refused
    return path


def _number(value: object) -> object:
    """Return the number that text stands for; anything else as it is."""
    if isinstance(value, str):
        with suppress(ValueError):
            return float(value)
    return value


def _look_at(path: Path) -> None:
    """Raise ``OSError`` for a path that no file can have; that there is none is no harm."""
    with suppress(FileNotFoundError, NotADirectoryError):
        path.stat()


def _kinds(annotation: object) -> tuple[object, ...]:
    """Return the types that a setting may have; words to choose from are none of them."""
    if get_origin(annotation) is Literal:
        return ()
    if get_origin(annotation) in (Union, UnionType):
        return tuple(kind for part in get_args(annotation) for kind in _kinds(part))
    return (annotation,)


def _limited(model: type[BaseModel], name: str, limits: SettingLimits) -> dict[str, JsonValue]:
    schema: dict[str, JsonValue] = model.model_json_schema()
    properties = schema.get("properties", {})
    assert isinstance(properties, dict), "settings are an object"
    for (player, setting), most in limits.items():
        if player == name:
            _lower_maximum(properties[setting], most)
    return schema


def _lower_maximum(field: JsonValue, most: float) -> None:
    """Write a limit into the schema of a setting, or of that alternative of it which has one."""
    assert isinstance(field, dict), "a setting is an object"
    options = field.get("anyOf")
    for one in options if isinstance(options, list) else [field]:
        if isinstance(one, dict) and one.get("type") in ("integer", "number"):
            one.pop("exclusiveMaximum", None)
            one["maximum"] = most
