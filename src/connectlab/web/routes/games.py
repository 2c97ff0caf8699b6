"""Games: read from whatever people paste, and kept when they are over."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from connectlab.web.asking import ask
from connectlab.web.errors import Refusal
from connectlab.web.models.games import (
    FindIn,
    GameId,
    GameIn,
    GameOut,
    GamesOut,
    KeepIn,
    ListIn,
    ReadIn,
    ReadOut,
)
from connectlab.web.services import Lab, Services

router = APIRouter(tags=["games"])

MOST_AT_ONCE = 200


@router.post("/read", response_model=ReadOut)
async def read(asked: ReadIn, request: Request) -> Response:
    """Read a game from a move string, a saved game, a replay of Kaggle or a drawing."""
    return await ask(request, "read", asked)


@router.post(
    "/games",
    response_model=GameOut,
    responses={409: {"model": Refusal, "description": "The id is taken, or the archive is full."}},
)
async def keep(asked: GameIn, request: Request, lab: Lab) -> Response:
    """Keep a finished game; sent twice it is kept once."""
    limits = lab.options.limits
    game = KeepIn(
        folder=_folder(lab),
        most_games=limits.games,
        most_bytes=limits.game_bytes,
        id=asked.id,
        record=asked.record,
    )
    return await ask(request, "keep_game", game)


@router.get("/games", response_model=GamesOut)
async def newest(
    request: Request,
    lab: Lab,
    n: Annotated[int, Query(ge=1, le=MOST_AT_ONCE)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """List games that were kept, the newest first."""
    return await ask(request, "list_games", ListIn(folder=_folder(lab), n=n, offset=offset))


@router.get(
    "/games/{identity}",
    response_model=GameOut,
    responses={404: {"model": Refusal, "description": "There is no such game."}},
)
async def find(identity: Annotated[GameId, Path()], request: Request, lab: Lab) -> Response:
    """Return one game."""
    return await ask(request, "find_game", FindIn(folder=_folder(lab), id=identity))


def _folder(lab: Services) -> str:
    return str(lab.options.games)
