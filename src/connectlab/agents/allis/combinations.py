"""Which two instances may be used together."""

from numba import types

from connectlab._jit import Word, kernel
from connectlab.agents.allis.instances import (
    AFTEREVEN,
    BEFORE,
    INSTANCES,
    SPECIALBEFORE,
    Instances,
)
from connectlab.game import Shape
from connectlab.game.bitboard import SHAPE, ZERO, column_cells

_u8, _i8 = types.uint64, types.int64


@kernel(types.boolean(_i8, INSTANCES), borrows=True)
def _may_share(i: int, instances: Instances) -> bool:
    """Say whether an instance is of a rule whose claimevens and verticals others may use too."""
    kind = instances.kind[i]
    has_own_group = kind == AFTEREVEN or kind == BEFORE or kind == SPECIALBEFORE  # noqa: PLR1714
    return bool(has_own_group or instances.below[i] != ZERO)


@kernel(types.boolean(_u8, _u8, SHAPE))
def _same_or_apart(one: Word, two: Word, shape: Shape) -> bool:
    """Say whether in every column two sets of cells are equal or have no cell in common."""
    for column in range(shape.columns):
        cells = column_cells(column, shape)
        if one & two & cells != ZERO and one & cells != two & cells:
            return False
    return True


@kernel(types.boolean(_i8, _i8, INSTANCES, SHAPE), borrows=True)
def compatible(i: int, j: int, instances: Instances, shape: Shape) -> bool:
    """Say whether the follower can keep to both instances."""
    if (instances.lows[i] & instances.below[j]) | (instances.lows[j] & instances.below[i]) != ZERO:
        return False
    if instances.below[i] & instances.below[j] != ZERO:  # two inverses in one column
        return False
    shared = instances.cells[i] & instances.cells[j]
    if shared == ZERO:
        return True
    if not (_may_share(i, instances) and _may_share(j, instances)):
        return False
    if shared & (instances.solo[i] | instances.solo[j]) != ZERO:
        return False
    return _same_or_apart(instances.cells[i], instances.cells[j], shape)
