"""Pupils: tables that learn from every finished game against a person."""

import asyncio
from pathlib import Path

from fastapi import APIRouter, Request, Response

from connectlab.agents.spec import SOURCE, Spec
from connectlab.lab.orders import check_name
from connectlab.lab.pupils import QTABLE, look
from connectlab.training.folder import free_folder
from connectlab.web.asking import ask
from connectlab.web.models.pupils import LessonIn, LessonOut, NewPupil, PupilIn, PupilOut, PupilsOut
from connectlab.web.options import WebError
from connectlab.web.services import Lab, Services

router = APIRouter(tags=["pupils"])


@router.get("/pupils")
async def pupils(lab: Lab) -> PupilsOut:
    """List the tables of the runs folder that can take lessons."""
    return PupilsOut(pupils=await asyncio.to_thread(_pupils, lab))


@router.post("/pupils", response_model=PupilOut)
async def make(asked: PupilIn, request: Request, lab: Lab) -> Response:
    """Make a pupil of a trained table, which itself stays as it is."""
    spec = _table(lab, asked.source)
    await asyncio.to_thread(lab.training.check_room)
    if asked.name is not None:
        check_name(asked.name)
        path = lab.options.runs / asked.name
    else:
        path = free_folder(lab.options.runs, "pupil")
    return await ask(request, "make_pupil", NewPupil(source=spec, path=str(path)))


@router.post("/pupils/lessons", response_model=LessonOut)
async def lesson(asked: LessonIn, request: Request, lab: Lab) -> Response:
    """Let a pupil learn from a finished game, and say what it changed."""
    spec = _table(lab, asked.player)
    source = Path(Spec.parse(spec).settings[SOURCE])
    if not source.is_dir() or not lab.guard.run_path(str(source)):
        raise WebError(f"{spec} takes no lessons: make a pupil of it first")
    return await ask(request, "lesson", asked.model_copy(update={"player": spec}))


def _table(lab: Services, text: str) -> str:
    """Return the spec of a table."""
    spec = lab.guard.spec(text)
    if Spec.parse(spec).name != QTABLE:
        raise WebError(f"{spec} takes no lessons: only {QTABLE} learns from games")
    return spec


def _pupils(lab: Services) -> list[PupilOut]:
    found = [look(lab.options.runs / view.name) for view in lab.training.runs.look()[0]]
    return [PupilOut.model_validate(pupil.to_json()) for pupil in found if pupil is not None]
