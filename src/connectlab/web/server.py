"""The server as a process: it listens, gets everything ready, and ends cleanly."""

import asyncio
import contextlib
import os
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from types import FrameType

import uvicorn
from fastapi import FastAPI

from connectlab.training.signals import stop_signals
from connectlab.web.app import make_app
from connectlab.web.connections import (
    ACCEPTED_AT_ONCE,
    Complaints,
    Door,
    connections_through,
    most_connections,
)
from connectlab.web.options import Options, WebError
from connectlab.web.warming import WaitingRoom
from connectlab.web.workers.hand import Hand, WorkerError

BACKLOG = 256
GOODBYE_S = 3
"""How long answers under way may take once the server shall end."""
SIGNALLED = 128
"""A program that a signal ended exits with this and the number of the signal."""
COMPILING = (
    "Getting ready; kernels that are not in the cache yet are compiled, which takes minutes …"
)
EXPOSED = "Others can reach this server: whoever knows the token can play, train and stop runs."

Tell = Callable[[str], None]


class Server:
    """Listens from the start, so that a port in use is told before anything else is done."""

    def __init__(self, options: Options, tell: Tell) -> None:
        options.check()
        if not options.is_local and options.token is None:
            options = replace(options, token=secrets.token_urlsafe(24))
        self._tell = tell
        self._socket = listen(options.host, options.port)
        self.options = replace(options, port=self._socket.getsockname()[1])
        self._stopped_by = 0

    @property
    def address(self) -> str:
        """What to open in a browser; the token stands behind #, which no browser sends."""
        host = f"[{self.options.host}]" if ":" in self.options.host else self.options.host
        if host in ("0.0.0.0", "[::]"):
            host = socket.gethostname()
        token = "" if self.options.token is None else f"#token={self.options.token}"
        return f"http://{host}:{self.options.port}/{token}"

    def run(self, ready: Callable[[], None]) -> int:
        """Serve until a signal ends it, and return the exit code; ``ready`` is called once."""
        with self._socket:
            if not self.options.is_local:
                self._tell(EXPOSED)
            self._warm()
            app = make_app(self.options)
            limits = self.options.limits
            door = Door(most_connections(limits.connections), limits.head_s)
            server = _Uvicorn(app, door, ready, app.state.services.dismiss)
            with self._hearing(server):
                asyncio.run(server.serve([self._socket]))
        return SIGNALLED + self._stopped_by if self._stopped_by else 1

    def _warm(self) -> None:
        """Start the process from which workers are forked, and see that one comes out of it."""
        try:
            with WaitingRoom(self._socket, lambda: self._tell(COMPILING)):
                Hand.born().end()
        except WorkerError:
            raise WebError("the workers could not be started") from None

    @contextlib.contextmanager
    def _hearing(self, server: "_Uvicorn") -> Iterator[None]:
        """Let the first signal end the server kindly, and a second one at once."""

        def hear(number: int, _frame: FrameType | None) -> None:
            if self._stopped_by:
                os._exit(SIGNALLED + number)
            self._stopped_by = number
            server.should_exit = True

        # One that is ignored, as nohup ignores a closed terminal, stays ignored.
        heard = [one for one in stop_signals() if signal.getsignal(one) is not signal.SIG_IGN]
        before = {number: signal.signal(number, hear) for number in heard}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class _Uvicorn(uvicorn.Server):
    """Uvicorn that leaves signals to us, bounds connections, and tells when it is ready."""

    def __init__(
        self,
        app: FastAPI,
        door: Door,
        ready: Callable[[], None],
        dismiss: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=connections_through(door),
                backlog=ACCEPTED_AT_ONCE,
                log_level="warning",
                access_log=False,
                server_header=False,
                lifespan="on",
                timeout_graceful_shutdown=GOODBYE_S,
            )
        )
        self._ready = ready
        self._dismiss = dismiss

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear nothing."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        asyncio.get_running_loop().set_exception_handler(Complaints())
        await super().startup(sockets)
        for each in sockets or []:
            each.listen(BACKLOG)  # so many may wait; uvicorn takes its number for both
        if self.started and not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; whoever waits is told before, as streams would never end by themselves."""
        await self._dismiss()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; what stands against it is told in one line."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise WebError(f"there is no address {host!r} to listen on: {_reason(error)}") from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise WebError(
            f"cannot listen on {host} port {port}: {_reason(error)} (--port 0 takes a free one)"
        ) from None
    return found


def _reason(error: Exception) -> str:
    told = getattr(error, "strerror", None) or str(error)
    return str(told).lower()
