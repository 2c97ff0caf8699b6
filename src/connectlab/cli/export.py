"""``connectlab export``: a player as a submission to Kaggle."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from connectlab.cli import console
from connectlab.cli.options import Columns, Connect, Json, Output, Rows, board, complete_player

SHORT = "Write a player as a submission to Kaggle."
EPILOG = "Example: connectlab export kaggle ntuple:champion,depth=7 -o submission.tar.gz"


def command(
    target: Annotated[
        Literal["kaggle"],
        typer.Argument(metavar="TARGET", show_default=False, help="Where the player goes."),
    ],
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", autocompletion=complete_player, help="The player's spec."),
    ],
    output: Output = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    json: Json = False,
) -> None:
    """Write a player as a submission to Kaggle's ConnectX.

    One file main.py, or an archive submission.tar.gz where the weights are large; they need
    nothing but Python and NumPy.
    """
    del target
    with console.patience():
        from connectlab.integrations.kaggle.export import export
        from connectlab.integrations.kaggle.players import check_exportable

        check_exportable(agent)
        geometry = board(columns, rows, connect, agent)
        path = export(agent, output, geometry=geometry, force=force)
    size = path.stat().st_size
    if json:
        document = {
            "agent": agent,
            "geometry": geometry.to_json(),
            "path": str(path),
            "bytes": size,
        }
        console.print_json(document)
    else:
        _print_written(agent, path, size)


def _print_written(agent: str, path: Path, size: int) -> None:
    console.output().print(f"{agent} written to {path}: {size:,} bytes")
