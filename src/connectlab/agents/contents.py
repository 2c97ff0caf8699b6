"""What a player is made of: counts, a table of its parts, and what weighs most in one of them.

Like an explanation, this is data that any face can show. A *part* is whatever the player consists
of: a tuple of an n-tuple network, a layer, a rule. Its *entries* are what it has learned, as groups
of cells.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from connectlab.agents.analysis import Cell, Group
from connectlab.agents.settings import AgentError
from connectlab.agents.spec import suggest
from connectlab.game.geometry import Geometry
from connectlab.game.notation import column_name
from connectlab.training.measurement import Plain

NUMBER = "number"
"""The column that all tables of parts have, and by which they are sorted unless asked."""

HEAVIEST, HIGHEST, LOWEST = "heaviest", "highest", "lowest"
"""Orders of entries: by weight without its sign, from the positive end, from the negative end."""

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Page:
    """Which entries of a part are wanted under each heading."""

    top: int
    """How many."""
    offset: int = 0
    """How many are passed over."""
    order: str = ""
    """One of the orders that the contents have; none for the usual one."""

    def cut(self, items: Sequence[_Item]) -> Sequence[_Item]:
        """Return the items of this page."""
        return items[self.offset : self.offset + self.top]


@dataclass(frozen=True)
class Part:
    """One part of a player."""

    number: int
    """From 1."""
    cells: tuple[Cell, ...]
    """The cells it looks at; none if it looks at no cells in particular."""
    figures: Mapping[str, float]
    """By the name of a column of the table."""

    def to_json(self, geometry: Geometry) -> dict[str, object]:
        """Return the part as plain data; columns as people type them, rows from 1."""
        cells = [[column_name(column, geometry), row + 1] for column, row in self.cells]
        return {NUMBER: self.number, "cells": cells, **self.figures}


@dataclass(frozen=True)
class Entries:
    """A page of what is in a part, under one heading."""

    title: str
    """A few words, such as "first player to move"."""
    groups: tuple[Group, ...]
    """In the order that was asked for."""
    total: int
    """How many there are on all pages."""

    def to_json(self, geometry: Geometry) -> dict[str, object]:
        """Return the page as plain data."""
        groups = [group.to_json(geometry) for group in self.groups]
        return {"title": self.title, "total": self.total, "groups": groups}


def _no_entries(_number: int, _page: Page) -> tuple[Entries, ...]:
    return ()


@dataclass(frozen=True)
class Contents:
    """What a player is made of."""

    geometry: Geometry
    noun: str
    """What a part is called, in the singular."""
    facts: Mapping[str, Plain]
    """Figures of the whole by name (snake_case)."""
    columns: Mapping[str, str]
    """The columns of the table of parts: their names (snake_case) and what they count."""
    parts: tuple[Part, ...]
    """Number n stands at n - 1."""
    legend: str = ""
    """One line above the entries: what they are and what their marks mean."""
    orders: tuple[str, ...] = (HEAVIEST,)
    """The orders its entries can be listed in, the usual one first."""
    find_entries: Callable[[int, Page], tuple[Entries, ...]] = field(
        default=_no_entries, repr=False, compare=False
    )
    """Given the index of a part, from 0, and which entries are wanted."""

    def sorted_by(self, column: str = NUMBER) -> tuple[Part, ...]:
        """Return the parts by number, or with the highest figures of a column first."""
        if column == NUMBER:
            return self.parts
        if column not in self.columns:
            known = [NUMBER, *self.columns]
            raise AgentError(f"the parts have no column {column!r}{suggest(column, known)}")
        return tuple(sorted(self.parts, key=lambda part: (-part.figures[column], part.number)))

    def part(self, number: int) -> Part:
        """Return the part of a number, from 1."""
        if not 1 <= number <= len(self.parts):
            raise AgentError(
                f"there is no {self.noun} {number}: choose from 1 to {len(self.parts)}"
            )
        return self.parts[number - 1]

    def entries(self, number: int, page: Page) -> tuple[Entries, ...]:
        """Return a page of what is in a part."""
        part = self.part(number)
        return self.find_entries(part.number - 1, replace(page, order=self._order(page)))

    def _order(self, page: Page) -> str:
        order = page.order or self.orders[0]
        if order not in self.orders:
            known = ", ".join(self.orders)
            raise AgentError(f"a {self.noun} is not listed in the order {order!r}: try {known}")
        return order

    def to_json(self, *, sort: str = NUMBER, top: int | None = None) -> dict[str, object]:
        """Return facts and parts as plain data: all parts, or the ``top`` first ones."""
        return {
            "facts": dict(self.facts),
            "noun": self.noun,
            "part_columns": dict(self.columns),
            "sort": sort,
            "parts": [part.to_json(self.geometry) for part in self.sorted_by(sort)[:top]],
        }

    def part_json(self, number: int, page: Page) -> dict[str, object]:
        """Return one part and a page of what is in it as plain data."""
        entries = self.entries(number, page)
        return {
            "noun": self.noun,
            "part": self.part(number).to_json(self.geometry),
            "legend": self.legend,
            "orders": list(self.orders),
            "order": self._order(page),
            "offset": page.offset,
            "entries": [each.to_json(self.geometry) for each in entries],
        }
