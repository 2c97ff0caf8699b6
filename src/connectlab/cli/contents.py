"""What a player is made of, on a terminal or as plain text."""

from typing import TYPE_CHECKING

from connectlab.cli import console
from connectlab.cli.explain import print_facts, print_groups, print_words, width_of
from connectlab.cli.listing import Column, list_rows

if TYPE_CHECKING:
    from rich.console import Console

    from connectlab.agents.contents import Contents, Entries, Page, Part
    from connectlab.game import Geometry

PARTS = 20
"""Parts that are listed for people unless they ask for more."""
ENTRIES = 12
"""Entries of a part under each heading, unless another number is asked for."""


def print_contents(
    spec: str,
    contents: "Contents",
    *,
    sort: str,
    top: int | None,
    out: "Console | None" = None,
) -> None:
    """Print counts, and the table of parts."""
    out = out or console.output()
    parts = contents.sorted_by(sort)[: top or PARTS]
    print_words(out, f"{spec} on {contents.geometry}")
    print_facts(out, contents.facts)
    if not parts:
        return
    out.print()
    cells = [[_figure(part, name) for name in contents.columns] for part in parts]
    headings = [Column(contents.noun, words=True), *(Column(name) for name in contents.columns)]
    rows = [
        [str(part.number), *figures, _cells(part, contents.geometry)]
        for part, figures in zip(parts, cells, strict=True)
    ]
    for line in list_rows([*headings, Column("cells", words=True)], rows, width_of(out)):
        out.print(line.text, style="bold" if line.row is None else "", soft_wrap=True)
    if len(parts) < len(contents.parts):
        out.print()
        print_words(
            out,
            f"{len(parts)} of {len(contents.parts)} {contents.noun}s by {sort}: "
            "--top N shows more, --sort COLUMN by another column, --part N what is in one",
        )
    out.print()
    for name, meaning in contents.columns.items():
        print_words(out, f"{name}: {meaning}")


def print_part(
    spec: str,
    contents: "Contents",
    number: int,
    page: "Page",
    *,
    out: "Console | None" = None,
) -> None:
    """Print one part: its figures, its cells, and a page of its entries."""
    out = out or console.output()
    part = contents.part(number)
    print_words(out, f"{spec}, {contents.noun} {number}")
    out.print()
    for name in contents.columns:
        print_words(out, f"{name}: {_figure(part, name)}")
    print_words(out, f"cells: {_cells(part, contents.geometry)}")
    for entries in contents.entries(number, page):
        out.print()
        shown = _shown(entries, page)
        print_words(out, f"{entries.title}, {shown}: {contents.legend}", style="bold")
        print_groups(out, entries.groups, contents.geometry, width_of(out))


def _shown(entries: "Entries", page: "Page") -> str:
    """Say which of the entries under a heading are listed, such as "1 to 12 of 9,216"."""
    if not entries.groups:
        return f"none of {entries.total:,} is left"
    first, last = page.offset + 1, page.offset + len(entries.groups)
    return f"{first:,} to {last:,} of {entries.total:,}"


def _figure(part: "Part", name: str) -> str:
    figure = part.figures[name]
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:.4f}"


def _cells(part: "Part", geometry: "Geometry") -> str:
    """Name the cells by column and row, column by column."""
    from connectlab.lab.cell_names import format_cells

    return format_cells(sorted(part.cells), geometry)
