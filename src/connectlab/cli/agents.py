"""``connectlab agents``: every player with its settings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Json, complete_player

if TYPE_CHECKING:
    from connectlab.lab.catalogue import PlayerEntry, Setting

SHORT = "List every player with its settings."
EPILOG = "Example: connectlab agents minimax perfect"


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            autocompletion=complete_player,
            show_default=False,
            help="Only these players.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List every player with its settings, their types and their defaults."""
    from connectlab.lab.catalogue import list_players

    players = list_players(names or ())
    if json:
        console.print_json([player.to_json() for player in players])
    else:
        console.show(_table(players))
        _print_usage()


def add_settings(made: console.Table, settings: "Sequence[Setting]") -> None:
    """Add a row for each setting to a table that begins with an empty column."""
    for setting in settings:
        default = "required" if setting.required else default_text(setting.default)
        made.add_row("", setting.name, setting.type, default, setting.description)


def default_text(value: object) -> str:
    """Write a value as it would be typed."""
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _table(players: "Sequence[PlayerEntry]") -> console.Table:
    made = console.table("player", "setting", "type", "default", "what it does", left=5)
    for number, player in enumerate(players):
        if number:
            made.add_row()
        made.add_row(player.name, "", "", "", player.summary, style="bold")
        add_settings(made, player.settings)
    return made


def _print_usage() -> None:
    console.output().print(
        "\nName a player by a spec: its name, a colon, and settings as key=value with commas "
        "between them, for example minimax:depth=4."
    )
