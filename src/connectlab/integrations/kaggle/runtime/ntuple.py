"""An n-tuple network: how it reads a board and what it values.

A column's *content* is its stones as bits (1 for the first player) under a marker bit. What a tuple
sees of a column depends on its content alone, so the weight index of a tuple is a sum over columns,
and a move changes it by one row of a table, for all tuples at once. Sums are in fixed point: whole
numbers, so they do not depend on the order in which they are added.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from connectlab.integrations.kaggle.runtime.board import Board

Indices = NDArray[np.int64]
Cells = tuple[tuple[int, int], ...]
"""The (column, row) cells of a tuple."""


class NTupleNetwork:
    """The values of positions and moves, in fixed point, for the side to move."""

    def __init__(
        self,
        board: Board,
        arrays: Mapping[str, NDArray[np.generic]],
        states: int,
        mirror: bool,
        tables: int,
        scale: float,
    ) -> None:
        self.board = board
        tuples = read_tuples(arrays["cells"], arrays["lengths"])
        base, steps = tuple_tables(board, tuples, states, mirror)
        weights = np.rint(arrays["weights"].astype(np.float64) * scale).astype(np.int32)
        size = len(weights) // tables
        self._weights = (weights[:size], weights[size:] if tables == 2 else weights)
        self._base = base
        self._contents = 2 << board.rows
        self._steps = steps.reshape(-1, steps.shape[2])
        self._changes = tuple(stone_changes(steps, player) for player in (0, 1))
        self._starts = [column * self._contents for column in range(board.columns)]

    def read(self, mover: int, occupied: int) -> Indices:
        """Return the weight index of every tuple in a position, int64[slots]."""
        index: Indices = self._base + self._steps[self._rows(mover, occupied)].sum(axis=0)
        return index

    def value(self, index: Indices, occupied: int) -> int:
        """Return the value of a position with these indices, for the side to move."""
        player = bin(occupied).count("1") & 1
        total = int(np.add.reduce(self._weights[player].take(index), dtype=np.int32))
        return -total if player else total

    def moves(self, mover: int, occupied: int, index: Indices, cells: int) -> "Moves":
        """Return the states after moves to some cells, from left to right."""
        player = bin(occupied).count("1") & 1
        rows = self._rows(mover, occupied)
        chosen, listed = [], []
        for column, mask in enumerate(self.board.masks):
            cell = cells & mask
            if cell:
                listed.append(cell)
                chosen.append(rows[column])
        after = self._changes[player].take(chosen, axis=0)
        after += index
        totals = np.add.reduce(self._weights[1 - player].take(after), axis=1, dtype=np.int32)
        values = totals.tolist()
        return listed, [-value for value in values] if player else values, after

    def move(self, mover: int, occupied: int, index: Indices, cell: int) -> Indices:
        """Return the indices after one move."""
        player = bin(occupied).count("1") & 1
        row = self._rows(mover, occupied)[self.board.column_of(cell)]
        changed: Indices = self._changes[player][row] + index
        return changed

    def _rows(self, mover: int, occupied: int) -> list[int]:
        """Return the row of each column's content in the tables."""
        first = mover ^ occupied if bin(occupied).count("1") & 1 else mover
        key = first + occupied + self.board.bottom
        bits, content = self.board.bits, self._contents - 1
        return [
            start + (key >> (column * bits) & content) for column, start in enumerate(self._starts)
        ]


Moves = tuple[list[int], list[int], Indices]
"""Cells, the value of each for the side that moves, and the indices after each."""


def read_tuples(cells: NDArray[np.generic], lengths: NDArray[np.generic]) -> list[Cells]:
    """Return the tuples from their cells in a row, [n, 2], and the length of each."""
    pairs = [(int(column), int(row)) for column, row in cells.tolist()]
    ends = np.cumsum(lengths.astype(np.int64)).tolist()
    return [tuple(pairs[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def tuple_tables(
    board: Board, tuples: list[Cells], states: int, mirror: bool
) -> tuple[Indices, NDArray[np.int64]]:
    """Return where the weights of each slot begin, and what each column content adds.

    int64[slots] and int64[columns, contents, slots]; a slot is a tuple, or the mirror image of one.
    """
    tables, starts, start = [], [], 0
    for cells in tuples:
        table = np.zeros((board.columns, 2 << board.rows), dtype=np.int64)
        radix = 1
        for column in range(board.columns):
            rows = tuple(row for c, row in cells if c == column)
            numbers = view_numbers(rows, board.rows, states)
            table[column] = np.array(numbers) * radix
            radix *= max(numbers) + 1
        tables.append(table)
        starts.append(start)
        start += radix
    if mirror:
        tables += [table[::-1] for table in tables]
        starts *= 2
    return np.array(starts, dtype=np.int64), np.ascontiguousarray(np.stack(tables, axis=2))


def stone_changes(steps: NDArray[np.int64], player: int) -> NDArray[np.int64]:
    """Return what a stone of a player adds to each index, int64[columns * contents, slots].

    The row is that of the content before; full columns have rows of no meaning.
    """
    columns, contents, slots = steps.shape
    old = np.arange(1, contents // 2)
    height = np.array([int(content).bit_length() - 1 for content in old])
    changes = np.zeros((columns, contents, slots), dtype=np.int64)
    changes[:, old] = steps[:, old + (1 << (height + 1 - player))] - steps[:, old]
    return changes.reshape(-1, slots)


SEEN: dict[tuple[tuple[int, ...], int, int], list[int]] = {}


def view_numbers(rows: tuple[int, ...], board_rows: int, states: int) -> list[int]:
    """Return for each content of a column the number of what some of its rows hold."""
    asked = (rows, board_rows, states)
    if asked not in SEEN:
        views = [
            tuple(cell_state(row, content, states) for row in rows)
            for content in range(1, 2 << board_rows)
        ]
        numbers = {view: number for number, view in enumerate(sorted(set(views)))}
        SEEN[asked] = [0] + [numbers[view] for view in views]
    return SEEN[asked]


def cell_state(row: int, content: int, states: int) -> int:
    """Return what a cell holds: 0 nothing, 1 first, 2 second, 3 nothing but can be reached."""
    height = content.bit_length() - 1
    if row < height:
        return 1 if content >> row & 1 else 2
    return 3 if row == height and states == 4 else 0
