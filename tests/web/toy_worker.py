"""A worker that does what it is told and needs no kernel: it sleeps, dies, stammers or answers."""

import json
import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection

from connectlab.training.signals import end_with_parent
from connectlab.web.workers.hand import Hand
from connectlab.web.workers.line import HEADER
from connectlab.web.workers.worker import READY, SEPARATOR


def live(connection: Connection) -> None:
    """Do what the questions say, one after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    connection.send_bytes(READY)
    while True:
        try:
            asked = json.loads(connection.recv_bytes().partition(SEPARATOR)[2])
        except EOFError:
            return
        if asked.get("die"):
            os._exit(1)
        time.sleep(asked.get("sleep", 0))
        told = {"pid": os.getpid(), "text": "x" * asked.get("letters", 0)}
        answer = b"200" + json.dumps(told).encode()
        if "stammer" in asked:
            stammer(connection, HEADER.pack(len(answer)) + answer, asked["stammer"])
        else:
            connection.send_bytes(answer)


def stammer(connection: Connection, message: bytes, seconds: float) -> None:
    """Say the beginning, and the rest after a while."""
    for piece in (message[:2], message[2:10], message[10:]):
        os.write(connection.fileno(), piece)
        time.sleep(seconds)


def live_short(connection: Connection) -> None:
    """Be dead before anybody can ask."""
    connection.close()


def live_asleep(connection: Connection) -> None:
    """Be there, and never read a question."""
    end_with_parent()
    connection.send_bytes(READY)
    os.kill(os.getpid(), signal.SIGSTOP)


def born() -> Hand:
    """Return another such worker."""
    return Hand.started(multiprocessing.get_context("spawn"), live)


def stillborn() -> Hand:
    """Try to return a worker that does not get ready."""
    return Hand.started(multiprocessing.get_context("spawn"), live_short)


def born_asleep() -> Hand:
    """Return a worker that reads nothing."""
    return Hand.started(multiprocessing.get_context("spawn"), live_asleep)
