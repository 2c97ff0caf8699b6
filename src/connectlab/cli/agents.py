"""``connectlab agents``: every player with its settings."""

from typing import TYPE_CHECKING, Any

from connectlab.cli import console
from connectlab.cli.options import Json

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from rich.table import Table

SHORT = "List every player with its settings."
EPILOG = "Example: connectlab agents"


def command(json: Json = False) -> None:
    """List every player with its settings, their types and their defaults."""
    with console.patience():
        from connectlab.agents import registered

        players = [describe(name) for name in registered()]
    if json:
        console.print_json(players)
    else:
        console.show(_table(players))
        _print_usage()


def describe(name: str) -> dict[str, Any]:
    """Return what the registry knows of one player, ready for JSON."""
    from connectlab.agents import AgentError, agent_class

    try:
        found = agent_class(name)
    except AgentError as error:
        return {"name": name, "summary": f"not available: {error}", "settings": []}
    fields = found.Settings.model_fields
    settings = [_describe_setting(key, field) for key, field in fields.items()]
    return {"name": name, "summary": found.summary, "settings": settings}


def _describe_setting(name: str, field: "FieldInfo") -> dict[str, Any]:
    from pydantic_core import to_jsonable_python

    required = field.is_required()
    return {
        "name": name,
        "type": _type_name(field),
        "required": required,
        "default": None if required else to_jsonable_python(field.get_default()),
        "description": " ".join((field.description or "").split()),
    }


def _type_name(field: "FieldInfo") -> str:
    """Write a type as people would: "int >= 1", "distance | outcome"."""
    from typing import Literal, get_args, get_origin

    if get_origin(field.annotation) is Literal:
        return " | ".join(str(value) for value in get_args(field.annotation))
    name = getattr(field.annotation, "__name__", str(field.annotation))
    limits = [_limit(item) for item in field.metadata]
    return " ".join([name, *(limit for limit in limits if limit)])


def _limit(item: Any) -> str:
    for attribute, sign in (("ge", ">="), ("gt", ">"), ("le", "<="), ("lt", "<")):
        if hasattr(item, attribute):
            return f"{sign} {getattr(item, attribute)}"
    return ""


def _table(players: list[dict[str, Any]]) -> "Table":
    made = console.table("player", "setting", "type", "default", "what it does", left=5)
    for number, player in enumerate(players):
        if number:
            made.add_row()
        made.add_row(player["name"], "", "", "", player["summary"], style="bold")
        for setting in player["settings"]:
            default = "required" if setting["required"] else _default(setting["default"])
            made.add_row("", setting["name"], setting["type"], default, setting["description"])
    return made


def _default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _print_usage() -> None:
    out = console.output()
    out.print("\nName a player by a spec: its name, a colon, and settings as key=value with")
    out.print("commas between them, for example minimax:depth=4.")
