"""Who hears the signals to stop, and who ends with whom: a run and the processes it starts."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import wait

ECHO_SECONDS = 0.3
"""How long after a signal to stop another one counts as the same."""


def stop_signals() -> list[signal.Signals]:
    """Return the signals that ask a run to save and stop: Ctrl-C, kill, and a closed terminal."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Give an event that the first signal to stop sets; the second one ends at once.

    What comes within ``ECHO_SECONDS`` of the first is taken for the same: ``timeout`` sends its
    signal to the command and then to its group, and so twice to the command. A signal that is
    ignored, as nohup ignores a closed terminal, stays ignored. Outside the main thread no signal
    can be heard, and the event is set by nobody.
    """
    stop, asked = threading.Event(), threading.Event()
    before = {number: signal.getsignal(number) for number in stop_signals()}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    if threading.current_thread() is not threading.main_thread():
        heard = []

    def restore() -> None:
        for number in heard:
            handler = before[number]
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def ask(number: int, frame: object) -> None:
        del number, frame
        if asked.is_set():  # the echo of the first, which is asleep below
            return
        asked.set()
        stop.set()
        time.sleep(ECHO_SECONDS)
        restore()

    for number in heard:
        signal.signal(number, ask)
    try:
        yield stop
    finally:
        restore()


@contextmanager
def born_deaf() -> Iterator[None]:
    """Let processes started meanwhile ignore every signal to stop: their parent sees to it."""
    start_tracker()
    if threading.current_thread() is not threading.main_thread():
        with _blocked():
            yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in stop_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def _blocked() -> Iterator[None]:
    """Keep signals to stop from this thread, and from processes that it starts meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stop_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_tracker() -> None:
    """Start the process that gives the semaphores of this one back, deaf to every signal to stop.

    Python makes it deaf to Ctrl-C and kill, but a closed terminal would end it before its work.
    Call it before the first semaphore, which starts it otherwise; it is started once.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stop_signals())
    try:
        resource_tracker.ensure_running()  # it inherits the mask, and unblocks two of the signals
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Let this process end at once when its parent does, however it does."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
