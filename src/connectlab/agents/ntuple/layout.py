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
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.base import AgentError
from connectlab.agents.ntuple.tuples import Cell, Tuples, check_tuples
from connectlab.game import Geometry

MAX_ROWS = 10
"""Taller columns would have more than 2,047 contents."""

EMPTY, FIRST, SECOND, REACHABLE = range(4)


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
        check_tuples(self.tuples, self.geometry)
        if self.geometry.rows > MAX_ROWS:
            raise AgentError(
                f"n-tuple networks take boards of up to {MAX_ROWS} rows, not {self.geometry.rows}"
            )

    @property
    def slots(self) -> int:
        """Number of readings of the board: tuples, and mirrored tuples."""
        return len(self.tuples) * (2 if self.mirror else 1)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of states of each tuple that can occur, int64[tuples]."""
        return np.array([self._views(cells)[1] for cells in self.tuples], dtype=np.int64)

    @property
    def weights(self) -> int:
        """Number of weights of one table."""
        return int(self.sizes.sum())

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
        tables = [self._views(cells)[0] for cells in self.tuples]
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
            views = self._column_views(cells, column)
            state, view = divmod(state, len(views))
            rows = _rows_in(cells, column)
            seen |= {(column, row): cell for row, cell in zip(rows, views[view], strict=True)}
        return tuple(seen[cell] for cell in cells)

    def _views(self, cells: tuple[Cell, ...]) -> tuple[NDArray[np.int32], int]:
        """Return int32[columns, contents] of a tuple's index steps, and its number of states."""
        contents = 2 << self.geometry.rows
        table = np.zeros((self.geometry.columns, contents), dtype=np.int32)
        radix = 1
        for column in range(self.geometry.columns):
            views = self._column_views(cells, column)
            numbers = {view: number for number, view in enumerate(views)}
            rows = _rows_in(cells, column)
            for content in range(1, contents):
                table[column, content] = numbers[self._view(rows, content)] * radix
            radix *= len(views)
        return table, radix

    def _column_views(self, cells: tuple[Cell, ...], column: int) -> list[tuple[int, ...]]:
        """Return the distinct ways a tuple can see a column, in order."""
        rows = _rows_in(cells, column)
        return sorted({self._view(rows, content) for content in range(1, 2 << self.geometry.rows)})

    def _view(self, rows: list[int], content: int) -> tuple[int, ...]:
        height = content.bit_length() - 1
        return tuple(self._cell_state(row, height, content) for row in rows)

    def _cell_state(self, row: int, height: int, content: int) -> int:
        if row < height:
            return FIRST if content >> row & 1 else SECOND
        return REACHABLE if row == height and self.states == 4 else EMPTY


def _rows_in(cells: tuple[Cell, ...], column: int) -> list[int]:
    return [row for c, row in cells if c == column]
