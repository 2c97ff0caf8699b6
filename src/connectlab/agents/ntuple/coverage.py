"""What a set of tuples covers: cells, winning lines, and how many weights it needs.

Unlike a layout this also describes a set that no network would take, such as one somebody is still
drawing: what stands in its way is said in a sentence.
"""

from collections import Counter
from dataclasses import dataclass

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.config import MOST_ROWS
from connectlab.agents.ntuple.layout import Layout, count_states, too_tall
from connectlab.agents.ntuple.tuples import Tuples, check_cells, mirrored, winning_lines
from connectlab.agents.settings import AgentError
from connectlab.game.geometry import Geometry

Line = tuple[Cell, ...]


@dataclass(frozen=True)
class Coverage:
    """What a set of tuples sees of a board."""

    cells: tuple[tuple[int, ...], ...]
    """How many tuples look at each cell: by column, then by row from the bottom."""
    lines: int
    """Winning lines of the board."""
    unseen: tuple[Line, ...]
    """The lines that no reading, a tuple or its mirror image, sees whole."""
    duplicates: tuple[tuple[int, int], ...]
    """Numbers from 1: a tuple, and an earlier one that sees the same cells or their mirror
    image."""
    states: tuple[int, ...]
    """Of each tuple the states that can occur: the weights of one table."""
    tables: int
    problem: str | None
    """Why no network can be made of the set; None if one can."""

    @property
    def weights(self) -> int:
        """Number of weights of a network with these tuples."""
        return self.tables * sum(self.states)


def measure_coverage(
    tuples: Tuples, geometry: Geometry, *, states: int = 4, mirror: bool = True, tables: int = 2
) -> Coverage:
    """Describe a set of tuples; a tuple may be empty, but no cell may lie outside the board."""
    if geometry.rows > MOST_ROWS:
        raise AgentError(too_tall(geometry))
    check_cells(tuples, geometry)
    often = Counter(cell for cells in tuples for cell in set(cells))
    seen = lines_seen(tuples, geometry, mirror=mirror)
    return Coverage(
        tuple(
            tuple(often[column, row] for row in range(geometry.rows))
            for column in range(geometry.columns)
        ),
        len(winning_lines(geometry)),
        tuple(tuple(sorted(line)) for line in winning_lines(geometry) if line not in seen),
        _duplicates(tuples, geometry, mirror=mirror),
        tuple(count_states(cells, geometry, states) if cells else 0 for cells in tuples),
        tables,
        _problem(tuples, geometry, states, mirror=mirror),
    )


def lines_seen(tuples: Tuples, geometry: Geometry, *, mirror: bool) -> set[frozenset[Cell]]:
    """Return the lines that some reading, a tuple or its mirror image, sees whole."""
    readings = [set(cells) for cells in tuples]
    if mirror:
        readings += [set(mirrored(cells, geometry)) for cells in tuples]
    lines = winning_lines(geometry)
    return {line for line in lines if any(line <= cells for cells in readings)}


def _duplicates(tuples: Tuples, geometry: Geometry, *, mirror: bool) -> tuple[tuple[int, int], ...]:
    """Pair each tuple that adds no reading of its own with the first that has it already."""
    first: dict[frozenset[Cell], int] = {}
    found = []
    for number, cells in enumerate(tuples, start=1):
        own = frozenset(cells)
        if not own:
            continue
        if own in first:
            found.append((number, first[own]))
            continue
        first[own] = number
        if mirror:
            first.setdefault(mirrored(cells, geometry), number)
    return tuple(found)


def _problem(tuples: Tuples, geometry: Geometry, states: int, *, mirror: bool) -> str | None:
    try:
        Layout(geometry, tuples, states, mirror)
    except AgentError as error:
        return str(error)
    return None
