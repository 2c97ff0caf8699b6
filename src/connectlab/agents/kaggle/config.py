"""Which Kaggle agent plays, and how much time it has."""

from pydantic import Field

from connectlab.agents.settings import AgentSettings


class KaggleSettings(AgentSettings):
    """The file of the agent, and its time as Kaggle counts it."""

    name = "kaggle"
    summary = "an agent written for Kaggle's ConnectX: main.py, a folder, or submission.tar.gz"

    source: str = Field(min_length=1, examples=["main.py"])
    """The agent's file, a folder with a main.py, or an archive with one (.tar.gz, .tgz, .tar)."""
    seconds: float = Field(default=2.0, gt=0, le=86_400)
    """Seconds for each move (Kaggle's actTimeout)."""
    overage: float = Field(default=60.0, ge=0, le=86_400)
    """Seconds for all moves of a game that take longer (Kaggle's remainingOverageTime)."""
    folder: str = ""
    """The folder it runs in, where it finds its weights; that of its file if not given."""
    games_kept: int = Field(default=64, ge=1, le=65_536)
    """Games whose globals a child keeps at a time; contests play an eighth of them at once."""
    workers: int = Field(default=1, ge=1, le=64)
    """Child processes that share the games."""
    start_seconds: float = Field(default=60.0, gt=0, le=86_400)
    """Seconds a child may take to start, and to execute the file anew in the middle of a game."""
