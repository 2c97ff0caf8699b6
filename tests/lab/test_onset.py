"""When the mean of several runs first reaches a level."""

import numpy as np
import pytest

from connectlab.lab.onset import Onset, smooth
from connectlab.lab.statistics import FEWEST

GAMES = np.arange(1, 101, dtype=np.float64)


def steps(*at: int) -> np.ndarray:
    """Return runs that are at 0 before a game and at 1 from it on."""
    return np.array([(game <= GAMES).astype(np.float64) for game in at])


def test_a_mean_over_judgements_is_centred_and_short_at_the_ends() -> None:
    row = np.arange(100, dtype=np.float64)[None]
    found = smooth(row)[0]
    assert found[10:90] == pytest.approx(row[0, 10:90])  # of a line, the line
    assert found[0] == pytest.approx(np.mean([0, 1, 2]))
    assert found[-1] == pytest.approx(np.mean([97, 98, 99]))
    spike = np.zeros((1, 100))
    spike[0, 50] = 1.0
    assert smooth(spike)[0, 47:54] == pytest.approx([0, 0.2, 0.2, 0.2, 0.2, 0.2, 0])


def test_few_judgements_stand_for_themselves() -> None:
    rows = np.random.default_rng(1).random((3, 20))
    assert np.array_equal(smooth(rows), rows)


def test_a_single_high_judgement_is_no_onset() -> None:
    rows = steps(60, 60, 60)
    rows[:, 19] = 1.0
    onset = Onset.of(GAMES, rows, 0.8)
    assert onset is not None
    assert onset.games == 61  # four of five judgements around it


def test_the_interval_goes_as_far_as_runs_differ() -> None:
    alike = Onset.of(GAMES, steps(*[40] * FEWEST), 0.8)
    assert alike == Onset(41, (41, 41))
    apart = Onset.of(GAMES, steps(30, 35, 40, 45, 50), 0.8)
    assert apart is not None
    assert apart.interval is not None
    low, high = apart.interval
    assert low is not None
    assert high is not None
    assert 30 < low < 46 < high <= 51
    assert apart.interval_text == f" [{low:,.0f}, {high:,.0f}]"


def test_runs_that_never_get_there_leave_the_interval_open() -> None:
    rows = steps(30, 30, 30, 30, 200)  # the fifth never does
    onset = Onset.of(GAMES, rows, 0.8)
    assert onset is not None
    assert onset.games == 32  # four of five runs are 0.8
    assert onset.interval == (31, None)
    assert onset.interval_text == " [31, …]"
    assert onset.may_be(90, 100)
    assert not onset.may_be(1, 20)
    never = Onset.of(GAMES, steps(*[200] * 5), 0.8)
    assert never == Onset(None, None)
    assert never.interval_text == ""
    assert not never.may_be(1, 100)


def test_fewer_runs_have_no_interval_and_none_no_onset() -> None:
    assert Onset.of(GAMES, steps(40, 50), 0.8) == Onset(50, None)
    assert Onset.of(GAMES[:0], np.zeros((0, 0)), 0.8) is None
