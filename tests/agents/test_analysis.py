"""An analysis is plain data that every player brings in the same form."""

import json

import pytest

from connectlab.agents import Analysis, Group, make_agent
from connectlab.agents.analysis import format_values
from connectlab.game import Geometry, Position

PLAYERS = ["random", "extend", "minimax:depth=2", "negamax", "perfect", "ntuple:champion"]


@pytest.mark.parametrize("spec", PLAYERS)
def test_every_player_gives_chances_and_plain_data(spec: str) -> None:
    position = Position.from_moves("444444")
    analysis = make_agent(spec).analyse(position)
    assert sum(analysis.policy) == pytest.approx(1)
    assert analysis.policy[3] == 0
    data = json.loads(json.dumps(analysis.to_json(), allow_nan=False))
    assert data == analysis.to_json()
    assert list(data["policy"]) == list("1234567")
    if analysis.values is not None:
        assert [column for column, value in enumerate(analysis.values) if value is None] == [3]
        assert set(data["best"]) <= {name for name, v in data["values"].items() if v is not None}


@pytest.mark.parametrize("spec", PLAYERS)
def test_the_policy_told_is_the_policy_played(spec: str) -> None:
    agent, position = make_agent(spec), Position.from_moves("4453")
    assert agent.analyse(position, stream=5).policy == agent.policy_of(position, stream=5)


def test_groups_name_their_cells_as_people_do() -> None:
    group = Group("a pair", ((0, 0), (9, 2)), ("X", "+"), -0.5, "a note")
    analysis = Analysis(Position(Geometry(10, 5)), (0.1,) * 10, groups=(group,))
    (told,) = analysis.to_json()["groups"]  # type: ignore[misc]
    assert told["cells"] == [["1", 1], ["a", 3]]
    assert (told["marks"], told["weight"], told["note"]) == (["X", "+"], -0.5, "a note")


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0, 2, None), ("0", "+2", "")),
        ((0.25, -1.0), ("+0.25", "-1.00")),
        ((0.99912, 0.99934, -2.0), ("+0.9991", "+0.9993", "-2.0000")),
        ((2_000_021.5, -3.0), ("+2,000,021.50", "-3.00")),
        ((0.1, 0.1 + 1e-12), ("+0.100000", "+0.100000")),
        ((None, None), ("", "")),
    ],
)
def test_values_that_differ_read_differently(
    values: tuple[float | None, ...], texts: tuple[str, ...]
) -> None:
    assert format_values(values) == texts


def test_a_player_without_values_has_blank_texts() -> None:
    assert make_agent("random").analyse(Position()).value_texts == ("",) * 7
