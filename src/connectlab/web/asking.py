"""How a route asks a worker: the answer is passed on unread, and who goes away cancels."""

import asyncio

from fastapi import Request, Response
from pydantic import BaseModel

from connectlab.web.services import services_of
from connectlab.web.workers.tickets import Answer

VISITOR = "x-visitor"
MOST_LETTERS = 64
GONE = 499
"""Nobody sees this status: whoever asked is gone."""


async def ask(request: Request, question: str, body: BaseModel) -> Response:
    """Let a worker answer a question and pass its JSON on as it is.

    If the client goes away meanwhile, the question is cancelled.
    """
    answer = await answer_to(request, question, body)
    if answer is None:
        return Response(status_code=GONE)
    return Response(answer.body, answer.status, media_type="application/json")


async def answer_to(request: Request, question: str, body: BaseModel) -> Answer | None:
    """Return the answer of a worker; None if the client went away meanwhile."""
    pool = services_of(request).pool
    asked = asyncio.ensure_future(
        pool.ask(question, body.model_dump_json().encode(), visitor_of(request))
    )
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({asked, gone}, return_when=asyncio.FIRST_COMPLETED)
        return asked.result() if asked.done() else None
    finally:
        for task in (asked, gone):
            task.cancel()


def visitor_of(request: Request) -> str:
    """Return who asks: the random name of a page, or else an address."""
    named = request.headers.get(VISITOR, "")[:MOST_LETTERS]
    return named or (request.client.host if request.client is not None else "")


async def _gone(request: Request) -> None:
    """Return when the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
