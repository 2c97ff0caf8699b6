"""Which cells each n-tuple looks at: walks, paths, snakes, samples, covers, or a list in a file.

A tuple is a sequence of different cells, each a (column, row) pair counted from 0 at the bottom
left. The order of the cells does not change what a tuple can tell.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.config import LONGEST_TUPLE, MOST_TUPLES
from connectlab.agents.settings import AgentError
from connectlab.game.geometry import Geometry

Tuples = tuple[tuple[Cell, ...], ...]

POOL = 40
"""Walks to choose from, for each that is wanted."""

MOST_MISSES = 10_000
"""Draws in a row that give no new path: then there are most likely no others."""

MOST_BYTES = 1_000_000
"""More than the largest set of tuples takes in a file."""
MOST_PLACES = 64
"""More columns, and more rows, than any board has."""

_NEIGHBOURS = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]


def random_walk(rng: np.random.Generator, geometry: Geometry, length: int) -> tuple[Cell, ...]:
    """Walk from a random cell to random neighbours until ``length`` cells are seen.

    Thill 2012, Sec. 2.2: a step goes to one of the 8 neighbours of the cell stood on, which joins
    the tuple if it is new.
    """
    cell = _random_cell(rng, geometry)
    seen = {cell: None}
    while len(seen) < length:
        cell = _step(rng, geometry, cell)
        seen[cell] = None
    return tuple(seen)


def random_path(
    rng: np.random.Generator, geometry: Geometry, length: int
) -> tuple[Cell, ...] | None:
    """Walk from a random cell to random neighbours not yet seen; None if there is no way on.

    The authors' framework draws its random walks so: every step goes to a cell that is new.
    """
    cells = [_random_cell(rng, geometry)]
    while len(cells) < length:
        ways = [cell for cell in _ways(geometry, cells[-1]) if cell not in cells]
        if not ways:
            return None
        cells.append(ways[int(rng.integers(len(ways)))])
    return tuple(cells)


def different_paths(
    rng: np.random.Generator, geometry: Geometry, length: int, count: int
) -> Tuples:
    """Draw paths until there are ``count``, no two of which look at the same cells.

    One that gets stuck, or that sees in any order what another sees, is dropped and drawn anew
    from its first cell on. Mirror images are different.
    """
    found: dict[frozenset[Cell], tuple[Cell, ...]] = {}
    misses = 0
    while len(found) < count:
        cells = random_path(rng, geometry, length)
        misses += 1
        if cells is not None and frozenset(cells) not in found:
            found[frozenset(cells)] = cells
            misses = 0
        if misses == MOST_MISSES:
            raise AgentError(
                f"there are not {count:,} different paths of {length} cells on a {geometry} board, "
                f"only {len(found):,} were found: take fewer tuples"
            )
    return tuple(found.values())


def random_snake(rng: np.random.Generator, geometry: Geometry, length: int) -> tuple[Cell, ...]:
    """Walk ``length`` - 1 steps and keep the different cells: 2 to ``length`` of them.

    Lucas 2008: the number of steps is fixed, so a walk that crosses itself gives a shorter tuple.
    """
    cell = _random_cell(rng, geometry)
    seen = {cell: None}
    for _ in range(length - 1):
        cell = _step(rng, geometry, cell)
        seen[cell] = None
    return tuple(seen)


def random_sample(rng: np.random.Generator, geometry: Geometry, length: int) -> tuple[Cell, ...]:
    """Draw ``length`` different cells from anywhere on the board."""
    chosen = rng.choice(geometry.cells, size=length, replace=False)
    return tuple((int(i) // geometry.rows, int(i) % geometry.rows) for i in chosen)


def covering_walks(
    rng: np.random.Generator, geometry: Geometry, length: int, count: int, *, distinct: bool
) -> Tuples:
    """Choose random walks that together look at every winning line, as evenly as they can.

    A line that no tuple sees whole cannot be told from an open one: 70 random walks of length 8
    miss 16 to 35 of the 69 lines of the standard board (25 in the mean of 60 sets), of length 10
    still 2 to 21 (8.5). Here each walk is the one of many that adds most, where a line seen n times
    (in the tuple or its mirror image) counts half as much as one seen n - 1 times. Nothing but the
    shape of the board and of a line is known to the choice.

    With ``distinct`` no two look at the same cells or at mirror images of them, if there are enough
    others.
    """
    lines = winning_lines(geometry)
    pool = [random_walk(rng, geometry, length) for _ in range(POOL * count)]
    different = list({_cells_seen(cells, geometry): cells for cells in pool}.values())
    if distinct and len(different) >= count:
        pool = different
    seen = np.array([_lines_seen(cells, lines, geometry) for cells in pool], dtype=np.float64)
    often = np.zeros(len(lines))
    chosen: list[int] = []
    for _ in range(count):
        gain = seen @ 0.5**often
        gain[chosen] = -1.0
        best = int(gain.argmax())
        chosen.append(best)
        often += seen[best]
    return tuple(pool[i] for i in chosen)


def winning_lines(geometry: Geometry) -> list[frozenset[Cell]]:
    """Return every set of ``connect`` cells in a line."""
    starts = [(c, r) for c in range(geometry.columns) for r in range(geometry.rows)]
    lines = [
        frozenset((c + i * dc, r + i * dr) for i in range(geometry.connect))
        for c, r in starts
        for dc, dr in ((0, 1), (1, -1), (1, 0), (1, 1))
    ]
    board = set(starts)
    return [line for line in lines if line <= board]


def _cells_seen(cells: tuple[Cell, ...], geometry: Geometry) -> frozenset[frozenset[Cell]]:
    """Tell tuples apart that see different cells, whatever their order and whichever side."""
    return frozenset({frozenset(cells), mirrored(cells, geometry)})


def mirrored(cells: tuple[Cell, ...], geometry: Geometry) -> frozenset[Cell]:
    """Return the cells in the mirror image of the board."""
    return frozenset((geometry.columns - 1 - c, r) for c, r in cells)


def _lines_seen(
    cells: tuple[Cell, ...], lines: list[frozenset[Cell]], geometry: Geometry
) -> list[int]:
    """Count for each line whether a tuple and its mirror image hold it."""
    own, image = set(cells), mirrored(cells, geometry)
    return [(line <= own) + (line <= image) for line in lines]


CREATORS: dict[str, Callable[[np.random.Generator, Geometry, int], tuple[Cell, ...]]] = {
    "walk": random_walk,
    "snake": random_snake,
    "sample": random_sample,
}


def create_tuples(kind: str, count: int, length: int, geometry: Geometry, seed: int) -> Tuples:
    """Make a set of tuples; the same seed makes the same set."""
    if length > geometry.cells:
        raise AgentError(f"a tuple of {length} cells does not fit on a {geometry} board")
    rng = np.random.default_rng([seed, count, length])
    if kind in ("cover", "cover-any"):
        return covering_walks(rng, geometry, length, count, distinct=kind == "cover")
    if kind == "path":
        return different_paths(rng, geometry, length, count)
    create = CREATORS[kind]
    return tuple(create(rng, geometry, length) for _ in range(count))


def read_tuples(path: Path, geometry: Geometry) -> Tuples:
    """Read a tuple file for a board."""
    tuples = parse_tuples(path)
    check_tuples(tuples, geometry)
    return tuples


def parse_tuples(path: Path) -> Tuples:
    """Read a JSON list of tuples, each a list of [column, row] pairs, 0-based from the bottom.

    Whether they fit a board is not asked, only whether some board has them.
    """
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise ValueError("more than any set of tuples takes")
        tuples = tuple(tuple(_cell(*cell) for cell in cells) for cells in json.loads(text))
    except OSError as error:
        raise AgentError(f"the tuple file {path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, RecursionError, OverflowError):
        raise AgentError(
            f"{path} is no tuple file: it should hold a JSON list such as [[[0, 0], [1, 1]], …]"
        ) from None
    check_shapes(tuples)
    for number, cells in enumerate(tuples, start=1):
        if not all(0 <= place < MOST_PLACES for cell in cells for place in cell):
            raise AgentError(f"tuple {number} of {path.name} has a cell that is on no board")
    return tuples


def _cell(column: object, row: object) -> tuple[int, int]:
    """Return a cell of two whole numbers, or raise ``ValueError``."""
    if type(column) is int and type(row) is int:
        return column, row
    raise ValueError("no cell")


def check_tuples(tuples: Tuples, geometry: Geometry) -> None:
    """Refuse too many or too long tuples, cells outside the board, repeated cells, or none."""
    check_shapes(tuples)
    check_cells(tuples, geometry)


def check_shapes(tuples: Tuples) -> None:
    """Refuse too many or too long tuples, repeated cells, or none."""
    if not tuples:
        raise AgentError("a network needs at least one tuple")
    if len(tuples) > MOST_TUPLES:
        raise AgentError(f"a network takes up to {MOST_TUPLES:,} tuples, not {len(tuples):,}")
    for number, cells in enumerate(tuples, start=1):
        if len(cells) > LONGEST_TUPLE:
            raise AgentError(
                f"tuple {number} has {len(cells)} cells, and {LONGEST_TUPLE} is the most"
            )
        if not cells or len(set(cells)) != len(cells):
            raise AgentError(f"tuple {number} is empty or has a cell twice")


def check_cells(tuples: Tuples, geometry: Geometry) -> None:
    """Refuse cells outside the board."""
    for number, cells in enumerate(tuples, start=1):
        for column, row in cells:
            if not (0 <= column < geometry.columns and 0 <= row < geometry.rows):
                raise AgentError(
                    f"tuple {number} has column {column}, row {row}, outside the {geometry} board "
                    "(both count from 0)"
                )


def _random_cell(rng: np.random.Generator, geometry: Geometry) -> Cell:
    return int(rng.integers(geometry.columns)), int(rng.integers(geometry.rows))


def _step(rng: np.random.Generator, geometry: Geometry, cell: Cell) -> Cell:
    ways = _ways(geometry, cell)
    return ways[int(rng.integers(len(ways)))]


def _ways(geometry: Geometry, cell: Cell) -> list[Cell]:
    """Return the neighbours of a cell on the board, up to 8."""
    return [
        (cell[0] + dc, cell[1] + dr)
        for dc, dr in _NEIGHBOURS
        if 0 <= cell[0] + dc < geometry.columns and 0 <= cell[1] + dr < geometry.rows
    ]
