"""What the routes share: the options, the guard, the workers, and what is kept going."""

import asyncio
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from connectlab.lab import tuple_files
from connectlab.lab.orders import ORDERS
from connectlab.lab.rubbish import sweep
from connectlab.web.guard import Guard
from connectlab.web.learning import Learning
from connectlab.web.models.players import HomeBoards
from connectlab.web.options import Options
from connectlab.web.training import TOURNAMENTS, Training
from connectlab.web.workers.pool import Pool


class Services:
    """Everything a route may need, made once for a server."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.guard = Guard(options.runs, options.data, options.limits)
        self.pool = Pool(options.workers, options.limits)
        self.learning = Learning(self.guard, options.limits)
        self.training = Training(options.runs, options.data, options.limits)
        self.homes: HomeBoards | None = None
        """Where the players that come along are at home, once a worker has told."""

    async def open(self) -> None:
        """Get everything ready."""
        await asyncio.to_thread(sweep, written_folders(self.options))
        await self.pool.start()
        self.training.open()

    async def dismiss(self) -> None:
        """Tell whoever waits or watches that the server ends."""
        self.training.closing.set()
        await self.pool.stop()

    async def close(self) -> None:
        """End whatever goes on; runs save what they have."""
        await self.dismiss()
        await asyncio.to_thread(self.training.close)


def written_folders(options: Options) -> list[Path]:
    """Return the folders in which a killed process may have left something half written."""
    data, tournaments = options.data, options.data / TOURNAMENTS
    kept = [options.games, data / tuple_files.FOLDER, *tournaments.glob("*/")]
    return [options.runs, options.runs / ORDERS, *kept]


def services_of(request: Request) -> Services:
    """Return the services of the server that answers a request."""
    found = request.app.state.services
    assert isinstance(found, Services), "make_app puts them there"
    return found


Lab = Annotated[Services, Depends(services_of)]
"""What a route asks for: ``async def route(lab: Lab)``."""
