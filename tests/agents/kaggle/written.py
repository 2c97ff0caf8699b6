"""Agents that a test writes into a folder of its own, and whether their processes live."""

from pathlib import Path

from connectlab.agents import make_agent
from connectlab.agents.kaggle.agent import KaggleAgent
from connectlab.agents.spec import Spec
from connectlab.game import STANDARD, Geometry
from living import die_out, is_alive, pids

__all__ = ["die_out", "is_alive", "noting", "opened", "pids", "written"]

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
