"""The rules made of cells alone: claimeven, vertical, baseinverse, the inverses and baseclaim.

"Even" is a cell with an even number of open cells above it (:mod:`connectlab.agents.allis.groups`).
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.allis.groups import AREA, Area
from connectlab.agents.allis.instances import (
    BASECLAIM,
    BASEINVERSE,
    CLAIMEVEN,
    HIGHINVERSE,
    INSTANCES,
    LOWINVERSE,
    VERTICAL,
    Instances,
    begin,
    keep,
    solve_with,
)
from connectlab.game import Shape
from connectlab.game.bitboard import ONE, SHAPE, TWO, ZERO, column_cells, column_of

_u8, _i8 = types.uint64, types.int64
_words = types.uint64[::1]
_rule = types.void(AREA, SHAPE, _words, _i8, INSTANCES)
Live = NDArray[np.uint64]


@kernel(_u8(_u8), inline=True)
def lowest(cells: Word) -> Word:
    """Return the first cell of a set."""
    return cells & (~cells + ONE)


@kernel(_rule, borrows=True)
def add_claimevens(area: Area, shape: Shape, live: Live, n: int, instances: Instances) -> None:
    """Two open cells, the upper one even: the follower gets the upper one."""
    uppers = area.even & (area.open << ONE)
    while uppers != ZERO:
        upper = lowest(uppers)
        uppers ^= upper
        begin(instances, CLAIMEVEN, upper | (upper >> ONE), upper >> ONE)
        if solve_with(instances, live, n, upper):
            keep(instances)


@kernel(_rule, borrows=True)
def add_verticals(area: Area, shape: Shape, live: Live, n: int, instances: Instances) -> None:
    """Two open cells, the upper one odd: the follower gets one of them."""
    uppers = area.open & ~area.even & (area.open << ONE)
    while uppers != ZERO:
        upper = lowest(uppers)
        uppers ^= upper
        begin(instances, VERTICAL, upper | (upper >> ONE), ZERO)
        if solve_with(instances, live, n, upper | (upper >> ONE)):
            keep(instances)


@kernel(_rule, borrows=True)
def add_baseinverses(area: Area, shape: Shape, live: Live, n: int, instances: Instances) -> None:
    """Two playable cells: the follower gets one of them."""
    firsts = area.playable
    while firsts != ZERO:
        first = lowest(firsts)
        firsts ^= first
        seconds = firsts
        while seconds != ZERO:
            second = lowest(seconds)
            seconds ^= second
            begin(instances, BASEINVERSE, first | second, ZERO)
            if solve_with(instances, live, n, first | second):
                keep(instances)


@kernel(_u8(_u8, AREA, SHAPE))
def _down_from(cell: Word, area: Area, shape: Shape) -> Word:
    """Return a cell and the open ones below it in its column."""
    return column_cells(column_of(cell, shape), shape) & area.open & (cell | (cell - ONE))


@kernel(_rule, borrows=True)
def add_lowinverses(area: Area, shape: Shape, live: Live, n: int, instances: Instances) -> None:
    """Verticals in two columns: the follower gets one of their upper cells as well."""
    firsts = area.open & ~area.even & (area.open << ONE)
    while firsts != ZERO:
        first = lowest(firsts)
        firsts ^= first
        seconds = firsts & ~column_cells(column_of(first, shape), shape)
        while seconds != ZERO:
            second = lowest(seconds)
            seconds ^= second
            uppers = first | second
            begin(instances, LOWINVERSE, uppers | (uppers >> ONE), ZERO)
            instances.below[instances.size[0]] = _down_from(first, area, shape) | _down_from(
                second, area, shape
            )
            solve_with(instances, live, n, first | (first >> ONE))
            solve_with(instances, live, n, second | (second >> ONE))
            if solve_with(instances, live, n, uppers):
                keep(instances)


@kernel(_rule, borrows=True)
def add_highinverses(area: Area, shape: Shape, live: Live, n: int, instances: Instances) -> None:
    """Three open cells in two columns, the uppermost even."""
    firsts = area.even & (area.open << ONE) & (area.open << TWO)
    while firsts != ZERO:
        first = lowest(firsts)
        firsts ^= first
        seconds = firsts & ~column_cells(column_of(first, shape), shape)
        while seconds != ZERO:
            second = lowest(seconds)
            seconds ^= second
            uppers = first | second
            cells = uppers | (uppers >> ONE) | (uppers >> TWO)
            begin(instances, HIGHINVERSE, cells, ZERO)
            instances.below[instances.size[0]] = _down_from(first, area, shape) | _down_from(
                second, area, shape
            )
            useful = solve_with(instances, live, n, uppers)
            useful |= solve_with(instances, live, n, uppers >> ONE)
            useful |= solve_with(instances, live, n, first | (first >> ONE))
            useful |= solve_with(instances, live, n, second | (second >> ONE))
            if (first >> TWO) & area.playable != ZERO:
                useful |= solve_with(instances, live, n, (first >> TWO) | second)
            if (second >> TWO) & area.playable != ZERO:
                useful |= solve_with(instances, live, n, (second >> TWO) | first)
            if useful:
                keep(instances)


@kernel(_rule, borrows=True)
def add_baseclaims(area: Area, shape: Shape, live: Live, n: int, instances: Instances) -> None:
    """Three playable cells and the even one above the second of them."""
    seconds = area.playable & (area.even >> ONE)
    while seconds != ZERO:
        second = lowest(seconds)
        seconds ^= second
        above = second << ONE
        firsts = area.playable & ~second
        while firsts != ZERO:
            first = lowest(firsts)
            firsts ^= first
            thirds = area.playable & ~second & ~first
            while thirds != ZERO:
                third = lowest(thirds)
                thirds ^= third
                begin(instances, BASECLAIM, first | second | third | above, second)
                if solve_with(instances, live, n, first | above) and solve_with(
                    instances, live, n, second | third
                ):
                    keep(instances)
