"""What is read as a measurement, and what is too much for one."""

import pytest

from connectlab.training.measurement import Figure, Measurement

PLAIN = Measurement("quota:games=6", (Figure("win_rate", 0.5),)).to_json()


@pytest.mark.parametrize("fact", [None, True, "word", 0.5, -3, 10**17, 2**64])
def test_a_fact_is_read_as_it_was_written(fact: object) -> None:
    assert Measurement.of({**PLAIN, "facts": {"what": fact}}).facts == {"what": fact}


@pytest.mark.parametrize(
    "fact",
    [10**400, -(10**400), float("inf"), float("nan"), [], {}],
    ids=lambda fact: str(fact)[:9],
)
def test_a_fact_that_nobody_can_count_with_is_damaged(fact: object) -> None:
    with pytest.raises(ValueError, match=r"out of range|no number"):
        Measurement.of({**PLAIN, "facts": {"what": fact}})
