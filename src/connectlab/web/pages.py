"""The files of the page: never stale, compressed where that pays."""

import mimetypes
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Said here because machines differ in what they think a file is."""


class Pages(StaticFiles):
    """The static files; browsers ask each time whether theirs is still the newest."""

    def __init__(self, folder: Path) -> None:
        for ending, kind in TYPES.items():
            mimetypes.add_type(kind, ending)
        super().__init__(directory=folder, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file with the word that it must be asked for again."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
