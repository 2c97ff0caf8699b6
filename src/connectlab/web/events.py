"""Server-sent events: what has changed is told until the client leaves or the server ends."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import TypeAlias

from fastapi.responses import StreamingResponse
from pydantic import JsonValue
from starlette.types import Receive, Scope, Send

from connectlab.web.training import Training

TICK_SECONDS = 0.5
HEARTBEAT_SECONDS = 10.0
HEARTBEAT = b": alive\n\n"

Event: TypeAlias = tuple[str, JsonValue]
"""The kind of an event and what it tells."""
Look: TypeAlias = Callable[[], Iterable[Event]]
"""Tells what has changed since it was asked before; it may take a while, and runs in a thread."""


def stream(training: Training, visitor: str, look: Look) -> StreamingResponse:
    """Answer with a stream of events; refuse one too many."""
    training.enter_stream(visitor)
    return _Stream(training, visitor, look)


class _Stream(StreamingResponse):
    """A stream that is counted until it ends, even if its client left before it began."""

    def __init__(self, training: Training, visitor: str, look: Look) -> None:
        super().__init__(
            _tell(training, look),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        self._training, self._visitor = training, visitor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell until nobody listens."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._training.leave_stream(self._visitor)


async def _tell(training: Training, look: Look) -> AsyncIterator[bytes]:
    told_at = time.monotonic()
    while not training.closing.is_set():
        for kind, told in await asyncio.to_thread(lambda: list(look())):
            told_at = time.monotonic()
            yield f"event: {kind}\ndata: {json.dumps(told)}\n\n".encode()
        if time.monotonic() - told_at >= HEARTBEAT_SECONDS:
            told_at = time.monotonic()
            yield HEARTBEAT
        await asyncio.sleep(TICK_SECONDS)
