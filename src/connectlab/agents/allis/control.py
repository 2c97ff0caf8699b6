"""What the rules prove of a position: that the follower holds it, or even wins it."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type
from connectlab.agents.allis.group_rules import add_afterevens, add_befores, add_specialbefores
from connectlab.agents.allis.groups import AREA, Area, list_groups, live_groups, make_area
from connectlab.agents.allis.instances import (
    AFTEREVEN,
    ALL_RULES,
    BASECLAIM,
    BASEINVERSE,
    BEFORE,
    CLAIMEVEN,
    HIGHINVERSE,
    INSTANCES,
    LOWINVERSE,
    SPECIALBEFORE,
    VERTICAL,
    Instances,
    make_instances,
)
from connectlab.agents.allis.pair_rules import (
    add_baseclaims,
    add_baseinverses,
    add_claimevens,
    add_highinverses,
    add_lowinverses,
    add_verticals,
    lowest,
)
from connectlab.agents.allis.solve import (
    CHOICE,
    SOLVED,
    Choice,
    choose_instances,
    make_choice,
    want_all,
)
from connectlab.game import Geometry, Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    WORDS,
    ZERO,
    landing_cells,
    popcount,
    winning_cells,
)

NOTHING, HOLDS, WINS = range(3)
"""What is proven for the follower: nothing, at least a draw, a win."""

_u8, _i8 = types.uint64, types.int64


class Desk(NamedTuple):
    """Everything a proof needs besides the position; one for each thread."""

    shape: Shape
    groups: NDArray[np.uint64]
    """[groups]: the cells of each group of the board."""
    live: NDArray[np.uint64]
    """[groups]: the empty cells of each group to be solved."""
    instances: Instances
    choice: Choice
    ended: NDArray[np.uint64]
    """[1]: the threats whose columns end below them in the latest proof."""
    max_nodes: int
    """Nodes the choice of a set may take before it is given up."""
    rules: int
    """A bit for each rule that may be used."""


DESK = record_type(
    (
        SHAPE,
        types.Array(_u8, 1, "C", readonly=True),
        types.uint64[::1],
        INSTANCES,
        CHOICE,
        types.uint64[::1],
        _i8,
        _i8,
    ),
    Desk,
)


def make_desk(geometry: Geometry, max_nodes: int, rules: int = ALL_RULES) -> Desk:
    """Return what proofs on a board need."""
    groups = list_groups(geometry)
    groups.flags.writeable = False
    n = len(groups)
    return Desk(
        geometry.shape,
        groups,
        np.zeros(max(1, n), np.uint64),
        make_instances(n),
        make_choice(n),
        np.zeros(1, np.uint64),
        max_nodes,
        rules,
    )


@kernel(_i8(AREA, DESK), borrows=True)
def list_instances(area: Area, desk: Desk) -> int:
    """Write the live groups and every useful instance of an area; return the number of groups."""
    shape, groups, live, found = desk.shape, desk.groups, desk.live, desk.instances
    n = live_groups(groups, area, shape, live)
    found.size[0] = 0
    if desk.rules >> CLAIMEVEN & 1:
        add_claimevens(area, shape, live, n, found)
    if desk.rules >> VERTICAL & 1:
        add_verticals(area, shape, live, n, found)
    if desk.rules >> BASEINVERSE & 1:
        add_baseinverses(area, shape, live, n, found)
    if desk.rules >> AFTEREVEN & 1:
        add_afterevens(area, shape, groups, live, n, found)
    if desk.rules >> LOWINVERSE & 1:
        add_lowinverses(area, shape, live, n, found)
    if desk.rules >> HIGHINVERSE & 1:
        add_highinverses(area, shape, live, n, found)
    if desk.rules >> BASECLAIM & 1:
        add_baseclaims(area, shape, live, n, found)
    if desk.rules >> BEFORE & 1:
        add_befores(area, shape, groups, live, n, found)
    if desk.rules >> SPECIALBEFORE & 1:
        add_specialbefores(area, shape, groups, live, n, found)
    return n


@kernel(types.boolean(_u8, _u8, _u8, DESK), borrows=True)
def all_solved(leader: Word, occupied: Word, threats: Word, desk: Desk) -> bool:
    """Say whether the follower stops every group when the columns of these threats end."""
    area = make_area(leader, occupied, threats, desk.shape)
    if popcount(area.open) % 2 != 0:
        return False
    desk.ended[0] = threats
    n = list_instances(area, desk)
    want_all(n, desk.choice)
    return choose_instances(n, desk.max_nodes, desk.instances, desk.choice, desk.shape) == SOLVED


@kernel(_u8(_u8, _u8, SHAPE))
def poison_threats(leader: Word, occupied: Word, shape: Shape) -> Word:
    """Return, of each column, the lowest cell on which the follower would win, if not playable."""
    threats = winning_cells(leader ^ occupied, occupied, shape)
    landing = landing_cells(occupied, shape)
    found = ZERO
    for _ in range(shape.columns):
        if threats == ZERO:
            break
        cell = lowest(threats)
        # What lies above the lowest threat of a column, up to its spare bit.
        spare = shape.bottom << np.uint64(shape.rows)
        end = lowest(spare & ~(cell - ONE))
        if cell & landing == ZERO:
            found |= cell
        threats &= ~(end - ONE)
    return found


@kernel(_i8(_u8, _u8, DESK), borrows=True)
def prove(leader: Word, occupied: Word, desk: Desk) -> int:
    """Return what the rules prove for the side not to move: ``NOTHING``, ``HOLDS`` or ``WINS``.

    The number of open cells has to be even. Threats of the follower end their columns: all of
    them, then all but one, each in turn. Without any such threat a draw is all that is proven.
    """
    threats = poison_threats(leader, occupied, desk.shape)
    if threats != ZERO:
        if all_solved(leader, occupied, threats, desk):
            return WINS
        left = threats
        while left != ZERO:
            kept = threats ^ lowest(left)
            left &= left - ONE
            if kept != ZERO and all_solved(leader, occupied, kept, desk):
                return WINS
    return HOLDS if all_solved(leader, occupied, ZERO, desk) else NOTHING


@kernel(types.void(WORDS, WORDS, DESK, types.int64[::1]), borrows=True)
def prove_all(
    leaders: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    desk: Desk,
    verdicts: NDArray[np.int64],
) -> None:
    """Write what is proven of each of [n] positions, none of which may be over."""
    for i in range(leaders.shape[0]):
        verdicts[i] = prove(leaders[i], occupied[i], desk)
