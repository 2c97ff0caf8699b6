"""The table of what a player is made of."""

import pytest

from connectlab.agents import AgentError, make_agent
from connectlab.agents.contents import Contents, Entries, Page, Part
from connectlab.game import STANDARD

CONTENTS = Contents(
    STANDARD,
    "layer",
    facts={"weights": 12},
    columns={"size": "units", "mean": "mean weight"},
    parts=(
        Part(1, (), {"size": 4, "mean": 0.5}),
        Part(2, ((0, 0), (6, 5)), {"size": 9, "mean": 0.25}),
        Part(3, (), {"size": 4, "mean": 0.75}),
    ),
    orders=("heaviest", "lowest"),
    find_entries=lambda number, page: (Entries(f"{number} {page}", (), 40),),
)


@pytest.mark.parametrize(
    ("column", "numbers"),
    [("number", [1, 2, 3]), ("size", [2, 1, 3]), ("mean", [3, 1, 2])],
)
def test_parts_are_sorted_by_any_column_the_highest_first(column: str, numbers: list[int]) -> None:
    assert [part.number for part in CONTENTS.sorted_by(column)] == numbers


def test_an_unknown_column_or_part_is_refused_in_one_line() -> None:
    with pytest.raises(AgentError, match="no column 'sise': did you mean 'size'"):
        CONTENTS.sorted_by("sise")
    for number in (0, 4):
        with pytest.raises(AgentError, match=f"no layer {number}: choose from 1 to 3"):
            CONTENTS.entries(number, Page(5))


def test_plain_data_has_the_parts_that_were_asked_for() -> None:
    data = CONTENTS.to_json(sort="size", top=2)
    assert data["parts"] == [
        {"number": 2, "cells": [["1", 1], ["7", 6]], "size": 9, "mean": 0.25},
        {"number": 1, "cells": [], "size": 4, "mean": 0.5},
    ]
    assert len(CONTENTS.to_json()["parts"]) == 3  # type: ignore[arg-type]


def test_a_player_that_learned_nothing_has_no_contents() -> None:
    assert make_agent("minimax").contents() is None


def test_a_page_cuts_its_items_out_of_all() -> None:
    items = list("abcdefg")
    assert Page(3).cut(items) == ["a", "b", "c"]
    assert Page(3, 2).cut(items) == ["c", "d", "e"]
    assert Page(3, 6).cut(items) == ["g"]
    assert Page(3, 7).cut(items) == []


def test_entries_come_in_the_usual_order_unless_another_is_asked_for() -> None:
    (usual,) = CONTENTS.entries(2, Page(5, 10))
    assert usual.title == f"1 {Page(5, 10, 'heaviest')}"
    data = CONTENTS.part_json(3, Page(5, 10, "lowest"))
    assert data["order"] == "lowest"
    assert data["offset"] == 10
    assert data["entries"] == [{"title": f"2 {Page(5, 10, 'lowest')}", "total": 40, "groups": []}]
    with pytest.raises(AgentError, match="a layer is not listed in the order 'size': try heaviest"):
        CONTENTS.entries(1, Page(5, order="size"))
