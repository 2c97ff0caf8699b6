"""The time of a run over all its sessions, how fast it learns, and when it should be saved."""

import time

SAVE_SECONDS = 5.0
"""Time between two saved states, unless saving takes long."""
SAVE_SHARE = 20
"""Saving may take one part in so many of the time."""


class Clock:
    """Counts the time of a run over all its sessions, and its speed."""

    def __init__(self, seconds_before: float) -> None:
        self._before = seconds_before
        self._began = time.perf_counter()
        self._since_row = (0, 0.0)
        self.speed = 0.0
        """Games a second lately."""

    @property
    def seconds(self) -> float:
        """Time of this and all earlier sessions."""
        return self._before + time.perf_counter() - self._began

    def count(self, games: int, seconds: float) -> None:
        """Add a step of learning."""
        speed = games / max(seconds, 1e-9)
        self.speed = speed if self.speed == 0 else 0.9 * self.speed + 0.1 * speed
        done, took = self._since_row
        self._since_row = done + games, took + seconds

    def speed_since_row(self) -> float:
        """Return games a second of learning since the last call."""
        games, seconds = self._since_row
        self._since_row = 0, 0.0
        return games / seconds if seconds else 0.0


class SavePace:
    """Says when to save, so that saving takes a small share of the time."""

    def __init__(self) -> None:
        self._ended = time.monotonic()
        self._took = 0.0

    @property
    def is_due(self) -> bool:
        """Whether enough time has gone since the last save, for what it took."""
        return time.monotonic() - self._ended >= max(SAVE_SECONDS, SAVE_SHARE * self._took)

    def saved(self, seconds: float) -> None:
        """Take note of a save that ended now."""
        self._took = seconds
        self._ended = time.monotonic()
