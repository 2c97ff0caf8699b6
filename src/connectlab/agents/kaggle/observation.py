"""What a Kaggle agent is shown, as kaggle-environments 1.33 shows it."""

import math

from connectlab.agents.kaggle.config import KaggleSettings
from connectlab.game import Geometry, Position

EPISODE_STEPS = 1000
RUN_TIMEOUT_S = 1200
"""Told to the agent, but not enforced: seconds and overage end a game long before."""


def observe(position: Position, overage_s: float) -> dict[str, object]:
    """Return the observation of the side to move."""
    return {
        "remainingOverageTime": _whole(overage_s),
        "step": position.n_moves,
        "board": position.to_kaggle(),
        "mark": mark_of(position),
    }


def mark_of(position: Position) -> int:
    """Return the side to move as Kaggle marks its stones: 1 for the first player, 2 the second."""
    return 1 if position.first_to_move else 2


def configure(settings: KaggleSettings, geometry: Geometry) -> dict[str, object]:
    """Return the configuration; ``timeout`` and ``agentTimeout`` are old names of the times."""
    return {
        "episodeSteps": EPISODE_STEPS,
        "actTimeout": _whole(settings.seconds),
        "runTimeout": RUN_TIMEOUT_S,
        "columns": geometry.columns,
        "rows": geometry.rows,
        "inarow": geometry.connect,
        "agentTimeout": _whole(settings.overage),
        "timeout": math.floor(settings.seconds),
    }


def _whole(seconds: float) -> float:
    """Return an int where there is one, so that the usual 2 and 60 read as on Kaggle."""
    return int(seconds) if float(seconds).is_integer() else seconds
