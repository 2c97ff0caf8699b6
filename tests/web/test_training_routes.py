"""Runs, tournaments and pupils over HTTP: started, watched, stopped, and safe from a crash."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from serving import Lab, kill, start, stop

from connectlab.web.guard import Guard
from connectlab.web.learning import LIBRARIES, Learning
from connectlab.web.limits import Limits
from connectlab.web.models.runs import RunIn
from connectlab.web.options import WebError

SMALL = {"columns": 4, "rows": 4, "connect": 3}
RUN = {
    "learner": "ntuple",
    "settings": {**SMALL, "tuples": 6, "length": 4, "games": 20_000},
    "measures": ["quota:games=50"],
}
LONG = {**RUN, "settings": {**SMALL, "tuples": 6, "length": 4, "games": 20_000_000}}
PATIENCE_S = 90.0


@pytest.fixture(scope="module")
def client(lab: Lab) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{lab.url}/api", timeout=60) as client:
        yield client


def until(found: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not found():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.1)


def run_of(client: httpx.Client, name: str) -> dict[str, object]:
    answer = client.get(f"/runs/{name}")
    assert answer.status_code == 200, answer.text
    run: dict[str, object] = answer.json()["run"]
    return run


def refusal(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    (key,) = answer.json()
    assert key == "detail"
    return str(answer.json()["detail"])


@pytest.mark.slow
def test_a_run_is_begun_listed_and_played_against(client: httpx.Client) -> None:
    answer = client.post("/runs", json={**RUN, "name": "first"})
    assert (answer.status_code, answer.json()) == (201, {"name": "first"})
    until(lambda: run_of(client, "first")["state"] == "finished")
    detail = client.get("/runs/first").json()
    assert detail["settings"]["tuples"] == 6
    assert [row["games"] for row in detail["rows"]][-1] == 20_000
    run = detail["run"]
    assert (run["games"], run["player"]) == (20_000, "ntuple:runs/first")
    assert run["best"]["key"] == "win_rate"
    listed = [each["name"] for each in client.get("/runs").json()["runs"]]
    assert "first" in listed
    for spec in (run["player"], run["newest"]):
        move = client.post("/move", json={"position": SMALL, "player": spec})
        assert move.status_code == 200, move.text
    taken = client.post("/runs", json={**RUN, "name": "first"})
    assert "exists already" in refusal(taken, 400)
    assert "give it more of them" in refusal(client.post("/runs/first/resume", json={}), 400)


@pytest.mark.slow
def test_a_run_is_stopped_saved_and_goes_on(client: httpx.Client) -> None:
    name = client.post("/runs", json={**LONG, "measures": []}).json()["name"]
    until(lambda: run_of(client, name)["games"])
    client.post(f"/runs/{name}/stop")
    until(lambda: run_of(client, name)["state"] == "stopped")
    saved = run_of(client, name)["games"]
    assert isinstance(saved, int)
    assert saved > 0
    assert "is not going on" in refusal(client.post(f"/runs/{name}/stop"), 400)
    assert client.post(f"/runs/{name}/resume", json={}).status_code == 200
    until(lambda: int(str(run_of(client, name)["games"])) > saved)
    client.post(f"/runs/{name}/stop")
    until(lambda: run_of(client, name)["state"] == "stopped")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"learner": "nobody"}, "no learner 'nobody'"),
        ({"preset": "quik"}, "did you mean 'quick'"),
        ({"settings": {"alhpa": 1}}, "did you mean 'alpha'"),
        ({"settings": {"games": 10**11}}, "more than the page allows"),
        ({"settings": {"tuple_file": "/etc/passwd", "creation": "file"}}, "is not in the folder"),
        ({"begin_from": "ntuple:/etc/passwd"}, "is not in the runs folder"),
        ({"begin_from": "qtable:cheng-known"}, "cannot begin with what qtable has learned"),
        ({"measures": ["score:external:sh"]}, "external"),
        ({"measures": ["accuracy:positions=/etc/passwd"]}, "cannot be set from the page"),
        ({"name": "../outside"}, "is no name for a run"),
        ({"evaluation_every": 1}, "times at most"),
    ],
)
def test_what_the_page_may_not_ask_for_is_refused_in_a_sentence(
    client: httpx.Client, changes: dict[str, object], said: str
) -> None:
    answer = client.post("/runs", json={**RUN, **changes})
    assert answer.status_code in (400, 403)
    assert said in refusal(answer, answer.status_code)


def test_a_run_is_refused_for_the_weights_that_its_network_would_have(
    client: httpx.Client,
) -> None:
    asked = {"learner": "ntuple", "settings": sample_of(10)}
    assert client.post("/runs/check", json=asked).json()["problem"] is None
    asked = {"learner": "ntuple", "settings": sample_of(12)}
    problem = client.post("/runs/check", json=asked).json()["problem"]
    assert problem == coverage_problem(client, client.post("/tuples/draw", json=sample_of(12)))
    assert problem == refusal(client.post("/runs", json=asked), 400)
    assert "more than the 67,108,864 that fit in memory" in problem


def sample_of(length: int) -> dict[str, object]:
    return {"creation": "sample", "tuples": 300, "length": length}


def coverage_problem(client: httpx.Client, drawn: httpx.Response) -> object:
    covered = client.post("/tuples/coverage", json={"tuples": drawn.json()["tuples"]})
    return covered.json()["problem"]


def test_a_tuple_file_that_no_network_can_use_is_told_at_the_form(
    client: httpx.Client,
) -> None:
    drawn = client.post("/tuples/draw", json=sample_of(12))
    path = client.put("/tuples/large", json={"tuples": drawn.json()["tuples"]}).json()["path"]
    settings = {"creation": "file", "tuple_file": path}
    asked = {"learner": "ntuple", "settings": settings}
    problem = client.post("/runs/check", json=asked).json()["problem"]
    assert problem == coverage_problem(client, drawn)
    small = {**settings, "columns": 4, "rows": 4, "connect": 3}
    problem = client.post("/runs/check", json={"learner": "ntuple", "settings": small}).json()
    assert "outside" in problem["problem"]


def test_a_run_that_does_not_exist_is_told(client: httpx.Client) -> None:
    for path in ("nobody", "..%2f..%2fetc", "a/b/c"):
        assert "there is no run" in refusal(client.get(f"/runs/{path}"), 404)
    assert "there is no run" in refusal(client.post("/runs/nobody/stop"), 404)
    assert "there is no tournament" in refusal(client.get("/tournaments/nobody"), 404)


def test_every_preset_of_the_form_is_a_run_that_could_be_made(client: httpx.Client) -> None:
    found = client.get("/learners").json()["learners"]
    assert [learner["name"] for learner in found] == ["ntuple", "mlp", "qtable", "dqn"]
    for learner in found:
        properties = learner["json_schema"]["properties"]
        for preset in learner["presets"]:
            assert preset["settings"].keys() <= properties.keys()
            assert preset["evaluation_every"] is None or preset["evaluation_every"] > 0
        asked = {"learner": learner["name"], "preset": "quick"}
        assert client.post("/runs/check", json=asked).json()["problem"] is None
    (thill,) = (each for each in found[0]["presets"] if each["name"] == "thill-p4")
    assert thill["measures"] == ["success:games=50,objective=framework"]
    assert thill["evaluation_every"] == 100_000
    wrong = {"learner": "ntuple", "settings": {"alpha": "much"}}
    assert "alpha" in client.post("/runs/check", json=wrong).json()["problem"]


@pytest.mark.slow
def test_events_tell_the_list_and_rows_as_they_come(client: httpx.Client) -> None:
    client.post("/runs", json={**RUN, "name": "watched"})
    rows: list[int] = []
    kinds = set()
    with client.stream("GET", "/runs/events", params={"run": "watched"}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for kind, told in events(stream):
            kinds.add(kind)
            if kind == "rows":
                assert told["first"] == len(rows)
                rows += [row["games"] for row in told["rows"]]
            if (
                kind == "runs"
                and all(
                    run["state"] == "finished" for run in told["runs"] if run["name"] == "watched"
                )
                and rows
                and rows[-1] >= 20_000
            ):
                break
    assert kinds == {"runs", "rows"}
    assert max(rows) == 20_000


def events(stream: httpx.Response) -> Iterator[tuple[str, dict]]:  # type: ignore[type-arg]
    kind = ""
    for line in stream.iter_lines():
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))


@pytest.mark.slow
def test_a_killed_server_loses_no_run_and_one_that_ends_ends_its_streams(tmp_path: Path) -> None:
    first = start(tmp_path)
    with httpx.Client(base_url=f"{first.url}/api", timeout=60) as client:
        name = client.post("/runs", json={**LONG, "measures": []}).json()["name"]
        until(lambda: run_of(client, name)["games"])
    kill(first)
    second = start(tmp_path)
    with httpx.Client(base_url=f"{second.url}/api", timeout=60) as client:
        until(lambda: run_of(client, name)["state"] == "running")
        with client.stream("GET", "/runs/events") as stream:
            told = events(stream)
            next(told)
            ending = threading.Thread(target=stop, args=(second,))
            ending.start()
            for _ in told:  # a stream that breaks raises
                pass
    ending.join()


@pytest.mark.slow
def test_a_tournament_is_held_and_its_table_told(client: httpx.Client) -> None:
    asked = {"players": ["random", "extend", "minimax:depth=2"], "board": SMALL, "games": 10}
    answer = client.post("/tournaments", json=asked)
    assert answer.status_code == 201, answer.text
    name = answer.json()["name"]
    with client.stream("GET", f"/tournaments/{name}/events") as stream:
        told = next(told for _, told in events(stream) if told["state"] == "finished")
    assert told == client.get(f"/tournaments/{name}").json()
    assert sum(sum(row) for row in told["wins"]) + sum(sum(row) for row in told["draws"]) // 2 == 30
    low, high = told["ratings"][0]["rating_interval"]
    assert low < told["ratings"][0]["rating"] < high
    assert name in [each["name"] for each in client.get("/tournaments").json()["tournaments"]]
    assert "is finished" in refusal(client.post(f"/tournaments/{name}/resume"), 400)


def test_a_tournament_of_programs_is_refused(client: httpx.Client) -> None:
    asked = {"players": ["random", "external:sh"], "board": SMALL, "games": 10}
    assert "external" in refusal(client.post("/tournaments", json=asked), 400)
    many = {"players": ["random"] * 17, "board": SMALL, "games": 10}
    assert "at most" in refusal(client.post("/tournaments", json=many), 400)


def game(moves: str) -> dict[str, object]:
    return {
        "geometry": {"columns": 7, "rows": 6, "connect": 4},
        "moves": moves,
        "movers": ["human"] * len(moves),
        "move_seconds": [0.0] * len(moves),
        "result": "first",
    }


@pytest.mark.slow
def test_a_pupil_is_made_and_learns_from_a_game_once(client: httpx.Client) -> None:
    answer = client.post("/pupils", json={"source": "qtable:cheng-known"})
    assert answer.status_code in (200, 201), answer.text
    player = answer.json()["player"]
    asked = {"player": player, "id": "a-game-of-seven", "game": game("1212121")}
    lesson = client.post("/pupils/lessons", json=asked).json()
    assert lesson["steps"][-1]["after"] > lesson["steps"][-1]["before"]
    assert client.post("/pupils/lessons", json=asked).json()["again"]
    pupils = {each["player"]: each for each in client.get("/pupils").json()["pupils"]}
    assert pupils[player]["lessons"] == 1
    shipped = {**asked, "player": "qtable:cheng-known"}
    assert "make a pupil of it first" in refusal(client.post("/pupils/lessons", json=shipped), 400)
    other = {**asked, "player": "ntuple:champion"}
    assert "only qtable learns" in refusal(client.post("/pupils/lessons", json=other), 400)


def test_a_learner_without_its_library_is_refused_before_anybody_waits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limits = Limits()
    learning = Learning(Guard(tmp_path / "runs", tmp_path, limits), limits)
    learning.order(RunIn(learner="dqn", preset="quick"))
    monkeypatch.setitem(LIBRARIES, "dqn", ("no_such_library", "deep"))
    with pytest.raises(WebError, match=r"needs no_such_library.*connectlab\[deep\]"):
        learning.order(RunIn(learner="dqn", preset="quick"))
