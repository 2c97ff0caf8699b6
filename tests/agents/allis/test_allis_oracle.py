"""The kernels find what the slow version finds: the same groups, instances, pairs and proofs."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from naive_rules import (
    Area,
    Cells,
    Instance,
    cells_of,
    instances,
    live_groups,
    make_area,
    may_combine,
    prove,
    threats_of,
)

from connectlab.agents.allis.combinations import compatible
from connectlab.agents.allis.control import Desk, list_instances, make_desk, poison_threats
from connectlab.agents.allis.control import prove as prove_fast
from connectlab.agents.allis.groups import Area as FastArea
from connectlab.agents.allis.groups import make_area as make_area_fast
from connectlab.agents.allis.instances import RULES, WORD_BITS
from connectlab.game import Geometry, Position
from connectlab.game.random_lines import random_lines

BOARDS = [
    Geometry(4, 4, 4),
    Geometry(5, 4, 4),
    Geometry(4, 6, 4),
    Geometry(6, 5, 4),
    Geometry(4, 4, 3),
    Geometry(5, 5, 4),
    Geometry(7, 6, 4),
]


def positions(geometry: Geometry, n: int, seed: int = 1) -> list[Position]:
    late = geometry.cells // 3
    batch = random_lines(n, late, geometry.cells - 2, geometry=geometry, seed=seed).batch
    return [batch.position(i) for i in range(len(batch))]


def fast_area(position: Position, threats: Cells) -> FastArea:
    bits = sum(position.geometry.cell(*cell) for cell in threats)
    leader, occupied = np.uint64(position.mover), np.uint64(position.occupied)
    area = make_area_fast(leader, occupied, np.uint64(bits), position.geometry.shape)
    return FastArea(*(np.uint64(bits) for bits in area))  # a kernel hands back plain numbers


def listed(position: Position, threats: Cells, desk: Desk) -> tuple[list[Instance], list[Cells]]:
    """What the kernels list, as the slow version writes it; and the live groups."""
    geometry = position.geometry
    n = list_instances(fast_area(position, threats), desk)
    live = [cells_of(int(cells), geometry) for cells in desk.live[:n]]
    found = desk.instances
    return [
        Instance(
            RULES[found.kind[i]],
            cells_of(int(found.cells[i]), geometry),
            cells_of(int(found.lows[i]), geometry),
            cells_of(int(found.solo[i]), geometry),
            cells_of(int(found.own[i]), geometry),
            frozenset(
                live[group]
                for group in range(n)
                if int(found.solved[i, group // WORD_BITS]) >> group % WORD_BITS & 1
            ),
        )
        for i in range(found.size[0])
    ], live


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_lists_the_groups_and_instances_of_the_slow_version(geometry: Geometry) -> None:
    desk = make_desk(geometry, 1000)
    seen: Counter[str] = Counter()
    for position in positions(geometry, 120):
        for threats in {threats_of(position), frozenset()}:
            area = make_area(position, threats)
            assert (
                Area(*(cells_of(int(bits), geometry) for bits in fast_area(position, threats)))
                == area
            )
            found, live = listed(position, threats, desk)
            assert Counter(live) == Counter(live_groups(area, geometry))
            assert Counter(found) == Counter(instances(area, geometry))
            seen.update(each.rule for each in found)
    assert len(seen) >= (9 if geometry.cells > 35 else 6)


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_combines_what_the_slow_version_combines(geometry: Geometry) -> None:
    desk = make_desk(geometry, 1000)
    answers: Counter[bool] = Counter()
    for position in positions(geometry, 25, seed=2):
        found, _ = listed(position, frozenset(), desk)
        for (i, one), (j, two) in combinations(list(enumerate(found))[:150], 2):
            answer = compatible(i, j, desk.instances, geometry.shape)
            assert answer == compatible(j, i, desk.instances, geometry.shape)
            assert answer == may_combine(one, two), (one, two)
            answers[answer] += 1
    assert len(answers) == 2


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_proves_what_the_slow_version_proves(geometry: Geometry) -> None:
    desk = make_desk(geometry, 100_000)
    words = ("nothing", "holds", "wins")
    seen = set()
    for position in positions(geometry, 300, seed=3):
        leader, occupied = np.uint64(position.mover), np.uint64(position.occupied)
        threats = int(poison_threats(leader, occupied, geometry.shape))
        assert cells_of(threats, geometry) == threats_of(position)
        verdict = words[prove_fast(leader, occupied, desk)]
        assert verdict == prove(position), position
        seen.add(verdict)
    assert "holds" in seen
