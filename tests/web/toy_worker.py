"""A worker that does what it is told and needs no kernel: it sleeps, dies or answers."""

import json
import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection

from connectlab.training.signals import end_with_parent
from connectlab.web.workers.hand import Hand
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
        connection.send_bytes(b"200" + json.dumps({"pid": os.getpid()}).encode())


def live_short(connection: Connection) -> None:
    """Be dead before anybody can ask."""
    connection.close()


def born() -> Hand:
    """Return another such worker."""
    return Hand.started(multiprocessing.get_context("spawn"), live)


def stillborn() -> Hand:
    """Try to return a worker that does not get ready."""
    return Hand.started(multiprocessing.get_context("spawn"), live_short)
