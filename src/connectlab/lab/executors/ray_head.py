"""The head of a Ray cluster: where it is, and whether it still answers.

Ray waits a minute for a head that is gone, and then ends this process without a word to Python. So
whoever waits for results asks the head itself, and gives up before Ray does.
"""

import socket
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from connectlab.lab.executors.base import ExecutorError, HeadGoneError

Answer = TypeVar("Answer")

ANSWER_SECONDS = 5.0
"""How long the head of a cluster may take to answer at all."""
SILENT_SECONDS = 20.0
"""How long it may be silent: with what a call of it and Ray's end take, less than Ray's minute."""
PATIENCE_SECONDS = 1.0
"""How long an answer that Ray gets from it may take before it is asked whether it is there."""
MOST_PORT = 2**16 - 1


def split_address(address: str) -> tuple[str, int]:
    """Return host and port of an address; refuse what is none."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in host:
        raise ExecutorError(f"--address {address}: write HOST:PORT, such as 10.0.0.1:6379")
    if len(port) > len(str(MOST_PORT)) or not 1 <= int(port) <= MOST_PORT:
        raise ExecutorError(f"--address {address}: a port is a number from 1 to {MOST_PORT}")
    return host, int(port)


class Head:
    """The head of a cluster, at an address where it has answered before."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._silent_since: float | None = None

    def answers(self) -> bool:
        """Ask whether it is there; raise ``HeadGoneError`` if it has been silent for long."""
        now = time.monotonic()
        if self._is_there():
            self._silent_since = None
            return True
        if self._silent_since is None:
            self._silent_since = now
        if now - self._silent_since >= SILENT_SECONDS:
            raise self.gone()
        return False

    def asked(self, ask: Callable[[], Answer]) -> Answer:
        """Return what Ray has to ask the head for; raise ``HeadGoneError`` if it is gone meanwhile.

        Nothing interrupts Ray, so it asks in a thread of its own, which dies with the process.
        """
        answer: Future[Answer] = Future()

        def work() -> None:
            try:
                answer.set_result(ask())
            except Exception as error:
                answer.set_exception(error)

        Thread(target=work, daemon=True).start()
        while not wait([answer], PATIENCE_SECONDS).done:
            self.answers()
        return answer.result()

    def gone(self) -> HeadGoneError:
        """Return what is to be said when it is gone."""
        return HeadGoneError(f"the head of the Ray cluster at {self.address} is gone")

    def _is_there(self) -> bool:
        """Whether its system takes a call: who has much to do may take long to answer it."""
        with (
            suppress(OSError),
            socket.create_connection(split_address(self.address), ANSWER_SECONDS),
        ):
            return True
        return False
