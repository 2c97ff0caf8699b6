"""Sets of tuples over the web."""

import json
from pathlib import Path

import pytest
from asking import Api
from serving import Lab

from connectlab.agents import make_agent
from connectlab.agents.ntuple.agent import NTupleAgent
from connectlab.agents.ntuple.coverage import measure_coverage
from connectlab.agents.ntuple.tuples import create_tuples, read_tuples
from connectlab.game import STANDARD, Geometry

ROW = [[0, 0], [1, 0], [2, 0], [3, 0]]
SMALL = {"columns": 5, "rows": 4, "connect": 3}


def test_a_kept_set_is_read_listed_and_deleted_again(api: Api) -> None:
    kept = api.put("/tuples/kept", {"tuples": [ROW, [[3, 5], [4, 5]]]}).json()
    assert (kept["tuples"], kept["longest"], kept["columns"], kept["rows"]) == (2, 4, 5, 6)
    assert api.get("/tuples/kept").json() == {"tuples": [ROW, [[3, 5], [4, 5]]]}
    assert kept in api.get("/tuples").json()["files"]
    assert json.loads((api.lab.data / "tuples" / "kept.json").read_text()) == [
        ROW,
        [[3, 5], [4, 5]],
    ]
    left = api.delete("/tuples/kept").json()["files"]
    assert "kept" not in [file["name"] for file in left]
    assert api.get("/tuples/kept").status_code == 404
    assert api.delete("/tuples/kept").status_code == 404


def test_a_kept_set_is_what_a_learner_reads(api: Api) -> None:
    api.put("/tuples/to-train", {"tuples": [ROW]})
    found = read_tuples(api.lab.data / "tuples" / "to-train.json", STANDARD)
    assert found == (((0, 0), (1, 0), (2, 0), (3, 0)),)


def files_of(lab: Lab) -> list[Path]:
    """Return all files of the data folder but those of tournaments, which may be going on."""
    return sorted(path for path in lab.data.rglob("*") if "tournaments" not in path.parts)


@pytest.mark.parametrize(
    "name", ["..%2Fescape", "%2e%2e", ".hidden", "a%20b", "x" * 61, "a%00", "a%0a"]
)
def test_no_name_leads_out_of_the_folder(api: Api, name: str) -> None:
    before = files_of(api.lab)
    answer = api.put(f"/tuples/{name}", {"tuples": [ROW]})
    assert 400 <= answer.status_code < 500
    assert files_of(api.lab) == before


@pytest.mark.parametrize(
    ("tuples", "board", "status"),
    [
        ([], {}, 400),
        ([[]], {}, 400),
        ([[[0, 0], [0, 0]]], {}, 400),
        ([[[6, 0], [6, 1]]], SMALL, 400),
        ([[[0, -1]]], {}, 422),
        ([[[0, 0, 0]]], {}, 422),
        ([[["0", 0]]], {}, 422),
    ],
)
def test_what_no_network_can_use_is_not_kept(
    api: Api, tuples: list[object], board: dict[str, int], status: int
) -> None:
    answer = api.put("/tuples/bad", {"tuples": tuples, "board": board})
    assert answer.status_code == status
    assert answer.json()["detail"]
    assert not (api.lab.data / "tuples" / "bad.json").exists()


@pytest.mark.parametrize("creation", ["cover", "cover-any", "walk", "path", "snake", "sample"])
def test_a_set_drawn_by_lot_is_the_one_a_learner_would_draw(api: Api, creation: str) -> None:
    body = {"board": SMALL, "creation": creation, "tuples": 6, "length": 4, "seed": 9}
    told = api.post("/tuples/draw", body).json()["tuples"]
    own = create_tuples(creation, 6, 4, Geometry(5, 4, 3), 9)
    assert told == [[list(cell) for cell in cells] for cells in own]


def test_the_set_of_a_network_is_told_and_other_players_have_none(api: Api) -> None:
    agent = make_agent("ntuple:champion")
    assert isinstance(agent, NTupleAgent)
    told = api.post("/tuples/of", {"player": "ntuple:champion"}).json()["tuples"]
    assert told == [[list(cell) for cell in cells] for cells in agent.network.layout.tuples]
    refused = api.post("/tuples/of", {"player": "minimax"})
    assert refused.status_code == 400
    assert "is no n-tuple network" in refused.json()["detail"]


def test_coverage_is_that_of_the_house(api: Api) -> None:
    tuples = create_tuples("walk", 20, 8, STANDARD, 2)
    told = api.post("/tuples/coverage", {"tuples": [list(map(list, t)) for t in tuples]}).json()
    own = measure_coverage(tuples, STANDARD)
    assert told["cells"] == [list(column) for column in own.cells]
    assert told["seen"] == own.lines - len(own.unseen) < told["lines"] == 69
    assert told["unseen"] == [[list(cell) for cell in line] for line in own.unseen]
    assert told["weights"] == own.weights
    assert told["states"] == list(own.states)
    assert told["problem"] is None


def test_an_unfinished_set_is_measured_with_what_is_missing(api: Api) -> None:
    told = api.post("/tuples/coverage", {"tuples": [ROW, [], ROW[::-1]]}).json()
    assert told["problem"] == "tuple 2 is empty or has a cell twice"
    assert told["duplicates"] == [[3, 1]]
    assert told["states"][1] == 0
