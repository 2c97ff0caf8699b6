"""The board as plain Python integers: who stands where, and where a stone would win.

Bit ``column * (rows + 1) + row`` is a cell, rows counted from the bottom; the top bit of a column
stays empty. ``mover`` are the stones of the side to move, ``occupied`` those of both.
"""

from typing import Any


class Board:
    """The size of a board and the rules on it."""

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        self.bits = rows + 1
        self.bottom = sum(1 << (column * self.bits) for column in range(columns))
        self.cells = self.bottom * ((1 << rows) - 1)
        self.n_cells = columns * rows
        self.masks = [((1 << rows) - 1) << (column * self.bits) for column in range(columns)]
        self.steps = (1, self.bits - 1, self.bits, self.bits + 1)
        middle_out = sorted(range(columns), key=lambda c: (abs(2 * c - columns + 1), -c))
        self.middle_out = [self.masks[column] for column in middle_out]
        """The cells of each column, the middle ones first."""

    def landing(self, occupied: int) -> int:
        """Return the cell where a stone would come to rest in every column with room."""
        return (occupied + self.bottom) & self.cells

    def column_of(self, cell: int) -> int:
        """Return the column of a single cell."""
        return (cell.bit_length() - 1) // self.bits

    def columns_of(self, cells: int) -> list[int]:
        """Return the columns in which any of these cells lie, from left to right."""
        return [column for column, mask in enumerate(self.masks) if cells & mask]

    def has_line(self, stones: int) -> bool:
        """Say whether these stones hold ``connect`` in a line."""
        for step in self.steps:
            run, length = stones, 1
            while 2 * length <= self.connect:
                run &= run >> (step * length)
                length *= 2
            if run & (run >> (step * (self.connect - length))):
                return True
        return False

    def winning(self, stones: int, occupied: int) -> int:
        """Return the empty cells, reachable or not, where one more of these stones wins."""
        if self.connect != 4:
            return self._winning_any(stones) & (self.cells ^ occupied)
        found = (stones << 1) & (stones << 2) & (stones << 3)
        for step in self.steps[1:]:
            up, down = stones << step, stones >> step
            before, after = up & (up << step), down & (down >> step)
            found |= before & ((before << step) | down) | after & ((after >> step) | up)
        return found & (self.cells ^ occupied)

    def _winning_any(self, stones: int) -> int:
        found = 0
        for step in self.steps:
            for below in range(self.connect):
                full = -1
                for i in range(1, below + 1):
                    full &= stones << (step * i)
                for i in range(1, self.connect - below):
                    full &= stones >> (step * i)
                found |= full
        return found

    def share(self, cells: int) -> list[float]:
        """Return the chances when the columns of these cells are equally likely."""
        chosen = self.columns_of(cells)
        return [1.0 / len(chosen) if column in chosen else 0.0 for column in range(self.columns)]

    def read(self, observation: Any, configuration: Any) -> tuple[int, int]:
        """Return ``mover`` and ``occupied`` of what Kaggle shows, and refuse another board."""
        names = ("columns", "rows", "inarow")
        shown = tuple(int(look_up(configuration, name)) for name in names)
        if shown != (self.columns, self.rows, self.connect):
            made_for = (self.columns, self.rows, self.connect)
            raise ValueError(f"made for {made_for} (columns, rows, inarow), not for {shown}")
        mark, mover, occupied = look_up(observation, "mark"), 0, 0
        for place, stone in enumerate(look_up(observation, "board")):
            row, column = divmod(place, self.columns)
            cell = 1 << (column * self.bits + self.rows - 1 - row)
            occupied |= cell if stone else 0
            mover |= cell if stone == mark else 0
        return mover, occupied


def look_up(source: Any, name: str, default: Any = None) -> Any:
    """Return an entry of a dictionary, or an attribute of anything else."""
    if isinstance(source, dict):
        return source.get(name, default)
    return getattr(source, name, default)
