"""The picture of a tuple set has every tuple, every cell and every missed line."""

from collections import Counter
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from connectlab.game import STANDARD, Geometry
from connectlab.lab.tuple_picture import MOST_DRAWN, draw_tuples, save_tuples, tuple_groups
from connectlab.lab.tuple_sets import find_tuples

BOARDS = [STANDARD, Geometry(12, 4), Geometry(2, 10), Geometry(4, 4, 3)]


def parts(figure: Figure) -> Counter[str]:
    """Count the named parts of a figure."""
    return Counter(p.get_gid() for p in figure.axes[0].patches if p.get_gid())


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_all_tuples_are_drawn_on_every_board(geometry: Geometry) -> None:
    found = find_tuples("walk:tuples=23,length=6", geometry)
    figure = draw_tuples(found, tuple_groups(found))
    drawn = parts(figure)
    assert drawn["group"] == 23
    assert drawn["group cell"] == 23 * 6
    assert drawn["often"] == geometry.cells
    assert len(figure.axes[0].lines) == len(found.coverage.unseen)
    assert {f"tuple {n}" for n in range(1, 24)} <= set(words(figure))


def test_the_counts_of_the_cells_are_written() -> None:
    found = find_tuples("cover:tuples=70,length=8")
    counts = Counter(str(often) for column in found.coverage.cells for often in column)
    written = Counter(words(draw_tuples(found, ())))
    names = Counter(str(number) for number in range(1, 8))
    assert not counts - written
    assert {word: n for word, n in written.items() if word.isdigit()} == counts + names + names


def test_the_marks_are_the_order_of_the_cells() -> None:
    found = find_tuples("walk:tuples=2,length=12")
    first, second = tuple_groups(found)
    assert "".join(first.marks) == "123456789abc"
    assert (first.cells, second.cells) == found.tuples
    assert first.note in ("1 line", f"{found.lines_held[0]} lines")


def test_some_of_the_tuples_can_be_chosen() -> None:
    found = find_tuples("walk:tuples=9")
    assert [group.title for group in tuple_groups(found, 2, 3)] == ["tuple 3", "tuple 4", "tuple 5"]
    assert tuple_groups(found, 9) == ()
    assert len(tuple_groups(found, 5)) == 4


def test_a_sheet_has_an_end() -> None:
    found = find_tuples(f"sample:tuples={MOST_DRAWN + 5},length=2")
    assert parts(draw_tuples(found, tuple_groups(found)))["group"] == MOST_DRAWN


def test_the_picture_is_a_png_file(tmp_path: Path) -> None:
    found = find_tuples("walk:tuples=3")
    save_tuples(found, tuple_groups(found), tmp_path / "set.png")
    assert (tmp_path / "set.png").read_bytes().startswith(b"\x89PNG")
