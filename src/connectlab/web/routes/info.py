"""What this server is."""

from fastapi import APIRouter
from pydantic import Field

from connectlab import __version__
from connectlab.web.models import Model
from connectlab.web.services import Lab

router = APIRouter(tags=["info"])


class InfoOut(Model):
    """The server, its limits, and how busy it is."""

    version: str = Field(examples=[__version__])
    runs: str
    """The runs folder, as specs write it."""
    data: str
    workers: int
    running: int
    """Questions that are worked on."""
    waiting: int
    """Questions that wait for a worker."""
    is_local: bool
    """Whether only this machine can reach the server."""
    needs_token: bool
    body_bytes: int
    """The greatest size of a request."""
    move_s: float
    """Seconds that a player may think."""
    verdicts_s: float
    """Seconds that perfect play may be asked about a position."""
    review_s: float


@router.get("/info")
async def info(lab: Lab) -> InfoOut:
    """Say what this server is, what it allows, and how busy it is."""
    options, limits = lab.options, lab.options.limits
    return InfoOut(
        version=__version__,
        runs=str(options.runs),
        data=str(options.data),
        workers=lab.pool.size,
        running=len(lab.pool.running),
        waiting=lab.pool.waiting,
        is_local=options.is_local,
        needs_token=options.token is not None,
        body_bytes=limits.body_bytes,
        move_s=limits.move_s,
        verdicts_s=limits.verdicts_s,
        review_s=limits.review_s,
    )
