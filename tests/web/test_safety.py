"""What no honest page would send is refused before anything else sees it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from connectlab.web.limits import Limits
from connectlab.web.options import Options
from connectlab.web.safety import Safety, is_our_host

LIMIT = 1_000
LOCAL = Options(limits=Limits(body_bytes=LIMIT, body_s=0.2))
OPEN = Options(host="0.0.0.0", token="sesame", limits=LOCAL.limits)


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Say how much of a body came through."""
    if scope["path"] == "/api/broken":
        raise RuntimeError("a mistake with a secret in it")
    body = await Request(scope, receive).body()
    await JSONResponse({"bytes": len(body)})(scope, receive, send)


def ask(
    method: str = "GET",
    path: str = "/api/info",
    headers: dict[str, str] | None = None,
    *,
    options: Options = LOCAL,
    safety: Safety | None = None,
    content: Any = None,
    base: str = "http://127.0.0.1:8000",
) -> httpx.Response:
    """Ask a server that stands behind nothing but the safety."""

    async def asking() -> httpx.Response:
        transport = httpx.ASGITransport(safety or Safety(_echo, options))
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return await client.request(method, path, headers=headers, content=content)

    return asyncio.run(asking())


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "127.0.0.1", "localhost:9999"],
)
def test_the_names_of_this_machine_are_ours(host: str) -> None:
    assert ask(headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.example@127.0.0.1.evil.example",
        "192.168.1.5:8000",
        "0.0.0.0:8000",
        "",
        "[::1",
        "localhost/..",
        "evil.example@localhost",
        "localhost?evil.example",
    ],
)
def test_another_name_is_refused_so_no_stranger_can_take_our_address(host: str) -> None:
    assert ask(headers={"Host": host}).status_code == 421


def test_a_server_for_others_goes_by_addresses_but_by_no_strange_name() -> None:
    assert is_our_host("192.168.1.5:8000", "0.0.0.0")
    assert is_our_host("[fe80::1]:8000", "::")
    assert is_our_host("lab.example:8000", "lab.example")
    assert not is_our_host("evil.example:8000", "0.0.0.0")
    assert is_our_host("Lab:8000", "0.0.0.0", frozenset({"lab"}))
    assert not is_our_host("lab.evil.example:8000", "0.0.0.0", frozenset({"lab"}))


def test_the_name_of_this_machine_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To ask may take seconds, and while it does the server stands still."""
    asked: list[str] = []

    def name() -> str:
        asked.append("name")
        return "Lab.Example"

    monkeypatch.setattr("socket.getfqdn", name)
    known = {"Authorization": "Bearer sesame"}
    safety = Safety(_echo, OPEN)
    for host, status in [("lab.example", 200), ("evil.example", 421), ("other.example", 421)]:
        found = ask(headers={**known, "Host": host}, safety=safety)
        assert found.status_code == status
    assert len(asked) == 1
    ask(headers={"Host": "evil.example"})
    assert len(asked) == 1, "on this machine alone nobody need know its name"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9000"},
        {"Origin": "http://127.0.0.1:8000.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_another_site_cannot_start_or_stop_anything(method: str, headers: dict[str, str]) -> None:
    assert ask(method, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://127.0.0.1:8000"},
        {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_our_own_page_and_programs_can(headers: dict[str, str]) -> None:
    assert ask("POST", headers=headers, content=b"{}").json() == {"bytes": 2}


def test_whoever_only_looks_need_not_say_where_from() -> None:
    assert ask(headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_a_body_of_the_greatest_size_comes_through_and_no_more() -> None:
    assert ask("POST", content=b"x" * LIMIT).json() == {"bytes": LIMIT}
    refused = ask("POST", content=b"x" * (LIMIT + 1))
    assert (refused.status_code, refused.json()) == (
        413,
        {"detail": "a request has at most 1,000 bytes"},
    )


def test_a_body_in_pieces_is_counted_and_not_believed() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b"x" * 100

    assert ask("POST", content=pieces()).status_code == 413


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def never() -> Message:
        await asyncio.sleep(60)
        raise AssertionError("nobody waits so long")

    assert _statuses(never) == [408]


def test_who_goes_away_within_a_body_is_not_answered() -> None:
    messages: list[Message] = [
        {"type": "http.request", "body": b"x", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def leaving() -> Message:
        return messages.pop(0)

    assert _statuses(leaving) == []


def _statuses(receive: Receive) -> list[int]:
    """Return which answers a request gets whose body is received so."""
    sent: list[int] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            sent.append(message["status"])

    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/move",
        "headers": [(b"host", b"localhost")],
    }
    asyncio.run(Safety(_echo, LOCAL)(scope, receive, send))
    return sent


@pytest.mark.parametrize("given", [None, "Bearer wrong", "sesame", "Basic sesame", "Bearer "])
def test_without_the_token_there_is_no_way_into_the_api(given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given}
    refused = ask(headers=headers, options=OPEN)
    assert refused.status_code == 401
    assert "sesame" not in refused.text


def test_with_the_token_there_is_and_the_page_itself_needs_none() -> None:
    assert ask(headers={"Authorization": "Bearer sesame"}, options=OPEN).status_code == 200
    for path in ("/", "/js/api.js", "/api", "/api/"):
        assert ask(path=path, options=OPEN).status_code == 200


def test_every_answer_tells_browsers_what_not_to_do() -> None:
    for answer in (ask(), ask(headers={"Host": "evil.example"}), ask(path="/api/broken")):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers


def test_a_mistake_of_ours_is_one_sentence_without_what_went_wrong(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = ask(path="/api/broken")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "secret" in caplog.text
