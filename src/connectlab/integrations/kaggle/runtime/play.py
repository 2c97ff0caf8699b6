"""From what Kaggle shows to a column: the same for every player."""

import random
import time
from collections.abc import Callable
from typing import Any, Protocol

from connectlab.integrations.kaggle.runtime.board import Board, look_up
from connectlab.integrations.kaggle.runtime.clock import ACT_S, Clock


class Player(Protocol):
    """What can be exported: a policy on one board."""

    board: Board

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Return how likely each column is played; the game is not over."""


def answer(
    player: Player,
    observation: Any,
    configuration: Any,
    now: Callable[[], float] = time.perf_counter,
) -> int:
    """Return the column, 0-based, that a player chooses."""
    act_s = look_up(configuration, "actTimeout")
    purse_s = look_up(observation, "remainingOverageTime")
    clock = Clock(ACT_S if act_s is None else float(act_s), float(purse_s or 0.0), now)
    mover, occupied = player.board.read(observation, configuration)
    chances = player.policy(mover, occupied, clock)
    return random.choices(range(len(chances)), chances)[0]
