"""Tuple sets and indices for people and for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from connectlab.cli import console
from connectlab.cli.drawing import print_board
from connectlab.cli.explain import print_groups, print_words, width_of
from connectlab.cli.listing import Column, list_rows

if TYPE_CHECKING:
    from rich.console import Console

    from connectlab.agents.analysis import Group
    from connectlab.agents.ntuple.coverage import Coverage, Line
    from connectlab.agents.ntuple.variation import Varied
    from connectlab.game import Geometry
    from connectlab.lab.tuple_index import IndexReading
    from connectlab.lab.tuple_sets import TupleSet


def list_document(found: "TupleSet") -> dict[str, object]:
    """Return a set, what it covers and its weights as plain data."""
    coverage, geometry = found.coverage, found.geometry
    return {
        **_about(found),
        "tuples": [
            {
                "number": number,
                "cells": _plain_cells(cells, geometry),
                "length": len(cells),
                "all_states": found.states ** len(cells),
                "realisable": realisable,
                "lines": held,
            }
            for number, (cells, realisable, held) in enumerate(_told(found, coverage), start=1)
        ],
        "cells_seen": _cells_seen(coverage),
        "cell_counts": [list(column) for column in coverage.cells],
        "lines": coverage.lines,
        "lines_seen": coverage.lines - len(coverage.unseen),
        "lines_missed": [_plain_cells(line, geometry) for line in coverage.unseen],
        "doubles": [list(pair) for pair in coverage.duplicates],
        "weights": found.weights,
        "realisable_weights": coverage.weights,
        "problem": coverage.problem,
    }


def print_list(found: "TupleSet", out: "Console | None" = None) -> None:
    """Print a row for each tuple, then what the set covers and its weights."""
    out = out or console.output()
    coverage, geometry = found.coverage, found.geometry
    from connectlab.lab.cell_names import format_cells

    print_words(out, _heading(found))
    out.print()
    rows = [
        [
            str(number),
            str(len(cells)),
            f"{found.states ** len(cells):,}",
            f"{realisable:,}",
            str(held),
            format_cells(cells, geometry),
        ]
        for number, (cells, realisable, held) in enumerate(_told(found, coverage), start=1)
    ]
    figures = (Column(name) for name in ("length", "states", "realisable", "lines"))
    _print_rows(out, [Column("tuple"), *figures, Column("cells", words=True)], rows)
    out.print()
    for sentence in _summary(found, coverage):
        print_words(out, sentence)


def _summary(found: "TupleSet", coverage: "Coverage") -> Iterator[str]:
    """Say what a set covers, what it misses and what it weighs."""
    unseen = len(coverage.unseen)
    yield f"cells seen: {_cells_seen(coverage)} of {found.geometry.cells}"
    yield f"lines seen: {coverage.lines - unseen} of {coverage.lines}"
    if unseen:
        missed = " ".join(_line(line, found.geometry) for line in coverage.unseen)
        yield f"lines missed: {missed}"
    if coverage.duplicates:
        pairs = (f"{later} sees what {earlier} sees" for later, earlier in coverage.duplicates)
        yield f"doubles: {', '.join(pairs)}"
    share = coverage.weights / found.weights
    yield f"weights: {found.weights:,} = {_product(found)}"
    yield f"realisable weights: {coverage.weights:,} ({100 * share:.1f} %)"
    if coverage.problem is not None:
        yield f"no network can be made of it: {coverage.problem}"


def _product(found: "TupleSet") -> str:
    """Write how the weights are counted, such as "2 · 70 · 4^8"."""
    lengths = sorted(Counter(map(len, found.tuples)).items())
    sums = [f"{number} · {found.states}^{length}" for length, number in lengths]
    return f"{found.tables} · {sums[0]}" if len(sums) == 1 else f"{found.tables} · ({_plus(sums)})"


def _plus(terms: Sequence[str]) -> str:
    return " + ".join(terms)


def _heading(found: "TupleSet") -> str:
    read = "tuples are also read in the mirrored board" if found.mirror else "no mirrored board"
    return (
        f"{found.source} on {found.geometry}: {console.count(len(found.tuples), 'tuple')}, "
        f"P = {found.states}, {console.count(found.tables, 'table')}, {read}"
    )


def print_boards(
    found: "TupleSet", groups: "Sequence[Group]", out: "Console | None" = None
) -> None:
    """Draw tuples as small boards, as many side by side as there is room for."""
    out = out or console.output()
    print_words(out, _heading(found))
    print_groups(out, groups, found.geometry, width_of(out))


def groups_document(
    found: "TupleSet", groups: "Sequence[Group]", path: Path | None
) -> dict[str, object]:
    """Return what was drawn as plain data."""
    return {
        **_about(found),
        "path": None if path is None else str(path),
        "groups": [group.to_json(found.geometry) for group in groups],
    }


def changes_document(old: "TupleSet", varied: "Varied") -> dict[str, object]:
    """Return how a set was varied as plain data."""
    return {
        "changes": [
            {"kind": change.kind, "before": change.before, "after": change.after}
            for change in varied.changes
        ],
        "lines": old.coverage.lines,
        "lines_seen_before": _seen(old),
        "lines_seen": _seen(old.having(varied.tuples)),
    }


def print_changes(
    old: "TupleSet", new: "TupleSet", varied: "Varied", out: "Console | None" = None
) -> None:
    """Say which tuples were changed in which way, and what that did to the lines seen."""
    out = out or console.output()
    for kind in dict.fromkeys(change.kind for change in varied.changes):
        places = [
            str(change.before or change.after) for change in varied.changes if change.kind == kind
        ]
        print_words(out, f"{kind}: {len(places)} ({', '.join(places)})")
    lines = old.coverage.lines
    print_words(out, f"lines seen: {_seen(old)} of {lines} before, {_seen(new)} now")


def print_index(told: "IndexReading", out: "Console | None" = None) -> None:
    """Print the position, a row for each term, and the sum."""
    from connectlab.lab.tuple_index import STATE_WORDS

    out = out or console.output()
    index, seen = told.index, told.seen
    if seen is not None:
        print_board(out, seen.position)
        out.print()
    rows = [
        [name, str(state), f"{index.base}^{j}", f"{term:,}", STATE_WORDS[state]]
        for j, (name, state, term) in enumerate(
            zip(told.names, index.states, index.terms, strict=True)
        )
    ]
    names = Column("cell", words=True), Column("state"), Column("factor"), Column("term")
    _print_rows(out, [*names, Column("", words=True)], rows)
    out.print()
    print_words(out, f"k = {index.formula}, one of {index.base}^{len(rows)} = {told.all_states:,}")
    if seen is not None:
        print_words(out, f"in the mirrored board M(k) = {seen.mirrored.formula}")
        print_words(
            out,
            f"of the {seen.realisable:,} states that can occur it is state {seen.stored:,}, as "
            "inspect --part has it",
        )


def _print_rows(out: "Console", columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    for line in list_rows(columns, rows, width_of(out)):
        out.print(line.text, style="bold" if line.row is None else "", soft_wrap=True)


def _about(found: "TupleSet") -> dict[str, object]:
    return {
        "source": found.source,
        "geometry": found.geometry.to_json(),
        "states": found.states,
        "tables": found.tables,
        "mirror": found.mirror,
    }


def _told(
    found: "TupleSet", coverage: "Coverage"
) -> "Iterator[tuple[tuple[tuple[int, int], ...], int, int]]":
    """Yield the cells of each tuple, its states that can occur, and the lines it holds."""
    return zip(found.tuples, coverage.states, found.lines_held, strict=True)


def _seen(found: "TupleSet") -> int:
    coverage = found.coverage
    return coverage.lines - len(coverage.unseen)


def _cells_seen(coverage: "Coverage") -> int:
    return sum(often > 0 for column in coverage.cells for often in column)


def _plain_cells(cells: "Line", geometry: "Geometry") -> list[list[str | int]]:
    from connectlab.game.notation import column_name

    return [[column_name(column, geometry), row + 1] for column, row in cells]


def _line(line: "Line", geometry: "Geometry") -> str:
    """Write a line by its two ends."""
    from connectlab.lab.cell_names import format_cell

    return f"{format_cell(line[0], geometry)}-{format_cell(line[-1], geometry)}"
