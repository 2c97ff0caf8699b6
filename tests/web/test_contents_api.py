"""What a player is made of, over the web."""

from typing import Any

import pytest
from asking import Api

from connectlab.agents import make_agent
from connectlab.agents.contents import Contents, Page
from connectlab.game.notation import column_name

CHAMPION = "ntuple:champion"


def ask(api: Api, path: str, **body: object) -> Any:
    answer = api.post(path, body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def champion() -> Contents:
    found = make_agent(CHAMPION).contents()
    assert found is not None
    return found


def test_parts_and_figures_are_those_of_the_player(api: Api, champion: Contents) -> None:
    told = ask(api, "/contents", player=CHAMPION)
    assert told["facts"] == dict(champion.facts)
    assert told["columns"] == dict(champion.columns)
    assert told["total"] == len(told["parts"]) == 70
    for part, own in zip(told["parts"], champion.parts, strict=True):
        assert part["number"] == own.number
        assert part["figures"] == pytest.approx(own.figures)
        named = [[column_name(c, champion.geometry), row + 1] for c, row in own.cells]
        assert part["cells"] == named


def test_parts_come_sorted_and_counted_as_asked(api: Api, champion: Contents) -> None:
    told = ask(api, "/contents", player=CHAMPION, sort="mean", top=5)
    assert [part["number"] for part in told["parts"]] == [
        part.number for part in champion.sorted_by("mean")[:5]
    ]
    assert told["total"] == 70


def test_a_table_is_browsed_page_by_page_from_either_end(api: Api, champion: Contents) -> None:
    for order in ("heaviest", "highest", "lowest"):
        told = ask(api, "/contents/part", player=CHAMPION, number=12, top=7, offset=20, order=order)
        own = champion.entries(12, Page(7, 20, order))
        assert told["orders"] == ["heaviest", "highest", "lowest"]
        assert told["order"] == order
        for entries, mine in zip(told["entries"], own, strict=True):
            assert entries["title"] == mine.title
            assert entries["total"] == mine.total
            weights = [group["weight"] for group in entries["groups"]]
            assert weights == pytest.approx([group.weight for group in mine.groups])


def test_beyond_the_last_page_there_is_nothing(api: Api) -> None:
    told = ask(api, "/contents/part", player=CHAMPION, number=1, offset=10**9)
    assert [entries["groups"] for entries in told["entries"]] == [[], []]


@pytest.mark.parametrize("player", ["mlp:best", "qtable:cheng-known", "dqn:best"])
def test_other_players_list_their_parts_too(api: Api, player: str) -> None:
    told = ask(api, "/contents", player=player)
    assert told["learned"]
    assert told["parts"]
    page = ask(api, "/contents/part", player=player, number=1, top=3)
    assert page["entries"][0]["groups"]


def test_a_player_that_learned_nothing_says_so(api: Api) -> None:
    told = ask(api, "/contents", player="minimax")
    assert (told["learned"], told["parts"]) == (False, [])


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/contents", {"player": CHAMPION, "sort": "weight"}, 400, "no column 'weight'"),
        ("/contents", {"player": "external:command=ls"}, 400, "the page has no player"),
        ("/contents", {"player": "ntuple:/etc/passwd"}, 403, "not in the runs folder"),
        ("/contents/part", {"player": CHAMPION, "number": 71}, 400, "there is no tuple 71"),
        ("/contents/part", {"player": CHAMPION, "number": 1, "order": "size"}, 400, "try heaviest"),
        ("/contents/part", {"player": "minimax", "number": 1}, 400, "has learned nothing"),
        ("/contents/part", {"player": CHAMPION, "number": 1, "top": 1000}, 422, "top"),
    ],
)
def test_what_cannot_be_listed_is_refused_in_one_sentence(
    api: Api, path: str, body: dict[str, object], status: int, says: str
) -> None:
    answer = api.post(path, body)
    assert answer.status_code == status
    assert says in answer.json()["detail"]


def test_readings_of_a_position_name_the_part_that_says_them(api: Api, champion: Contents) -> None:
    told = ask(api, "/analysis", player=CHAMPION, position={"moves": "4453"})
    assert told["win_value"] == 1
    for group in told["groups"]:
        cells = {tuple(cell) for cell in group["cells"]}
        own = champion.part(group["part"]).cells
        straight = {(column_name(c, champion.geometry), row + 1) for c, row in own}
        mirrored = {(column_name(6 - c, champion.geometry), row + 1) for c, row in own}
        assert cells in (straight, mirrored)
