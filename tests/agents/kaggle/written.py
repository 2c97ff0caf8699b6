"""Agents that a test writes into a folder of its own, and whether their processes live."""

import time
from pathlib import Path

from connectlab.agents import make_agent
from connectlab.agents.kaggle.agent import KaggleAgent
from connectlab.agents.spec import Spec
from connectlab.game import STANDARD, Geometry

NOTING = "import os\nopen({path!r}, 'a').write(str(os.getpid()) + '\\n')\n"


def written(
    home: Path, source: str, geometry: Geometry = STANDARD, **settings: object
) -> KaggleAgent:
    """A player whose main.py holds this source."""
    (home / "main.py").write_text(source, encoding="utf-8")
    return opened(home / "main.py", geometry, **settings)


def opened(source: Path, geometry: Geometry = STANDARD, **settings: object) -> KaggleAgent:
    texts = {key: str(value) for key, value in settings.items()}
    agent = make_agent(Spec("kaggle", {"source": str(source), **texts}), geometry)
    assert isinstance(agent, KaggleAgent)
    return agent


def noting(path: Path) -> str:
    """Lines for an agent that notes the process it runs in, once for each execution."""
    return NOTING.format(path=str(path))


def pids(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet buried does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def die_out(processes: list[int], patience_s: float = 20.0) -> bool:
    """Wait until none of some processes is alive; False if one stays."""
    end = time.monotonic() + patience_s
    while any(map(is_alive, processes)):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
