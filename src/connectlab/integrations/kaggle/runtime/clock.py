"""How long a player may think: two seconds a move, and a purse of seconds for the whole game."""

import time
from collections.abc import Callable

ACT_S = 2.0
"""Seconds a move, where the configuration says nothing."""
SPARE = 0.2
"""Share of the seconds of a move that is left for the way there and back."""
PURSE_KEPT_S = 10.0
"""Seconds of the purse that are never planned with."""
PURSE_SHARE = 0.25
"""How much of the rest one move may take."""


class OutOfTime(Exception):  # noqa: N818
    """Raised in the middle of a search that has to end."""


class Clock:
    """The time of one move.

    A player does what it must within the *hard* limit, which reaches into the purse, and then what
    more it can within the *soft* one, which does not.
    """

    def __init__(
        self,
        act_s: float = ACT_S,
        purse_s: float = 0.0,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.now = now
        self.soft = now() + (1.0 - SPARE) * act_s
        self.hard = self.soft + PURSE_SHARE * max(0.0, purse_s - PURSE_KEPT_S)
        self.limit = self.hard

    def hurry(self) -> None:
        """From now on keep to the soft limit."""
        self.limit = self.soft

    def is_over(self) -> bool:
        """Say whether the present limit is reached."""
        return self.now() >= self.limit

    def check(self) -> None:
        """Raise ``OutOfTime`` if the present limit is reached."""
        if self.now() >= self.limit:
            raise OutOfTime
