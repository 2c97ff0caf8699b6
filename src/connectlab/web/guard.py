"""Which players the web may name, and with which settings: whatever is not allowed is refused.

A spec of the web may name a player of ``PLAYERS`` only: those that start programs are not among
them. What it is trained from is a name that comes along, or a path in the runs folder, written as
on the command line. A setting that is free text is refused unless it is known here what it means.
"""

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin

from pydantic import JsonValue

from connectlab.agents.registry import settings_class
from connectlab.agents.settings import AgentSettings
from connectlab.agents.spec import SOURCE, Spec, suggest, validate
from connectlab.web.limits import Limits
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
NESTED = frozenset({("mcts", "value"), ("mcts", "prior")})
"""Settings that are specs themselves."""
FORBIDDEN = 403


class Guard:
    """Checks what the web names against the runs folder and the limits."""

    def __init__(self, runs: Path, limits: Limits) -> None:
        self._runs = runs
        self._limits = limits

    def spec(self, text: str) -> str:
        """Return a spec in its shortest form, or raise ``WebError`` if the web may not name it."""
        return self._spec(text, 0)

    def settings(self, name: str, given: Mapping[str, object]) -> str:
        """Return the spec of a player by its name and settings, checked in the same way."""
        known = self._player(name)
        return self._checked(name, validate(name, known, given), 0)

    def schema(self, name: str) -> dict[str, JsonValue]:
        """Return the JSON schema of the settings of a player, with the limits that hold here."""
        schema: dict[str, JsonValue] = self._player(name).model_json_schema()
        properties = schema.get("properties")
        assert isinstance(properties, dict), "settings are an object"
        for (player, setting), most in self._limits.settings.items():
            if player == name:
                _lower_maximum(properties[setting], most)
        return schema

    def path(self, text: str) -> Path:
        """Return a path in the runs folder; raise ``WebError`` for any other.

        It is written as the runs folder is, without "..", and no link leads out of it.
        """
        refused = WebError(f"{text[:80]!r} is not in the runs folder {self._runs}", FORBIDDEN)
        path = Path(text)
        inside = path.parts[: len(self._runs.parts)] == self._runs.parts
        if "\0" in text or not inside or ".." in path.parts[len(self._runs.parts) :]:
            raise refused
        try:
            found = path.resolve()
        except (OSError, RuntimeError):  # a circle of links
            raise refused from None
        if not found.is_relative_to(self._runs.resolve()):
            raise refused
        return path

    def _spec(self, text: str, depth: int) -> str:
        if len(text) > self._limits.spec_letters:
            raise WebError(f"a spec has at most {self._limits.spec_letters} letters")
        parsed = Spec.parse(text)
        known = self._player(parsed.name)
        return self._checked(parsed.name, parsed.validate(known), depth)

    def _player(self, name: str) -> type[AgentSettings]:
        if name not in PLAYERS:
            raise WebError(f"the page has no player {name[:40]!r}{suggest(name, list(PLAYERS))}")
        return settings_class(name)

    def _checked(self, name: str, settings: AgentSettings, depth: int) -> str:
        for setting in type(settings).model_fields:
            value = getattr(settings, setting)
            self._check_limit(name, setting, value)
            if isinstance(value, str) and _is_free_text(type(settings), setting):
                self._check_text(name, setting, value, depth)
        return str(Spec.of(settings))

    def _check_limit(self, name: str, setting: str, value: object) -> None:
        most = self._limits.settings.get((name, setting))
        if most is not None and isinstance(value, int | float) and value > most:
            raise WebError(f"{name}: {setting}={value} is more than the page allows: {most:,}")

    def _check_text(self, name: str, setting: str, value: str, depth: int) -> None:
        if (name, setting) in NESTED:
            if depth >= self._limits.nested_specs:
                raise WebError(f"{name}: {setting}={value[:60]} stands too deep within other specs")
            self._spec(value, depth + 1)
        elif setting == SOURCE:
            self._check_source(name, value)
        else:
            raise WebError(f"{name}: {setting} cannot be set from the page", FORBIDDEN)

    def _check_source(self, name: str, source: str) -> None:
        if source in settings_class(name).shipped:
            return
        path = self.path(source)
        if path.is_file() and path.stat().st_size > self._limits.checkpoint_mb << 20:
            raise WebError(f"{source[:80]} is too large to be played from the page")


def _is_free_text(model: type[AgentSettings], setting: str) -> bool:
    """Whether a setting may hold any text, rather than one of some words."""
    return str in _kinds(model.model_fields[setting].annotation)


def _kinds(annotation: object) -> tuple[object, ...]:
    if get_origin(annotation) is Literal:
        return ()
    if get_origin(annotation) in (Union, UnionType):
        return tuple(kind for part in get_args(annotation) for kind in _kinds(part))
    return (annotation,)


def _lower_maximum(field: JsonValue, most: float) -> None:
    """Write a limit into the schema of a setting, or of that alternative of it which has one."""
    assert isinstance(field, dict), "a setting is an object"
    options = field.get("anyOf")
    numbers = (
        [one for one in options if isinstance(one, dict)] if isinstance(options, list) else [field]
    )
    for one in numbers:
        if one.get("type") in ("integer", "number"):
            one.pop("exclusiveMaximum", None)
            one["maximum"] = most
