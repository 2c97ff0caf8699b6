"""What an n-tuple network says it is made of."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from small_networks import random_network

from connectlab.agents.contents import Page
from connectlab.agents.ntuple.contents import ntuple_contents
from connectlab.agents.ntuple.network import Network
from connectlab.game import STANDARD, Geometry

MARKS = "-XO+"
"""Empty, first, second, reachable: what a cell holds by its number."""


def can_occur(cells: tuple[tuple[int, int], ...], held: tuple[int, ...], rows: int) -> bool:
    """Whether some filling of the columns shows exactly this, tried one by one."""
    for column in {column for column, _ in cells}:
        seen = {row: state for (c, row), state in zip(cells, held, strict=True) if c == column}
        if not any(
            all(
                seen[row] == (stones[row] if row < height else 3 if row == height else 0)
                for row in seen
            )
            for height in range(rows + 1)
            for stones in product((1, 2), repeat=height)
        ):
            return False
    return True


def test_counts_agree_with_a_count_of_all_states_one_by_one() -> None:
    geometry = Geometry(4, 3, 3)
    network = random_network(geometry, tuples=4, length=4)
    network.weights[::3] = 0
    contents = ntuple_contents(network)
    realisable = 0
    for part in contents.parts:
        states = list(product(range(4), repeat=len(part.cells)))
        possible = sum(can_occur(part.cells, held, geometry.rows) for held in states)
        assert part.figures["states"] == possible
        realisable += 2 * possible
    assert contents.facts["weights"] == 2 * 4 * 4**4
    assert contents.facts["realisable_weights"] == realisable
    non_zero = sum(float(weight) != 0 for weight in network.weights)
    assert contents.facts["non_zero_weights"] == non_zero
    assert sum(part.figures["non_zero_weights"] for part in contents.parts) == non_zero


def test_the_networks_of_the_paper_have_as_many_weights_as_its_table_says() -> None:
    """Table 1 of Thill 2012: 70 tuples of 8 cells, two tables."""
    for states, weights in ((3, 918_540), (4, 9_175_040)):
        network = random_network(tuples=70, length=8, states=states)
        assert ntuple_contents(network).facts["weights"] == weights


def test_lines_within_a_tuple_are_counted() -> None:
    geometry = Geometry(4, 4, 3)
    network = random_network(geometry, tuples=6, length=5)
    for part in ntuple_contents(network).parts:
        cells = set(part.cells)
        found = sum(
            all((c + i * dc, r + i * dr) in cells for i in range(3))
            for c, r in cells
            for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1))
        )
        assert part.figures["lines"] == found


@pytest.mark.parametrize("tables", [1, 2])
def test_the_heaviest_states_have_the_largest_weights_and_the_right_cells(tables: int) -> None:
    network = random_network(tables=tables)
    layout, contents = network.layout, ntuple_contents(network)
    for number in (1, 6):
        start, size = int(layout.offsets[number - 1]), int(layout.sizes[number - 1])
        entries = contents.entries(number, Page(7))
        assert len(entries) == tables
        for table, each in enumerate(entries):
            first = table * layout.weights + start
            weights = network.weights[first : first + size] * (-1 if table == 1 else 1)
            told = [group.weight for group in each.groups]
            assert told == pytest.approx(sorted(weights, key=abs, reverse=True)[:7])
            for group in each.groups:
                held = tuple(MARKS.index(mark) for mark in group.marks)
                (state,) = [s for s in range(size) if layout.cell_states(number - 1, s) == held]
                assert weights[state] == pytest.approx(group.weight)
                assert group.cells == layout.tuples[number - 1]


def test_figures_of_a_tuple_are_those_of_its_weights_alone() -> None:
    network = random_network(tuples=3)
    weights = np.zeros_like(network.weights)
    start = int(network.layout.offsets[1])
    weights[start + 5] = -2.0
    weights[network.layout.weights + start + 1] = 1.0
    parts = ntuple_contents(Network(network.layout, 2, weights)).parts
    assert [part.figures["largest"] for part in parts] == [0, 2, 0]
    assert [part.figures["non_zero_weights"] for part in parts] == [0, 2, 0]
    size = int(network.layout.sizes[1])
    assert parts[1].figures["mean"] == pytest.approx(3 / (2 * size))


def test_mirrored_readings_cover_lines_too() -> None:
    whole = random_network(STANDARD, tuples=70, length=10, creation="cover")
    assert ntuple_contents(whole).facts["lines_covered"] == 69
    alone = random_network(STANDARD, tuples=1, length=4, creation="walk", mirror=False)
    assert ntuple_contents(alone).facts["lines_covered"] in (0, 1)


@pytest.mark.parametrize(
    ("order", "key"),
    [("heaviest", lambda weight: -abs(weight)), ("highest", lambda w: -w), ("lowest", lambda w: w)],
)
def test_pages_in_any_order_hold_every_state_once(
    order: str, key: Callable[[float], float]
) -> None:
    network = random_network(Geometry(4, 3, 3), tuples=3, length=4)
    contents = ntuple_contents(network)
    size = int(network.layout.sizes[1])
    pages = [contents.entries(2, Page(50, offset, order))[1] for offset in range(0, size + 50, 50)]
    groups = [group for page in pages for group in page.groups]
    assert {page.total for page in pages} == {size}
    assert len({group.title for group in groups}) == len(groups) == size
    weights = [group.weight or 0.0 for group in groups]
    assert weights == sorted(weights, key=key)
    assert not pages[-1].groups
