"""One worker process as the server holds it."""

import asyncio
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import TypeAlias

from connectlab.web.workers.line import Line, LineError
from connectlab.web.workers.tickets import Answer, Ticket
from connectlab.web.workers.worker import READY, SEPARATOR, serve

WARM = "connectlab.web.workers.warm"
BIRTH_S = 600.0
"""How long the first worker may take: kernels may have to be compiled before it."""

Context: TypeAlias = ForkServerContext | SpawnContext

_context = multiprocessing.get_context("forkserver")


class WorkerError(Exception):
    """A worker that ended before it had answered."""

    unread = False
    """Whether it had not even read its question, so that another may be asked."""


class Hand:
    """A worker process, its connection, and the question it works on."""

    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.ticket: Ticket | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._line = Line(connection)

    @classmethod
    def born(cls) -> "Hand":
        """Fork a worker and wait until it is ready; blocks, the first time for long."""
        _context.set_forkserver_preload([WARM])
        return cls.started(_context, serve)

    @classmethod
    def started(cls, context: Context, life: Callable[[Connection], None]) -> "Hand":
        """Start a process that lives such a life, and wait until it is ready."""
        ours, theirs = context.Pipe()
        process = context.Process(target=life, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        hand = cls(process, ours)
        try:
            if not ours.poll(BIRTH_S) or ours.recv_bytes() != READY:
                raise WorkerError("a worker did not get ready")
        except (EOFError, OSError, WorkerError) as error:
            hand.end()
            raise WorkerError("a worker ended before it was ready") from error
        return hand

    def listen(self, heard: Callable[["Hand"], None]) -> None:
        """Let ``heard`` be called when there is something to read: an answer, or that it died."""
        self._line.open(lambda: heard(self))

    def begin(self, ticket: Ticket, late: Callable[["Hand"], None]) -> None:
        """Put a question; ``late`` is called if it is not answered in time."""
        self.ticket = ticket
        self._deadline = asyncio.get_running_loop().call_later(ticket.seconds, late, self)
        self._line.send(ticket.payload)

    def finish(self) -> Ticket | None:
        """Forget the question, whatever came of it, and return it."""
        if self._deadline is not None:
            self._deadline.cancel()
        ticket, self.ticket, self._deadline = self.ticket, None, None
        return ticket

    def leave(self) -> Ticket | None:
        """Listen no more, and return the question that is not answered now."""
        self._line.close()
        return self.finish()

    def read(self) -> Answer | None:
        """Return the answer, None if more of it comes; raise ``WorkerError`` if it never does."""
        try:
            said = self._line.receive()
        except LineError as error:
            died = WorkerError("the worker died")
            died.unread = error.unread
            raise died from None
        return None if said is None else Answer(int(said[:3]), said[3:])

    def end(self) -> None:
        """End the process at once and wait for that; blocks shortly."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def payload(question: str, body: bytes) -> bytes:
    """Return what is sent to a worker."""
    return question.encode() + SEPARATOR + body
