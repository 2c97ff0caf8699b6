"""What an agent sees: two planes of stones, and the columns that it may play.

Planes are int8[rows, columns, 2] as in PettingZoo's connect_four_v3: top row first; plane 0 holds
the agent's own stones, plane 1 those of the other side. Masks are int8[columns], 1 where a column
may be played.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO

Planes = NDArray[np.int8]
Mask = NDArray[np.int8]

_u8 = types.uint64


@kernel(types.void(_u8, _u8, SHAPE, types.int8[:, :, ::1]))
def write_planes(own: Word, other: Word, shape: Shape, planes: Planes) -> None:
    """Write the stones of the agent and of the other side, int8[rows, columns, 2]."""
    for column in range(shape.columns):
        for height in range(shape.rows):
            row = shape.rows - 1 - height
            planes[row, column, 0] = own & ONE
            planes[row, column, 1] = other & ONE
            own >>= ONE
            other >>= ONE
        own >>= ONE  # the spare bit on top
        other >>= ONE


@kernel(types.void(_u8, SHAPE, types.int8[::1]))
def write_mask(occupied: Word, shape: Shape, mask: Mask) -> None:
    """Write 1 where a column has room, int8[columns]."""
    top = ONE << np.uint64(shape.rows - 1)
    for column in range(shape.columns):
        mask[column] = (occupied & top) == ZERO
        top <<= shape.column_bits


def planes_of(own: int, other: int, geometry: Geometry) -> Planes:
    """Return the planes of one board."""
    planes = np.empty((geometry.rows, geometry.columns, 2), dtype=np.int8)
    write_planes(own, other, geometry.shape, planes)
    return planes


def mask_of(occupied: int, geometry: Geometry) -> Mask:
    """Return which columns of one board have room."""
    mask = np.empty(geometry.columns, dtype=np.int8)
    write_mask(occupied, geometry.shape, mask)
    return mask
