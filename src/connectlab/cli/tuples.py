"""``connectlab tuples``: sets of n-tuples listed, drawn, exported and varied; a tuple's index."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connectlab.cli import console
from connectlab.cli.options import Columns, Connect, Json, Moves, Rows, Seed, whole
from connectlab.cli.tuple_options import (
    LONGEST_TUPLE,
    MOST_TUPLES,
    Mirror,
    Skip,
    Source,
    States,
    Tables,
    Top,
    TupleFileOut,
    chosen_board,
    complete_source,
    open_source,
)
from connectlab.errors import UserError

if TYPE_CHECKING:
    from connectlab.agents.ntuple.variation import Varied
    from connectlab.lab.tuple_sets import TupleSet

SHORT = "List, draw, export and vary sets of n-tuples; show a tuple's index."
EPILOG = (
    "Examples: connectlab tuples list walk:tuples=70,length=8,seed=3, "
    "connectlab tuples draw ntuple:champion -o set.png"
)

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def command(context: typer.Context) -> None:
    """Look at sets of n-tuples, and make new ones of them.

    A set is named by a tuple file, a run folder or checkpoint, a player such as ntuple:champion, a
    preset of the n-tuple learner such as thill-p3, or a recipe such as
    walk:tuples=70,length=8,seed=3 (also path, snake, sample, cover and cover-any).
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(
    "list",
    short_help="List the tuples of a set, what it covers and what it weighs.",
    epilog="Example: connectlab tuples list thill-p3",
)
def list_set(
    source: Source,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    states: States = None,
    tables: Tables = None,
    mirror: Mirror = None,
    json: Json = False,
) -> None:
    """List the tuples of a set, the winning lines it sees and misses, and its weights.

    Cells are written column/row, from 1 at the bottom left, in the order the tuple has them. States
    are counted as the papers do, P to the power of the length; realisable are those that can occur.
    """
    found = open_source(source, chosen_board(columns, rows, connect), states, tables, mirror)
    from connectlab.cli.tuple_view import list_document, print_list

    if json:
        console.print_json(list_document(found))
    else:
        print_list(found)


@app.command(
    "draw",
    short_help="Draw the tuples of a set as small boards.",
    epilog="Example: connectlab tuples draw ntuple:champion -o set.png",
)
def draw_set(
    source: Source,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="PNG", dir_okay=False, help="Draw into this PNG file."
        ),
    ] = None,
    top: Top = None,
    skip: Skip = 0,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    states: States = None,
    tables: Tables = None,
    mirror: Mirror = None,
    json: Json = False,
) -> None:
    """Draw the tuples of a set as small boards, into a picture or on the terminal.

    The mark in a cell is its place in the tuple's order: 1 to 9, then a, b and so on. The picture
    also has how many tuples look at each cell, and the lines that none sees whole.
    """
    _check_output(output)
    found = open_source(source, chosen_board(columns, rows, connect), states, tables, mirror)
    from connectlab.lab.tuple_picture import MOST_DRAWN, save_tuples, tuple_groups

    groups = tuple_groups(found, skip, top)
    if not groups:
        raise UserError(f"the set has {console.count(len(found.tuples), 'tuple')}: skip fewer")
    if output is not None:
        save_tuples(found, groups, output)
        if len(groups) > MOST_DRAWN:
            console.notice(f"only {MOST_DRAWN} of {len(groups):,} tuples are drawn: see --skip")
    drawn = min(len(groups), MOST_DRAWN) if output is not None else len(groups)
    if json:
        from connectlab.cli.tuple_view import groups_document

        console.print_json(groups_document(found, groups[:drawn], output))
    elif output is not None:
        console.notice(f"wrote {output}")
    else:
        from connectlab.cli.tuple_view import print_boards

        print_boards(found, groups)


@app.command(
    "export",
    short_help="Write a set into a tuple file to train with.",
    epilog="Example: connectlab tuples export ntuple:champion -o mine.json",
)
def export_set(
    source: Source,
    output: TupleFileOut,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    json: Json = False,
) -> None:
    """Write a set into a tuple file, which train takes.

    As in connectlab train ntuple --set creation=file --set tuple_file=mine.json.
    """
    _check_output(output)
    found = open_source(source, chosen_board(columns, rows, connect))
    _write(found, output)
    if json:
        console.print_json(_written(found, output))
    else:
        console.notice(f"wrote {console.count(len(found.tuples), 'tuple')} into {output}")


@app.command(
    "vary",
    short_help="Write a set with some tuples dropped, replaced, moved or added.",
    epilog="Example: connectlab tuples vary mine.json --replace 7 --seed 2 -o other.json",
)
def vary_set(
    source: Source,
    output: TupleFileOut,
    drop: Annotated[
        int,
        typer.Option(
            "--drop", metavar="N", parser=whole(0, MOST_TUPLES), help="Leave out so many tuples."
        ),
    ] = 0,
    replace: Annotated[
        int,
        typer.Option(
            "--replace",
            metavar="N",
            parser=whole(0, MOST_TUPLES),
            help="Exchange so many for fresh ones of the same length.",
        ),
    ] = 0,
    move: Annotated[
        int,
        typer.Option(
            "--move",
            metavar="N",
            parser=whole(0, MOST_TUPLES),
            help="Exchange one cell of so many tuples for a neighbour of it.",
        ),
    ] = 0,
    add: Annotated[
        int,
        typer.Option(
            "--add", metavar="N", parser=whole(0, MOST_TUPLES), help="Add so many fresh tuples."
        ),
    ] = 0,
    length: Annotated[
        int | None,
        typer.Option(
            "--length",
            metavar="N",
            parser=whole(1, LONGEST_TUPLE),
            show_default="the usual one of the set",
            help="Cells of an added tuple.",
        ),
    ] = None,
    creation: Annotated[
        str,
        typer.Option(
            "--creation",
            metavar="KIND",
            help="How fresh tuples are drawn: walk, path, snake or sample.",
        ),
    ] = "walk",
    shorten: Annotated[
        int | None,
        typer.Option(
            "--shorten",
            metavar="N",
            parser=whole(1, LONGEST_TUPLE),
            show_default=False,
            help="Cut every tuple to its first so many cells.",
        ),
    ] = None,
    distinct: Annotated[
        bool,
        typer.Option("--distinct", help="Remove tuples that see what an earlier one sees."),
    ] = False,
    unfold: Annotated[
        bool,
        typer.Option(
            "--unfold", help="Add the mirror image of each tuple, to train with mirror=false."
        ),
    ] = False,
    seed: Seed = 0,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    mirror: Mirror = None,
    json: Json = False,
) -> None:
    """Write a set that differs from another in what these options say.

    No tuple is changed twice, and a fresh one sees other cells than all others; with --mirror, a
    mirror image counts as the same. The same seed makes the same set.
    """
    from connectlab.agents.ntuple.variation import Wish, vary_tuples

    wish = Wish(distinct, shorten, drop, replace, move, add, unfold, creation, length)
    if wish.is_empty:
        raise UserError("nothing is to be varied: add --replace N, --move N, --drop N or --add N")
    if length is not None and not add:
        raise UserError("--length is that of added tuples: use it with --add N")
    _check_output(output)
    old = open_source(source, chosen_board(columns, rows, connect), mirror=mirror)
    varied = vary_tuples(old.tuples, old.geometry, wish, seed, mirror=old.mirror)
    new = old.having(varied.tuples)
    _write(new, output)
    _tell_variation(old, new, varied, output, seed, json=json)


def _tell_variation(
    old: "TupleSet", new: "TupleSet", varied: "Varied", output: Path, seed: int, *, json: bool
) -> None:
    from connectlab.cli.tuple_view import changes_document, print_changes

    if json:
        console.print_json(_written(new, output) | {"seed": seed} | changes_document(old, varied))
    else:
        print_changes(old, new, varied)
        console.notice(f"wrote {console.count(len(new.tuples), 'tuple')} into {output}")


@app.command(
    "index",
    short_help="Show the index of a tuple in a position as the papers count it.",
    epilog="Examples: connectlab tuples index a1,a2,b2,c2 4453, connectlab tuples index 3-2-1-1, "
    "connectlab tuples index ntuple:champion 4453 --tuple 12",
)
def show_index(
    cells: Annotated[
        str,
        typer.Argument(
            metavar="CELLS",
            autocompletion=complete_source,
            help="Cells such as 1/1,1/2,2/2 or a1,a2,b2; states such as 3-2-1-1; or, with --tuple, "
            "a source.",
        ),
    ],
    moves: Moves = "",
    number: Annotated[
        int | None,
        typer.Option(
            "--tuple",
            metavar="N",
            parser=whole(1, MOST_TUPLES),
            show_default=False,
            help="Take this tuple of a set.",
        ),
    ] = None,
    columns: Columns = None,
    rows: Rows = None,
    connect: Connect = None,
    states: States = None,
    json: Json = False,
) -> None:
    """Show the index of a tuple in a position with every term of its sum.

    Thill 2012, Eq. (1): k = sum over j of z[a_j] P^j, where z is 0 for an empty cell, 1 for the
    first player, 2 for the second and, with P = 4, 3 for empty and reachable.
    """
    from connectlab.lab.tuple_index import read_index, read_states

    geometry = chosen_board(columns, rows, connect)
    if number is not None:
        found = open_source(cells, geometry, states)
        told = read_index(found.one(number), moves, found.geometry, found.states)
    elif (given := read_states(cells, states or 4)) is not None:
        if moves:
            raise UserError(f"the states {cells} need no position: leave {moves} out")
        told = given
    else:
        from connectlab.game.geometry import STANDARD
        from connectlab.lab.cell_names import CellError, parse_cells

        geometry = geometry or STANDARD
        try:
            told = read_index(parse_cells(cells, geometry), moves, geometry, states or 4)
        except CellError as error:
            is_source = cells[:2].isalpha() or Path(cells).is_file()  # no cell begins so
            hint = "; of a set, choose a tuple by --tuple N" if is_source else ""
            raise UserError(f"{error}{hint}") from None
    from connectlab.cli.tuple_view import print_index

    if json:
        console.print_json(told.to_json())
    else:
        print_index(told)


def _check_output(path: Path | None) -> None:
    if path is not None:
        from connectlab.storage.files import check_writable

        check_writable(path)


def _write(found: "TupleSet", path: Path) -> None:
    from connectlab.lab.tuple_files import format_tuples
    from connectlab.storage.files import write_text

    write_text(path, format_tuples(found.tuples))


def _written(found: "TupleSet", path: Path) -> dict[str, object]:
    return {
        "source": found.source,
        "geometry": found.geometry.to_json(),
        "path": str(path),
        "size": len(found.tuples),
    }
