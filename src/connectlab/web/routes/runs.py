"""Runs: what learns, started, stopped, gone on with, and watched."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from connectlab.errors import UserError
from connectlab.lab.live_rows import LiveRows
from connectlab.training.config import LearnerConfig
from connectlab.training.metrics import RunError
from connectlab.web.asking import answer_to, visitor_of
from connectlab.web.errors import Refusal
from connectlab.web.events import stream
from connectlab.web.learning import may_be_too_large
from connectlab.web.models import Board
from connectlab.web.models.runs import (
    CheckedRun,
    LearnersOut,
    NamedRun,
    ResumeIn,
    RunDetail,
    RunIn,
    RunName,
    RunOut,
    RunsOut,
)
from connectlab.web.models.tuples import NetworkIn
from connectlab.web.options import WebError
from connectlab.web.runs_watch import RunsWatch, all_runs
from connectlab.web.services import Lab, Services
from connectlab.web.training import Training

router = APIRouter(tags=["runs"])

MOST_WATCHED = 16
"""Runs whose rows one stream tells."""
OK, SERVER_ERROR = 200, 500
"""Answers of workers: from 500 on they say nothing about what was asked."""


@router.get("/learners")
async def learners(lab: Lab) -> LearnersOut:
    """List everything that learns, with its presets and settings, and how it can be judged."""
    return LearnersOut(learners=lab.learning.learners(), measures=lab.learning.measures())


@router.get("/runs")
async def runs(lab: Lab) -> RunsOut:
    """List the runs folder: runs of this page and of the command line, and what waits in line."""
    return await asyncio.to_thread(all_runs, lab.training)


@router.post("/runs", status_code=201)
async def begin(asked: RunIn, request: Request, lab: Lab) -> NamedRun:
    """Begin a run, or put it in line."""
    order = lab.learning.order(asked)
    await _check_network(request, lab.learning.config(order))
    await asyncio.to_thread(lab.training.check_room)
    name = await asyncio.to_thread(lab.training.orders.begin, order, asked.name)
    lab.training.keeper.wake()
    return NamedRun(name=name)


@router.post("/runs/check")
async def check(asked: RunIn, request: Request, lab: Lab) -> CheckedRun:
    """See whether a run could be made so; what is wrong is the answer, not a refusal."""
    try:
        config = lab.learning.config(lab.learning.order(asked))
        if asked.name is not None:
            await asyncio.to_thread(lab.training.orders.check_free, asked.name)
        await _check_network(request, config)
    except UserError as error:
        if getattr(error, "status", 400) >= SERVER_ERROR:
            raise
        return CheckedRun(problem=str(error))
    return CheckedRun.model_validate(
        {
            "board": Board.model_validate(config.geometry.to_json()),
            "games": config.games,
            "settings": config.plain(),
        }
    )


@router.get(
    "/runs/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events."}},
)
async def events(
    request: Request,
    lab: Lab,
    run: Annotated[list[RunName], Query(max_length=MOST_WATCHED)] = [],  # noqa: B006
) -> StreamingResponse:
    """Tell all runs whenever something changes, and the rows of those that are named.

    Events are ``runs`` (as GET /runs) and ``rows`` (``run``, ``version``, ``first`` and ``rows``):
    rows with an old version are gone, and the new ones are told from the first one on.
    """
    return stream(lab.training, visitor_of(request), RunsWatch(lab.training, run).look)


@router.get("/runs/{name:path}")
async def one(name: Annotated[str, Field(max_length=200)], lab: Lab) -> RunDetail:
    """Return a run with everything it has measured."""
    return await asyncio.to_thread(_detail, lab.training, name)


@router.post("/runs/{name:path}/stop")
async def stop(name: Annotated[str, Field(max_length=200)], lab: Lab) -> RunOut:
    """Let a run save and stop, or take it out of the line."""
    return await asyncio.to_thread(_stop, lab, name)


@router.post("/runs/{name:path}/resume")
async def resume(name: Annotated[str, Field(max_length=200)], asked: ResumeIn, lab: Lab) -> RunOut:
    """Let a run go on where it was, with more games if they are given."""
    return await asyncio.to_thread(_resume, lab, name, asked)


async def _check_network(request: Request, config: LearnerConfig) -> None:
    """Let a worker count the weights of a network, and raise what it says of one too large."""
    if not may_be_too_large(config):
        return
    settings = NetworkIn.model_validate({"settings": config.plain()})
    answer = await answer_to(request, "network", settings)
    if answer is not None and answer.status != OK:
        raise WebError(Refusal.model_validate_json(answer.body).detail, answer.status)


def _detail(training: Training, name: str) -> RunDetail:
    run = training.find(name)
    try:
        watch = training.runs.find(name)
    except RunError:  # it has not begun
        return RunDetail(run=run, settings={}, rows=[])
    record = watch.look().record
    rows = LiveRows(watch.live.path)
    rows.look()
    return RunDetail.model_validate(
        {
            "run": run,
            "settings": {} if record is None else record.config,
            "rows": [row.to_json() for row in rows.rows],
        }
    )


def _stop(lab: Services, name: str) -> RunOut:
    run = lab.training.find(name)
    lab.training.orders.stop(name)
    lab.training.keeper.wake()
    found = [each for each in lab.training.look(fresh=True)[0] if each.name == name]
    gone = {"state": "stopped", "can_stop": False, "can_resume": False}
    return found[0] if found else run.model_copy(update=gone)


def _resume(lab: Services, name: str, asked: ResumeIn) -> RunOut:
    run = lab.training.find(name)
    if run.learner is None or not run.can_resume:
        raise WebError(f"{name} cannot go on: {run.problem or f'it is {run.state}'}")
    lab.learning.check_games(run.learner, asked.games)
    if run.state == "finished" and (asked.games or 0) <= run.games:
        raise WebError(f"{name} has learned from all its games: give it more of them")
    lab.training.orders.resume(name, asked.games)
    lab.training.keeper.wake()
    return lab.training.find(name)
