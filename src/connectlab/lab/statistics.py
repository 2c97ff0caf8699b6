"""What several runs of the same thing say together: means, spreads, and how sure they are.

Intervals hold 95 %, or nearly: those of means were tried on normal numbers, where they hold 92 % of
five and 94 % of ten. Of fewer than five runs none is told; every spread says how many it rests on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist, fmean, stdev

import numpy as np
from numpy.typing import NDArray

from connectlab.arena.statistics import Interval

RESAMPLES = 10_000
SEED = 20_120_000
"""The same numbers give the same interval, whenever they are asked for."""
SIGNIFICANT = 0.05
"""Shares are told apart where so unlike ones would come about less often by chance."""
FEWEST = 5
"""Of fewer numbers no interval is told: with three a bootstrap holds 75 %."""


@dataclass(frozen=True)
class Spread:
    """What several numbers have in common."""

    mean: float
    standard_deviation: float
    lowest: float
    highest: float
    interquartile_mean: float
    """Mean of the middle half, which single runs that failed do not move."""
    mean_interval: Interval | None = None
    """Bootstrap interval of the mean; None of fewer than ``FEWEST`` numbers."""
    n: int = 1

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread | None":
        """Return the spread of some numbers; None of none."""
        if not values:
            return None
        spread = stdev(values) if len(values) > 1 else 0.0
        return cls(
            fmean(values),
            spread,
            min(values),
            max(values),
            interquartile_mean(values),
            bootstrap_interval(values),
            len(values),
        )

    def to_json(self) -> dict[str, object]:
        """Return the numbers as plain data."""
        interval = None if self.mean_interval is None else list(self.mean_interval)
        return {
            "mean": self.mean,
            "mean_interval": interval,
            "standard_deviation": self.standard_deviation,
            "lowest": self.lowest,
            "highest": self.highest,
            "interquartile_mean": self.interquartile_mean,
            "n": self.n,
        }


def interquartile_mean(values: Sequence[float]) -> float:
    """Return the mean of the middle half (Agarwal et al. 2021 advise it for few runs).

    A quarter of the numbers is left out at either end, rounded down: of three or fewer, none.
    """
    ordered = sorted(values)
    cut = len(ordered) // 4
    return fmean(ordered[cut : len(ordered) - cut])


def bootstrap_interval(values: Sequence[float], level: float = 0.95) -> Interval | None:
    """Return the bootstrap interval of the mean; None of fewer than ``FEWEST`` numbers."""
    if len(values) < FEWEST:
        return None
    low, high = bootstrap_band(np.array([values], dtype=np.float64).T, level)
    return Interval(float(low[0]), float(high[0]))


def bootstrap_band(
    rows: NDArray[np.float64], level: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both ends of the bootstrap interval of the mean of each column.

    ``rows`` is float64[runs, points]. Whole runs are drawn, so the points of a curve keep together.
    The quantiles are the expanded ones of Hesterberg (2015, "What Teachers Should Know About the
    Bootstrap"): plain percentiles are too narrow for few runs, as normal quantiles are in place of
    Student's.
    """
    tail = expanded_tail(len(rows), level)
    ends = np.quantile(resampled_means(rows), [tail, 1 - tail], axis=0)
    return ends[0], ends[1]


def resampled_means(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means of columns over rows that were drawn anew, float64[RESAMPLES, points]."""
    means: NDArray[np.float64] = _weights(len(rows)) @ rows
    return means


@cache
def _weights(n: int) -> NDArray[np.float64]:
    """Return how much each of n rows counts in the means, float64[RESAMPLES, n]."""
    rng = np.random.default_rng(SEED)
    drawn = rng.integers(n, size=(RESAMPLES, n))
    weights = np.zeros((RESAMPLES, n))
    np.add.at(weights, (np.arange(RESAMPLES)[:, None], drawn), 1 / n)
    return weights


@cache
def expanded_tail(n: int, level: float = 0.95) -> float:
    """Return the share of resampled means to leave out at either end."""
    from scipy import stats

    student = float(stats.t.ppf((1 + level) / 2, max(1, n - 1)))
    return NormalDist().cdf(-math.sqrt(n / max(1, n - 1)) * student)


def prediction_interval(values: Sequence[float], level: float) -> Interval:
    """Return where one more value like these, two at least, lies with this chance: Student's t."""
    from scipy import stats

    n = len(values)
    reach = float(stats.t.ppf(0.5 + level / 2, n - 1)) * np.std(values, ddof=1)
    reach *= np.sqrt(1 + 1 / n)
    return Interval(float(np.mean(values) - reach), float(np.mean(values) + reach))


def f_test(wide: float, n: int, narrow: float, m: int) -> float:
    """Return how likely n and m runs of equal spread deviate so differently, to either side.

    ``wide`` is the larger of two standard deviations.
    """
    from scipy import stats

    if wide == 0:
        return 1.0
    ratio = np.inf if narrow == 0 else (wide / narrow) ** 2
    return min(1.0, 2 * float(stats.f.sf(ratio, n - 1, m - 1)))


def t_test(ours: Spread, published: float, runs: int) -> float:
    """Return how likely a published mean of so many runs is so far from ours by chance.

    Student's t, as if the published runs deviated as ours do, which are two or more.
    """
    from scipy import stats

    error = ours.standard_deviation * math.sqrt(1 / ours.n + 1 / runs)
    apart = abs(ours.mean - published)
    if error == 0:
        return float(apart == 0)
    return 2 * float(stats.t.sf(apart / error, ours.n - 1))


def correlation_test(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how likely numbers that have nothing to do with each other go together so well.

    Pearson's correlation, to the side on which both rise.
    """
    from scipy import stats

    if min(np.ptp(first), np.ptp(second)) == 0:
        return 1.0
    return float(stats.pearsonr(first, second, alternative="greater").pvalue)


@dataclass(frozen=True)
class TimeTo:
    """How long runs take to reach something that not all of them reach.

    The median is that of Kaplan and Meier (1958): a run that ends without having reached it counts
    as one that would have taken longer, and not as one that never happened.
    """

    median: float | None
    """None unless more than half are known to reach it: of exactly half, the later half decides."""
    median_interval: tuple[float | None, float | None]
    """95 %; None where nothing bounds it, and of fewer runs than ``FEWEST``. Where all runs got
    there it ends with the last of them: of five, from the first to the last, it holds 94 %."""
    reached: int
    runs: int

    @classmethod
    def of(cls, times: Sequence[float], reached: Sequence[bool]) -> "TimeTo | None":
        """Return the median of times; where ``reached`` is false a run was only watched so long."""
        if not times:
            return None
        at, survival, error = _kaplan_meier(np.array(times, dtype=np.float64), np.array(reached))
        low, high = _log_log_band(survival, error, int(sum(reached)))
        last = max(times) if all(reached) else None
        ends = (_first_below(at, low), _first_below(at, high) or last)
        return cls(
            _median(at, survival),
            ends if len(times) >= FEWEST else (None, None),
            int(sum(reached)),
            len(times),
        )

    @property
    def interval_text(self) -> str:
        """The interval as " [300, …]"; nothing where it says nothing."""
        if self.median_interval == (None, None):
            return ""
        low, high = ("…" if end is None else f"{end:,.0f}" for end in self.median_interval)
        return f" [{low}, {high}]"

    def to_json(self) -> dict[str, object]:
        """Return the median and what it rests on."""
        return {
            "median": self.median,
            "median_interval": list(self.median_interval),
            "reached": self.reached,
            "runs": self.runs,
        }


def _kaplan_meier(
    times: NDArray[np.float64], reached: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the times of events, the share not yet there after each, and Greenwood's sum."""
    at = np.unique(times[reached])
    watched = np.array([(times >= t).sum() for t in at], dtype=np.float64)
    events = np.array([((times == t) & reached).sum() for t in at], dtype=np.float64)
    left = watched - events
    survival = np.cumprod(left / watched).astype(np.float64)
    terms = np.where(left > 0, events / (watched * np.maximum(left, 1)), np.inf)
    greenwood = np.cumsum(terms).astype(np.float64)
    return at, survival, greenwood


def _log_log_band(
    survival: NDArray[np.float64], greenwood: NDArray[np.float64], events: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the 95 % band of a survival curve, on the scale of log(-log).

    Where nobody is left that scale has no bound; the exact one of none left of so many events (as
    Clopper and Pearson have it) takes its place.
    """
    low, high = np.zeros_like(survival), np.ones_like(survival)
    for i, (share, total) in enumerate(zip(survival, greenwood, strict=True)):
        if 0 < share < 1 and math.isfinite(total):
            half = 1.96 * math.sqrt(total) / abs(math.log(share))
            low[i], high[i] = share ** math.exp(half), share ** math.exp(-half)
        elif share <= 0:
            high[i] = min(high[i - 1] if i else 1.0, 1 - 0.025 ** (1 / events))
    return low, high


def _median(at: NDArray[np.float64], survival: NDArray[np.float64]) -> float | None:
    """Return when half are left; half-way to the next event where exactly half are.

    If no event comes after that the median lies anywhere from there on, and is not known.
    """
    first = _first_below(at, survival)
    half = np.flatnonzero(np.isclose(survival, 0.5))
    if first is None or not len(half):
        return first
    if half[0] + 1 >= len(at):
        return None
    return float(at[half[0]] + at[half[0] + 1]) / 2


def _first_below(at: NDArray[np.float64], survival: NDArray[np.float64]) -> float | None:
    """Return when half or fewer are left."""
    below = np.flatnonzero(survival <= 0.5 + 1e-12)
    return float(at[below[0]]) if len(below) else None
