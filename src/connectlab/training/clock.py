"""The time of a run over all its sessions, and how fast it learns."""

import time

from connectlab.training.metrics import Line


class Clock:
    """Counts the time of a run over all its sessions, and its speed."""

    def __init__(self, progress: list[Line]) -> None:
        self._before = float(progress[-1]["seconds"]) if progress else 0.0
        self._began = time.perf_counter()
        self._since_report = (0, 0.0)
        self.speed = 0.0
        """Games a second lately."""

    @property
    def seconds(self) -> float:
        """Time of this and all earlier sessions."""
        return self._before + time.perf_counter() - self._began

    def games_in(self, seconds: float) -> int:
        """Return how many games fit into some time; a few when nothing is known."""
        return max(1, int(self.speed * seconds)) if self.speed else 50

    def count(self, games: int, seconds: float) -> None:
        """Add a chunk that was learned."""
        speed = games / max(seconds, 1e-9)
        self.speed = speed if self.speed == 0 else 0.9 * self.speed + 0.1 * speed
        done, took = self._since_report
        self._since_report = done + games, took + seconds

    def speed_since_report(self) -> float:
        """Return games a second of learning since the last call."""
        games, seconds = self._since_report
        self._since_report = 0, 0.0
        return games / seconds if seconds else 0.0
