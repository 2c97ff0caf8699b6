"""``connectlab learn``: let a table learn from finished games."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Json

if TYPE_CHECKING:
    from connectlab.lab.lessons import Lesson

SHORT = "Let a table learn from finished games."
EPILOG = "Example: connectlab learn runs/pupil game.json --from cheng-known"


def command(
    run: Annotated[
        Path,
        typer.Argument(metavar="RUN", file_okay=False, help="The folder of a run of qtable."),
    ],
    games: Annotated[
        list[Path],
        typer.Argument(
            metavar="GAME...",
            dir_okay=False,
            help="Games that play saved, or files with moves such as 4453.",
        ),
    ],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="TABLE",
            help="Make RUN first, with this table: cheng-known, a run or a checkpoint.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Let a table learn from finished games, as the one of the paper learned from people.

    A game is learned from once, however often it is given. The run plays as qtable:RUN.
    """
    with console.patience():
        from connectlab.agents.registry import home_board
        from connectlab.errors import UserError
        from connectlab.game import STANDARD
        from connectlab.lab.lessons import learn, make_pupil
        from connectlab.lab.pupils import player_of
        from connectlab.lab.records import load_game

        table = player_of(run) if source is None else f"qtable:{source}"
        board = home_board(table) or STANDARD
        records = [load_game(game, board) for game in games]
        for game, record in zip(games, records, strict=True):
            if record.result is None:
                raise UserError(f"{game} is not over: only finished games are learned from")
        if source is not None:
            make_pupil(source, run)
        lessons = [learn(run, record) for record in records]
    if json:
        document = {"agent": player_of(run), "lessons": [each.to_json() for each in lessons]}
        console.print_json(document)
        return
    for game, lesson in zip(games, lessons, strict=True):
        _print_lesson(game, lesson)


def _print_lesson(game: Path, lesson: "Lesson") -> None:
    out = console.output()
    if lesson.again:
        out.print(f"{game} was learned before", soft_wrap=True)
        return
    added = console.count(lesson.states_added, "new state")
    out.print(f"{game}: {added}, values changed by {lesson.mean_change:.3g} in the mean\n")
    made = console.table("after", "move", "value before", "value after", left=2)
    for step in lesson.steps:
        made.add_row(step.moves or "-", str(step.column), f"{step.before:.2f}", f"{step.after:.2f}")
    console.show(made)
