"""Games are read from whatever people paste, and kept once, as the terminal takes them."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import Lab

from connectlab.lab.records import GameRecord, load_game
from connectlab.web.models.games import Game

WON = GameRecord.of_moves("1212121").to_json()


def post(lab: Lab, path: str, body: object) -> httpx.Response:
    return httpx.post(f"{lab.url}/api/{path}", json=body, timeout=60)


def get(lab: Lab, path: str) -> httpx.Response:
    return httpx.get(f"{lab.url}/api/{path}", timeout=60)


def read(lab: Lab, text: str, **board: object) -> Any:
    answer = post(lab, "read", {"text": text, "board": board})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_game_of_the_api_is_a_record_of_the_house() -> None:
    assert set(Game.model_fields) == set(GameRecord.model_fields)


def test_moves_are_read(lab: Lab) -> None:
    found = read(lab, " 44 53\n")
    assert (found["source"], found["record"]["moves"]) == ("moves", "4453")
    assert read(lab, "9a", columns=10, rows=5)["record"]["geometry"]["columns"] == 10


def test_a_saved_game_is_read_and_written_as_it_was(lab: Lab) -> None:
    found = read(lab, json.dumps(WON))
    assert found["source"] == "game"
    assert GameRecord.from_json(json.dumps(found["record"])).to_json() == WON


def test_a_drawing_is_read(lab: Lab) -> None:
    found = read(lab, ". . . .\n. . . .\n. O X .\n1 2 3 4", connect=3)
    assert found["source"] == "drawing"
    assert found["record"]["geometry"] == {"columns": 4, "rows": 3, "connect": 3, "variant": ""}


def test_a_drawing_is_of_the_table_it_is_pasted_at(lab: Lab) -> None:
    found = read(lab, "..XO...", variant="slip:0.1")
    assert found["record"]["geometry"]["variant"] == "slip:0.1"
    assert found["record"]["geometry"]["rows"] == 6
    assert "those above are empty" in found["note"]


def test_a_replay_of_kaggle_is_read(lab: Lab) -> None:
    found = read(lab, json.dumps(episode([0, 1, 0, 1, 0, 1, 0])))
    assert found["source"] == "kaggle"
    assert found["record"]["moves"] == "1212121"
    assert found["record"]["result"] == "first"
    assert found["names"] == ["Ada", "Bob"]


def episode(columns: list[int]) -> dict[str, object]:
    """Write an episode that the first player wins as Kaggle does."""
    waiting = {"action": 0, "reward": 0, "status": "ACTIVE", "observation": {}}
    steps: list[list[dict[str, object]]] = [[waiting, {**waiting, "status": "INACTIVE"}]]
    for number, column in enumerate(columns):
        mover = {**waiting, "action": column}
        steps.append([mover, waiting] if number % 2 == 0 else [waiting, mover])
    for state, reward in zip(steps[-1], (1, -1), strict=True):
        state.update(reward=reward, status="DONE")
    steps[-1] = [{**steps[-1][0], "reward": 1}, {**waiting, "reward": -1, "status": "DONE"}]
    return {"name": "connectx", "steps": steps, "info": {"TeamNames": ["Ada", "Bob"]}}


@pytest.mark.parametrize(
    "text", ["hello", "8", '{"steps": 1}', "{", "{}", '{"kind": "connectlab game"}', "\0", "X\nY"]
)
def test_what_is_no_game_is_told_in_a_sentence(lab: Lab, text: str) -> None:
    answer = post(lab, "read", {"text": text})
    assert answer.status_code == 400
    assert "\n" not in answer.json()["detail"]


def test_a_finished_game_is_kept_as_a_file_of_the_house(lab: Lab) -> None:
    kept = post(lab, "games", {"id": "first-game", "record": WON})
    assert kept.status_code == 200, kept.text
    assert post(lab, "games", {"id": "first-game", "record": WON}).json() == kept.json()
    assert load_game(lab.data / "games" / "first-game.json").to_json() == WON
    assert get(lab, "games/first-game").json() == kept.json()
    listed = get(lab, "games").json()
    assert kept.json() in listed["games"]
    assert listed["total"] == len(list(Path(lab.data / "games").iterdir()))


@pytest.mark.parametrize(
    ("identity", "change", "status"),
    [
        ("second-game", {"result": "second"}, 400),
        ("second-game", {"result": None, "moves": "4453"}, 400),
        ("second-game", {"movers": []}, 400),
        ("second-game", {"moves": "1111111"}, 400),
        ("second-game", {"move_seconds": [-1.0] * 7}, 422),
        ("second-game", {"players": ["a"]}, 422),
        ("second-game", {"players": ["x" * 501, "b"]}, 422),
        ("second-game", {"more": 1}, 422),
        ("../second", {}, 422),
        ("short", {}, 422),
    ],
)
def test_what_is_no_finished_game_is_not_kept(
    lab: Lab, identity: str, change: dict[str, object], status: int
) -> None:
    answer = post(lab, "games", {"id": identity, "record": {**WON, **change}})
    assert answer.status_code == status, answer.text
    assert not (lab.data / "games" / "second-game.json").exists()


def test_a_game_that_is_not_there_is_not_found(lab: Lab) -> None:
    assert get(lab, "games/nobody-knows").status_code == 404
    assert get(lab, "games/..%2F..%2Fetc%2Fpasswd").status_code in (404, 422)
    assert get(lab, "games?n=0").status_code == 422
