"""What a player thinks of a position: values, chances, and an explanation in words and pictures.

An explanation is data that any face can show: sentences, facts, and *groups* of cells. A terminal
draws a group as a small board, a plot as squares, a page as an outline; none of them knows what
kind of player it shows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from connectlab.game.geometry import Geometry
from connectlab.game.notation import column_name
from connectlab.game.position import Position

Cell: TypeAlias = tuple[int, int]
"""Column and row, 0-based from the bottom left."""
Plain: TypeAlias = str | int | float | bool | None
"""What a fact can be."""


@dataclass(frozen=True)
class Group:
    """Cells that belong together in an explanation: a tuple, a line, a rule."""

    title: str
    """A few words, such as "tuple 12, mirrored"."""
    cells: tuple[Cell, ...]
    marks: tuple[str, ...]
    """One character for each cell; ``Analysis.legend`` says what they mean."""
    weight: float | None = None
    """How much it says, above 0 in favour of the side to move; None if that cannot be told."""
    note: str = ""
    """What else is to be said of it, in a few words."""

    def to_json(self, geometry: Geometry) -> dict[str, object]:
        """Return the group as plain data; columns as people type them, rows from 1."""
        return {
            "title": self.title,
            "cells": [[column_name(column, geometry), row + 1] for column, row in self.cells],
            "marks": list(self.marks),
            "weight": self.weight,
            "note": self.note,
        }


@dataclass(frozen=True)
class Analysis:
    """What a player thinks of one position; entries stand for columns, 0-based."""

    position: Position
    policy: tuple[float, ...]
    """How likely it plays each column."""
    values: tuple[float | None, ...] | None = None
    """How good each column is for the side to move; None where it is full. None: no values."""
    unit: str = ""
    """What the values count, in a few words."""
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

    def to_json(self) -> dict[str, object]:
        """Return the analysis as plain data, with columns named as people type them."""
        geometry = self.position.geometry
        names = [column_name(c, geometry) for c in range(geometry.columns)]
        return {
            "policy": dict(zip(names, self.policy, strict=True)),
            "values": None if self.values is None else dict(zip(names, self.values, strict=True)),
            "best": [names[column] for column in self.best],
            "unit": self.unit,
            "column_notes": {names[column]: note for column, note in self.column_notes.items()},
            "sentences": list(self.sentences),
            "facts": dict(self.facts),
            "groups": [group.to_json(geometry) for group in self.groups],
            "legend": self.legend,
        }
