"""Random streams: the same for a game wherever it is played, different for any other, and fair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare, kstest

from connectlab.game import PositionBatch
from connectlab.game.streams import GAMMA, below, derive_seed, make_streams, mix, uniform

MASK = 2**64 - 1


def splitmix(state: int) -> int:
    """The finaliser of SplitMix64 on Python's integers."""
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB & MASK
    return state ^ (state >> 31)


def draws(stream: np.uint64, n: int) -> list[int]:
    """The states a stream passes through in its first ``n`` draws."""
    return [(int(stream) + i * int(GAMMA)) & MASK for i in range(1, n + 1)]


@given(st.integers(0, MASK))
def test_mix_is_the_published_finaliser(state: int) -> None:
    assert mix(state) == splitmix(state)


def test_draws_are_those_published_for_splitmix64() -> None:
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [mix(state) for state in draws(np.uint64(1234567), 3)] == expected


@given(st.integers(), st.integers(0, 2**40), st.lists(st.integers(0, 20), min_size=1, max_size=5))
def test_a_games_stream_does_not_depend_on_the_batch(
    seed: int, first: int, sizes: list[int]
) -> None:
    whole = make_streams(seed, sum(sizes), first)
    starts = np.cumsum([0, *sizes])
    parts = [make_streams(seed, n, first + int(s)) for n, s in zip(sizes, starts, strict=False)]
    assert np.array_equal(np.concatenate(parts), whole)
    batch = PositionBatch.start(sizes[-1], seed=seed, first=first + int(starts[-2]))
    assert np.array_equal(batch.streams, parts[-1])


def test_streams_of_different_games_and_seeds_differ() -> None:
    streams = [make_streams(seed, 2000) for seed in (-1, 0, 1, 2, 2**63)]
    assert len(np.unique(np.concatenate(streams))) == 10_000
    first_draws = {mix(draws(stream, 1)[0]) for words in streams for stream in words[:200]}
    assert len(first_draws) == 1000


def test_seeds_count_modulo_two_to_the_64() -> None:
    assert np.array_equal(make_streams(-1, 3), make_streams(MASK, 3))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 64])
def test_below_is_uniform_along_a_stream_and_across_games(n: int) -> None:
    along = np.array([below(state, n) for state in draws(np.uint64(5), 20_000)])
    across = np.array([below(draws(stream, 1)[0], n) for stream in make_streams(3, 20_000)])
    for values in (along, across):
        assert values.min() >= 0
        assert values.max() == n - 1
        if n > 1:
            assert is_uniform(values, n)


def test_neighbouring_games_draw_independently() -> None:
    streams = make_streams(11, 20_001)
    values = np.array([below(draws(stream, 1)[0], 7) for stream in streams])
    assert is_uniform(values[:-1] * 7 + values[1:], 49)


def test_the_test_of_fairness_can_fail() -> None:
    values = np.array([below(state, 7) for state in draws(np.uint64(5), 20_000)])
    assert not is_uniform(np.where(values == 6, 5, values), 7)
    assert not is_uniform(np.where(np.arange(20_000) % 40 == 0, 3, values), 7)


def is_uniform(values: NDArray[np.int64], n: int) -> bool:
    """Chi-square at one in a thousand: the seeds are fixed, so the verdict never changes."""
    return bool(chisquare(np.bincount(values, minlength=n)).pvalue > 0.001)


def test_below_reaches_its_ends_and_not_beyond() -> None:
    states = np.array(draws(np.uint64(1), 5000), dtype=np.uint64)
    for n in (1, 2, 2**31 - 1):
        values = [below(state, n) for state in states]
        assert 0 <= min(values) <= max(values) < n


def test_uniform_is_uniform_on_the_unit_interval() -> None:
    values = [uniform(state) for state in draws(np.uint64(9), 20_000)]
    assert min(values) >= 0
    assert max(values) < 1
    assert kstest(values, "uniform").pvalue > 0.001


def test_derived_seeds_differ_by_every_step_and_the_length_of_the_path() -> None:
    paths = [(), *((i,) for i in range(30)), *((i, j) for i in range(30) for j in range(30))]
    seeds = [derive_seed(seed, *path) for seed in (0, 1, 2) for path in paths]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed <= MASK for seed in seeds)


def test_a_path_can_be_walked_in_two_steps() -> None:
    assert derive_seed(derive_seed(7, 1), 2) == derive_seed(7, 1, 2)
