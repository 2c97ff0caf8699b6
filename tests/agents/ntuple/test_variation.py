"""Varied sets differ in what was asked for, and in nothing else."""

from collections import Counter
from itertools import pairwise
from typing import get_args

import pytest

from connectlab.agents.ntuple.config import Creation
from connectlab.agents.ntuple.coverage import measure_coverage
from connectlab.agents.ntuple.tuples import Tuples, create_tuples, mirrored
from connectlab.agents.ntuple.variation import Change, Varied, Wish, vary_tuples
from connectlab.agents.settings import AgentError
from connectlab.game import STANDARD, Geometry

CREATIONS = set(get_args(Creation)) - {"file"}
OLD = create_tuples("cover", 20, 6, STANDARD, 1)


def kinds(varied: Varied) -> Counter[str]:
    return Counter(change.kind for change in varied.changes)


def views(tuples: Tuples) -> list[frozenset[tuple[int, int]]]:
    return [frozenset(cells) for cells in tuples]


def test_the_same_seed_makes_the_same_set_and_another_another() -> None:
    wish = Wish(drop=2, replace=3, move=4, add=2)
    first, again, other = (vary_tuples(OLD, STANDARD, wish, seed) for seed in (7, 7, 8))
    assert first == again
    assert first.tuples != other.tuples
    assert first.changes != other.changes


def test_dropped_tuples_are_gone_and_the_others_keep_their_order() -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(drop=5), 1)
    gone = {change.before for change in varied.changes}
    assert len(gone) == 5
    assert varied.tuples == tuple(c for n, c in enumerate(OLD, start=1) if n not in gone)
    assert all(change == Change("dropped", change.before, None) for change in varied.changes)


def test_replaced_tuples_are_new_and_in_the_same_places() -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(replace=6), 2)
    changed = [n for n in range(20) if varied.tuples[n] != OLD[n]]
    assert [change.before for change in varied.changes] == [n + 1 for n in changed]
    assert len(changed) == 6
    known = {*views(OLD), *(mirrored(cells, STANDARD) for cells in OLD)}
    assert all(len(varied.tuples[n]) == 6 for n in changed)
    assert not known & {frozenset(varied.tuples[n]) for n in changed}
    assert not measure_coverage(varied.tuples, STANDARD).duplicates


def test_a_moved_tuple_has_one_cell_that_went_to_a_neighbour() -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(move=20), 3)
    assert kinds(varied) == {"moved": 20}
    for old, new in zip(OLD, varied.tuples, strict=True):
        ((was, now),) = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        assert max(abs(was[0] - now[0]), abs(was[1] - now[1])) == 1
        assert now not in old
    assert not measure_coverage(varied.tuples, STANDARD).duplicates


def test_added_tuples_stand_at_the_end_with_the_usual_length() -> None:
    uneven = (*OLD, ((0, 0), (1, 1)))
    varied = vary_tuples(uneven, STANDARD, Wish(add=3), 4)
    assert varied.tuples[:21] == uneven
    assert [len(cells) for cells in varied.tuples[21:]] == [6, 6, 6]
    assert varied.changes == tuple(Change("added", None, n) for n in (22, 23, 24))
    longer = vary_tuples(uneven, STANDARD, Wish(add=1, length=9), 4)
    assert len(longer.tuples[-1]) == 9


def test_no_tuple_is_changed_twice() -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(drop=5, replace=8, move=7), 5)
    assert kinds(varied) == {"dropped": 5, "replaced": 8, "moved": 7}
    assert len({change.before for change in varied.changes}) == 20
    with pytest.raises(AgentError, match=r"21 tuples .* there are 20"):
        vary_tuples(OLD, STANDARD, Wish(drop=6, replace=8, move=7), 5)


def test_distinct_removes_what_an_earlier_tuple_sees() -> None:
    image = tuple((6 - column, row) for column, row in OLD[0])
    doubled = (*OLD, OLD[3][::-1], image)
    varied = vary_tuples(doubled, STANDARD, Wish(distinct=True), 0)
    assert varied.tuples == OLD
    assert [change.before for change in varied.changes] == [21, 22]
    alone = vary_tuples(doubled, STANDARD, Wish(distinct=True), 0, mirror=False)
    assert alone.tuples == (*OLD, image)


def test_unfolding_gives_the_readings_of_the_mirrored_board() -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(unfold=True), 0)
    assert varied.tuples[:20] == OLD
    folded = measure_coverage(OLD, STANDARD, mirror=True)
    unfolded = measure_coverage(varied.tuples, STANDARD, mirror=False)
    assert folded.unseen == unfolded.unseen
    assert set(views(varied.tuples)) == {*views(OLD), *(mirrored(c, STANDARD) for c in OLD)}
    again = vary_tuples(varied.tuples, STANDARD, Wish(unfold=True), 0)
    assert again.tuples == varied.tuples


def test_shortened_tuples_keep_their_first_cells() -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(shorten=4), 0)
    assert varied.tuples == tuple(cells[:4] for cells in OLD)
    assert kinds(varied) == {"shortened": 20}
    assert vary_tuples(OLD, STANDARD, Wish(shorten=6), 0).changes == ()


def test_a_set_that_has_all_tuples_gets_no_other() -> None:
    tiny = Geometry(2, 2, 3)
    every = (((0, 0), (0, 1), (1, 0), (1, 1)),)
    with pytest.raises(AgentError, match="no tuple of 4 cells"):
        vary_tuples(every, tiny, Wish(replace=1), 0)
    with pytest.raises(AgentError, match="no cell of tuple 1 can be moved"):
        vary_tuples(every, tiny, Wish(move=1), 0)
    with pytest.raises(AgentError, match="does not fit"):
        vary_tuples(every, tiny, Wish(add=1, length=5), 0)


def test_a_set_without_tuples_is_refused() -> None:
    with pytest.raises(AgentError, match="at least one tuple"):
        vary_tuples(OLD, STANDARD, Wish(drop=20), 0)


@pytest.mark.parametrize("kind", sorted(CREATIONS - {"cover", "cover-any"}))
def test_fresh_tuples_are_drawn_in_every_way(kind: str) -> None:
    varied = vary_tuples(OLD, STANDARD, Wish(replace=20, creation=kind), 9)
    lengths = {len(cells) for cells in varied.tuples}
    assert lengths == {6} or (kind == "snake" and max(lengths) <= 6)
    near = [
        max(abs(a - c), abs(b - d)) == 1
        for cells in varied.tuples
        for (a, b), (c, d) in pairwise(cells)
    ]
    assert all(near) == (kind == "path"), "only a path never steps back"


def test_an_unknown_way_to_draw_gets_a_suggestion() -> None:
    with pytest.raises(AgentError, match="did you mean 'snake'"):
        vary_tuples(OLD, STANDARD, Wish(add=1, creation="snakes"), 0)


def test_only_an_empty_wish_is_empty() -> None:
    assert Wish().is_empty
    full = (Wish(drop=1), Wish(replace=1), Wish(move=1), Wish(add=1), Wish(shorten=3))
    assert not any(wish.is_empty for wish in (*full, Wish(distinct=True), Wish(unfold=True)))
