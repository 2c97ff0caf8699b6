"""Intervals for shares and ratings from paired results.

A share measured over a few hundred games is uncertain by several percent; nothing here reports one
without saying by how much.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ELO = 400 / math.log(10)
"""Points of rating for each unit of log-odds."""
MEAN_RATING = 1500.0
PRIOR_SPREAD = 1000.0
"""Standard deviation, in points of rating, of the prior that keeps ratings finite."""

_MAX_STEPS = 100
_CONVERGED = 1e-10
_MAX_LOG_ODDS_STEP = 2.0
_AS_LIKELY = 1e-7
"""Tables whose chances differ by no more than rounding are equally likely."""


class Interval(NamedTuple):
    """The two ends of an interval; a list of two numbers in JSON."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


def critical_value(level: float) -> float:
    """Return how many standard deviations to either side hold ``level`` of a normal variable."""
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(successes: float, trials: int, level: float = 0.95) -> Interval:
    """Return Wilson's score interval for a share (Wilson 1927, without continuity correction).

    ``successes`` may be fractional when a draw counts one half. No trials tell nothing: [0, 1].
    """
    if trials < 0 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials cannot be")
    if trials == 0:
        return Interval(0.0, 1.0)
    z2 = critical_value(level) ** 2
    share = successes / trials
    centre = share + z2 / (2 * trials)
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2)))
    scale = 1 + z2 / trials
    # Rounding must not let the ends miss 0 or 1 when nothing or everything succeeded.
    low = 0.0 if successes == 0 else (centre - half) / scale
    high = 1.0 if successes == trials else (centre + half) / scale
    return Interval(low, high)


class WeightedCount(NamedTuple):
    """Events that count differently, added up: what an interval of their sum rests on."""

    total: float
    squares: float
    """Sum of the squared weights."""
    largest: float
    """The greatest weight."""

    @classmethod
    def of(cls, weights: Sequence[float] | NDArray[np.float64]) -> "WeightedCount":
        """Add up the weights of events."""
        array = np.asarray(weights, dtype=np.float64)
        largest = float(array.max()) if len(array) else 0.0
        return cls(float(array.sum()), float((array**2).sum()), largest)

    def plus(self, other: "WeightedCount") -> "WeightedCount":
        """Return the count of both."""
        largest = max(self.largest, other.largest)
        return WeightedCount(self.total + other.total, self.squares + other.squares, largest)

    def scaled(self, factor: float) -> "WeightedCount":
        """Return the count of the same events with other weights."""
        return WeightedCount(self.total * factor, self.squares * factor**2, self.largest * factor)


def rare_events(count: WeightedCount, level: float = 0.95) -> Interval:
    """Return the gamma interval of a sum of rare weighted events (Fay and Feuer 1997).

    Few events are skewed: what a normal distribution makes of them is too short above. There must
    be an event; its upper end is as if one more of the greatest weight had been seen.
    """
    from scipy.special import gammaincinv

    if count.total <= 0:
        raise ValueError("no event tells nothing of a greatest weight")
    tail = (1 - level) / 2
    total, squares = count.total, count.squares
    low = squares / total * float(gammaincinv(total**2 / squares, tail))
    total, squares = total + count.largest, squares + count.largest**2
    high = squares / total * float(gammaincinv(total**2 / squares, 1 - tail))
    return Interval(low, high)


def student(values: Sequence[float], level: float = 0.95) -> Interval:
    """Return Student's interval for the mean of independent repeats; there must be two or more."""
    from scipy.special import stdtrit

    if len(values) < 2:
        raise ValueError(f"{len(values)} repeats do not tell by how much they differ")
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    half = float(stdtrit(len(values) - 1, (1 + level) / 2)) * math.sqrt(variance / len(values))
    return Interval(mean - half, mean + half)


def fisher_exact(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Return the two-sided p-value of Fisher's exact test that two shares are the same.

    Each is (successes, trials). Summed are the chances of all tables with the same margins that are
    at most as likely as the one found.
    """
    for successes, trials in (first, second):
        if not 0 <= successes <= trials:
            raise ValueError(f"{successes} successes in {trials} trials cannot be")
    both, (found, left), right = first[0] + second[0], first, second[1]
    possible = range(max(0, both - right), min(both, left) + 1)
    log_chances = [_log_choose(left, k) + _log_choose(right, both - k) for k in possible]
    limit = log_chances[found - possible.start] + _AS_LIKELY
    log_all = _log_choose(left + right, both)
    return min(1.0, sum(math.exp(each - log_all) for each in log_chances if each <= limit))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def mean_interval(wins: int, draws: int, losses: int, level: float = 0.95) -> Interval:
    """Return an interval for the mean score when a win counts 1, a draw 1/2 and a loss 0.

    This is Wilson's interval with half a success for a draw. Draws make the score vary less than
    wins and losses of the same mean would, so the interval errs on the wide side.
    """
    return wilson(wins + draws / 2, wins + draws + losses, level)


class Ratings(NamedTuple):
    """Ratings on the Elo scale, float64[n] each."""

    ratings: NDArray[np.float64]
    errors: NDArray[np.float64]
    """Standard errors, relative to the mean of all players."""

    def interval(self, player: int, level: float = 0.95) -> Interval:
        """Return the interval for one player's rating."""
        half = critical_value(level) * float(self.errors[player])
        rating = float(self.ratings[player])
        return Interval(rating - half, rating + half)


def bradley_terry(points: NDArray[np.floating | np.integer]) -> Ratings:
    """Rate players by the model of Bradley and Terry (1952): P(i beats j) = 1 / (1 + 10^(-d/400)).

    ``points[i, j]`` is what player i scored against j, with half a point for a draw. The strengths
    of greatest likelihood are found by Newton's method, with one addition: a normal prior around
    the mean with a standard deviation of ``PRIOR_SPREAD`` points. It hardly moves anyone who
    has both won and lost, and keeps finite the rating of one who won or lost every game. The errors
    come from the Fisher information at that point, prior included. The mean is 1500 exactly.
    """
    scored = np.array(points, dtype=np.float64)
    _check_points(scored)
    np.fill_diagonal(scored, 0.0)
    games = scored + scored.T
    prior = (ELO / PRIOR_SPREAD) ** 2
    strengths = np.zeros(len(scored))
    for _ in range(_MAX_STEPS):
        gradient, information = _derivatives(strengths, scored, games, prior)
        step = np.linalg.solve(information, gradient)
        # A full step from far away overshoots into the flat tails of the likelihood.
        step *= min(1.0, _MAX_LOG_ODDS_STEP / max(float(np.abs(step).max()), _CONVERGED))
        strengths += step
        if np.abs(step).max() < _CONVERGED:
            break
    _, information = _derivatives(strengths, scored, games, prior)
    return Ratings(
        MEAN_RATING + ELO * (strengths - strengths.mean()), ELO * _relative_errors(information)
    )


def _check_points(points: NDArray[np.float64]) -> None:
    square = points.ndim == 2 and points.shape[0] == points.shape[1]
    if not square or points.shape[0] == 0 or not (points >= 0).all():
        raise ValueError("points must be a square table of numbers from 0 up")


def _derivatives(
    strengths: NDArray[np.float64],
    points: NDArray[np.float64],
    games: NDArray[np.float64],
    prior: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the gradient of the log posterior and its negative second derivatives."""
    gaps = strengths[:, None] - strengths[None, :]
    expected = 0.5 * (1 + np.tanh(gaps / 2))
    gradient = (points - games * expected).sum(axis=1) - prior * strengths
    weights = games * expected * (1 - expected)
    information = np.diag(weights.sum(axis=1) + prior) - weights
    return gradient, information


def _relative_errors(information: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return standard errors of the strengths less their mean, which games say nothing about."""
    n = len(information)
    centre = np.eye(n) - 1 / n
    covariance = centre @ np.linalg.inv(information) @ centre
    errors: NDArray[np.float64] = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return errors
