"""HEAD is answered as GET is, without a body, and ends even where GET would not."""

import asyncio
from collections.abc import AsyncIterator

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from connectlab.web.heads import Heads


async def _tell(scope: Scope, receive: Receive, send: Send) -> None:
    """Say which method came through; tell without end at /api/events."""

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"more"
            await asyncio.sleep(0.01)

    response: Response = JSONResponse({"method": Request(scope).method})
    if scope["path"] == "/api/events":
        response = StreamingResponse(endless())
    await response(scope, receive, send)


def ask(method: str, path: str) -> httpx.Response:
    async def asking() -> httpx.Response:
        transport = httpx.ASGITransport(Heads(_tell))
        async with httpx.AsyncClient(transport=transport, base_url="http://lab") as client:
            return await client.request(method, path)

    return asyncio.run(asking())


def test_a_head_has_the_headers_of_a_get_and_no_body() -> None:
    whole, head = ask("GET", "/api/info"), ask("HEAD", "/api/info")
    assert whole.json() == {"method": "GET"}
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers == whole.headers


def test_the_files_of_the_page_see_to_heads_themselves() -> None:
    assert ask("HEAD", "/js/api.js").json() == {"method": "HEAD"}


def test_a_head_of_a_stream_ends() -> None:
    assert ask("HEAD", "/api/events").content == b""
