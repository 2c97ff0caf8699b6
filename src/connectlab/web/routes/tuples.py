"""Sets of n-tuples: kept as files, drawn by lot, taken from a network, measured."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from fastapi import APIRouter, Request, Response

from connectlab.agents.ntuple.tuples import check_tuples
from connectlab.lab.tuple_files import FOLDER, MissingTupleFileError, TupleFile, TupleFiles
from connectlab.web.asking import ask
from connectlab.web.boards import board_of
from connectlab.web.errors import Refusal
from connectlab.web.models.tuples import (
    CoverageIn,
    CoverageOut,
    DrawIn,
    FileName,
    TupleFileIn,
    TupleFileOut,
    TupleFilesOut,
    TuplesOfIn,
    TuplesOut,
    as_tuples,
    tuples_out,
)
from connectlab.web.options import WebError
from connectlab.web.services import Lab, Services

NOT_FOUND = 404
MISSING: dict[int | str, dict[str, object]] = {
    NOT_FOUND: {"model": Refusal, "description": "There is no tuple file of that name."}
}

router = APIRouter(prefix="/tuples", tags=["inside"])


@router.get("", summary="All tuple files")
def list_files(lab: Lab) -> TupleFilesOut:
    """Files of the data folder, by name, each with the smallest board that it fits."""
    files = _files(lab)
    return TupleFilesOut(files=[_told(files, file) for file in files.list()])


@router.post("/draw", response_model=TuplesOut, summary="Draw a set by lot")
async def draw(asked: DrawIn, request: Request) -> Response:
    """The set that a learner with the same settings would draw."""
    return await ask(request, "draw_tuples", asked)


@router.post("/of", response_model=TuplesOut, summary="The set of a network")
async def take(asked: TuplesOfIn, request: Request, lab: Lab) -> Response:
    """The tuples of an n-tuple network."""
    spec = lab.guard.spec(asked.player)
    return await ask(request, "tuples_of", asked.model_copy(update={"player": spec}))


@router.post("/coverage", response_model=CoverageOut, summary="What a set covers")
async def cover(asked: CoverageIn, request: Request) -> Response:
    """Cells, winning lines, duplicates and weights of a set, be it finished or not."""
    return await ask(request, "coverage", asked)


@router.get("/{name}", summary="One tuple file", responses=MISSING)
def read(name: FileName, lab: Lab) -> TuplesOut:
    """The tuples of a file."""
    with _not_found():
        return tuples_out(_files(lab).read(name))


@router.put("/{name}", summary="Keep a set as a file")
def write(name: FileName, asked: TupleFileIn, lab: Lab) -> TupleFileOut:
    """Write a file to train with; one of the same name is replaced, whole or not at all."""
    tuples, files = as_tuples(asked.tuples), _files(lab)
    check_tuples(tuples, board_of(asked.board))
    files.write(name, tuples)
    return _told(files, files.describe(name))


@router.delete("/{name}", summary="Delete a tuple file", responses=MISSING)
def delete(name: FileName, lab: Lab) -> TupleFilesOut:
    """Remove a file, and list those that are left."""
    with _not_found():
        _files(lab).delete(name)
    return list_files(lab)


def _files(lab: Services) -> TupleFiles:
    return TupleFiles(lab.options.data / FOLDER)


def _told(files: TupleFiles, file: TupleFile) -> TupleFileOut:
    return TupleFileOut(path=str(files.path(file.name)), **asdict(file))


@contextmanager
def _not_found() -> Iterator[None]:
    try:
        yield
    except MissingTupleFileError as error:
        raise WebError(str(error), NOT_FOUND) from None
