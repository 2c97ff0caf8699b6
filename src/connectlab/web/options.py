"""What the server is started with."""

import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from connectlab.errors import UserError
from connectlab.web.limits import Limits

DEFAULT_PORT = 8000
RUNS = Path("runs")
DATA = Path("lab-data")
"""Where what people make on the page is kept: games, tuple files and the like."""
TOKEN = re.compile(r"[A-Za-z0-9._~-]{8,200}")
"""What stands in an address and a header as it is, and is not soon guessed."""
SPARE_WORKERS = 2
"""More workers than cores: a quick question then shares a core with a long one, and never waits."""


class WebError(UserError):
    """Something the server cannot be started with, or that a visitor may not do."""

    status: int = 400
    """The status of HTTP that says so."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def default_workers() -> int:
    """Return how many worker processes this machine gets."""
    return len(os.sched_getaffinity(0)) + SPARE_WORKERS if hasattr(os, "sched_getaffinity") else 4


@dataclass(frozen=True)
class Options:
    """Where the server listens, what it keeps where, and how much it may do."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """0 takes a free one."""
    runs: Path = RUNS
    """The runs folder: the only place from which a spec of the web may load a player."""
    data: Path = DATA
    token: str | None = None
    """What a visitor must know; None on this machine alone."""
    workers: int = field(default_factory=default_workers)
    """Worker processes: so many questions are answered at once."""
    limits: Limits = field(default_factory=Limits)

    @property
    def games(self) -> Path:
        """Where finished games are kept."""
        return self.data / "games"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    def check(self) -> None:
        """Raise ``WebError`` if the server cannot be started so."""
        for name, folder in (("runs", self.runs), ("data", self.data)):
            if folder.exists() and not folder.is_dir():
                raise WebError(f"--{name} {folder} is no folder")
        if self.token is not None and not TOKEN.fullmatch(self.token):
            raise WebError("--token takes 8 to 200 of the letters A-Z, a-z, 0-9 and . _ ~ -")


def is_loopback(host: str) -> bool:
    """Whether a host to listen on can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
