"""The rules that rest on a group of the follower's own: aftereven, before, specialbefore.

The follower's group is *its own* if no stone of the leader's lies in it and all its empty cells are
open. The follower completes it before the leader can have every cell right above its empty cells.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import NumbaType, Word, kernel
from connectlab.agents.allis.groups import AREA, Area
from connectlab.agents.allis.instances import (
    AFTEREVEN,
    BEFORE,
    INSTANCES,
    SPECIALBEFORE,
    WORD_BITS,
    Instances,
    any_with,
    begin,
    keep,
    solve_with,
)
from connectlab.agents.allis.pair_rules import lowest
from connectlab.game import Shape
from connectlab.game.bitboard import ONE, SHAPE, ZERO, column_cells, column_of, popcount

_u8, _i8 = types.uint64, types.int64
_words = types.uint64[::1]
_READ: NumbaType = types.Array(_u8, 1, "C", readonly=True)
Live = NDArray[np.uint64]


@kernel(types.boolean(_u8, SHAPE))
def _in_different_columns(cells: Word, shape: Shape) -> bool:
    for column in range(shape.columns):
        if popcount(cells & column_cells(column, shape)) > 1:
            return False
    return True


@kernel(types.boolean(INSTANCES, AREA, SHAPE, _words, _i8, _u8), borrows=True)
def _solve_above(
    instances: Instances, area: Area, shape: Shape, live: Live, n: int, empty: Word
) -> bool:
    """Solve every group with a cell above each of these cells; say if any is new."""
    row = instances.solved[instances.size[0]]
    new = False
    for group in range(n):
        rest, above_all = empty, True
        while rest != ZERO and above_all:
            cell = lowest(rest)
            rest ^= cell
            above = column_cells(column_of(cell, shape), shape) & ~(cell | (cell - ONE))
            above_all = live[group] & above != ZERO
        if above_all:
            bit = ONE << np.uint64(group % WORD_BITS)
            new |= row[group // WORD_BITS] & bit == ZERO
            row[group // WORD_BITS] |= bit
    return new


@kernel(types.void(AREA, SHAPE, _READ, _words, _i8, INSTANCES), borrows=True)
def add_afterevens(
    area: Area, shape: Shape, groups: Live, live: Live, n: int, instances: Instances
) -> None:
    """An own group whose empty cells are all upper cells of claimevens."""
    claimable = area.even & (area.open << ONE)
    for i in range(groups.shape[0]):
        empty = groups[i] & ~area.follower
        if empty & ~claimable != ZERO:
            continue
        begin(instances, AFTEREVEN, empty | (empty >> ONE), empty >> ONE)
        instances.own[instances.size[0]] = groups[i]
        rest = empty
        while rest != ZERO:
            solve_with(instances, live, n, lowest(rest))
            rest &= rest - ONE
        if _solve_above(instances, area, shape, live, n, empty):
            keep(instances)


@kernel(types.boolean(INSTANCES, AREA, _words, _i8, _u8, _i8, _u8), borrows=True)
def _begin_before(
    instances: Instances, area: Area, live: Live, n: int, empty: Word, choice: int, group: Word
) -> bool:
    """Write the claimevens and verticals of a before; False if there is no such combination.

    Bit i of ``choice`` says that the i-th empty cell is one of a vertical, the lower one if it is
    even and the upper one if it is odd; otherwise it is the upper one of a claimeven.
    """
    begin(instances, BEFORE, ZERO, ZERO)
    i = instances.size[0]
    instances.own[i] = group
    rest = empty
    while rest != ZERO:
        cell = lowest(rest)
        rest ^= cell
        if choice & 1:
            partner = (cell << ONE) if cell & area.even != ZERO else (cell >> ONE)
            if partner & area.open == ZERO:
                return False
            instances.cells[i] |= cell | partner
            solve_with(instances, live, n, cell | partner)
        elif cell & area.even == ZERO:
            return False
        else:
            if (cell >> ONE) & area.open == ZERO:
                return False
            instances.cells[i] |= cell | (cell >> ONE)
            instances.lows[i] |= cell >> ONE
            solve_with(instances, live, n, cell)
        choice >>= 1
    return True


@kernel(types.void(AREA, SHAPE, _READ, _words, _i8, INSTANCES), borrows=True)
def add_befores(
    area: Area, shape: Shape, groups: Live, live: Live, n: int, instances: Instances
) -> None:
    """An own group, each of whose empty cells is one of a claimeven or a vertical.

    With claimevens alone it would be an aftereven, which solves more.
    """
    for i in range(groups.shape[0]):
        empty = groups[i] & ~area.follower
        above = empty << ONE
        if empty & ~area.open != ZERO or above & ~(area.open | area.poison) != ZERO:
            continue
        if not any_with(live, n, above) or not _in_different_columns(empty, shape):
            continue
        for choice in range(1, 1 << popcount(empty)):
            if _begin_before(instances, area, live, n, empty, choice, groups[i]) and solve_with(
                instances, live, n, above
            ):
                keep(instances)


@kernel(types.void(AREA, SHAPE, _READ, _words, _i8, INSTANCES), borrows=True)
def add_specialbefores(
    area: Area, shape: Shape, groups: Live, live: Live, n: int, instances: Instances
) -> None:
    """A before with one playable cell of its group, and a playable cell outside it."""
    for i in range(groups.shape[0]):
        empty = groups[i] & ~area.follower
        above = empty << ONE
        if empty & ~area.open != ZERO or above & ~(area.open | area.poison) != ZERO:
            continue
        if not _in_different_columns(empty, shape):
            continue
        insides = empty & area.playable
        while insides != ZERO:
            inside = lowest(insides)
            insides ^= inside
            outsides = area.playable & ~empty
            while outsides != ZERO:
                outside = lowest(outsides)
                outsides ^= outside
                column = column_cells(column_of(outside, shape), shape)
                if empty & column != ZERO or not any_with(live, n, above | outside):
                    continue
                for choice in range(1 << popcount(empty ^ inside)):
                    if not _begin_before(
                        instances, area, live, n, empty ^ inside, choice, groups[i]
                    ):
                        continue
                    j = instances.size[0]
                    instances.kind[j] = SPECIALBEFORE
                    instances.cells[j] |= inside | outside
                    instances.solo[j] = inside | outside
                    solve_with(instances, live, n, inside | outside)
                    if solve_with(instances, live, n, above | outside):
                        keep(instances)
