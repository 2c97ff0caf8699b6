"""Options that several commands share, so that they read and behave the same everywhere.

Every whole number has a lowest and a highest value here; what lies outside is refused in one line.
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.game import Geometry
    from connectlab.lab.executors.base import Executor

MOST_SEED = 2**63 - 1
MOST_GAMES = 100_000_000
"""Games of a contest, as the arena has it."""
MOST_TRAINING_GAMES = 10**12
"""Games of a run, as every learner has it."""
MOST_POSITIONS = 1_000_000
MOST_THREADS = 1024
MOST_WORKERS = 1024
"""Processes; their number has no other limit than the machine."""
MOST_CELLS = 64
"""More than any board has, whichever side is meant."""

_SHOWN = 24
"""Characters of a mistyped value that are shown."""


class ExecutorKind(StrEnum):
    """Where many tasks are done."""

    LOCAL = "local"
    RAY = "ray"


def whole(low: int, high: int) -> Callable[[str | int], int]:
    """Return what reads a whole number of an option and refuses all outside the limits."""

    def read(text: str | int) -> int:
        try:
            number = int(text)
        except ValueError:  # letters, or more digits than Python reads
            raise typer.BadParameter(f"{_shown(text)} is no whole number {_range()}") from None
        if not low <= number <= high:
            raise typer.BadParameter(f"{_shown(text)} is not {_range()}")
        return number

    def _range() -> str:
        return f"from {low:,} to {high:,}"

    return read


def folder(text: str | Path) -> Path:
    """Read the path of a folder; an empty one would be that in which the command is called."""
    if not str(text):
        raise typer.BadParameter("the path is empty: name a folder, or . for this one")
    path = Path(text)
    if path.exists() and not path.is_dir():
        raise typer.BadParameter(f"dir '{path}' is a file")
    return path


def _shown(value: str | int) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]}… ({len(text)} characters)"


def complete_player(incomplete: str) -> list[tuple[str, str]]:
    """Complete the name of a player."""
    from connectlab.lab.catalogue import list_players

    return [
        (made.name, made.summary) for made in list_players() if made.name.startswith(incomplete)
    ]


def complete_seat(incomplete: str) -> list[tuple[str, str]]:
    """Complete who sits at the board: a person or a player."""
    human = [("human", "a person at this terminal")]
    return [who for who in human if who[0].startswith(incomplete)] + complete_player(incomplete)


def complete_learner(incomplete: str) -> list[tuple[str, str]]:
    """Complete the name of a learner."""
    from connectlab.lab.catalogue import list_learners

    return [
        (made.name, made.summary) for made in list_learners() if made.name.startswith(incomplete)
    ]


def complete_preset(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a preset: of the learner that stands on the line already, or of any."""
    from connectlab.lab.catalogue import list_learners

    chosen = context.params.get("learner")
    names = [
        preset.name
        for learner in list_learners()
        if chosen in (None, learner.name)
        for preset in learner.presets
    ]
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Columns = Annotated[
    int | None,
    typer.Option(
        "--columns",
        metavar="N",
        parser=whole(1, MOST_CELLS),
        show_default="7",
        help="Columns of the board.",
    ),
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="N",
        parser=whole(1, MOST_CELLS),
        show_default="6",
        help="Rows of the board.",
    ),
]
Connect = Annotated[
    int | None,
    typer.Option(
        "--connect",
        metavar="N",
        parser=whole(1, MOST_CELLS),
        show_default="4",
        help="Stones in a line that win.",
    ),
]
Variant = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="V",
        show_default="the plain game",
        help="Play slip:P, drop-row:P, counts, or some of them with + between.",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", parser=whole(0, MOST_SEED), help="Same seed, same games."),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        parser=whole(1, MOST_THREADS),
        show_default="every core",
        help="Threads to use; the result does not depend on it.",
    ),
]
OnExecutor = Annotated[
    ExecutorKind | None,
    typer.Option(
        "--executor",
        show_default="local",
        help="Processes of this machine, or a Ray cluster.",
    ),
]
MaybeExecutor = Annotated[
    ExecutorKind | None,
    typer.Option(
        "--executor",
        show_default="threads of this process",
        help="Spread the games over processes of this machine, or a Ray cluster.",
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        show_default="one started for this command",
        help="The head of the Ray cluster, for --executor ray.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        parser=whole(1, MOST_WORKERS),
        show_default="every core",
        help="Tasks at a time, each in a process of its own.",
    ),
]
Games = Annotated[
    int,
    typer.Option("--games", metavar="N", parser=whole(1, MOST_GAMES), help="Number of games."),
]
GamesOfPairing = Annotated[
    int,
    typer.Option(
        "--games", metavar="N", parser=whole(1, MOST_GAMES), help="Games of each pairing."
    ),
]
PerClass = Annotated[
    int,
    typer.Option(
        "--per-class",
        metavar="N",
        parser=whole(1, MOST_POSITIONS),
        help="Positions of each class.",
    ),
]
Moves = Annotated[
    str,
    typer.Argument(
        metavar="MOVES", help='The columns played so far, such as 4453; "" is the empty board.'
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="File to write."),
]


def board(
    columns: int | None,
    rows: int | None,
    connect: int | None,
    *specs: str,
    variant: str | None = None,
) -> "Geometry":
    """Return the board these options describe.

    Without a size it is the board on which the first trained one of these players is at home. It
    is played there as that one has learned, unless ``variant`` says otherwise.
    """
    from dataclasses import replace

    from connectlab.game.geometry import STANDARD, Geometry
    from connectlab.game.variants import Variant as GameVariant

    if columns is None and rows is None and connect is None:
        from connectlab.agents.registry import home_board

        homes = (home_board(spec) for spec in specs)
        chosen = next((home for home in homes if home is not None), STANDARD)
    else:
        chosen = Geometry(
            STANDARD.columns if columns is None else columns,
            STANDARD.rows if rows is None else rows,
            STANDARD.connect if connect is None else connect,
        )
    return chosen if variant is None else replace(chosen, variant=GameVariant.parse(variant))


def chosen_executor(
    kind: ExecutorKind | None, address: str | None, workers: int | None
) -> "Executor":
    """Return the executor these options describe; processes of this machine if none does."""
    from connectlab.lab.executors.choice import make_executor

    return make_executor((kind or ExecutorKind.LOCAL).value, workers=workers, address=address)


def maybe_executor(
    kind: ExecutorKind | None, address: str | None, workers: int | None
) -> "Executor | None":
    """Return the executor these options describe, or None: then threads do it all."""
    if kind is None and (address is not None or workers is not None):
        raise UserError("--address and --workers go with --executor local or --executor ray")
    return None if kind is None else chosen_executor(kind, address, workers)


def executor_options(
    kind: ExecutorKind | None, address: str | None, workers: int | None
) -> list[str]:
    """Return the options that name this executor again."""
    given = {
        "--executor": None if kind is None else kind.value,
        "--address": address,
        "--workers": workers,
    }
    named = [(option, str(value)) for option, value in given.items() if value is not None]
    return [word for pair in named for word in pair]
