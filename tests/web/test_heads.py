"""HEAD is answered as GET is, without a body, and ends even where GET would not."""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from connectlab.web.heads import Heads

PATIENCE_S = 30.0


async def _tell(scope: Scope, receive: Receive, send: Send) -> None:
    """Say which method came through; tell without end at /api/events."""

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"more"
            await asyncio.sleep(0.01)

    response: Response = PlainTextResponse(scope["method"].ljust(4))
    if scope["path"] == "/api/events":
        response = StreamingResponse(endless())
    await response(scope, receive, send)


def ask(method: str, path: str) -> tuple[Message, bytes]:
    """Return how the answer begins, and its body; like a server, say when the answer is whole."""
    sent: list[Message] = []
    whole = asyncio.Event()

    async def send(message: Message) -> None:
        assert not whole.is_set(), "nothing comes after the end"
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            whole.set()

    async def receive() -> Message:
        await whole.wait()
        return {"type": "http.disconnect"}

    async def asking() -> None:
        async with asyncio.timeout(PATIENCE_S):
            scope: Scope = {"type": "http", "method": method, "path": path, "headers": []}
            await Heads(_tell)(scope, receive, send)

    asyncio.run(asking())
    return sent[0], b"".join(message["body"] for message in sent[1:])


def test_a_head_has_the_headers_of_a_get_and_no_body() -> None:
    start, body = ask("GET", "/api/info")
    assert body == b"GET "
    assert ask("HEAD", "/api/info") == (start, b"")


def test_the_files_of_the_page_see_to_heads_themselves() -> None:
    assert ask("HEAD", "/js/api.js")[1] == b"HEAD"


def test_a_head_of_a_stream_ends() -> None:
    assert ask("HEAD", "/api/events")[1] == b""
