"""VDBE-softmax is that of Tokic and Palm, and epsilon-greedy what it says."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_q import scaled_softmax

from connectlab.agents.qtable.exploration import (
    Manner,
    choose_column,
    draw_softmax,
    next_epsilon,
)
from connectlab.game.streams import make_streams

FULL = -math.inf


def manner(**changes: object) -> Manner:
    return Manner(vdbe=True, sigma=1.0, delta=0.0, temperature=1.0, first_tie=False)._replace(
        **changes
    )


def shares(row: list[float], epsilon: float, how: Manner, n: int = 4_000) -> list[float]:
    """How often each column is chosen."""
    values = np.array(row)
    chosen = [choose_column(values, epsilon, how, state)[0] for state in make_streams(3, n)]
    return (np.bincount(chosen, minlength=len(row)) / n).tolist()


@given(st.floats(0, 1), st.floats(-60, 60), st.integers(1, 9), st.floats(0.1, 9), st.floats(0, 1))
def test_epsilon_follows_the_formula(
    epsilon: float, change: float, moves: int, sigma: float, delta: float
) -> None:
    f = (1 - math.exp(-abs(change) / sigma)) / (1 + math.exp(-abs(change) / sigma))
    share = delta if delta > 0 else 1 / moves
    found = next_epsilon(epsilon, change, moves, manner(sigma=sigma, delta=delta))
    assert found == pytest.approx(share * f + (1 - share) * epsilon, abs=1e-12)
    assert 0 <= found <= 1


def test_a_state_where_nothing_changes_stops_exploring() -> None:
    epsilon = 1.0
    for _ in range(100):
        epsilon = next_epsilon(epsilon, 0.0, 7, manner())
    assert epsilon == pytest.approx((6 / 7) ** 100)


@pytest.mark.parametrize(
    ("row", "temperature"),
    [([0.0, 25.0, 20.0, -3.0], 1.0), ([1e-6, 2e-6, 1e-6], 0.5), ([5.0, 0.0], 3.0)],
)
def test_exploration_draws_from_the_scaled_softmax(row: list[float], temperature: float) -> None:
    found = shares(row, 1.0, manner(temperature=temperature))
    for share, chance in zip(found, scaled_softmax(row, temperature), strict=True):
        assert abs(share - chance) < 5 * math.sqrt(chance * (1 - chance) / 4_000) + 1e-3


def test_full_columns_are_never_drawn_nor_scaled_by() -> None:
    found = shares([FULL, 3.0, FULL, -1.0], 1.0, manner())
    assert found[0] == found[2] == 0
    assert found[1] == pytest.approx(scaled_softmax([3.0, -1.0], 1.0)[0], abs=0.04)


def test_equal_values_are_equally_likely() -> None:
    assert max(abs(s - 1 / 3) for s in shares([2.0, 2.0, FULL, 2.0], 1.0, manner())[:2]) < 0.04


def test_the_last_column_with_room_is_drawn_where_rounding_falls_short() -> None:
    for state in make_streams(9, 300):
        assert draw_softmax(np.array([1.0, 0.0, FULL]), 0.05, state) in (0, 1)


def test_without_exploration_the_best_is_played() -> None:
    row = [1.0, 4.0, 4.0, FULL]
    assert shares(row, 0.0, manner(first_tie=True)) == [0, 1, 0, 0]
    drawn = shares(row, 0.0, manner())
    assert drawn[0] == drawn[3] == 0
    assert abs(drawn[1] - 0.5) < 0.04


def test_epsilon_greedy_explores_all_columns_alike() -> None:
    found = shares([0.0, 50.0, FULL, -50.0], 0.3, manner(vdbe=False, first_tie=True))
    assert found[2] == 0
    assert found[0] == pytest.approx(0.1, abs=0.03)
    assert found[1] == pytest.approx(0.8, abs=0.03)
    assert found[3] == pytest.approx(0.1, abs=0.03)


def test_epsilon_greedy_breaks_no_ties_when_it_explores() -> None:
    """Ties by first index are for the best move; a random move may be any."""
    found = shares([0.0, 0.0, 0.0], 1.0, manner(vdbe=False, first_tie=True))
    assert min(found) > 0.28
