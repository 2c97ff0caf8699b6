"""While the server gets ready, whoever comes is told so."""

import socket
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from connectlab.web import warming
from connectlab.web.server import listen
from connectlab.web.warming import WaitingRoom, response


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Return a socket that listens, of a server that takes long at once."""
    monkeypatch.setattr(warming, "PATIENCE_S", 0.0)
    with listen("127.0.0.1", 0) as door:
        yield door


def address(door: socket.socket) -> str:
    return f"http://127.0.0.1:{door.getsockname()[1]}"


def test_a_visitor_is_told_to_wait_and_a_program_when_to_ask_again(door: socket.socket) -> None:
    with WaitingRoom(door, lambda: None):
        page = httpx.get(f"{address(door)}/?pos=44")
        program = httpx.post(f"{address(door)}/api/move", json={"position": {}})
        head = httpx.head(address(door))
    for said in (page, program, head):
        assert said.status_code == 503
        assert said.headers["retry-after"] == str(warming.RETRY_S)
    assert "warming up" in page.text
    assert 'http-equiv="refresh"' in page.text
    assert "warming up" in program.json()["detail"]
    assert head.content == b""


def test_the_server_takes_over_and_whoever_came_last_is_its_guest(door: socket.socket) -> None:
    with WaitingRoom(door, lambda: None):
        httpx.get(address(door))
    with socket.create_connection(door.getsockname()), door.accept()[0]:
        pass


def test_who_says_nothing_holds_nobody_up_for_long(
    door: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "HEAD_S", 0.1)
    with (
        WaitingRoom(door, lambda: None),
        socket.create_connection(door.getsockname()) as silent,
        socket.create_connection(door.getsockname()) as gone,
    ):
        gone.close()
        assert httpx.get(address(door), timeout=30).status_code == 503
        assert silent.recv(1) == b""


def test_a_server_that_is_ready_soon_keeps_its_visitors_for_itself() -> None:
    began = threading.Event()
    with listen("127.0.0.1", 0) as door:
        with WaitingRoom(door, began.set):
            visitor = socket.create_connection(door.getsockname())
            time.sleep(0.05)
        with visitor, door.accept()[0]:
            assert not began.is_set()


def test_a_head_has_no_body() -> None:
    assert response(b"HEAD / HTTP/1.1\r\n\r\n").endswith(b"\r\n\r\n")
    assert b"<!doctype html>" in response(b"")
