import math

import numpy as np
import pytest
from scipy import stats

from connectlab.lab.papers.ranking import overlap_line, span_of_time
from connectlab.lab.statistics import (
    Spread,
    TimeTo,
    bootstrap_band,
    bootstrap_interval,
    correlation_test,
    f_test,
    interquartile_mean,
    t_test,
)

VALUES = [0.1, 0.9, 0.85, 0.8, 0.95, 0.7, 0.88, 0.91]


def spread_of(*values: float) -> Spread:
    spread = Spread.of(values)
    assert spread is not None
    return spread


def test_the_middle_half_is_not_moved_by_a_run_that_failed() -> None:
    assert interquartile_mean(VALUES) == pytest.approx(stats.trim_mean(VALUES, 0.25))
    without = [0.79 if value == 0.1 else value for value in VALUES]
    assert interquartile_mean(without) == pytest.approx(interquartile_mean(VALUES), abs=0.03)
    assert interquartile_mean([1.0, 2.0, 6.0]) == 3.0


def test_the_bootstrap_interval_is_that_of_scipy_at_the_expanded_level() -> None:
    found = bootstrap_interval(VALUES)
    assert found is not None
    n = len(VALUES)
    tail = stats.norm.cdf(-math.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1))
    oracle = stats.bootstrap(
        (VALUES,),
        np.mean,
        n_resamples=20_000,
        method="percentile",
        confidence_level=1 - 2 * tail,
        rng=1,
    ).confidence_interval
    assert found.low == pytest.approx(oracle.low, abs=0.03)
    assert found.high == pytest.approx(oracle.high, abs=0.03)
    assert bootstrap_interval(VALUES) == found


def test_intervals_of_means_hold_what_they_promise() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(300):
        found = bootstrap_interval(rng.normal(size=8).tolist())
        assert found is not None
        held += 0.0 in found
    assert held / 300 > 0.9  # plain percentiles hold 87 %


def test_four_numbers_have_no_interval() -> None:
    assert bootstrap_interval([0.1, 0.9, 0.4, 0.5]) is None
    spread = Spread.of([0.1, 0.9])
    assert spread is not None
    assert spread.mean_interval is None
    assert spread.n == 2
    assert Spread.of([]) is None


def test_equal_numbers_have_an_interval_of_no_width() -> None:
    found = bootstrap_interval([0.5] * 5)
    assert found is not None
    assert found == pytest.approx((0.5, 0.5))


def test_whole_runs_are_drawn_for_the_band_of_a_curve() -> None:
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    low, high = bootstrap_band(rows)
    assert low == pytest.approx(1 - high[::-1])  # where one point is high, the other is low
    assert low[0] < 0.5 < high[0]


def test_the_median_of_censored_times_is_that_of_kaplan_and_meier() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        times = rng.integers(1, 12, size=9).astype(float)
        reached = rng.random(9) < 0.7
        found = TimeTo.of(times.tolist(), reached.tolist())
        assert found is not None
        data = stats.CensoredData.right_censored(times, ~reached)
        curve = stats.ecdf(data).sf
        assert found.median == _median_of(curve.quantiles, curve.probabilities, times[reached])
        assert (found.reached, found.runs) == (int(reached.sum()), 9)
        low, high = found.median_interval
        if found.median is not None:
            assert low is None or low <= found.median
            assert high is None or high >= found.median


def _median_of(at: np.ndarray, left: np.ndarray, events: np.ndarray) -> float | None:
    """Half-way between two events where exactly half are left after the first; None after all."""
    below = at[left <= 0.5 + 1e-12]
    if not len(below):
        return None
    later = np.unique(events[events > below[0]])
    exactly = np.isclose(left[at == below[0]][0], 0.5)
    if not exactly:
        return float(below[0])
    return float(below[0] + later[0]) / 2 if len(later) else None


def test_a_median_is_not_known_where_half_of_the_runs_never_get_there() -> None:
    half = TimeTo.of([100, 1000], [True, False])
    more = TimeTo.of([100, 300, 1000], [True, True, False])
    even = TimeTo.of([100, 300], [True, True])
    many = TimeTo.of([100, 200, 300, 900, 1000, 1000], [True, True, True, False, False, False])
    assert [each.median for each in (half, more, even, many) if each] == [None, 300, 200, None]
    between = TimeTo.of([100, 100, 200, 300], [True, True, False, True])
    assert between is not None
    assert between.median == 200  # one more is known to get there, after 300


def test_the_band_around_the_median_is_that_of_scipy() -> None:
    times, reached = [3.0, 5.0, 5.0, 8.0, 9.0, 10.0, 12.0], [True] * 5 + [False] * 2
    found = TimeTo.of(times, reached)
    assert found is not None
    curve = stats.ecdf(stats.CensoredData.right_censored(times, ~np.array(reached))).sf
    band = curve.confidence_interval(method="log-log")
    ends = [
        next(
            (q for q, p in zip(curve.quantiles, side.probabilities, strict=True) if p <= 0.5), None
        )
        for side in (band.low, band.high)
    ]
    assert list(found.median_interval) == ends


def test_where_all_runs_get_there_the_interval_ends_with_the_last() -> None:
    five = TimeTo.of([140, 160, 220, 180, 140], [True] * 5)
    never = TimeTo.of([2000] * 5, [False] * 5)
    most = TimeTo.of([140, 160, 220, 180, 2000], [True] * 4 + [False])
    assert five is not None and never is not None and most is not None
    assert five.median_interval == (140, 220)
    assert five.interval_text == " [140, 220]"
    assert most.median_interval == (140, None)
    first, others = span_of_time(five), {"never": span_of_time(never), "most": span_of_time(most)}
    assert overlap_line("five", {"five": first, **others}).endswith("those of 1 of 2 others")


def test_published_means_of_runs_like_ours_differ_in_one_of_twenty() -> None:
    rng = np.random.default_rng(3)
    for n, runs in ((5, 10), (10, 10)):
        pairs = [(rng.normal(size=n), rng.normal(size=runs).mean()) for _ in range(2000)]
        chances = [t_test(spread_of(*own), float(mean), runs) for own, mean in pairs]
        assert np.mean([chance < 0.05 for chance in chances]) == pytest.approx(0.05, abs=0.02)
    assert t_test(spread_of(0.9, 0.92, 0.88), 0.9, 10) == pytest.approx(1)
    assert t_test(spread_of(0.9, 0.9), 0.8, 10) == 0


def test_a_run_that_never_gets_there_counts_as_a_longer_one() -> None:
    some = TimeTo.of([100, 200, 300], [True, True, False])
    none = TimeTo.of([100, 200, 300], [False, False, False])
    assert some is not None
    assert none is not None
    assert some.median == 200
    assert none.median is None
    assert none.median_interval == (None, None)
    assert TimeTo.of([], []) is None
    assert all(math.isfinite(value) for value in (some.median, some.reached))


def test_many_runs_that_all_get_there_at_once_bound_the_median() -> None:
    together = TimeTo.of([400] * 10, [True] * 10)
    few = TimeTo.of([400] * 3, [True] * 3)
    assert together is not None
    assert few is not None
    assert together.median_interval == (400, 400)
    assert few.median_interval == (None, None)  # three of three say little of the next


def test_variances_are_told_apart_where_runs_are_enough() -> None:
    """Against tables of F: 9.60 is the upper 2.5 % point of 4 and 4 degrees, 4.03 of 9 and 9."""
    assert f_test(9.60**0.5, 5, 1.0, 5) == pytest.approx(0.05, abs=0.001)
    assert f_test(4.03**0.5, 10, 1.0, 10) == pytest.approx(0.05, abs=0.001)
    assert f_test(1.0, 5, 1.0, 5) == 1
    assert f_test(0.0, 5, 0.0, 5) == 1
    assert f_test(1.0, 5, 0.0, 5) == 0


def test_numbers_go_together_where_chance_would_seldom_have_them_so() -> None:
    """Against a table of r: 0.805 is the upper 5 % point of five pairs."""
    first = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert correlation_test(first, first) == pytest.approx(0)
    assert correlation_test(first, first[::-1]) == pytest.approx(1)
    across = [2.0, -1.0, -2.0, -1.0, 2.0]  # has nothing of the first
    lean = 0.805 / (1 - 0.805**2) ** 0.5 * (14 / 10) ** 0.5
    mixed = [lean * (x - 3) + y for x, y in zip(first, across, strict=True)]
    assert correlation_test(first, mixed) == pytest.approx(0.05, abs=0.001)
    assert correlation_test(first, [1.0] * 5) == 1
