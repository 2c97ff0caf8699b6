"""What a set of tuples covers."""

from itertools import combinations

import pytest
from small_networks import random_network

from connectlab.agents import AgentError
from connectlab.agents.ntuple.contents import ntuple_contents
from connectlab.agents.ntuple.coverage import lines_seen, measure_coverage
from connectlab.agents.ntuple.tuples import create_tuples
from connectlab.game import STANDARD, Geometry

ROW = ((0, 0), (1, 0), (2, 0), (3, 0))
IMAGE = ((6, 0), (5, 0), (4, 0), (3, 0))
COLUMN = ((2, 1), (2, 2), (2, 3), (2, 4))


def test_cells_are_counted_by_column_and_row() -> None:
    cells = measure_coverage((ROW, COLUMN, ROW), STANDARD).cells
    assert cells[2] == (2, 1, 1, 1, 1, 0)
    assert [column[0] for column in cells] == [2, 2, 2, 2, 0, 0, 0]


def test_a_line_is_seen_whole_in_a_tuple_or_its_mirror_image() -> None:
    assert lines_seen((ROW,), STANDARD, mirror=False) == {frozenset(ROW)}
    assert lines_seen((ROW,), STANDARD, mirror=True) == {frozenset(ROW), frozenset(IMAGE)}
    coverage = measure_coverage((ROW, COLUMN), STANDARD)
    assert coverage.lines == 69
    assert len(coverage.unseen) == 69 - 4
    assert tuple(sorted(IMAGE)) not in coverage.unseen


def test_a_tuple_that_adds_no_reading_is_a_duplicate_of_the_first() -> None:
    tuples = (ROW, COLUMN, ROW[::-1], IMAGE, ())
    assert measure_coverage(tuples, STANDARD).duplicates == ((3, 1), (4, 1))
    assert measure_coverage(tuples, STANDARD, mirror=False).duplicates == ((3, 1),)


@pytest.mark.parametrize("kind", ["cover", "sample"])
def test_duplicates_agree_with_a_comparison_of_all_pairs(kind: str) -> None:
    geometry = Geometry(4, 3, 3)
    tuples = create_tuples(kind, 60, 3, geometry, 3)
    seen = [frozenset(cells) for cells in tuples]
    images = [frozenset((3 - column, row) for column, row in cells) for cells in tuples]
    pairs = [
        (b, a) for a, b in combinations(range(60), 2) if seen[b] == seen[a] or seen[b] == images[a]
    ]
    first = {b: min(a for other, a in pairs if other == b) for b, _ in pairs}
    expected = tuple((b + 1, a + 1) for b, a in sorted(first.items()))
    assert measure_coverage(tuples, geometry).duplicates == expected


@pytest.mark.parametrize(("states", "tables"), [(3, 1), (4, 2)])
def test_it_tells_the_weights_that_a_network_of_the_set_has(states: int, tables: int) -> None:
    network = random_network(tuples=7, length=6, states=states, tables=tables)
    coverage = measure_coverage(
        network.layout.tuples, network.geometry, states=states, tables=tables
    )
    assert coverage.weights == len(network.weights)
    assert list(coverage.states) == network.layout.sizes.tolist()
    facts = ntuple_contents(network).facts
    assert facts["lines_covered"] == coverage.lines - len(coverage.unseen)
    assert coverage.problem is None


@pytest.mark.parametrize(
    ("tuples", "says"),
    [
        ((), "at least one tuple"),
        ((ROW, ()), "tuple 2 is empty"),
        ((tuple((c, r) for c in range(3) for r in range(5)),), "15 cells, and 14 is the most"),
    ],
)
def test_an_unfinished_set_is_described_with_what_stands_in_its_way(
    tuples: tuple[tuple[tuple[int, int], ...], ...], says: str
) -> None:
    coverage = measure_coverage(tuples, STANDARD)
    assert says in (coverage.problem or "")
    assert len(coverage.states) == len(tuples)


def test_cells_outside_the_board_and_too_tall_boards_are_refused() -> None:
    with pytest.raises(AgentError, match="tuple 1 has column 7, row 0, outside"):
        measure_coverage((((7, 0),),), STANDARD)
    with pytest.raises(AgentError, match="up to 10 rows, not 12"):
        measure_coverage((ROW,), Geometry(4, 12, 4))
