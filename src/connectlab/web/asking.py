"""How a route asks a worker: the answer is passed on unread, and who goes away cancels."""

import asyncio

from fastapi import Request, Response
from pydantic import BaseModel

from connectlab.web.questions import QUESTIONS
from connectlab.web.services import services_of
from connectlab.web.workers.tickets import Answer

VISITOR = "x-visitor"
MOST_LETTERS = 64
GONE = 499
"""Nobody sees this status: whoever asked is gone."""

_finishing: "set[asyncio.Future[Answer]]" = set()
"""Questions that are worked on though nobody listens: a loop alone would forget them."""


async def ask(request: Request, question: str, body: BaseModel) -> Response:
    """Let a worker answer a question and pass its JSON on as it is.

    If the client goes away meanwhile, the question is cancelled, unless it writes files.
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
        gone.cancel()
        _leave(asked, finishes=QUESTIONS[question].finishes)


def _leave(asked: "asyncio.Future[Answer]", *, finishes: bool) -> None:
    """Cancel a question to which nobody listens, or let it come to its end by itself."""
    if asked.done() or not finishes:
        asked.cancel()
        return
    _finishing.add(asked)
    asked.add_done_callback(_finishing.discard)
    asked.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else asks


def visitor_of(request: Request) -> str:
    """Return who asks: the random name of a page, or else an address."""
    named = request.headers.get(VISITOR, "")[:MOST_LETTERS]
    return named or (request.client.host if request.client is not None else "")


async def _gone(request: Request) -> None:
    """Return when the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
