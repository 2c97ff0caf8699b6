"""When the mean of several runs first reaches a level, and how sure that is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from connectlab.lab.statistics import FEWEST, expanded_tail, resampled_means

SMOOTHED = 0.05
"""Share of a run that a point of the curve is the mean of: one judgement is of few games, and even
the mean of ten runs jumps from one to the next."""


@dataclass(frozen=True)
class Onset:
    """The games at which a mean first reaches a level."""

    games: float | None
    """None if it never does."""
    interval: tuple[float | None, float | None] | None
    """95 %, by bootstrap over whole runs; an end is None where that never does. None of fewer than
    ``FEWEST`` runs, or where it never does in 95 %."""

    @classmethod
    def of(
        cls, games: NDArray[np.float64], rows: NDArray[np.float64], wanted: float
    ) -> "Onset | None":
        """Return when the mean of ``rows``, float64[runs, n], reaches what is wanted.

        ``games``, float64[n], are those of the columns. None where there are no runs.
        """
        if not rows.size:
            return None
        smoothed = smooth(rows)
        first = _first(games, smoothed.mean(axis=0, keepdims=True), wanted)
        return cls(_known(first[0]), _interval(games, smoothed, wanted))

    @property
    def interval_text(self) -> str:
        """The interval as " [300, …]"; nothing where there is none."""
        if self.interval is None:
            return ""
        low, high = ("…" if end is None else f"{end:,.0f}" for end in self.interval)
        return f" [{low}, {high}]"

    def may_be(self, low: float, high: float) -> bool:
        """Say whether the interval holds anything from ``low`` to ``high`` games."""
        if self.interval is None:
            return False
        ours = [np.inf if end is None else end for end in self.interval]
        return ours[0] <= high and low <= ours[1]


def smooth(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return centred means over ``SMOOTHED`` of the columns; at the ends, over those that exist."""
    n = rows.shape[1]
    reach = int(SMOOTHED * n) // 2
    if not reach:
        return rows
    total = np.concatenate([np.zeros((len(rows), 1)), rows.cumsum(axis=1)], axis=1)
    at = np.arange(n)
    low, high = np.maximum(at - reach, 0), np.minimum(at + reach + 1, n)
    means: NDArray[np.float64] = (total[:, high] - total[:, low]) / (high - low)
    return means


def _interval(
    games: NDArray[np.float64], rows: NDArray[np.float64], wanted: float
) -> tuple[float | None, float | None] | None:
    if len(rows) < FEWEST:
        return None
    found = np.sort(_first(games, resampled_means(rows), wanted))
    cut = int(expanded_tail(len(rows)) * len(found))
    low, high = _known(found[cut]), _known(found[-1 - cut])
    return None if low is None else (low, high)


def _first(
    games: NDArray[np.float64], means: NDArray[np.float64], wanted: float
) -> NDArray[np.float64]:
    """Return the games at which each row of means is first as high as wanted; else infinity."""
    reached = means >= wanted - 1e-12
    first: NDArray[np.float64] = np.where(
        reached.any(axis=1), games[reached.argmax(axis=1)], np.inf
    )
    return first


def _known(games: np.float64) -> float | None:
    return float(games) if np.isfinite(games) else None
