"""What a player thinks of a position: values, chances, and an explanation in words and pictures.

An explanation is data that any face can show: sentences, facts, and *groups* of cells. A terminal
draws a group as a small board, a plot as squares, a page as an outline; none of them knows what
kind of player it shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from connectlab.game.geometry import Geometry
from connectlab.game.notation import column_name
from connectlab.training.measurement import Plain

if TYPE_CHECKING:
    from connectlab.game.position import Position

Cell: TypeAlias = tuple[int, int]
"""Column and row, 0-based from the bottom left."""

MOST_DECIMALS = 6


@dataclass(frozen=True)
class Group:
    """Cells that belong together in an explanation: a tuple, a line, a rule."""

    title: str
    """A few words, such as "tuple 12, mirrored"."""
    cells: tuple[Cell, ...]
    marks: tuple[str, ...]
    """One character for each cell: X and O for stones of the first and the second player, as in a
    drawing of a board; the legend says what others mean."""
    weight: float | None = None
    """How much it says, above 0 in favour of the side to move; None if that cannot be told."""
    note: str = ""
    """What else is to be said of it, in a few words."""
    part: int | None = None
    """The part of the player's contents that says it, from 1, if there is one."""

    def to_json(self, geometry: Geometry) -> dict[str, object]:
        """Return the group as plain data; columns as people type them, rows from 1."""
        return {
            "title": self.title,
            "cells": [[column_name(column, geometry), row + 1] for column, row in self.cells],
            "marks": list(self.marks),
            "weight": self.weight,
            "note": self.note,
            "part": self.part,
        }


@dataclass(frozen=True)
class Analysis:
    """What a player thinks of one position; entries stand for columns, 0-based."""

    position: "Position"
    policy: tuple[float, ...]
    """How likely it plays each column."""
    values: tuple[float | None, ...] | None = None
    """How good each column is for the side to move; None where it is full, or nothing is known.

    None in place of all of them: the player has no values.
    """
    unit: str = ""
    """What the values count, in a few words."""
    win_value: float | None = None
    """The value of a sure win, to measure the others against; None if values have no such scale."""
    column_notes: Mapping[int, str] = field(default_factory=dict)
    """What is to be said of single columns, such as "wins in 7 plies"."""
    sentences: tuple[str, ...] = ()
    """The explanation in words, the most important first."""
    facts: Mapping[str, Plain] = field(default_factory=dict)
    """Figures by name (snake_case) for those who want to know more."""
    groups: tuple[Group, ...] = ()
    """The picture: cells that decide, the most important first."""
    legend: str = ""
    """One line above the groups: what they are and what their marks mean."""

    @property
    def best(self) -> tuple[int, ...]:
        """The columns, 0-based, that the player may play."""
        return tuple(column for column, chance in enumerate(self.policy) if chance > 0)

    @property
    def value_texts(self) -> tuple[str, ...]:
        """The values as people read them, one a column; blank where there is none."""
        return format_values(self.values or (None,) * len(self.policy))

    def to_json(self) -> dict[str, object]:
        """Return the analysis as plain data, with columns named as people type them."""
        geometry = self.position.geometry
        names = [column_name(c, geometry) for c in range(geometry.columns)]
        return {
            "policy": dict(zip(names, self.policy, strict=True)),
            "values": None if self.values is None else dict(zip(names, self.values, strict=True)),
            "best": [names[column] for column in self.best],
            "unit": self.unit,
            "win_value": self.win_value,
            "column_notes": {names[column]: note for column, note in self.column_notes.items()},
            "sentences": list(self.sentences),
            "facts": dict(self.facts),
            "groups": [group.to_json(geometry) for group in self.groups],
            "legend": self.legend,
        }


def format_values(values: Sequence[float | None]) -> tuple[str, ...]:
    """Write values with so few decimals that those that differ still read differently."""
    known = {value for value in values if value is not None}
    decimals = 0 if all(float(value).is_integer() for value in known) else 2
    while decimals < MOST_DECIMALS and len({_write(v, decimals) for v in known}) < len(known):
        decimals += 1
    return tuple("" if value is None else _write(value, decimals) for value in values)


def _write(value: float, decimals: int) -> str:
    return f"{value:+,.{decimals}f}" if value else "0"
