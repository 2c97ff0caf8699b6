"""A real terminal for tests: a program on a pseudo-terminal of a given size."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType


class Terminal:
    """``connectlab`` with some arguments on a terminal of its own; use it as a context manager."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 40) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        hidden = ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR")
        environment = {k: v for k, v in os.environ.items() if k not in hidden}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "connectlab", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment | {"TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        self.output = ""
        self._seen = 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._master, f"{text}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def expect(self, text: str, timeout_s: float = 120.0) -> str:
        """Read on until this text comes; return what came before it since the last time."""
        ends = time.monotonic() + timeout_s
        while (place := self.output.find(text, self._seen)) < 0:
            assert self._read(ends), f"{text!r} never came:\n{self.output[self._seen :]}"
        before, self._seen = self.output[self._seen : place], place + len(text)
        return before

    def leave(self, timeout_s: float = 120.0) -> int:
        """Read to the end and return the exit code."""
        ends = time.monotonic() + timeout_s
        while self._read(ends):
            pass
        return self._process.wait(timeout_s)

    def _read(self, ends: float) -> bool:
        """Take in what is there; False at the end of the output, or when time is up."""
        if not select.select([self._master], [], [], max(0.0, ends - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return False
        self.output += data.decode(errors="replace")
        return bool(data)
