"""What a player is made of: its parts, and the entries of one of them."""

from typing import Annotated, TypeAlias

from pydantic import Field

from connectlab.web.models.position import Board, Model, SpecText
from connectlab.web.models.table import CellGroup, Fact

MOST_ENTRIES = 1 << 40
"""More than any part has."""
MOST_PARTS = 1_000_000

Word: TypeAlias = Annotated[str, Field(max_length=40)]
CellName: TypeAlias = tuple[str, int]
"""Column as people type it, and row from 1 at the bottom."""


class ContentsIn(Model):
    """A player, and how its parts are to be sorted."""

    player: SpecText
    board: Board = Board()
    sort: Word = Field(default="number", min_length=1, examples=["number", "largest"])
    """A column of the table of parts; the highest figures come first."""
    top: int | None = Field(default=None, ge=1, le=MOST_PARTS)
    """How many parts; null for all."""


class PartOut(Model):
    """One part of a player."""

    number: int
    """From 1."""
    cells: list[CellName]
    """The cells it looks at; none if it looks at no cells in particular."""
    figures: dict[str, float]
    """By the name of a column of the table."""


class ContentsOut(Model):
    """What a player is made of; nothing at all if it has learned nothing."""

    spec: str
    learned: bool
    """Whether there is anything that could be listed."""
    noun: str
    """What a part is called, in the singular."""
    facts: dict[str, Fact]
    columns: dict[str, str]
    """The columns of the table of parts, with what they count."""
    sort: str
    total: int
    """How many parts there are."""
    parts: list[PartOut]


class PartIn(Model):
    """A part of a player, and which of its entries are wanted under each heading."""

    player: SpecText
    board: Board = Board()
    number: int = Field(ge=1, le=MOST_PARTS)
    """From 1."""
    top: int = Field(default=20, ge=1, le=200)
    offset: int = Field(default=0, ge=0, le=MOST_ENTRIES)
    """How many entries are passed over."""
    order: Word = Field(default="", examples=["", "highest", "lowest"])
    """One of the orders that the part offers; blank for the usual one."""


class EntriesOut(Model):
    """A page of what is in a part, under one heading."""

    title: str
    total: int
    """How many there are on all pages."""
    groups: list[CellGroup]


class PartPageOut(Model):
    """One part of a player, and a page of its entries."""

    spec: str
    noun: str
    part: PartOut
    legend: str
    """What the entries are and what their marks mean."""
    orders: list[str]
    order: str
    offset: int
    entries: list[EntriesOut]
