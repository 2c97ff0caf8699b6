"""Where tuples come from: walks, snakes, samples, covers and files."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectlab.agents.ntuple.tuples import (
    Tuples,
    create_tuples,
    parse_tuples,
    random_path,
    random_snake,
    random_walk,
    read_tuples,
    winning_lines,
)
from connectlab.agents.settings import AgentError
from connectlab.game import STANDARD, Geometry
from naive import all_lines

SMALL = Geometry(4, 4, 3)
KINDS = ["cover", "walk", "path", "snake", "sample"]


def touches(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


@given(st.integers(0, 1000), st.integers(1, 12))
def test_a_walk_has_its_length_and_never_jumps(seed: int, length: int) -> None:
    cells = random_walk(np.random.default_rng(seed), STANDARD, length)
    assert len(cells) == len(set(cells)) == length
    for number, cell in enumerate(cells[1:], start=1):
        assert any(touches(cell, earlier) for earlier in cells[:number])


@given(st.integers(0, 1000), st.integers(2, 12))
def test_a_snake_has_two_cells_to_its_length(seed: int, length: int) -> None:
    cells = random_snake(np.random.default_rng(seed), STANDARD, length)
    assert 2 <= len(set(cells)) == len(cells) <= length


def test_snakes_take_every_length() -> None:
    lengths = {len(cells) for cells in create_tuples("snake", 2000, 5, STANDARD, 1)}
    assert lengths == {2, 3, 4, 5}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_makes_the_same_tuples_and_another_seed_others(kind: str) -> None:
    once = create_tuples(kind, 10, 6, STANDARD, 3)
    assert once == create_tuples(kind, 10, 6, STANDARD, 3)
    assert once != create_tuples(kind, 10, 6, STANDARD, 4)
    assert len(once) == 10


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("geometry", [SMALL, STANDARD, Geometry(8, 7, 4)], ids=str)
def test_every_cell_lies_on_the_board(kind: str, geometry: Geometry) -> None:
    for cells in create_tuples(kind, 20, 8, geometry, 5):
        assert all(0 <= c < geometry.columns and 0 <= r < geometry.rows for c, r in cells)
        assert len(set(cells)) == len(cells)


@pytest.mark.parametrize("geometry", [SMALL, STANDARD, Geometry(5, 4, 3)], ids=str)
def test_winning_lines_are_those_of_the_rules(geometry: Geometry) -> None:
    lines = all_lines(geometry.columns, geometry.rows, geometry.connect)
    found = winning_lines(geometry)
    assert set(found) == {frozenset(line) for line in lines}
    assert len(found) == len(lines)


def lines_unseen(tuples: Tuples, geometry: Geometry) -> int:
    """Count the lines that neither a tuple nor its mirror image holds."""
    images = [{(geometry.columns - 1 - c, r) for c, r in cells} for cells in tuples]
    holders = [set(cells) for cells in tuples] + images
    lines = all_lines(geometry.columns, geometry.rows, geometry.connect)
    return sum(not any(holder.issuperset(line) for holder in holders) for line in lines)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_covering_walks_see_every_line_and_plain_walks_do_not(seed: int) -> None:
    assert lines_unseen(create_tuples("cover", 70, 8, STANDARD, seed), STANDARD) == 0
    assert lines_unseen(create_tuples("walk", 70, 8, STANDARD, seed), STANDARD) > 10


def test_a_tuple_longer_than_the_board_is_refused() -> None:
    with pytest.raises(AgentError, match="17 cells does not fit"):
        create_tuples("sample", 1, 17, SMALL, 1)


def test_a_tuple_file_gives_its_tuples(tmp_path: Path) -> None:
    path = tmp_path / "tuples.json"
    path.write_text(json.dumps([[[0, 0], [1, 1]], [[3, 3]]]))
    assert read_tuples(path, SMALL) == (((0, 0), (1, 1)), ((3, 3),))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no json", "is no tuple file"),
        ("[[[0, 0], [1]]]", "is no tuple file"),
        ("5", "is no tuple file"),
        ('[[["a", 0]]]', "is no tuple file"),
        ('[[["0", "0"]]]', "is no tuple file"),
        ('[["00"]]', "is no tuple file"),
        ("[[[true, false]]]", "is no tuple file"),
        ("[[[0.0, 1.0]]]", "is no tuple file"),
        ("[]", "at least one tuple"),
        ("[[]]", "tuple 1 is empty"),
        ("[[[0, 0]], [[1, 1], [1, 1]]]", "tuple 2 is empty or has a cell twice"),
        ("[[[4, 0]]]", "column 4, row 0, outside the 4x4"),
        ("[[[0, -1]]]", "tuple 1 of tuples.json has a cell that is on no board"),
    ],
)
def test_a_bad_tuple_file_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "tuples.json"
    path.write_text(text)
    with pytest.raises(AgentError, match=says):
        read_tuples(path, SMALL)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is nothing without an end")
def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(AgentError, match="is no tuple file"):
        parse_tuples(Path("/dev/zero"))


def test_a_missing_tuple_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="cannot be read"):
        read_tuples(tmp_path / "none.json", SMALL)


def test_covering_walks_do_not_repeat_each_other() -> None:
    def different(kind: str) -> int:
        tuples = create_tuples(kind, 70, 10, STANDARD, 9)
        images = [frozenset((STANDARD.columns - 1 - c, r) for c, r in cells) for cells in tuples]
        pairs = zip(tuples, images, strict=True)
        return len({frozenset({frozenset(cells), image}) for cells, image in pairs})

    assert different("cover") == 70
    assert different("cover-any") < 70


@given(st.integers(0, 1000), st.integers(1, 14))
def test_every_step_of_a_path_goes_to_a_new_neighbour(seed: int, length: int) -> None:
    for cells in create_tuples("path", 3, length, STANDARD, seed):
        assert len(cells) == len(set(cells)) == length
        assert all(touches(one, next_) for one, next_ in pairwise(cells))


def test_a_walk_may_step_back_and_a_path_may_not() -> None:
    """What sets the two apart: some cell of a walk does not touch the one before it."""

    def jumps(kind: str) -> int:
        tuples = create_tuples(kind, 70, 8, STANDARD, 1)
        return sum(not touches(*pair) for cells in tuples for pair in pairwise(cells))

    assert jumps("walk") > 20
    assert jumps("path") == 0


def test_no_two_paths_look_at_the_same_cells() -> None:
    """All 42 steps between neighbours of a 4x4 board, once each; of walks some come twice."""
    drawn = [frozenset(cells) for cells in create_tuples("path", 42, 2, SMALL, 1)]
    assert len(set(drawn)) == 42
    assert len({frozenset(cells) for cells in create_tuples("walk", 42, 2, SMALL, 1)}) < 42


def test_more_paths_than_there_are_is_one_clear_line() -> None:
    with pytest.raises(AgentError, match=r"not 43 different paths of 2 cells.*only 42 were found"):
        create_tuples("path", 43, 2, SMALL, 1)


def test_a_path_that_cannot_go_on_is_drawn_anew() -> None:
    """On a board of one row only a walk from one of its ends sees all of it."""
    row = Geometry(7, 1, 4)
    drawn = [random_path(np.random.default_rng(seed), row, 7) for seed in range(40)]
    assert None in drawn
    (cells,) = create_tuples("path", 1, 7, row, 1)
    assert cells in (tuple((c, 0) for c in range(7)), tuple((6 - c, 0) for c in range(7)))
