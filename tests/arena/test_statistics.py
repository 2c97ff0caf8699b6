"""Intervals and ratings against known values, SciPy and simulation."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, chi2
from scipy.stats import fisher_exact as scipy_fisher

from connectlab.arena.statistics import (
    MEAN_RATING,
    Interval,
    WeightedCount,
    bradley_terry,
    fisher_exact,
    mean_interval,
    rare_events,
    student,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (50, 100, 0.403832, 0.596168)],
)
def test_wilson_has_the_published_values(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 1), (1, 1), (1, 7), (3, 10), (997, 1000), (1, 10**6)]
)
def test_wilson_agrees_with_scipy(successes: int, trials: int, level: float) -> None:
    expected = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert wilson(successes, trials, level) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((1110, 10_000), (1, 25)),
        ((8, 10), (1, 6)),
        ((5, 10), (5, 10)),
        ((0, 7), (0, 9)),
        ((16, 10_000), (2, 50)),
        ((5639, 10_000), (5607, 10_000)),
    ],
)
def test_the_exact_test_agrees_with_scipy(first: tuple[int, int], second: tuple[int, int]) -> None:
    table = [[wins, games - wins] for wins, games in (first, second)]
    expected = scipy_fisher(table).pvalue
    assert fisher_exact(first, second) == pytest.approx(expected, rel=1e-6)
    assert fisher_exact(second, first) == pytest.approx(expected, rel=1e-6)


def test_more_successes_than_trials_cannot_be_tested() -> None:
    with pytest.raises(ValueError, match="3 successes in 2 trials cannot be"):
        fisher_exact((1, 2), (3, 2))


def test_no_trials_tell_nothing() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)
    assert mean_interval(0, 0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 10), (11, 10), (0, -1)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        wilson(successes, trials)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_an_impossible_level_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, level)


def test_the_interval_of_a_mean_counts_a_draw_as_half_a_win() -> None:
    assert mean_interval(30, 20, 50) == wilson(40, 100)


def test_the_interval_of_a_mean_holds_it_about_as_often_as_it_says() -> None:
    shares = np.array([0.5, 0.2, 0.3])
    counts = np.random.default_rng(1).multinomial(80, shares, size=2000)
    held = [0.6 in mean_interval(*map(int, row)) for row in counts]
    # A draw varies less than a win or a loss, so a little more than 95 %.
    assert 0.94 < np.mean(held) < 0.99


def points_between(ratings: np.ndarray, games: int, rng: np.random.Generator) -> np.ndarray:
    """Let players of known ratings play and return who scored how much against whom."""
    n = len(ratings)
    points = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            chance = 1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400))
            points[i, j] = rng.binomial(games, chance)
            points[j, i] = games - points[i, j]
    return points


def test_known_strengths_lie_within_their_intervals_as_often_as_promised() -> None:
    true = np.array([1150.0, 1400.0, 1500.0, 1600.0, 1850.0])
    rng = np.random.default_rng(7)
    held = []
    for _ in range(300):
        fitted = bradley_terry(points_between(true, 100, rng))
        held += [true[i] in fitted.interval(i) for i in range(len(true))]
    assert 0.93 < np.mean(held) < 0.97


def test_two_players_get_the_gap_that_explains_their_score() -> None:
    fitted = bradley_terry(np.array([[0.0, 7500.0], [2500.0, 0.0]]))
    assert fitted.ratings[0] - fitted.ratings[1] == pytest.approx(400 * np.log10(3), abs=0.5)
    # The standard error of the log-odds is 1 / sqrt(n p q); each player has half of the gap.
    gap_error = 400 / np.log(10) / np.sqrt(10_000 * 0.75 * 0.25)
    assert fitted.errors == pytest.approx([gap_error / 2] * 2, rel=0.01)


def test_the_fit_is_where_no_small_change_is_likelier() -> None:
    points = points_between(np.array([1300.0, 1500.0, 1700.0]), 40, np.random.default_rng(3))
    best = bradley_terry(points).ratings

    def log_posterior(ratings: np.ndarray) -> float:
        gaps = (ratings[:, None] - ratings[None, :]) * np.log(10) / 400
        return float(
            -(points * np.log1p(np.exp(-gaps))).sum() - (((ratings - 1500) / 1000) ** 2).sum() / 2
        )

    for change in np.vstack([np.eye(3), -np.eye(3)]):
        assert log_posterior(best + change) < log_posterior(best)


def test_one_who_wins_everything_has_a_finite_rating_and_a_wide_interval() -> None:
    points = np.array([[0.0, 50.0, 50.0], [0.0, 0.0, 25.0], [0.0, 25.0, 0.0]])
    fitted = bradley_terry(points)
    assert np.isfinite(fitted.ratings).all()
    assert np.isfinite(fitted.errors).all()
    beaten_once = bradley_terry(points + np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0]]))
    assert fitted.ratings[0] > beaten_once.ratings[0]
    assert fitted.errors[0] > 2 * beaten_once.errors[0]


def test_the_mean_rating_is_fixed() -> None:
    points = np.array([[0.0, 90.0, 99.0], [10.0, 0.0, 60.0], [1.0, 40.0, 0.0]])
    assert bradley_terry(points).ratings.mean() == pytest.approx(MEAN_RATING)


def test_more_games_narrow_the_interval() -> None:
    points = np.array([[0.0, 6.0], [4.0, 0.0]])
    few, many = bradley_terry(points), bradley_terry(100 * points)
    assert many.errors[0] == pytest.approx(few.errors[0] / 10, rel=0.05)


@pytest.mark.parametrize(
    "points", [np.zeros((2, 3)), np.zeros((0, 0)), np.array([[0, -1], [1, 0]])]
)
def test_a_table_that_is_none_is_refused(points: np.ndarray) -> None:
    with pytest.raises(ValueError, match="square table"):
        bradley_terry(points)


def test_students_interval_of_repeats_is_that_of_the_tables() -> None:
    low, high = student([1.0, 2.0, 3.0, 4.0])
    # The mean is 2.5, its error sqrt(5/3)/2; 95 % of t with three degrees of freedom lie within
    # 3.182446.
    assert high - 2.5 == pytest.approx(3.182446 * math.sqrt(5 / 3) / 2, rel=1e-6)
    assert 2.5 - low == pytest.approx(high - 2.5)
    assert student([0.5, 0.5]) == (0.5, 0.5)
    with pytest.raises(ValueError, match="1 repeats do not tell"):
        student([1.0])


def test_rare_events_of_equal_weight_have_the_exact_interval_of_poisson() -> None:
    count = WeightedCount.of([0.5] * 4)
    low, high = rare_events(count)
    assert low == pytest.approx(0.5 * chi2.ppf(0.025, 8) / 2)
    assert high == pytest.approx(0.5 * chi2.ppf(0.975, 10) / 2)


def test_the_interval_of_rare_events_holds_their_mean_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(5)
    weights = generator.exponential(size=400)
    rates = generator.exponential(0.03, size=400)
    truth = float(weights @ rates)
    held = 0
    for _ in range(400):
        events = np.repeat(weights, generator.poisson(rates))
        held += truth in rare_events(WeightedCount.of(events))
    assert 0.93 <= held / 400 <= 1.0


def test_counts_of_events_add_up_and_scale() -> None:
    both = WeightedCount.of([1.0, 2.0]).plus(WeightedCount.of([3.0]))
    assert both == WeightedCount.of([1.0, 2.0, 3.0]) == WeightedCount(6.0, 14.0, 3.0)
    assert both.scaled(0.5) == WeightedCount.of([0.5, 1.0, 1.5])
    with pytest.raises(ValueError, match="no event"):
        rare_events(WeightedCount.of([]))
