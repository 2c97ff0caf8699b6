"""What the routes share: the options, the guard and the workers."""

import asyncio
from typing import Annotated

from fastapi import Depends, Request

from connectlab.web.guard import Guard
from connectlab.web.models.players import HomeBoards
from connectlab.web.options import Options
from connectlab.web.workers.pool import Pool


class Services:
    """Everything a route may need, made once for a server."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.guard = Guard(options.runs, options.data, options.limits)
        self.pool = Pool(options.workers, options.limits)
        self.homes: HomeBoards | None = None
        """Where the players that come along are at home, once a worker has told."""
        self.closing = asyncio.Event()
        """Set when the server shall end: an answer that goes on and on has to end then."""

    async def open(self) -> None:
        """Get everything ready."""
        await self.pool.start()

    async def close(self) -> None:
        """End whatever goes on; whoever waits is told. May be called again."""
        self.closing.set()
        await self.pool.stop()


def services_of(request: Request) -> Services:
    """Return the services of the server that answers a request."""
    found = request.app.state.services
    assert isinstance(found, Services), "make_app puts them there"
    return found


Lab = Annotated[Services, Depends(services_of)]
"""What a route asks for: ``async def route(lab: Lab)``."""
