"""Silent connections are closed, and never keep an honest one out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from connectlab.web import connections
from connectlab.web.connections import Complaints, Door, connections_through, most_connections
from connectlab.web.server import listen

SHORT_S = 0.3
LONG_S = 3600.0
GET = b"GET /%s HTTP/1.1\r\nHost: lab\r\n\r\n"
PATIENCE_S = 30.0

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer at once, at /slow after longer than one may be silent, at /never not at all."""
    seconds = {"/slow": 3 * SHORT_S, "/never": LONG_S}.get(scope["path"], 0.0)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (await receive())["type"] != "http.disconnect":
                pass
            return
    await PlainTextResponse("well")(scope, receive, send)


def with_door(
    test: Callable[[int], Awaitable[None]], *, most: int = 100, head_s: float = SHORT_S
) -> None:
    """Run a test with the port of a server that has such a door."""

    async def running() -> None:
        door = Door(most, head_s)
        config = uvicorn.Config(
            _answer, http=connections_through(door), lifespan="off", log_level="error"
        )
        server = uvicorn.Server(config)
        with listen("127.0.0.1", 0) as socket:
            config.load()
            server.lifespan = config.lifespan_class(config)
            await server.startup([socket])
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await test(socket.getsockname()[1])
            finally:
                for one in list(door.within):
                    one.drop()
                await server.shutdown()
        assert not door.within

    asyncio.run(running())


async def connect(port: int, say: bytes = b"") -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(say)
    return reader, writer


async def heard(streams: Streams) -> bytes:
    """Return all that comes until the other side closes."""
    reader, writer = streams
    found = b""
    with suppress(ConnectionResetError):
        while part := await reader.read(65536):
            found += part
    writer.close()
    return found


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: lab\r\n"])
def test_a_connection_without_a_whole_head_is_closed(said: bytes) -> None:
    async def test(port: int) -> None:
        assert await heard(await connect(port, said)) == b""

    with_door(test)


def test_a_head_letter_by_letter_has_no_more_time() -> None:
    async def test(port: int) -> None:
        reader, writer = await connect(port, b"GET / HTTP/1.1\r\nX: ")
        with suppress(ConnectionError):
            while not reader.at_eof() and reader.exception() is None:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(SHORT_S / 10)
        assert await heard((reader, writer)) == b""

    with_door(test)


def test_after_an_answer_half_a_head_is_not_waited_for_either() -> None:
    async def test(port: int) -> None:
        streams = await connect(port, GET % b"")
        assert (await streams[0].readuntil(b"well")).startswith(b"HTTP/1.1 200")
        streams[1].write(b"GET / HT")
        assert await heard(streams) == b""

    with_door(test)


def test_whoever_has_asked_may_be_silent_until_the_answer_comes() -> None:
    async def test(port: int) -> None:
        streams = await connect(port, GET % b"slow")
        assert (await streams[0].readuntil(b"well")).startswith(b"HTTP/1.1 200")
        streams[1].close()

    with_door(test)


def test_silent_connections_keep_no_honest_one_out() -> None:
    async def test(port: int) -> None:
        silent = [await connect(port, b"GET") for _ in range(9)]
        uploading = await connect(port, b"POST /never HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
        for _ in range(3):
            honest = await connect(port, GET % b"")
            assert await honest[0].readuntil(b"well")
            silent.append(honest)
        for streams in (*silent, uploading):
            streams[1].close()

    with_door(test, most=2, head_s=LONG_S)


def test_who_is_being_answered_gives_way_to_nobody() -> None:
    async def test(port: int) -> None:
        first = await connect(port, GET % b"slow")
        await asyncio.sleep(SHORT_S)
        assert await heard(await connect(port, GET % b"")) == b""
        assert await first[0].readuntil(b"well")
        first[1].close()

    with_door(test, most=1, head_s=LONG_S)


def test_there_are_fewer_connections_than_files(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"now": (64, 256)}
    monkeypatch.setattr("resource.getrlimit", lambda _what: limits["now"])
    monkeypatch.setattr("resource.setrlimit", lambda _what, new: limits.update(now=new))
    assert most_connections(1_000) == 256 - connections.RESERVED
    assert limits["now"] == (256, 256)
    limits["now"] = (64, 5_000)
    assert most_connections(1_000) == 1_000
    assert limits["now"] == (1_000 + connections.RESERVED, 5_000)


def test_that_no_connection_can_be_taken_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    complaints = Complaints()
    lack = {"message": "socket.accept() out of system resource", "exception": OSError(24, "lack")}
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            complaints(loop, lack)
        assert len(caplog.records) == 1
        complaints(loop, {"message": "something else"})
    loop.close()
    assert "something else" in caplog.text
