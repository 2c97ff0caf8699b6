"""Spec strings: one line that names a player and its settings.

``name``, ``name:key=value,key=value`` or ``name:source,key=value``; for example ``random``,
``minimax:depth=4,alpha_beta=false`` or ``ntuple:runs/first,depth=4``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from connectlab.agents.base import AgentError, AgentSettings

SOURCE = "source"


@dataclass(frozen=True)
class Spec:
    """A parsed spec string; ``str()`` gives it back."""

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """Read a spec string; settings stay text until a class checks them."""
        name, _, rest = text.strip().partition(":")
        if not name:
            raise AgentError(f"{text!r} names no player: write for example minimax:depth=4")
        settings: dict[str, str] = {}
        items = rest.split(",") if rest else []
        for number, item in enumerate(items):
            key, value = _parse_item(text, item.strip(), first=number == 0)
            if key in settings:
                raise AgentError(f"{text!r} sets {key} twice")
            settings[key] = value
        return cls(name.strip(), settings)

    @classmethod
    def of(cls, name: str, settings: AgentSettings) -> "Spec":
        """Return the shortest spec: only the settings that differ from their defaults."""
        changed = settings.model_dump(mode="json", exclude_defaults=True)
        return cls(name, {key: _format_value(value) for key, value in changed.items()})

    def validate(self, model: type[AgentSettings]) -> AgentSettings:
        """Check the settings against a model; raise ``AgentError`` in one line."""
        try:
            return model.model_validate(dict(self.settings))
        except ValidationError as error:
            raise AgentError(_explain(self.name, model, error.errors()[0])) from None

    def __str__(self) -> str:
        items = [
            value if key == SOURCE else f"{key}={value}"
            for key, value in sorted(self.settings.items(), key=lambda item: item[0] != SOURCE)
        ]
        return f"{self.name}:{','.join(items)}" if items else self.name


def _parse_item(text: str, item: str, *, first: bool) -> tuple[str, str]:
    key, equals, value = item.partition("=")
    if equals and key:
        return key.strip(), value.strip()
    if item and not equals and first:
        return SOURCE, item
    raise AgentError(f"{text!r} has {item!r} where a setting should be: write key=value")


def _format_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _explain(name: str, model: type[AgentSettings], error: ErrorDetails) -> str:
    """Say in one line what pydantic found first."""
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return _explain_unknown(name, model, key)
    if error["type"] == "missing":
        what = "a path or a name after the colon" if key == SOURCE else f"{key}=…"
        return f"{name} needs {what}, as in {name}:{'champion' if key == SOURCE else f'{key}=…'}"
    reason = str(error["msg"]).removeprefix("Value error, ")
    return f"{name}: {key}={error['input']}: {reason[:1].lower()}{reason[1:]}"


def _explain_unknown(name: str, model: type[AgentSettings], key: str) -> str:
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
