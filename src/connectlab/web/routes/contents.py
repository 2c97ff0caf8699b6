"""What a player is made of, for those who want to look inside."""

from fastapi import APIRouter, Request, Response

from connectlab.web.asking import ask
from connectlab.web.models.contents import ContentsIn, ContentsOut, PartIn, PartPageOut
from connectlab.web.services import Lab

router = APIRouter(prefix="/contents", tags=["inside"])


@router.post("", response_model=ContentsOut, summary="What a player is made of")
async def list_parts(asked: ContentsIn, request: Request, lab: Lab) -> Response:
    """Counts, and a table of the player's parts: its tuples, neurons, layers."""
    spec = lab.guard.spec(asked.player)
    return await ask(request, "contents", asked.model_copy(update={"player": spec}))


@router.post("/part", response_model=PartPageOut, summary="What is in one part of a player")
async def list_entries(asked: PartIn, request: Request, lab: Lab) -> Response:
    """A page of the entries of a part, in one of the orders it offers."""
    spec = lab.guard.spec(asked.player)
    return await ask(request, "part", asked.model_copy(update={"player": spec}))
