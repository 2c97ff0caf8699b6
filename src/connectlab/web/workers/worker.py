"""The life of a worker: it takes one question after the other, until nobody asks any more.

A question comes as its name, a line feed and the JSON of its model; an answer goes back as the
three digits of a status of HTTP and JSON. Nothing is ever unpickled.
"""

import logging
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from typing import get_type_hints

from pydantic import BaseModel, ValidationError

from connectlab.errors import UserError
from connectlab.training.signals import end_with_parent
from connectlab.web.disk import disk_refusal
from connectlab.web.questions import QUESTIONS

READY = b"ready"
"""The first thing a worker says."""
NICENESS = 5
"""The server comes first when cores are scarce."""
SEPARATOR = b"\n"
MOST_MEMORY = 4 << 30
"""Bytes that a worker may have for itself."""

_log = logging.getLogger(__name__)

Answering = Callable[[BaseModel], BaseModel]


def serve(connection: Connection) -> None:
    """Answer questions until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    os.nice(NICENESS)
    _bound_memory()
    connection.send_bytes(READY)
    while True:
        try:
            asked = connection.recv_bytes()
            connection.send_bytes(answer(asked))
        except (EOFError, OSError):
            return


def _bound_memory() -> None:
    """Let a question that wants too much memory fail by itself, and not the whole machine."""
    with suppress(ImportError, ValueError, OSError):  # not every system can do that
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def answer(asked: bytes) -> bytes:
    """Answer one question; whatever goes wrong is told in a sentence."""
    name, _, body = asked.partition(SEPARATOR)
    function, model = _find(name.decode())
    try:
        given = model.model_validate_json(body)
    except ValidationError as error:
        return refusal(422, str(error.errors()[0]["msg"]))
    try:
        return b"200" + function(given).model_dump_json().encode()
    except UserError as error:
        return refusal(getattr(error, "status", 400), str(error))
    except MemoryError:
        return refusal(503, "there is too little memory for this question")
    except Exception as error:
        if isinstance(error, OSError) and (refused := disk_refusal(error)) is not None:
            _log.warning("the disk: %s", error)
            return refusal(*refused)
        _log.exception("a mistake over the question %s", name.decode(errors="replace"))
        return refusal(500, "the server made a mistake over this question, which it has logged")


def refusal(status: int, detail: str) -> bytes:
    """Return the answer that nothing came of it, and why."""
    return (
        f"{status}".encode() + Refusal(detail=" ".join(detail.split())).model_dump_json().encode()
    )


class Refusal(BaseModel):
    """Why a question was not answered."""

    detail: str


@cache
def _find(name: str) -> tuple[Answering, type[BaseModel]]:
    """Return the function that answers a question, and the model it takes."""
    module, _, attribute = QUESTIONS[name].target.partition(":")
    function: Answering = getattr(import_module(module), attribute)
    hints = get_type_hints(function)
    hints.pop("return")
    (model,) = hints.values()
    return function, model
