import signal
import subprocess
import sys

import pytest

TWICE = """
import os, signal, threading, time
from connectlab.training import signals

signals.ECHO_SECONDS = {echo}
with signals.stop_on_signals() as stop:
    kill = lambda: os.kill(os.getpid(), signal.SIGTERM)
    threading.Timer({after}, kill).start()
    kill()
    while not stop.is_set():
        time.sleep(0.01)
    time.sleep({rest})
    print("saved")
"""


def ends(echo: float, after: float, rest: float) -> tuple[int, str]:
    """Send a signal to stop, and another one some seconds later; return how that ends."""
    code = TWICE.format(echo=echo, after=after, rest=rest)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout


def test_a_signal_that_comes_twice_at_once_asks_to_stop_once() -> None:
    """As ``timeout`` sends it: to the command, and to its group."""
    assert ends(echo=2.0, after=0.1, rest=0.0) == (0, "saved\n")


def test_a_second_signal_ends_at_once() -> None:
    assert ends(echo=0.01, after=1.0, rest=30.0) == (-signal.SIGTERM, "")


TRACKED = """
import multiprocessing, os, signal, sys, time
from connectlab.training.signals import start_tracker

start_tracker()
event = multiprocessing.get_context("spawn").Event()
time.sleep(float(sys.argv[1]))
os.kill(multiprocessing.resource_tracker._resource_tracker._pid, signal.SIGHUP)
time.sleep(0.5)
multiprocessing.get_context("spawn").Event()
event.set()
"""


@pytest.mark.parametrize("seconds", [0.0, 2.0], ids=["as it begins", "later"])
def test_a_closed_terminal_leaves_what_gives_semaphores_back(seconds: float) -> None:
    """Otherwise Python complains of every semaphore, in a traceback each."""
    command = [sys.executable, "-c", TRACKED, str(seconds)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
