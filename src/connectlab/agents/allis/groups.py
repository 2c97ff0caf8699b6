"""Groups, and the part of the board that a follower can steer.

A *group* is ``connect`` cells in a line. The *leader* is the side to move and the *follower* the
other one, who answers every stone: the rules are about what the follower can prevent.

The follower steers because an even number of cells is left to answer on. So what matters of a cell
is not the number of its row but how far it lies below the top of its column: a cell with an even
number of cells above it is called *even* here. On a board with an even number of rows that is what
Allis calls even; counted from the top the rules hold on every board.

Where the follower threatens to win on a cell t, the cell below t is *poison* for the leader, and
the follower leaves it alone: for both the column ends there. Empty cells below the end are *open*.

```
 6  .            6  .            t: the follower wins here
 5  .            5  .            p: poison: nobody plays it but a leader that has nothing else
 4  e   even     4  t            e: even among the open cells
 3  .            3  p
 2  e            2  e
 1  .            1  .
 a free column   with a threat
```
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import NumbaType, Word, kernel
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO, column_cells, landing_cells

_u8, _i8 = types.uint64, types.int64


class Area(NamedTuple):
    """What the rules need to know of a position besides the stones."""

    leader: np.uint64
    """Stones of the side to move."""
    follower: np.uint64
    """Stones of the side whose rules these are."""
    open: np.uint64
    """Empty cells that are played before anybody has to touch poison."""
    even: np.uint64
    """Open cells with an even number of open cells above them in their column."""
    playable: np.uint64
    """Open cells on which a stone can be put at once."""
    poison: np.uint64
    """The cell right above the open cells of a column that ends below a threat."""


AREA: NumbaType = types.NamedUniTuple(_u8, 6, Area)  # type: ignore[no-untyped-call]


def list_groups(geometry: Geometry) -> NDArray[np.uint64]:
    """Return the cells of every group of a board, uint64[groups]."""
    found = []
    for step_column, step_row in ((0, 1), (1, -1), (1, 0), (1, 1)):
        for column in range(geometry.columns):
            for row in range(geometry.rows):
                ends = [
                    (column + i * step_column, row + i * step_row) for i in range(geometry.connect)
                ]
                last_column, last_row = ends[-1]
                if last_column < geometry.columns and 0 <= last_row < geometry.rows:
                    found.append(sum(geometry.cell(*end) for end in ends))
    return np.array(found, dtype=np.uint64)


@kernel(AREA(_u8, _u8, _u8, SHAPE))
def make_area(leader: Word, occupied: Word, threats: Word, shape: Shape) -> Area:
    """Return the area when the columns of these threats of the follower end below them.

    Only the lowest threat of a column counts. None of them may be playable.
    """
    empty = shape.board ^ occupied
    landing = landing_cells(occupied, shape)
    open_cells, even, poison = ZERO, ZERO, ZERO
    for column in range(shape.columns):
        cells = column_cells(column, shape) & empty
        blocked = (threats >> ONE) & cells
        lowest = blocked & (~blocked + ONE)
        if lowest != ZERO:
            poison |= lowest
            cells &= lowest - ONE
        open_cells |= cells
        rest = cells
        while rest != ZERO:  # the top cell, and every second one below it
            top = rest & ~(rest >> ONE)
            even |= top
            rest &= ~(top | (top >> ONE))
    return Area(leader, leader ^ occupied, open_cells, even, landing & open_cells, poison)


@kernel(_i8(types.Array(_u8, 1, "C", readonly=True), AREA, SHAPE, types.uint64[::1]))
def live_groups(
    groups: NDArray[np.uint64], area: Area, shape: Shape, live: NDArray[np.uint64]
) -> int:
    """Write the empty cells of every group that the leader could still complete; return how many.

    A group with a cell above poison is none: whoever plays the poison, the threat is taken or the
    game over first. A group whose empty cells contain those of another is left out too: whatever
    solves that one solves it as well.
    """
    reachable = area.leader | area.open | area.poison
    count = 0
    for i in range(groups.shape[0]):
        if groups[i] & ~reachable != ZERO:
            continue
        cells = groups[i] & ~area.leader
        fresh = True
        for j in range(count):
            if live[j] & ~cells == ZERO:
                fresh = False
                break
        if not fresh:
            continue
        kept = 0
        for j in range(count):
            if cells & ~live[j] != ZERO:
                live[kept] = live[j]
                kept += 1
        live[kept] = cells
        count = kept + 1
    return count
