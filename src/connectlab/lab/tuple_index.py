"""The papers' index of a tuple, told term by term, beside the number its weight is stored under."""

import re
from dataclasses import dataclass

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.layout import EMPTY, FIRST, REACHABLE, SECOND
from connectlab.agents.ntuple.paper_index import (
    PaperIndex,
    mirrored_index,
    paper_index,
    stored_state,
)
from connectlab.game import Geometry, Position
from connectlab.lab.cell_names import format_cell

STATE_WORDS = {
    EMPTY: "empty",
    FIRST: "first player",
    SECOND: "second player",
    REACHABLE: "empty, reachable",
}
_STATES = re.compile(r"[0-9](-[0-9]){0,13}")


@dataclass(frozen=True)
class Seen:
    """A tuple that looks at a position."""

    cells: tuple[Cell, ...]
    position: Position
    mirrored: PaperIndex
    """M(k): the index in the mirrored board."""
    stored: int
    """The state's number among those that can occur, from 1, as ``inspect --part`` counts."""
    realisable: int
    """How many states can occur."""


@dataclass(frozen=True)
class IndexReading:
    """An index, and where it was read; None if only the states were given."""

    index: PaperIndex
    seen: Seen | None = None

    @property
    def all_states(self) -> int:
        """P^n, the number of indices."""
        return int(self.index.base ** len(self.index.states))

    @property
    def names(self) -> tuple[str, ...]:
        """The cells as people write them; a_0, a_1, … if they are not known."""
        if self.seen is None:
            return tuple(f"a_{j}" for j in range(len(self.index.states)))
        geometry = self.seen.position.geometry
        return tuple(format_cell(cell, geometry) for cell in self.seen.cells)

    def to_json(self) -> dict[str, object]:
        """Return everything as plain data."""
        told: dict[str, object] = {
            "index": self.index.value,
            "states": self.index.base,
            "all_states": self.all_states,
            "formula": self.index.formula,
            "terms": [
                {"cell": name, "state": state, "term": term}
                for name, state, term in zip(
                    self.names, self.index.states, self.index.terms, strict=True
                )
            ],
        }
        return told if self.seen is None else told | _seen_json(self.seen)


def _seen_json(seen: Seen) -> dict[str, object]:
    return {
        "moves": seen.position.moves,
        "geometry": seen.position.geometry.to_json(),
        "mirrored_index": seen.mirrored.value,
        "mirrored_formula": seen.mirrored.formula,
        "stored_state": seen.stored,
        "realisable": seen.realisable,
    }


def read_index(cells: tuple[Cell, ...], moves: str, geometry: Geometry, base: int) -> IndexReading:
    """Let a tuple look at the position that moves lead to."""
    position = Position.from_moves(moves, geometry)
    index = paper_index(cells, position, base)
    stored, realisable = stored_state(cells, position, base)
    mirror = mirrored_index(cells, position, base)
    return IndexReading(index, Seen(cells, position, mirror, stored + 1, realisable))


def read_states(text: str, base: int) -> IndexReading | None:
    """Take states such as "3-2-1-1", as Fig. 1 of Thill 2012 has them; None for other text."""
    if not _STATES.fullmatch(text):
        return None
    return IndexReading(PaperIndex(tuple(map(int, text.split("-"))), base))
