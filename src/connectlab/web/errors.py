"""Every refusal is JSON with one sentence: ``{"detail": "..."}``."""

import logging
from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from connectlab.errors import UserError
from connectlab.web.disk import disk_refusal
from connectlab.web.models import Model

RETRY_S = 2
BUSY = 503
UNPROCESSABLE = 422
NO_JSON = "the body of the request is no JSON"

_log = logging.getLogger(__name__)


class Refusal(Model):
    """Why a request was refused, in one sentence."""

    detail: str


REFUSALS: dict[int | str, dict[str, object]] = {
    400: {"model": Refusal, "description": "What was asked for is not possible."},
    401: {"model": Refusal, "description": "The token is missing or wrong."},
    403: {"model": Refusal, "description": "The page may not name or do this."},
    404: {"model": Refusal, "description": "There is nothing of that name."},
    408: {"model": Refusal, "description": "The request came too slowly."},
    413: {"model": Refusal, "description": "The request is too large."},
    421: {"model": Refusal, "description": "The Host header names another server."},
    422: {"model": Refusal, "description": "The request does not fit its description."},
    500: {
        "model": Refusal,
        "description": "The server made a mistake over the question, or its worker died.",
    },
    503: {"model": Refusal, "description": "Too many questions wait: try again."},
    504: {"model": Refusal, "description": "The question took too long."},
    507: {"model": Refusal, "description": "The disk of the server is full."},
}
"""What every route under /api may answer besides its result."""


def refuse(status: int, detail: str) -> JSONResponse:
    """Return a refusal."""
    headers = {"Retry-After": str(RETRY_S)} if status == BUSY else None
    return JSONResponse({"detail": " ".join(detail.split())}, status, headers)


def add_handlers(app: FastAPI) -> None:
    """Turn whatever is raised into a refusal."""

    @app.exception_handler(UserError)
    async def _user_error(_request: Request, error: UserError) -> JSONResponse:
        return refuse(getattr(error, "status", 400), str(error))

    @app.exception_handler(OSError)
    async def _disk(_request: Request, error: OSError) -> JSONResponse:
        refused = disk_refusal(error)
        if refused is None:  # a mistake of ours
            raise error
        _log.warning("the disk: %s", error)
        return refuse(*refused)

    @app.exception_handler(RequestValidationError)
    async def _validation(_request: Request, error: RequestValidationError) -> JSONResponse:
        return refuse(UNPROCESSABLE, sentence(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http(_request: Request, error: HTTPException) -> JSONResponse:
        return refuse(error.status_code, str(error.detail))


def sentence(errors: Sequence[dict[str, object]]) -> str:
    """Tell the first thing that is wrong with a request."""
    if not errors:
        return "the request does not fit its description"
    first = errors[0]
    if first.get("type") == "json_invalid":
        return NO_JSON
    place = first.get("loc")
    parts = [str(part) for part in place] if isinstance(place, tuple | list) else []
    where = ".".join(part for part in parts if part not in ("body", "query", "path"))
    reason = str(first.get("msg", "")).removeprefix("Value error, ")
    if not reason[1:2].isupper():  # JSON stays JSON
        reason = reason[:1].lower() + reason[1:]
    return f"{where}: {reason}"[:300] if where else reason[:300]
