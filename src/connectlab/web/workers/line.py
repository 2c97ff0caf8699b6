"""The line to a worker as the server holds it: nothing on it ever waits for the worker.

The worker's end is a connection of multiprocessing, which sends a length of four bytes, most
significant first, and then so many bytes. Ours speaks the same without blocking: a worker that
does not read its question, or that stops in the middle of an answer, keeps nobody else waiting.
"""

import asyncio
import os
import struct
from collections.abc import Callable
from multiprocessing.connection import Connection

HEADER = struct.Struct("!i")
CHUNK = 1 << 18
"""Bytes that are read at once."""


class LineError(Exception):
    """The worker hung up; ``unread`` if it had not read all that was sent to it."""

    def __init__(self, *, unread: bool) -> None:
        super().__init__("the worker hung up")
        self.unread = unread


class Line:
    """Messages to and from a worker, in pieces as they come and go; lives in an event loop."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._unsent = memoryview(b"")
        self._unread = False
        """Whether the worker hung up while a message was on its way."""
        self._come = bytearray()

    def open(self, heard: Callable[[], None]) -> None:
        """Block no more; ``heard`` is called whenever there is something to read."""
        os.set_blocking(self._connection.fileno(), False)
        asyncio.get_running_loop().add_reader(self._connection.fileno(), heard)

    def close(self) -> None:
        """Hear and send no more; the connection itself stays open."""
        loop, number = asyncio.get_running_loop(), self._connection.fileno()
        loop.remove_reader(number)
        loop.remove_writer(number)

    def send(self, message: bytes) -> None:
        """Send a message as fast as the worker reads; that it is dead is told by reading."""
        self._unsent = memoryview(HEADER.pack(len(message)) + message)
        asyncio.get_running_loop().add_writer(self._connection.fileno(), self._send_on)
        self._send_on()

    def receive(self) -> bytes | None:
        """Return the message that is complete now, None if there is more to come.

        Raises ``LineError`` if the worker hung up.
        """
        try:
            piece = os.read(self._connection.fileno(), CHUNK)
        except BlockingIOError:
            return None
        except OSError:  # a reset: the system threw away what the worker had not read
            raise LineError(unread=True) from None
        if not piece:
            raise LineError(unread=self._unread or bool(self._unsent))
        self._come += piece
        return self._complete()

    def _complete(self) -> bytes | None:
        if len(self._come) < HEADER.size:
            return None
        (size,) = HEADER.unpack_from(self._come)
        if size < 0:  # so begins one of over two gigabytes, which no answer has
            raise LineError(unread=False)
        if len(self._come) < HEADER.size + size:
            return None
        message, self._come = bytes(self._come[HEADER.size :]), bytearray()
        return message

    def _send_on(self) -> None:
        """Send as much as the worker takes, and go on when it takes more."""
        try:
            self._unsent = self._unsent[os.write(self._connection.fileno(), self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self._unread, self._unsent = True, memoryview(b"")
        if not self._unsent:
            asyncio.get_running_loop().remove_writer(self._connection.fileno())
