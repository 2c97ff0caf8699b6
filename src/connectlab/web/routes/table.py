"""What is asked at the table: a move, what comes of a move, what a player sees."""

from fastapi import APIRouter, Request, Response

from connectlab.web.asking import ask
from connectlab.web.models.table import (
    AnalysisIn,
    AnalysisOut,
    MoveIn,
    MoveOut,
    PlayIn,
    PlayOut,
)
from connectlab.web.services import Lab

router = APIRouter(tags=["table"])


@router.post("/move", response_model=MoveOut)
async def move(asked: MoveIn, request: Request, lab: Lab) -> Response:
    """Let a player move. The same question has the same answer; to go away cancels it."""
    spec = lab.guard.spec(asked.player)
    return await ask(request, "move", asked.model_copy(update={"player": spec}))


@router.post("/play", response_model=PlayOut)
async def play(asked: PlayIn, request: Request) -> Response:
    """Say where a person's stone comes to rest, and whether a row falls then."""
    return await ask(request, "play", asked)


@router.post("/analysis", response_model=AnalysisOut)
async def analysis(asked: AnalysisIn, request: Request, lab: Lab) -> Response:
    """Let a player explain a position; with scores of perfect play, say where it errs."""
    spec = lab.guard.spec(asked.player)
    return await ask(request, "analysis", asked.model_copy(update={"player": spec}))
