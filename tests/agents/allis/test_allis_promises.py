"""What instances promise together is kept: searched in the game where only their groups count."""

import random
from collections import Counter
from collections.abc import Iterator
from textwrap import dedent

import numpy as np
import pytest
from numpy.typing import NDArray
from relaxed import is_kept, make_promise

from connectlab.agents.allis.combinations import compatible
from connectlab.agents.allis.config import RULE_NODES
from connectlab.agents.allis.control import Desk, list_instances, make_desk, poison_threats
from connectlab.agents.allis.explain import cell_names, cells_of
from connectlab.agents.allis.groups import Area, make_area
from connectlab.agents.allis.instances import RULES, WORD_BITS
from connectlab.game import STANDARD, Geometry, Position
from connectlab.game.random_lines import random_lines

FEW = [Geometry(5, 4), Geometry(4, 6), Geometry(6, 5), Geometry(4, 4, 3)]
MANY = [STANDARD, Geometry(6, 6), Geometry(5, 6), Geometry(6, 4), Geometry(6, 5), Geometry(5, 4, 3)]


def bits_of(words: NDArray[np.uint64]) -> list[int]:
    return [i for i in range(len(words) * WORD_BITS) if int(words[i // WORD_BITS]) >> i % 64 & 1]


def areas(leader: np.uint64, occupied: np.uint64, desk: Desk) -> Iterator[tuple[int, Area]]:
    """Each area the rules may be used in, and the threats that end its columns."""
    threats = int(poison_threats(leader, occupied, desk.shape))
    for chosen in {0, threats}:
        area = Area(*map(np.uint64, make_area(leader, occupied, np.uint64(chosen), desk.shape)))
        if int(area.open).bit_count() % 2 == 0:
            yield chosen, area


def draw_set(size: int, desk: Desk, numbers: random.Random) -> list[int]:
    """Draw instances that may be used together; rare rules as often as common ones."""
    kinds = desk.instances.kind[: desk.instances.size[0]].tolist()
    counts = Counter(kinds)
    drawn = numbers.choices(range(len(kinds)), [1 / counts[kind] for kind in kinds], k=4 * size)
    chosen: list[int] = []
    for i in drawn:
        fits = all(compatible(i, j, desk.instances, desk.shape) for j in chosen)
        if fits and i not in chosen and len(chosen) < size:
            chosen.append(i)
    return chosen


def keeps(
    leader: np.uint64, occupied: np.uint64, threats: int, chosen: list[int], desk: Desk
) -> bool:
    """Whether the follower can prevent all that these instances solve."""
    found = desk.instances
    solved = {group for i in chosen for group in bits_of(found.solved[i])}
    goals = [int(found.own[i]) for i in chosen if found.own[i]]
    goals += [1 << i for i in range(64) if threats >> i & 1]
    groups = [int(desk.live[group]) for group in solved]
    return bool(is_kept(leader, occupied, make_promise(desk.shape, groups, goals or [1 << 63])))


def check_promises(geometry: Geometry, n: int, empty: int, size: int) -> Counter[str]:
    desk, numbers = make_desk(geometry, RULE_NODES), random.Random(size)
    first = max(0, geometry.cells - empty)
    batch = random_lines(n, first, geometry.cells - 3, geometry=geometry, seed=size).batch
    tried: Counter[str] = Counter()
    for at in range(len(batch)):
        leader, occupied = batch.mover[at], batch.occupied[at]
        for threats, area in areas(leader, occupied, desk):
            list_instances(area, desk)
            if not desk.instances.size[0]:
                continue
            for _ in range(3):
                chosen = draw_set(size, desk, numbers)
                names = [RULES[desk.instances.kind[i]] for i in chosen]
                kept = keeps(leader, occupied, threats, chosen, desk)
                assert kept, (batch.position(at), names)
                tried.update(names)
    return tried


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("geometry", FEW, ids=str)
def test_the_follower_keeps_what_instances_promise(geometry: Geometry, size: int) -> None:
    assert len(check_promises(geometry, 60, 14, size)) >= 7


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 6])
@pytest.mark.parametrize("geometry", MANY, ids=str)
def test_the_follower_keeps_what_many_instances_promise(geometry: Geometry, size: int) -> None:
    assert check_promises(geometry, 300, 16, size)


FORBIDDEN = {
    "a claimeven below an inverse": (
        4,
        """
        . O . . O
        O X . . X
        X X . . O
        O O . . O
        X X . . O
        O X X . X
        """,
        ("claimeven d1-d2", "highinverse c4-c5-c6-d4-d5-d6"),
    ),
    "two inverses one above the other": (
        4,
        """
        X . . . . .
        O X . . . .
        X X O . . .
        O O X . O O
        X O X . O X
        """,
        ("lowinverse d1-d2-f3-f4", "lowinverse d3-d4-e3-e4"),
    ),
    "two inverses that share a column": (
        4,
        """
        . . O . .
        . X X . .
        . O O . .
        O X X O X
        """,
        ("lowinverse a2-a3-d2-d3", "lowinverse d2-d3-e2-e3"),
    ),
    "two specialbefores that share a playable cell": (
        3,
        """
        . . . .
        O . O .
        X O X X
        X O X O
        """,
        ("specialbefore b3-c4", "specialbefore a4-b3"),
    ),
    "own groups that overlap in a column": (
        4,
        """
        O . . . . . X
        X . X . O . O
        X X O . X . X
        X O O . X O O
        O O O . X O X
        X O X X O O X
        """,
        ("before d2-d3", "aftereven d3-d4"),
    ),
}
"""Pairs of instances, and a position in which the follower cannot keep to both."""


@pytest.mark.parametrize("why", FORBIDDEN)
def test_a_pair_the_table_forbids_can_break_its_promise(why: str) -> None:
    connect, drawing, pair = FORBIDDEN[why]
    position = Position.from_drawing(dedent(drawing).strip(), connect)
    desk = make_desk(position.geometry, RULE_NODES)
    leader, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    plain = make_area(leader, occupied, np.uint64(0), desk.shape)
    list_instances(Area(*map(np.uint64, plain)), desk)
    found = desk.instances
    named = [
        f"{RULES[found.kind[i]]} {cell_names(cells_of(int(found.cells[i]), position.geometry))}"
        for i in range(found.size[0])
    ]
    one, two = (named.index(name) for name in pair)
    assert not compatible(one, two, found, desk.shape)
    assert keeps(leader, occupied, 0, [one], desk)
    assert keeps(leader, occupied, 0, [two], desk)
    assert not keeps(leader, occupied, 0, [one, two], desk)
