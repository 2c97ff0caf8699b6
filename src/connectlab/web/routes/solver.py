"""What perfect play is asked: about a position, and about a whole game."""

from fastapi import APIRouter, Request, Response

from connectlab.web.asking import ask
from connectlab.web.models.solver import ReviewIn, ReviewOut, VerdictsIn, VerdictsOut

router = APIRouter(tags=["perfect play"])


@router.post("/verdicts", response_model=VerdictsOut)
async def verdicts(asked: VerdictsIn, request: Request) -> Response:
    """Say what perfect play knows of every column, as far as it is found in time."""
    return await ask(request, "verdicts", asked)


@router.post("/review", response_model=ReviewOut)
async def review(asked: ReviewIn, request: Request) -> Response:
    """Say which moves of a game threw away a win or a draw, as far as it is found in time."""
    return await ask(request, "review", asked)
