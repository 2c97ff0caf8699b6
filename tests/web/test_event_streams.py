"""Streams of events: so many and no more, each counted until its client has gone."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message

from connectlab.training.metrics import MetricsLog, ProgressRow
from connectlab.web.events import Event, stream
from connectlab.web.limits import Limits
from connectlab.web.options import WebError
from connectlab.web.runs_watch import RunsWatch
from connectlab.web.training import Training

OLDER, NEWER = "2.3", "2.4"
"""Versions of ASGI: a client that has gone is received as a message, or an error when sending."""


@pytest.fixture
def training(tmp_path: Path) -> Training:
    return Training(tmp_path / "runs", tmp_path / "data", Limits(streams=2))


def tell() -> Iterable[Event]:
    return [("runs", {})]


async def watch(training: Training, messages: int, *, spec: str) -> list[Message]:
    """Answer a client that goes away when it has got this many messages; return what it got."""
    got: list[Message] = []
    gone = asyncio.Event()

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if len(got) == messages:
            gone.set()
            if spec == NEWER:
                raise OSError("gone")
            await asyncio.sleep(60)
        got.append(message)

    scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": spec}}
    response = stream(training, "a", tell)
    with suppress(ClientDisconnect):  # newer servers tell by an error that nobody is there
        await asyncio.wait_for(response(scope, receive, send), 30)
    return got


@pytest.mark.parametrize("spec", [OLDER, NEWER])
@pytest.mark.parametrize("messages", [0, 1, 2])
def test_a_stream_whose_client_has_gone_makes_room_for_another(
    training: Training, messages: int, spec: str
) -> None:
    for _ in range(3):  # one more than there may be at once
        got = asyncio.run(watch(training, messages, spec=spec))
        assert len(got) == messages
    assert all(b"event: runs" in message["body"] for message in got[1:])
    assert both_places_are_free(training)


def both_places_are_free(training: Training) -> bool:
    training.enter_stream("a")
    training.enter_stream("a")
    with pytest.raises(WebError, match="too many pages watch") as refused:
        training.enter_stream("a")
    return refused.value.status == 503


def test_one_stream_too_many_is_refused_until_another_ends(training: Training) -> None:
    training.enter_stream("a")
    training.enter_stream("a")
    with pytest.raises(WebError, match="too many pages watch"):
        stream(training, "a", tell)
    training.leave_stream("a")
    assert len(asyncio.run(watch(training, 2, spec=OLDER))) == 2


def test_rows_go_on_where_they_were_and_begin_anew_with_a_new_version(training: Training) -> None:
    folder = training.runs.root / "first"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{}")
    log, watching = MetricsLog(folder / "metrics.jsonl"), RunsWatch(training, ["first"])
    add(log, 1, 2, 3)
    assert rows(watching) == (0, 0, [1, 2, 3])
    add(log, 4)
    assert rows(watching) == (0, 3, [4])
    assert rows(watching) is None
    log.cut(2)
    add(log, 5, 6, 7)
    assert rows(watching) == (1, 0, [1, 2, 5, 6, 7])
    add(log, 8)
    assert rows(watching) == (1, 5, [8])


def add(log: MetricsLog, *games: int) -> None:
    for number in games:
        log.add(ProgressRow(number, float(number), 1.0, {"loss": 0.5}))


def rows(watching: RunsWatch) -> tuple[object, object, list[object]] | None:
    """Return version, first number and games of the rows that are told; None if none are."""
    for kind, told in watching.look():
        if kind == "rows":
            assert isinstance(told, dict)
            assert isinstance(told["rows"], list)
            games = [row["games"] for row in told["rows"] if isinstance(row, dict)]
            return told["version"], told["first"], games
    return None


def test_one_visitor_never_has_all_streams(tmp_path: Path) -> None:
    training = Training(tmp_path / "runs", tmp_path / "data", Limits(streams=3, streams_share=2))
    training.enter_stream("greedy")
    training.enter_stream("greedy")
    with pytest.raises(WebError, match="too many pages watch"):
        training.enter_stream("greedy")
    training.enter_stream("modest")
    training.leave_stream("greedy")
    training.enter_stream("greedy")
