"""Puts the server together: routes, page, safety, and workers that live as long as it does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Lifespan

from connectlab import __version__
from connectlab.web.errors import REFUSALS, add_handlers
from connectlab.web.heads import Heads
from connectlab.web.options import Options
from connectlab.web.pages import Pages
from connectlab.web.routes import (
    contents,
    games,
    info,
    players,
    pupils,
    runs,
    solver,
    table,
    tournaments,
    tuples,
)
from connectlab.web.safety import Safety
from connectlab.web.services import Services

STATIC = Path(__file__).parent / "static"
ROUTES = (info, players, table, solver, games, contents, tuples, runs, tournaments, pupils)
"""Modules with a ``router``; each one a noun."""
SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""Nobody is told what happens here, whatever the environment says."""
COMPRESSED_FROM = 1_000
"""Bytes below which nothing is saved."""


def make_app(options: Options) -> FastAPI:
    """Return the server as an ASGI application."""
    services = Services(options)
    app = FastAPI(
        title="connectlab",
        version=__version__,
        summary="The web lab: play, analyse, look inside, train.",
        docs_url=None,  # pages that load from the network; ours is /api
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_living(services),
        telemetry=SILENT,
    )
    app.state.services = services
    api = APIRouter(prefix="/api", responses=REFUSALS)
    for module in ROUTES:
        api.include_router(module.router)
    app.include_router(api)
    add_handlers(app)
    app.mount("/", Pages(STATIC))
    if not options.is_local:  # within one machine it would only cost
        app.add_middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM, compresslevel=5)
    app.add_middleware(Heads)
    app.add_middleware(Safety, options=options)
    return app


def _living(services: Services) -> Lifespan[FastAPI]:
    """Let the workers, runs and tournaments live as long as the server."""

    @asynccontextmanager
    async def living(_app: FastAPI) -> AsyncIterator[None]:
        await services.open()
        try:
            yield
        finally:
            await services.close()

    return living
