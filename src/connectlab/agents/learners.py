"""Every learner by name, and how its settings are put together.

A name maps to "module:Class", so listing names imports no learner.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from connectlab.agents.base import Agent, AgentError
from connectlab.agents.spec import SOURCE, suggest
from connectlab.game import Geometry
from connectlab.training.learner import Learner


@dataclass(frozen=True)
class Targets:
    """Where the classes of a learner are, each as "module:Class"."""

    learner: str
    """How it learns: a ``connectlab.training.learner.Learner``."""
    player: str
    """How it plays: an ``Agent`` whose settings have a ``source``."""


LEARNERS = {
    "ntuple": Targets(
        "connectlab.agents.ntuple.training:NTupleLearner",
        "connectlab.agents.ntuple.agent:NTupleAgent",
    ),
}


def learner_class(name: str) -> type[Learner]:
    """Import a learner; an unknown name gets a suggestion."""
    learner: type[Learner] = _import(_targets(name).learner)
    return learner


def make_player(name: str, path: Path, geometry: Geometry) -> Agent:
    """Make the player of a learner's checkpoint."""
    player: type[Agent] = _import(_targets(name).player)
    return player(player.Settings.model_validate({SOURCE: str(path)}), geometry)


def make_settings(
    name: str,
    *,
    preset: str | None = None,
    file: Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Any:
    """Return the settings of a learner: defaults, then preset, then TOML file, then changes."""
    kind = learner_class(name)
    values: dict[str, Any] = {}
    if preset is not None:
        if preset not in kind.presets:
            raise AgentError(f"{name} has no preset {preset!r}{suggest(preset, [*kind.presets])}")
        values |= kind.presets[preset]
    if file is not None:
        values |= read_settings(file)
    values |= changes or {}
    try:
        return kind.Config.model_validate(values)
    except ValidationError as error:
        raise AgentError(_explain(name, kind.Config, error.errors()[0])) from None


def read_settings(file: Path) -> dict[str, Any]:
    """Read the settings of a TOML file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AgentError(f"{file} is no TOML file: {error}") from None


def parse_changes(items: Iterable[str]) -> dict[str, str]:
    """Read ``key=value`` items; values stay text until the settings are checked."""
    changes: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise AgentError(f"{item!r} sets nothing: write key=value, such as alpha=0.004->0.002")
        if key.strip() in changes:
            raise AgentError(f"{key.strip()} is set twice")
        changes[key.strip()] = value.strip()
    return changes


def _targets(name: str) -> Targets:
    if name not in LEARNERS:
        raise AgentError(f"there is no learner {name!r}{suggest(name, list(LEARNERS))}")
    return LEARNERS[name]


def _import(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _explain(name: str, model: type[BaseModel], error: ErrorDetails) -> str:
    """Say in one line what pydantic found first."""
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{name} has no setting {key!r}{suggest(key, list(model.model_fields))}"
    reason = str(error["msg"]).removeprefix("Value error, ")
    reason = reason[:1].lower() + reason[1:]
    return f"{name}: {key}={error['input']}: {reason}" if key else f"{name}: {reason}"
