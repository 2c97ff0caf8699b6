import signal
import subprocess
import sys

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
