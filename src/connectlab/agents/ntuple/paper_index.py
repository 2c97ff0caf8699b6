"""The index of a tuple as the papers count it: Eq. (1) of Thill 2012, k = sum over j of z[a_j] P^j.

The cells keep the order in which the tuple lists them, the first with the factor P^0. A cell's
state z is 0 for empty, 1 for the first player (Yellow), 2 for the second (Red) and, with P = 4, 3
for empty and reachable. Konen 2015 calls the same number xi.

A network does not store its weights by k but numbers only the states that can occur
(:mod:`~connectlab.agents.ntuple.layout`); ``stored_state`` leads from one to the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.layout import EMPTY, FIRST, REACHABLE, SECOND, Layout
from connectlab.agents.ntuple.tuples import check_tuples
from connectlab.agents.settings import AgentError
from connectlab.game.position import Position


@dataclass(frozen=True)
class PaperIndex:
    """The state of a tuple as a number in base P, the first cell its lowest digit."""

    states: tuple[int, ...]
    """z of each cell, in the tuple's order."""
    base: int
    """P, the number of states of a cell."""

    def __post_init__(self) -> None:
        for place, state in enumerate(self.states, start=1):
            if not 0 <= state < self.base:
                raise AgentError(
                    f"cell {place} has state {state}: with P = {self.base} there are 0 to "
                    f"{self.base - 1}"
                )

    @property
    def terms(self) -> tuple[int, ...]:
        """What each cell adds: z[a_j] P^j."""
        return tuple(state * self.base**j for j, state in enumerate(self.states))

    @property
    def value(self) -> int:
        """k, from 0 to P^n - 1."""
        return sum(self.terms)

    @property
    def formula(self) -> str:
        """The sum with every term, as the papers write it: "3·4^0 + 2·4^1 = 11"."""
        terms = (f"{state}·{self.base}^{j}" for j, state in enumerate(self.states))
        return f"{' + '.join(terms)} = {self.value}"


def paper_index(cells: Sequence[Cell], position: Position, base: int = 4) -> PaperIndex:
    """Return the index that a tuple has in a position."""
    check_tuples((tuple(cells),), position.geometry)
    return PaperIndex(tuple(cell_state(position, cell, base) for cell in cells), base)


def mirrored_index(cells: Sequence[Cell], position: Position, base: int = 4) -> PaperIndex:
    """Return M(k) of Thill 2012: the index in the board reflected along its middle column."""
    last = position.geometry.columns - 1
    return paper_index([(last - column, row) for column, row in cells], position, base)


def stored_state(cells: Sequence[Cell], position: Position, base: int = 4) -> tuple[int, int]:
    """Return which of the states that can occur a tuple is in (from 0), and how many there are."""
    layout = Layout(position.geometry, (tuple(cells),), base, mirror=False)
    contents = [_content(position, column) for column in range(position.geometry.columns)]
    state = sum(int(layout.steps[column, held, 0]) for column, held in enumerate(contents))
    return state, layout.weights


def cell_state(position: Position, cell: Cell, base: int) -> int:
    """Return EMPTY, FIRST, SECOND or, with P = 4, REACHABLE."""
    geometry = position.geometry
    bit = geometry.cell(*cell)
    if position.occupied & bit:
        return FIRST if position.first_stones & bit else SECOND
    column, row = cell
    supported = row == 0 or bool(position.occupied & geometry.cell(column, row - 1))
    return REACHABLE if supported and base == 4 else EMPTY


def _content(position: Position, column: int) -> int:
    """Return the stones of a column as bits (1 for the first player) under a marker bit."""
    rows = range(position.geometry.rows)
    held = [position.holds(column, row) for row in rows]
    height = sum(side is not None for side in held)
    return 1 << height | sum(1 << row for row in rows if held[row] == "first")
