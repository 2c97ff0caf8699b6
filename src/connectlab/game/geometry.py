"""The size of a board and how its cells map to bits.

Bit index of each cell on the standard board: column by column, bottom up. Every column has one
spare bit on top (6, 13, …) that is never set; it keeps lines from running into the next column.

```
      .  6 13 20 27 34 41 48   spare
 row 5   5 12 19 26 33 40 47
 row 4   4 11 18 25 32 39 46
 row 3   3 10 17 24 31 38 45
 row 2   2  9 16 23 30 37 44
 row 1   1  8 15 22 29 36 43
 row 0   0  7 14 21 28 35 42
 column  0  1  2  3  4  5  6
```
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from connectlab.errors import GameError
from connectlab.game.variants import PLAIN, Variant

MAX_BITS = 64
MIN_CONNECT = 3


class Shape(NamedTuple):
    """What a kernel needs to know of a board, as plain numbers."""

    columns: int
    rows: int
    connect: int
    """Stones in a line that win; ``MAX_BITS``, which no board has room for, stands for more."""
    column_bits: np.uint64
    """Bits a column takes: rows + 1."""
    bottom: np.uint64
    """The lowest cell of every column."""
    board: np.uint64
    """Every cell."""


@dataclass(frozen=True, repr=False)
class Geometry:
    """A board of ``columns`` x ``rows`` on which ``connect`` stones in a line win."""

    columns: int = 7
    rows: int = 6
    connect: int = 4
    variant: Variant = PLAIN
    """How the game on this board differs from the plain one."""

    def __post_init__(self) -> None:
        for name in ("columns", "rows", "connect"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise GameError(f"{name} must be a whole number, not {value!r}")
            object.__setattr__(self, name, int(value))
        if self.columns < 1 or self.rows < 1:
            raise GameError(
                f"a board needs at least 1 column and 1 row, not {self.columns}x{self.rows}"
            )
        if self.columns * (self.rows + 1) > MAX_BITS:
            raise GameError(
                f"a board of {self.columns}x{self.rows} is too large: columns * (rows + 1) may be "
                f"at most {MAX_BITS}, and here it is {self.columns * (self.rows + 1)}"
            )
        if self.connect < MIN_CONNECT:
            raise GameError(f"connect must be {MIN_CONNECT} or more, not {self.connect}")

    @property
    def cells(self) -> int:
        """Number of cells, which is also the greatest number of plies unless rows fall."""
        return self.columns * self.rows

    @property
    def plain(self) -> "Geometry":
        """The same board for the plain game."""
        return self if self.variant.is_plain else replace(self, variant=PLAIN)

    @cached_property
    def shape(self) -> Shape:
        """The board as the kernels take it."""
        bits = self.rows + 1
        bottom = sum(1 << (column * bits) for column in range(self.columns))
        return Shape(
            self.columns,
            self.rows,
            min(self.connect, MAX_BITS),
            np.uint64(bits),
            np.uint64(bottom),
            np.uint64(bottom * ((1 << self.rows) - 1)),
        )

    def cell(self, column: int, row: int) -> int:
        """Bit with only the cell at ``column`` and ``row`` (both 0-based, row 0 at the bottom)."""
        return 1 << (column * (self.rows + 1) + row)

    def to_json(self) -> dict[str, int | str]:
        """Return the board as plain data; a variant is named only where there is one."""
        board: dict[str, int | str] = {
            "columns": self.columns,
            "rows": self.rows,
            "connect": self.connect,
        }
        return board if self.variant.is_plain else {**board, "variant": str(self.variant)}

    def __str__(self) -> str:
        board = f"{self.columns}x{self.rows} connect-{self.connect}"
        return board if self.variant.is_plain else f"{board} {self.variant}"

    def __repr__(self) -> str:
        variant = "" if self.variant.is_plain else f", variant={self.variant!r}"
        board = f"columns={self.columns}, rows={self.rows}, connect={self.connect}"
        return f"Geometry({board}{variant})"


STANDARD = Geometry()
"""Connect Four: seven columns, six rows, four in a line."""
