"""How a board is read into weight indices, a column at a time.

A column's *content* is one number: its stones as bits (1 for the first player), bottom at bit 0,
under a marker bit. Six rows have 127 contents. What a tuple sees of a column depends on the content
alone, so the index of a tuple is a sum over columns of a small table::

    index[slot] = base[slot] + sum over c of steps[c, content[c], slot]

and a move in column c changes it by ``steps[c, new] - steps[c, old]``, one vector operation over
all slots. A *slot* is a tuple or the mirror image of one; both share the tuple's weights. Only the
distinct views of a column are numbered (mixed radix), so exactly the states that can occur on a
board have a weight.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.analysis import Cell
from connectlab.agents.ntuple.config import MOST_ROWS, NTupleConfig
from connectlab.agents.ntuple.tuples import Tuples, check_tuples, create_tuples, read_tuples
from connectlab.agents.settings import AgentError
from connectlab.game.geometry import Geometry

MOST_WEIGHTS = 1 << 26
"""Weights of one table that fit: with two tables and all that a step-size rule keeps some 4 GB."""

EMPTY, FIRST, SECOND, REACHABLE = range(4)

View = tuple[int, ...]
"""What each of some cells of a column holds, ``EMPTY`` to ``REACHABLE``."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The tuples of a network on a board, compiled into tables."""

    geometry: Geometry
    tuples: Tuples
    states: int
    """P: 3 tells empty, first and second; 4 also which empty cell a stone would land on."""
    mirror: bool
    """Whether each tuple is also read in the mirrored board."""

    def __post_init__(self) -> None:
        if self.geometry.rows > MOST_ROWS:
            raise AgentError(too_tall(self.geometry))
        check_tuples(self.tuples, self.geometry)
        if self.weights > MOST_WEIGHTS:
            raise AgentError(
                f"these tuples need {self.weights:,} weights for each side, more than the "
                f"{MOST_WEIGHTS:,} that fit in memory: take fewer or shorter tuples"
            )

    @classmethod
    def of(cls, config: NTupleConfig) -> "Layout":
        """Return the layout that a run with these settings has; its tuples are drawn or read."""
        return cls(config.geometry, _tuples_of(config), config.states, config.mirror)

    @property
    def slots(self) -> int:
        """Number of readings of the board: tuples, and mirrored tuples."""
        return len(self.tuples) * (2 if self.mirror else 1)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of states of each tuple that can occur, int64[tuples]."""
        return np.array([self._size(cells) for cells in self.tuples], dtype=np.int64)

    @cached_property
    def weights(self) -> int:
        """Number of weights of one table."""
        return sum(self._size(cells) for cells in self.tuples)

    @property
    def all_states(self) -> int:
        """Number of weights of one table as the paper counts them: P to the power of the length."""
        return int(sum(self.states ** len(cells) for cells in self.tuples))

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where the weights of each tuple begin, int64[tuples]."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    @cached_property
    def base(self) -> NDArray[np.int32]:
        """Where the weights of each slot's tuple begin, int32[slots]."""
        return np.tile(self.offsets, self.slots // len(self.tuples)).astype(np.int32)

    @cached_property
    def steps(self) -> NDArray[np.int32]:
        """What each column content adds to each slot's index, int32[columns, contents, slots]."""
        tables = [self._steps(cells) for cells in self.tuples]
        if self.mirror:
            tables += [table[::-1] for table in tables]
        return np.ascontiguousarray(np.stack(tables, axis=2))

    @cached_property
    def empty_index(self) -> NDArray[np.int32]:
        """The indices of the empty board, int32[slots]."""
        index: NDArray[np.int32] = self.base + self.steps[:, 1, :].sum(axis=0, dtype=np.int32)
        return index

    def cell_states(self, tuple_number: int, state: int) -> tuple[int, ...]:
        """Return what each cell of a tuple holds in one of its states (0 to P - 1 a cell)."""
        cells = self.tuples[tuple_number]
        seen: dict[Cell, int] = {}
        for column in range(self.geometry.columns):
            views = self._column_views(cells, column).distinct
            state, view = divmod(state, len(views))
            rows = _rows_in(cells, column)
            seen |= {(column, row): cell for row, cell in zip(rows, views[view], strict=True)}
        return tuple(seen[cell] for cell in cells)

    def _size(self, cells: tuple[Cell, ...]) -> int:
        return count_states(cells, self.geometry, self.states)

    def _steps(self, cells: tuple[Cell, ...]) -> NDArray[np.int32]:
        """Return what each column content adds to a tuple's index, int32[columns, contents]."""
        table = np.zeros((self.geometry.columns, 2 << self.geometry.rows), dtype=np.int32)
        radix = 1
        for column in range(self.geometry.columns):
            views = self._column_views(cells, column)
            table[column] = views.numbers * radix
            radix *= len(views.distinct)
        return table

    def _column_views(self, cells: tuple[Cell, ...], column: int) -> "ColumnViews":
        return column_views(_rows_in(cells, column), self.geometry.rows, self.states)


def _tuples_of(config: NTupleConfig) -> Tuples:
    if config.creation == "file":
        return read_tuples(Path(str(config.tuple_file)), config.geometry)
    return create_tuples(
        config.creation, config.tuples, config.length, config.geometry, config.tuple_seed
    )


def too_tall(geometry: Geometry) -> str:
    """Say that the columns of a board have too many contents."""
    return f"n-tuple networks take boards of up to {MOST_ROWS} rows, not {geometry.rows}"


def count_states(cells: tuple[Cell, ...], geometry: Geometry, states: int) -> int:
    """Count the states of a tuple that can occur on a board."""
    columns = (_rows_in(cells, column) for column in range(geometry.columns))
    return prod(len(column_views(rows, geometry.rows, states).distinct) for rows in columns)


@dataclass(frozen=True, eq=False)
class ColumnViews:
    """How some cells of a column can look."""

    distinct: list[View]
    """All different views, in order."""
    numbers: NDArray[np.int32]
    """The number of the view that each content gives, int32[contents]; content 0 cannot be."""


@lru_cache(maxsize=4096)
def column_views(rows: tuple[int, ...], board_rows: int, states: int) -> ColumnViews:
    """Return the views that the cells in these rows can give."""
    views = [_view(rows, content, states) for content in range(1, 2 << board_rows)]
    distinct = sorted(set(views))
    numbers = {view: number for number, view in enumerate(distinct)}
    return ColumnViews(distinct, np.array([0] + [numbers[v] for v in views], dtype=np.int32))


def _view(rows: tuple[int, ...], content: int, states: int) -> View:
    height = content.bit_length() - 1
    return tuple(_cell_state(row, height, content, states) for row in rows)


def _cell_state(row: int, height: int, content: int, states: int) -> int:
    if row < height:
        return FIRST if content >> row & 1 else SECOND
    return REACHABLE if row == height and states == 4 else EMPTY


def _rows_in(cells: tuple[Cell, ...], column: int) -> tuple[int, ...]:
    return tuple(row for c, row in cells if c == column)
