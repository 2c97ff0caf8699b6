"""Every player and every learner as plain data, for lists, completion and forms.

Only settings are read, so neither a kernel nor a deep learning library is imported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from types import UnionType
from typing import Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from connectlab.agents.registry import config_class, learners, players, settings_class
from connectlab.agents.settings import AgentError

_LIMITS = (("ge", ">="), ("gt", ">"), ("le", "<="), ("lt", "<"))


@dataclass(frozen=True)
class Setting:
    """One setting of a player or a learner."""

    name: str
    type: str
    """As people would write it: "int >= 1", "distance | outcome", "str | none"."""
    required: bool
    default: object
    """Ready for JSON; None where the setting is required."""
    description: str


@dataclass(frozen=True)
class PresetEntry:
    """Settings by name that differ from the defaults, and what judges a run with them."""

    name: str
    settings: dict[str, object]
    measures: tuple[str, ...] | None
    """None for the usual ones of the learner."""
    evaluation_every: int | None
    """Games between two evaluations; None for a twentieth of the run."""


@dataclass(frozen=True)
class PlayerEntry:
    """One player and its settings."""

    name: str
    summary: str
    settings: tuple[Setting, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the entry as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class LearnerEntry:
    """One learner, its presets and its settings."""

    name: str
    summary: str
    presets: tuple[PresetEntry, ...] = ()
    settings: tuple[Setting, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the entry as plain data."""
        return asdict(self)


def list_players(names: Sequence[str] = ()) -> list[PlayerEntry]:
    """Return all players, or those named; one that cannot be loaded says so in its summary."""
    return [describe_player(name) for name in names or players()]


def list_learners(names: Sequence[str] = ()) -> list[LearnerEntry]:
    """Return all learners, or those named; one that cannot be loaded says so in its summary."""
    return [describe_learner(name) for name in names or learners()]


def describe_player(name: str) -> PlayerEntry:
    """Return one player; an unknown name raises ``AgentError`` with a suggestion."""
    try:
        found = settings_class(name)
    except AgentError as error:
        if name not in players():
            raise
        return PlayerEntry(name, f"not available: {error}")
    return PlayerEntry(name, getattr(found, "summary", ""), tuple(_settings(found)))


def describe_learner(name: str) -> LearnerEntry:
    """Return one learner; an unknown name raises ``AgentError`` with a suggestion."""
    try:
        found = config_class(name)
    except AgentError as error:
        if name not in learners():
            raise
        return LearnerEntry(name, f"not available: {error}")
    presets = [
        PresetEntry(
            preset,
            to_jsonable_python(dict(given.settings)),
            given.measures,
            given.evaluation_every,
        )
        for preset, given in found.presets.items()
    ]
    return LearnerEntry(
        name, getattr(found, "summary", ""), tuple(presets), tuple(_settings(found))
    )


def _settings(model: type[BaseModel]) -> Iterator[Setting]:
    defaults = {
        name: found.get_default(call_default_factory=True)
        for name, found in model.model_fields.items()
        if not found.is_required()
    }
    # A dump of the whole model writes each default as the settings of a run have it.
    plain = model.model_construct(**defaults).model_dump(mode="json", warnings=False)
    for name, found in model.model_fields.items():
        yield Setting(
            name,
            type_name(found),
            found.is_required(),
            plain.get(name),
            " ".join((found.description or "").split()),
        )


def type_name(found: FieldInfo) -> str:
    """Write the type of a setting with its limits."""
    limits = [
        f"{sign} {_limit(getattr(item, attribute))}"
        for item in found.metadata
        for attribute, sign in _LIMITS
        if getattr(item, attribute, None) is not None
    ]
    return " ".join([_plain_name(found.annotation), *limits])


def _limit(value: object) -> str:
    """Write a limit; a great power of two or ten as such."""
    if isinstance(value, int) and value >= 10**6:
        if value & (value - 1) == 0:
            return f"2^{value.bit_length() - 1}"
        if value == 10 ** (len(str(value)) - 1):
            return f"10^{len(str(value)) - 1}"
    return str(value)


def _plain_name(annotation: object) -> str:
    if get_origin(annotation) is Literal:
        return " | ".join(str(value) for value in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " | ".join(_plain_name(part) for part in get_args(annotation))
    if annotation is type(None):
        return "none"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__.lower()
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__name__
    return str(annotation).removeprefix("typing.")
