"""Who can sit down: kinds of players, trained ones, and whether one fits a board."""

import asyncio
from importlib.util import find_spec

from fastapi import APIRouter, Request, Response

from connectlab.agents.registry import settings_class
from connectlab.agents.spec import SOURCE, Spec
from connectlab.lab.catalogue import describe_player
from connectlab.lab.trained import list_trained
from connectlab.web.asking import ask
from connectlab.web.guard import PLAYERS
from connectlab.web.models import Board
from connectlab.web.models.players import (
    CheckIn,
    CheckOut,
    DefaultPlayer,
    HomeBoards,
    PlayerEntry,
    PlayersOut,
    SeatIn,
    SpecsIn,
    TrainedPlayer,
)
from connectlab.web.options import WebError
from connectlab.web.services import Lab, Services

router = APIRouter(tags=["players"])

TITLES = {
    "ntuple": "n-tuple network",
    "mcts": "Monte Carlo tree search",
    "minimax": "minimax",
    "perfect": "perfect play",
    "allis": "Allis's rules",
    "negamax": "negamax of Kaggle",
    "mlp": "multi-layer perceptron",
    "dqn": "deep Q-network",
    "qtable": "Q-table",
    "openspiel": "bot of OpenSpiel",
    "extend": "longest streak",
    "random": "random moves",
}
NEEDED = {"openspiel": ("pyspiel",)}
"""Libraries without which a player cannot be loaded."""
DEFAULTS = (
    DefaultPlayer(board=Board(), spec="ntuple:champion"),
    DefaultPlayer(board=None, spec="mcts:iterations=4000"),
)
HINT = "mcts:iterations=4000"


@router.get("/players")
async def players(lab: Lab) -> PlayersOut:
    """List everybody who can sit down, and what can be set."""
    homes = await _homes(lab)
    trained = await asyncio.to_thread(list_trained, lab.options.runs)
    shipped = [
        TrainedPlayer(
            spec=spec, title=spec, player=Spec.parse(spec).name, board=board, shipped=True
        )
        for spec, board in zip(_shipped(), homes.boards, strict=True)
    ]
    of_runs = [
        TrainedPlayer(
            spec=one.spec,
            title=one.title,
            player=one.learner,
            board=Board.model_validate(one.geometry.to_json()),
            shipped=False,
        )
        for one in trained
        if one.learner in PLAYERS
    ]
    entries = [_entry(name, lab, homes) for name in PLAYERS]
    return PlayersOut(
        players=entries, trained=shipped + of_runs, defaults=list(DEFAULTS), hint=HINT
    )


@router.post("/players/check", response_model=CheckOut)
async def check(asked: CheckIn, request: Request, lab: Lab) -> Response:
    """See whether a player, by spec or by name and settings, can sit down on a board."""
    if (asked.spec is None) == (asked.name is None):
        raise WebError("give either a spec or a name with settings", 422)
    if asked.spec is not None:
        spec = lab.guard.spec(asked.spec)
    else:
        spec = lab.guard.settings(asked.name or "", asked.settings)
    return await ask(request, "check_player", SeatIn(spec=spec, board=asked.board))


async def _homes(lab: Services) -> HomeBoards:
    """Return where the players that come along are at home; a worker is asked once."""
    if lab.homes is None:
        asked = SpecsIn(specs=[*_shipped(), *PLAYERS]).model_dump_json().encode()
        answer = await lab.pool.ask("home_boards", asked)
        found = HomeBoards.model_validate_json(answer.body)
        lab.homes = HomeBoards(boards=found.boards[: len(_shipped())], variants=found.variants)
    return lab.homes


def _shipped() -> list[str]:
    return [f"{name}:{source}" for name in PLAYERS for source in settings_class(name).shipped]


def _entry(name: str, lab: Services, homes: HomeBoards) -> PlayerEntry:
    told, known = describe_player(name), settings_class(name)
    source = known.model_fields.get(SOURCE)
    return PlayerEntry(
        name=name,
        summary=told.summary,
        title=TITLES[name],
        available=all(map(find_spec, NEEDED.get(name, ()))),
        needs_source=source is not None,
        sources=list(known.shipped),
        variants=homes.variants.get(name, []),
        json_schema=lab.guard.schema(name),
    )
