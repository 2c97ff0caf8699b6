"""Every command there is, with those that belong to another one, such as ``tuples list``."""

from typing import Any

from typer.main import get_command

from connectlab.cli.app import app


def all_commands() -> dict[str, Any]:
    """Return the commands by what is typed after ``connectlab``."""
    found: dict[str, Any] = {}
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        found[name] = command
        below = getattr(command, "commands", {})
        found |= {f"{name} {part}": each for part, each in below.items()}
    return found
