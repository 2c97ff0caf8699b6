"""The page learns who can sit down where."""

import shutil
from typing import Any

import httpx
import pytest
from serving import Lab

from connectlab.agents.ntuple.agent import SOURCES
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.training.folder import RunRecord


def listed(lab: Lab) -> Any:
    answer = httpx.get(f"{lab.url}/api/players", timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def check(lab: Lab, **asked: object) -> httpx.Response:
    return httpx.post(f"{lab.url}/api/players/check", json=asked, timeout=60)


def test_every_player_of_the_page_is_listed_with_its_settings(lab: Lab) -> None:
    found = {player["name"]: player for player in listed(lab)["players"]}
    assert "external" not in found
    assert "kaggle" not in found
    assert found["minimax"]["json_schema"]["properties"]["depth"]["maximum"] == 12
    assert found["ntuple"]["needs_source"]
    assert found["ntuple"]["sources"] == ["champion", "hardened"]
    assert not found["mcts"]["needs_source"]
    assert found["mcts"]["variants"] == ["counts", "drop-row", "slip"]


def test_players_that_come_along_say_where_they_are_at_home(lab: Lab) -> None:
    trained = {one["spec"]: one for one in listed(lab)["trained"]}
    standard = {"columns": 7, "rows": 6, "connect": 4, "variant": ""}
    assert trained["ntuple:champion"]["board"] == standard
    assert trained["ntuple:champion"]["shipped"]


def test_each_player_that_is_offered_can_sit_down(lab: Lab) -> None:
    document = listed(lab)
    offers = [(one["spec"], one["board"]) for one in document["trained"]]
    offers += [(one["spec"], one["board"]) for one in document["defaults"]]
    offers += [(document["hint"], None)]
    for spec, board in offers:
        answer = check(lab, spec=spec, board=board or {"columns": 5, "rows": 5})
        assert answer.status_code == 200, (spec, answer.text)
        assert answer.json()["spec"] == spec


def test_a_run_in_the_runs_folder_is_listed_and_plays(lab: Lab) -> None:
    folder = lab.runs / "mine"
    folder.mkdir()
    try:
        (folder / "run.json").write_text(RunRecord.make(NTupleConfig()).model_dump_json())
        shutil.copy(SOURCES.shipped_file("champion"), folder / "best.safetensors")
        (mine,) = (one for one in listed(lab)["trained"] if one["spec"] == "ntuple:runs/mine")
        assert (mine["shipped"], mine["title"]) == (False, "mine (ntuple)")
        moves = [
            httpx.post(f"{lab.url}/api/move", json={"position": {"moves": "4"}, "player": spec})
            for spec in (mine["spec"], "ntuple:champion")
        ]
        assert moves[0].json()["column"] == moves[1].json()["column"]
    finally:
        shutil.rmtree(folder)


def test_a_player_is_checked_by_spec_or_by_settings(lab: Lab) -> None:
    for asked in ({"spec": "minimax:depth=6"}, {"name": "minimax", "settings": {"depth": 6}}):
        assert check(lab, **asked).json()["spec"] == "minimax:depth=6"


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({}, 422, "either a spec or a name"),
        ({"spec": "random", "name": "random"}, 422, "either a spec or a name"),
        ({"spec": "ntuple:champion", "board": {"columns": 5}}, 400, "was trained on"),
        ({"spec": "ntuple"}, 400, "needs a path or a name"),
        ({"spec": "ntuple:runs/nobody"}, 400, "no ntuple player"),
        ({"name": "minimax", "settings": {"depth": 64}}, 400, "more than the page allows: 12"),
        ({"name": "minimax", "settings": {"depth": 13}}, 400, "more than the page allows"),
        ({"name": "mcts", "settings": {"value": "external:command=ls"}}, 400, "no player"),
        ({"name": "ntuple", "settings": {"source": "runs/../x"}}, 403, "runs folder"),
        ({"spec": "extend", "board": {"variant": "counts"}}, 400, "cannot play the variant"),
    ],
)
def test_who_cannot_sit_down_is_told_why(
    lab: Lab, asked: dict[str, object], status: int, words: str
) -> None:
    answer = check(lab, **asked)
    assert (answer.status_code, words in answer.json()["detail"]) == (status, True), answer.text
