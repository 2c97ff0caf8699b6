"""What an agent sees: two planes of stones, and the columns that it may play.

Planes are int8[rows, columns, 2] as in PettingZoo's connect_four_v3: top row first; plane 0 holds
the agent's own stones, plane 1 those of the other side. Masks are int8[columns], 1 where a column
may be played.

The two entries of a cell lie side by side, so the kernels write both at once as one *pair*, a
uint16 whose low byte comes first in memory (as on every machine that Numba compiles for), and all
pairs of a board in one loop without a branch, which the compiler turns into vector instructions.
"""

from functools import lru_cache

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import NumbaType, Word, kernel
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import ONE, SHAPE, WORDS, ZERO

Planes = NDArray[np.int8]
Mask = NDArray[np.int8]
Pairs = NDArray[np.uint16]

SHIFTS: NumbaType = WORDS
"""Numba's type of what :func:`cell_shifts` returns."""

_BYTE = np.uint16(8)
_u8 = types.uint64


@lru_cache(maxsize=64)
def cell_shifts(geometry: Geometry) -> NDArray[np.uint64]:
    """Return the bit number of every cell in the order of the planes, uint64[cells]."""
    order = [
        column * (geometry.rows + 1) + row
        for row in reversed(range(geometry.rows))
        for column in range(geometry.columns)
    ]
    shifts = np.array(order, dtype=np.uint64)
    shifts.flags.writeable = False
    return shifts


@kernel(types.void(_u8, _u8, SHIFTS, types.uint16[::1]))
def write_planes(own: Word, other: Word, shifts: NDArray[np.uint64], pairs: Pairs) -> None:
    """Write the stones of the agent and of the other side, uint16[cells]."""
    for cell in range(shifts.shape[0]):
        first = np.uint16((own >> shifts[cell]) & ONE)
        second = np.uint16((other >> shifts[cell]) & ONE)
        pairs[cell] = first | (second << _BYTE)


@kernel(types.void(_u8, SHAPE, types.int8[::1]))
def write_mask(occupied: Word, shape: Shape, mask: Mask) -> None:
    """Write 1 where a column has room, int8[columns]."""
    top = occupied >> np.uint64(shape.rows - 1)
    for column in range(shape.columns):
        mask[column] = (top & ONE) == ZERO
        top >>= shape.column_bits


def planes_of(own: int, other: int, geometry: Geometry) -> Planes:
    """Return the planes of one board."""
    pairs = np.empty(geometry.cells, dtype=np.uint16)
    write_planes(own, other, cell_shifts(geometry), pairs)
    return pairs.view(np.int8).reshape(geometry.rows, geometry.columns, 2)


def top_cells(geometry: Geometry) -> int:
    """Return the highest cell of every column, which is taken once the column is full."""
    return int(geometry.shape.bottom) << (geometry.rows - 1)


@lru_cache(maxsize=4096)
def open_columns(full: int, geometry: Geometry) -> Mask:
    """Return the mask of a board on which these of the highest cells are taken; read only."""
    mask = np.empty(geometry.columns, dtype=np.int8)
    write_mask(full, geometry.shape, mask)
    mask.flags.writeable = False
    return mask
