"""Rates over a run: their ends, their words, and words that are none."""

import math
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from connectlab.training.schedules import STEPS, Schedule

SHAPES = ["linear", "exponential", "sigmoid", "steps"]
TABLE_2 = {
    "0.1->0.025:halving": {0.1: 2, 0.05: 4, 0.025: 8},
    "0.5->0.0625:halving": {0.5: 1, 0.25: 2, 0.125: 4, 0.0625: 8},
    "0.5->0.03125:halving": {0.5: 1, 0.25: 2, 0.125: 4, 0.0625: 8, 0.03125: 16},
}
FALLING = "0.95->0.1:"


def read(word: str | float) -> Schedule:
    return Schedule.model_validate(word)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("start", "end"), [(0.95, 0.1), (0.001, 0.4)])
def test_both_ends_are_exact(shape: str, start: float, end: float) -> None:
    schedule = read(f"{start}->{end}:{shape}")
    assert schedule.values(0, 1, 1000)[0] == pytest.approx(start, abs=1e-15)
    assert schedule.values(1000, 1, 1000)[0] == pytest.approx(end, abs=1e-15)


@pytest.mark.parametrize("shape", SHAPES)
def test_values_fall_all_the_way_and_stay_between_the_ends(shape: str) -> None:
    values = read(FALLING + shape).values(0, 1001, 1000)
    assert (np.diff(values) <= 0).all()
    assert values.max() <= 0.95 + 1e-12
    assert values.min() >= 0.1 - 1e-12


def test_the_middle_is_where_the_shape_says() -> None:
    middle = {shape: read(FALLING + shape).values(500, 1, 1000)[0] for shape in SHAPES}
    assert middle["linear"] == pytest.approx(0.525)
    assert middle["sigmoid"] == pytest.approx(0.525)
    assert middle["exponential"] == pytest.approx(np.sqrt(0.95 * 0.1))
    assert middle["steps"] == pytest.approx(0.95 - 0.85 * 5 / 9)


def test_a_stepwise_schedule_has_ten_equal_steps() -> None:
    values = read(FALLING + "steps").values(0, 1000, 1000)
    levels, counts = np.unique(values, return_counts=True)
    assert len(levels) == STEPS
    assert (counts == 100).all()


@pytest.mark.parametrize("word", TABLE_2)
@pytest.mark.parametrize("part", [1, 1000])
def test_each_half_lasts_twice_as_long_as_the_one_before(word: str, part: int) -> None:
    levels = TABLE_2[word]
    expected = np.repeat([*levels], [part * length for length in levels.values()])
    values = read(word).values(0, len(expected), len(expected))
    assert np.array_equal(values, expected)
    assert str(read(word)) == word


@pytest.mark.parametrize("word", ["0.1->0.03:halving", "0.1->0.2:halving", "0.1->0:halving"])
def test_halves_must_come_out_even(word: str) -> None:
    with pytest.raises(ValidationError, match="falls from a value above 0 by halves"):
        read(word)


@pytest.mark.parametrize("end", [2.0**-1001, 2.0**-1023, 1e-323, 5e-324])
def test_more_halves_than_can_be_counted_are_refused(end: float) -> None:
    with pytest.raises(ValidationError, match="by halves, 1,000 at most, as in"):
        read(f"1->{end!r}:halving")


def test_a_thousand_halves_are_counted() -> None:
    values = read(f"1->{2.0**-1000!r}:halving").values(0, 1001, 1000)
    assert values[0] == 1
    assert values[-1] == 2.0**-1000
    assert (np.diff(values) <= 0).all()


def test_an_exponential_schedule_has_ends_whose_ratio_is_a_number() -> None:
    for word in ("1e-320->1", "1e200->1e-200"):
        with pytest.raises(ValidationError, match="too far apart"):
            read(word)


@pytest.mark.parametrize(
    "word", ["0.95->0.1:sigmoid(1000@0)@1e-323", "0.5->0.25:halving@5e-324", "1->0.5@5e-324"]
)
@pytest.mark.filterwarnings("error")
def test_the_smallest_share_of_a_run_is_its_beginning(word: str) -> None:
    schedule = read(word)
    values = schedule.values(0, 11, 10)
    assert np.isfinite(values).all()
    assert values[1:] == pytest.approx(schedule.end)


def test_halves_may_end_early() -> None:
    values = read("0.2->0.1:halving@0.3").values(0, 100, 100)
    assert (values[:10] == 0.2).all()
    assert (values[10:] == 0.1).all()


def test_a_number_stays_what_it_is() -> None:
    assert (read(0.004).values(0, 50, 10) == 0.004).all()
    assert read("0.004") == read(0.004) == Schedule(start=0.004, end=0.004)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_share_ends_early_and_holds(shape: str) -> None:
    values = read(f"{FALLING}{shape}@0.25").values(0, 1000, 1000)
    assert values[250:] == pytest.approx(0.1)
    assert values[100] > 0.15


@pytest.mark.parametrize("shape", SHAPES)
def test_pieces_are_the_same_as_the_whole(shape: str) -> None:
    schedule = read(FALLING + shape)
    pieces = [schedule.values(first, 7, 70) for first in range(0, 70, 7)]
    assert np.array_equal(np.concatenate(pieces), schedule.values(0, 70, 70))


numbers = st.floats(1e-4, 10).map(lambda x: float(f"{x:g}"))


@given(numbers, numbers, st.sampled_from(SHAPES), st.sampled_from([1.0, 0.5, 0.125]))
def test_a_written_schedule_reads_back(start: float, end: float, shape: str, share: float) -> None:
    schedule = Schedule.model_validate({"start": start, "end": end, "shape": shape, "share": share})
    assert read(str(schedule)) == schedule
    assert Schedule.model_validate_json(schedule.model_dump_json()) == schedule


@given(st.floats(1e-9, 1e9), st.floats(1e-9, 1e9))
def test_no_digit_is_lost_in_writing(start: float, end: float) -> None:
    """A run is resumed from its written settings: they must be the same to the last bit."""
    schedule = Schedule(start=start, end=end, shape="linear")
    assert read(str(schedule)) == schedule


def test_the_sigmoid_of_the_framework_is_its_formula() -> None:
    """(e0 - e1)/2 (1 - tanh(10 (g - wp)/N)) + e1 with wp = 2 of N = 10 million games."""
    games = np.arange(0, 10_000_001, 250_000)
    schedule = read("0.95->0.1:sigmoid(10@0.2)")
    expected = [0.85 / 2 * (1 - np.tanh(10 * (g - 2e6) / 1e7)) + 0.1 for g in games]
    found = [schedule.values(int(g), 1, 10_000_000)[0] for g in games]
    assert found == pytest.approx(expected, rel=1e-13)
    assert found[8] == pytest.approx(0.525)


def test_a_sigmoid_without_a_slope_keeps_its_bits() -> None:
    """Runs of old were made with it."""
    plain = read("0.95->0.1:sigmoid")
    low = 1 / (1 + math.exp(6))
    x = np.arange(101) / 100
    curve = (1 / (1 + np.exp(-12 * (x - 0.5))) - low) / (1 - 2 * low)
    assert np.array_equal(plain.values(0, 101, 100), 0.95 + (0.1 - 0.95) * curve)
    assert str(plain) == "0.95->0.1:sigmoid"


@given(st.floats(1e-6, 1000), st.floats(0, 1), st.sampled_from([1.0, 0.5]))
def test_slope_and_inflection_read_back(slope: float, inflection: float, share: float) -> None:
    bend = {"slope": slope, "inflection": inflection, "share": share}
    schedule = Schedule.model_validate({"start": 0.95, "end": 0.1, "shape": "sigmoid", **bend})
    assert read(str(schedule)) == schedule
    assert tomllib.loads(f'epsilon = "{schedule}"')["epsilon"] == str(schedule)
    assert "," not in str(schedule), "a list of schedules is parted by commas"


def test_a_written_slope_is_in_the_word_of_a_run() -> None:
    assert str(read(" 0.95 -> 0.1 : sigmoid ( 10 @ 0.2 ) @ 0.5")) == "0.95->0.1:sigmoid(10@0.2)@0.5"


def test_an_arrow_alone_falls_exponentially() -> None:
    assert read("0.004->0.002") == Schedule(start=0.004, end=0.002, shape="exponential")
    assert str(read(" 0.004 -> 0.002 ")) == "0.004->0.002"


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("fast", "is no schedule: write 0.1, 0.004->0.002"),
        ("0.1->", "is no schedule"),
        ("0.1->0.2->0.3", "is no schedule"),
        ("0.1:linear", "is no schedule"),
        ("0.1->0.01:cubic", "constant.*linear.*exponential.*sigmoid.*steps"),
        ("0.1->0", "exponential schedule needs values above 0: try ':linear'"),
        ("-0.1->0.1", "exponential schedule needs values above 0"),
        ("0.1->0.2:linear@0", "greater than 0"),
        ("0.1->0.2:linear@1.5", "less than or equal to 1"),
        ("", "is no schedule"),
        ("0.9->0.1:sigmoid(10)", "is no schedule"),
        ("0.9->0.1:sigmoid(10,0.2)", "is no schedule: .*0.9->0.1:sigmoid\\(10@0.2\\)"),
        ("0.9->0.1:linear(10@0.2)", "only a sigmoid has a slope"),
        ("0.9->0.1:sigmoid(0@0.2)", "slope of a sigmoid lies above 0 and up to 1000"),
        ("0.9->0.1:sigmoid(-3@0.2)", "slope of a sigmoid"),
        ("0.9->0.1:sigmoid(1e999@0.2)", "slope of a sigmoid"),
        ("0.9->0.1:sigmoid(10@2)", "inflection of a sigmoid is a share from 0 to 1"),
        ("0.9->0.1:sigmoid(10@-0.1)", "inflection of a sigmoid"),
        ("nan", "is no schedule"),
    ],
)
def test_a_word_that_is_no_schedule_is_refused(word: str, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        read(word)


@pytest.mark.parametrize("bend", [{"slope": 10}, {"inflection": 0.2}])
def test_a_slope_needs_an_inflection_and_an_inflection_a_slope(bend: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="and has both"):
        Schedule.model_validate({"start": 0.9, "end": 0.1, "shape": "sigmoid", **bend})


def test_a_linear_schedule_may_end_at_zero() -> None:
    assert read("0.1->0:linear").values(10, 1, 10)[0] == 0.0
