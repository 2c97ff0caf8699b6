"""Tournaments: held one at a time, watched pairing by pairing, stopped and gone on with."""

import asyncio
import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from connectlab.errors import UserError
from connectlab.game.geometry import Geometry
from connectlab.game.variants import Variant
from connectlab.lab.tournament_view import TournamentView
from connectlab.lab.tournaments import TournamentError
from connectlab.web.asking import visitor_of
from connectlab.web.events import Event, stream
from connectlab.web.models.tournaments import (
    TournamentBrief,
    TournamentIn,
    TournamentOut,
    TournamentsOut,
)
from connectlab.web.options import WebError
from connectlab.web.services import Lab, Services

router = APIRouter(tags=["tournaments"])

Name = Annotated[str, Field(max_length=80)]


@router.get("/tournaments")
async def tournaments(lab: Lab) -> TournamentsOut:
    """List all tournaments, the newest first."""
    found = await asyncio.to_thread(lab.training.tournaments.look)
    briefs = [TournamentBrief.model_validate(view.brief()) for view in found]
    return TournamentsOut(tournaments=briefs)


@router.post("/tournaments", status_code=201)
async def begin(asked: TournamentIn, lab: Lab) -> TournamentOut:
    """Hold a tournament, or put it in line."""
    return await asyncio.to_thread(_begin, lab, asked)


@router.get("/tournaments/{name}")
async def one(name: Name, lab: Lab) -> TournamentOut:
    """Return a tournament with all that has been played."""
    return await asyncio.to_thread(lambda: _out(_find(lab, name)))


@router.post("/tournaments/{name}/stop")
async def stop(name: Name, lab: Lab) -> TournamentOut:
    """Let a tournament stop; pairings that were played are kept."""
    return await asyncio.to_thread(_change, lab, name, go=False)


@router.post("/tournaments/{name}/resume")
async def resume(name: Name, lab: Lab) -> TournamentOut:
    """Let a tournament go on."""
    return await asyncio.to_thread(_change, lab, name, go=True)


@router.get(
    "/tournaments/{name}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events."}},
)
async def events(name: Name, request: Request, lab: Lab) -> StreamingResponse:
    """Tell a tournament (event ``tournament``) whenever something in it changes."""
    await asyncio.to_thread(_find, lab, name)
    told: str | None = None

    def look() -> Iterator[Event]:
        nonlocal told
        try:
            now = _out(_find(lab, name)).model_dump(mode="json")
        except UserError:  # it was removed
            return
        text = json.dumps(now)
        if text != told:
            told = text
            yield "tournament", now

    return stream(lab.training, visitor_of(request), look)


def _begin(lab: Services, asked: TournamentIn) -> TournamentOut:
    limits = lab.options.limits
    players = [lab.guard.spec(spec) for spec in asked.players]
    if len(players) > limits.tournament_players:
        raise WebError(f"a tournament of the page has {limits.tournament_players} players at most")
    if asked.games > limits.tournament_games:
        raise WebError(f"a pairing of the page has {limits.tournament_games:,} games at most")
    board = asked.board
    geometry = Geometry(board.columns, board.rows, board.connect, Variant.parse(board.variant))
    known = lab.training.tournaments
    name = known.begin(players, geometry, asked.games, seed=asked.seed)
    lab.training.tournament_keeper.wake()
    return _out(known.find(name))


def _find(lab: Services, name: str) -> TournamentView:
    try:
        return lab.training.tournaments.find(name)
    except TournamentError as error:
        raise WebError(str(error), 404) from None


def _change(lab: Services, name: str, *, go: bool) -> TournamentOut:
    _find(lab, name)
    known = lab.training.tournaments
    (known.resume if go else known.stop)(name)
    lab.training.tournament_keeper.wake()
    return _out(known.find(name))


def _out(view: TournamentView) -> TournamentOut:
    return TournamentOut.model_validate_json(json.dumps(view.to_json()))
