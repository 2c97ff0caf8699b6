"""A disk that is full, read-only or odd is told in a sentence, and spoils nothing else."""

import asyncio
import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Request

from connectlab.lab.records import GameRecord
from connectlab.web.app import make_app
from connectlab.web.asking import answer_to
from connectlab.web.disk import disk_refusal
from connectlab.web.limits import Limits
from connectlab.web.models.games import FindIn, ListIn, ReadIn
from connectlab.web.options import Options
from connectlab.web.questions import QUESTIONS, games
from connectlab.web.services import written_folders
from connectlab.web.workers.tickets import Answer
from connectlab.web.workers.worker import answer

RUN = {"learner": "qtable", "preset": "quick", "name": "mine"}
"""Of a learner whose settings no worker has to look at."""
CHECKS = ("/runs/check", "/runs")
TOURNAMENT = {"players": ["random", "extend"], "games": 4}
WON = GameRecord.of_moves("1212121")


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    """Return the application, without workers and with nobody to begin what is ordered."""
    return make_app(Options(runs=tmp_path / "runs", data=tmp_path / "data", limits=Limits(runs=3)))


def ask(app: FastAPI, method: str, path: str, body: object = None) -> httpx.Response:
    async def asking() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, f"/api{path}", json=body)

    return asyncio.run(asking())


@pytest.fixture(params=[(errno.ENOSPC, 507, "is full"), (errno.EROFS, 403, "may not use its disk")])
def refused(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, str]]:
    """Let a disk refuse all bytes; return the status and the words that tell it."""
    number, status, words = request.param

    def refuse(path: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr("connectlab.storage.files._flush", refuse)
    return status, words


@pytest.mark.parametrize(("path", "body"), [("/runs", RUN), ("/tournaments", TOURNAMENT)])
def test_what_cannot_be_written_is_told_and_leaves_nothing(
    app: FastAPI, tmp_path: Path, refused: tuple[int, str], path: str, body: object
) -> None:
    said = ask(app, "POST", path, body)
    assert said.status_code == refused[0], said.text
    assert refused[1] in said.json()["detail"]
    assert str(tmp_path) not in said.text
    assert [
        each for each in tmp_path.rglob("*") if each.parent.name in ("runs", "tournaments")
    ] in (
        [],
        [tmp_path / "runs" / ".orders"],
    )


def test_a_tuple_file_that_cannot_be_written_is_told_alike(
    app: FastAPI, tmp_path: Path, refused: tuple[int, str]
) -> None:
    said = ask(app, "PUT", "/tuples/abc", {"tuples": [[[0, 0], [1, 0]]]})
    assert said.status_code == refused[0], said.text
    assert refused[1] in said.json()["detail"]
    assert str(tmp_path) not in said.text


NAMES = ["../x", ".orders", "check", "a/b", "x" * 81, "mine"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_checked_as_it_is_when_the_run_begins(app: FastAPI, name: str) -> None:
    assert ask(app, "POST", "/runs/check", RUN).json()["problem"] is None
    assert ask(app, "POST", "/runs", RUN).status_code == 201
    checked, begun = (ask(app, "POST", path, {**RUN, "name": name}) for path in CHECKS)
    told = checked.json()["problem"] if checked.status_code == 200 else checked.json()["detail"]
    assert begun.status_code in (400, 422)
    assert told == begun.json()["detail"]


def test_a_worker_tells_of_the_disk_too(tmp_path: Path, refused: tuple[int, str]) -> None:
    body = {"folder": str(tmp_path), "most_games": 9, "most_bytes": 10_000, "id": "game-0001"}
    asked = json.dumps({**body, "record": WON.to_json()})
    said = answer(b"keep_game\n" + asked.encode())
    assert int(said[:3]) == refused[0]
    assert refused[1] in json.loads(said[3:])["detail"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_matter_of_a_disk_stays_a_mistake() -> None:
    assert disk_refusal(ConnectionResetError(errno.ECONNRESET, "reset")) is None
    assert disk_refusal(TimeoutError()) is None
    loop = disk_refusal(OSError(errno.ELOOP, "Too many links", "/secret/folder/x.json"))
    assert loop == (503, "the server cannot use x.json on its disk: too many links")


def test_there_are_so_many_runs_and_no_more(app: FastAPI) -> None:
    for number in range(3):
        assert ask(app, "POST", "/runs", {**RUN, "name": f"run-{number}"}).status_code == 201
    for path, body in (("/runs", RUN), ("/pupils", {"source": "qtable:cheng-known"})):
        said = ask(app, "POST", path, body)
        assert said.status_code == 400
        assert "3 runs are kept, and no more" in said.json()["detail"]


def test_a_name_that_no_text_can_hold_hides_no_run(app: FastAPI, tmp_path: Path) -> None:
    assert ask(app, "POST", "/runs", RUN).status_code == 201
    odd = Path(os.fsdecode(os.fsencode(tmp_path / "runs") + b"/odd-\xff"))
    odd.mkdir()
    (odd / "run.json").write_text("{}")
    listed = ask(app, "GET", "/runs")
    assert listed.status_code == 200, listed.text
    assert [run["name"] for run in listed.json()["runs"]] == ["mine"]


@pytest.mark.parametrize(
    "odd", [{"players": ["x" * 501, "b"]}, {"seed": 2**70}, {"players": ["\ud800", "b"]}]
)
def test_a_game_that_the_page_cannot_show_hides_no_other(tmp_path: Path, odd: dict) -> None:  # type: ignore[type-arg]
    text = json.dumps({**WON.to_json(), **odd})
    (tmp_path / "game-odd.json").write_text(text)
    (tmp_path / "game-0001.json").write_text(WON.to_text())
    found = games.newest(ListIn(folder=str(tmp_path), n=10, offset=0))
    assert [game.id for game in found.games] == ["game-0001"]
    with pytest.raises(games.GameError):
        games.find(FindIn(folder=str(tmp_path), id="game-odd"))
    with pytest.raises(games.GameError):
        games.read(ReadIn.model_construct(text=text))


class Workers:
    """Answers everything after a while, and notes what came of it."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def ask(self, question: str, _body: bytes, _visitor: str = "") -> Answer:
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        self.ended.append("answered")
        raise OSError(f"nobody hears what becomes of {question}")


@pytest.mark.parametrize("question", ["keep_game", "make_pupil", "lesson", "move", "list_games"])
def test_a_question_that_writes_is_answered_though_nobody_listens(
    app: FastAPI, question: str
) -> None:
    workers = app.state.services.pool = Workers()

    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def asking() -> None:
        scope = {"type": "http", "app": app, "headers": [], "client": None}
        body = ListIn(folder="", n=1, offset=0)
        assert await answer_to(Request(scope, gone), question, body) is None
        await asyncio.sleep(0.2)

    asyncio.run(asking())
    writes = question in ("keep_game", "make_pupil", "lesson")
    assert QUESTIONS[question].finishes == writes
    assert workers.ended == ["answered" if writes else "cancelled"]


def test_every_folder_that_is_written_to_is_swept(tmp_path: Path) -> None:
    options = Options(runs=tmp_path / "runs", data=tmp_path / "data")
    (tmp_path / "data" / "tournaments" / "one").mkdir(parents=True)
    found = {str(folder.relative_to(tmp_path)) for folder in written_folders(options)}
    assert found == {
        "runs",
        "runs/.orders",
        "data/games",
        "data/tuples",
        "data/tournaments/one",
    }
