"""Spec strings: one line that names a player and its settings.

``name``, ``name:key=value,key=value`` or ``name:source,key=value``; for example ``random``,
``minimax:depth=4,alpha_beta=false`` or ``ntuple:runs/first,depth=4``. A value with a comma, a quote
or blanks around it stands in double quotes, as in ``ntuple:"runs/a, b"``; within them a backslash
takes away the meaning of a quote or backslash. Measures are named in the same way.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from connectlab.agents.settings import AgentError
from connectlab.settings import NamedSettings

SOURCE = "source"

ModelT = TypeVar("ModelT", bound=BaseModel)

_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*(?=,|$)')
_BARE = re.compile(r"[^,]*")
_SUBJECT = "input "
_SHOULD = f"{_SUBJECT}should "
"""How pydantic begins what it says of a value; we name the value instead."""


@dataclass(frozen=True)
class Spec:
    """A parsed spec string; ``str()`` gives it back."""

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """Read a spec string; settings stay text until a class checks them."""
        name, _, rest = text.strip().partition(":")
        if not name.strip():
            raise AgentError(f"{text!r} names nothing: write for example minimax:depth=4")
        settings: dict[str, str] = {}
        for number, (key, value) in enumerate(_items(text, rest)):
            if key is None and (number > 0 or not value or value.startswith("=")):
                raise AgentError(f"{text!r} has {value!r} where a setting should be: key=value")
            if (key or SOURCE) in settings:
                raise AgentError(f"{text!r} sets {key or SOURCE} twice")
            settings[key or SOURCE] = value
        return cls(name.strip(), settings)

    @classmethod
    def of(cls, settings: NamedSettings) -> "Spec":
        """Return the shortest spec: only the settings that differ from their defaults."""
        changed = settings.model_dump(mode="json", exclude_defaults=True)
        return cls(settings.name, {key: _format_value(value) for key, value in changed.items()})

    def validate(self, model: type[ModelT]) -> ModelT:
        """Check the settings against a model; raise ``AgentError`` in one line."""
        return validate(self.name, model, self.settings)

    def __str__(self) -> str:
        items = [
            _quote(value) if key == SOURCE else f"{key}={_quote(value)}"
            for key, value in sorted(self.settings.items(), key=lambda item: item[0] != SOURCE)
        ]
        return f"{self.name}:{','.join(items)}" if items else self.name


def _items(text: str, rest: str) -> Iterator[tuple[str | None, str]]:
    """Yield key (None for a value alone) and value of each item after the colon."""
    place = 0
    while rest and place <= len(rest):
        key = _KEY.match(rest, place)
        if key is not None:
            place = key.end()
        quoted = _QUOTED.match(rest, place)
        bare = _BARE.match(rest, place)
        if quoted is not None:
            value, place = re.sub(r"\\(.)", r"\1", quoted[1]), quoted.end()
        elif rest[place:].lstrip().startswith('"'):
            raise AgentError(f'{text!r} has a quote that does not end: write key="value"')
        else:
            assert bare is not None, "a pattern of any length always matches"
            value, place = bare[0].strip(), bare.end()
        yield (None if key is None else key[1]), value
        place += 1  # the comma


def _quote(value: str) -> str:
    """Write a value so that it is read as the same one."""
    plain = value == value.strip() and value and not set(value) & set(',"')
    if plain and _KEY.match(value) is None:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _format_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def validate(name: str, model: type[ModelT], settings: Mapping[str, object]) -> ModelT:
    """Check settings against a model; raise ``AgentError`` with what pydantic found first."""
    try:
        return model.model_validate(dict(settings))
    except ValidationError as error:
        raise AgentError(_explain(name, model, error.errors()[0])) from None


def _explain(name: str, model: type[BaseModel], error: ErrorDetails) -> str:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return _explain_unknown(name, model, key)
    if error["type"] == "missing":
        if key != SOURCE:
            return f"{name} needs {key}=…, as in {name}:{key}=…"
        known = getattr(model, "shipped", ()) or model.model_fields[SOURCE].examples or ()
        example = next(iter(known), "runs/first")
        return f"{name} needs a path or a name after the colon, as in {name}:{example}"
    reason = str(error["msg"]).removeprefix("Value error, ")
    reason = reason[:1].lower() + reason[1:]
    if not key:
        return f"{name}: {reason}"
    given = f"{key}={_shortened(error['input'])}"
    if reason.startswith(_SHOULD):
        return f"{name}: {given} {reason.removeprefix(_SUBJECT)}"
    return f"{name}: {given}: {reason}"


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _explain_unknown(name: str, model: type[BaseModel], key: str) -> str:
    known = [field for field in model.model_fields if field != SOURCE]
    if key == SOURCE:
        return f"{name} takes no path or name after the colon, only settings as key=value"
    if not known:
        return f"{name} has no settings, so {key} cannot be set"
    return f"{name} has no setting {key!r}{suggest(key, known)}"


def suggest(word: str, known: list[str]) -> str:
    """Return the end of an error line: the nearest name, or all of them."""
    close = get_close_matches(word, known, n=1)
    return f": did you mean {close[0]!r}?" if close else f": choose from {', '.join(sorted(known))}"
