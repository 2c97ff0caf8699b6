"""Connections: so many at once, and none of them silent for long.

Uvicorn waits for ever for the head of a request, and takes connections until no file can be opened
any more. Here a connection without a request is closed after a while, and when there are too many,
the one gives way that has waited longest for its client.
"""

import asyncio
import logging
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

ACCEPTED_AT_ONCE = 16
"""Connections that the loop takes before it sees to anything else, and so before any is closed."""
RESERVED = 160
"""Files kept free for workers, runs, what is read and written, and connections just taken."""
FEWEST = 16
QUIET_S = 60.0
"""How often it is told that no file can be opened."""

_log = logging.getLogger(__name__)


class Door:
    """Who is connected, the oldest first."""

    def __init__(self, most: int, head_s: float) -> None:
        self.most = most
        self.head_s = head_s
        self.within: dict[Connection, None] = {}

    def enter(self, connection: "Connection") -> bool:
        """Let one in, if need be in place of one that waits for its client; False if none does."""
        if len(self.within) >= self.most:
            idle = next((one for one in self.within if one.is_idle), None)
            if idle is None:
                return False
            idle.drop()
        self.within[connection] = None
        return True

    def leave(self, connection: "Connection") -> None:
        """Forget one, whether it is there or not."""
        self.within.pop(connection, None)


class Connection(H11Protocol):
    """A connection that must not be silent for long while nothing is asked on it."""

    door: Door

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._silence: asyncio.TimerHandle | None = None

    @property
    def is_asking(self) -> bool:
        """Whether a request has come that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def is_idle(self) -> bool:
        """Whether the client has to say something before anything can be done."""
        return not self.is_asking or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or drop it if there is no room."""
        super().connection_made(transport)
        if self.door.enter(self):
            self._listen()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._hush()
        self.door.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request; a piece of its head does not make the time any longer."""
        super().data_received(data)
        if self.is_asking or self.transport.is_closing():
            self._hush()
        elif self._silence is None:
            self._listen()

    def drop(self) -> None:
        """Close at once, without a word."""
        self._hush()
        self.door.leave(self)
        self.transport.abort()

    def _listen(self) -> None:
        self._silence = self.loop.call_later(self.door.head_s, self.drop)

    def _hush(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None


def connections_through(door: Door) -> type[Connection]:
    """Return the protocol of connections that come through a door."""
    return type("ConnectionThroughDoor", (Connection,), {"door": door})


def most_connections(wanted: int) -> int:
    """Let this process open enough files, if it may; return how many connections it bears."""
    try:
        import resource
    except ImportError:  # not every system has such a limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVED
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(FEWEST, min(wanted, soft - RESERVED))


class Complaints:
    """What the loop tells when something goes wrong: the same as ever, but no flood."""

    def __init__(self) -> None:
        self._told_at = -QUIET_S

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell in one line, once a minute, that no connection could be taken; all else at once."""
        if "accept()" not in str(context.get("message")):
            loop.default_exception_handler(context)
        elif time.monotonic() - self._told_at >= QUIET_S:
            self._told_at = time.monotonic()
            _log.warning("no connection could be taken: %s", context.get("exception"))
