"""The real server in a process of its own, as a person starts it."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from living import die_out, is_alive

READY = re.compile(r"https?://[^\s/]+:\d+")
"""The line that says the server is ready carries its address."""
PATIENCE_S = 500.0
"""All kernels may have to be compiled first, on a busy machine."""


@dataclass
class Lab:
    """A server that runs, with folders of its own."""

    folder: Path
    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    """What it has printed, both streams."""
    url: str = ""
    ready: threading.Event = field(default_factory=threading.Event)

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def listen(self) -> None:
        """Keep what the server prints, and notice when it is ready or over."""
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            for line in stream:
                self.lines.append(line)
                if not self.url and (found := READY.search(line)):
                    self.url = found[0]
                    self.ready.set()
        self.ready.set()


def start(folder: Path, *options: str, port: int = 0) -> Lab:
    """Start ``connectlab serve`` in a folder and wait until it says that it is ready."""
    for name in ("runs", "data"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "connectlab", "serve", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--runs", "runs", "--data", "data", *options],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    lab = Lab(folder, process)
    threading.Thread(target=lab.listen, daemon=True).start()
    try:
        if not lab.ready.wait(PATIENCE_S) or not lab.url:
            raise AssertionError("the server is not ready:\n" + "".join(lab.lines))
    except BaseException:
        kill(lab)
        raise
    return lab


def stop(lab: Lab) -> None:
    """End a server as Ctrl-C does; nothing that it started may live on."""
    processes = family(lab.process.pid)
    lab.process.send_signal(signal.SIGINT)
    try:
        lab.process.wait(30)
    except subprocess.TimeoutExpired:
        kill(lab)
        raise AssertionError("the server does not end:\n" + "".join(lab.lines)) from None
    if not die_out(processes):
        left = [pid for pid in processes if is_alive(pid)]
        kill_all(left)
        raise AssertionError(f"the server left processes behind: {left}")


def kill(lab: Lab) -> None:
    """Take the server and all its processes away at once, as a crash of the machine does."""
    processes = family(lab.process.pid)
    lab.process.kill()
    lab.process.wait()
    kill_all(processes)


def kill_all(processes: list[int]) -> None:
    for pid in filter(is_alive, processes):
        os.kill(pid, signal.SIGKILL)


def family(pid: int) -> list[int]:
    """Return a process, all that descend from it and all that share its session."""
    kin, size = {pid}, 0
    stats = list(map(parent_and_session, processes()))
    while len(kin) > size:
        size = len(kin)
        kin |= {child for child, parent, session in stats if parent in kin or session == pid}
    return sorted(kin)


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def parent_and_session(pid: int) -> tuple[int, int, int]:
    """Return a process with its parent and its session; zeros for one that is gone."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return pid, 0, 0
    _, parent, _, session = status.rpartition(")")[2].split()[:4]
    return pid, int(parent), int(session)


@contextmanager
def serving(folder: Path, *options: str, port: int = 0) -> Iterator[Lab]:
    """Have a server for a while."""
    lab = start(folder, *options, port=port)
    try:
        yield lab
    finally:
        if lab.process.poll() is None:
            stop(lab)
