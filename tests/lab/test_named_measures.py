"""Measures by name: what a spec string says, and what is none."""

import pytest

from connectlab.agents import AgentError
from connectlab.lab.measures import (
    AccuracyMeasure,
    ExactMeasure,
    ProofMeasure,
    QuotaMeasure,
    ScoreMeasure,
    SuccessMeasure,
    parse_measure,
    parse_measures,
)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("success", SuccessMeasure()),
        ("success:games=20,objective=outcome", SuccessMeasure(games=20, objective="outcome")),
        ("exact", ExactMeasure()),
        ("quota:games=7", QuotaMeasure(games=7)),
        ("score:minimax", ScoreMeasure(source="minimax")),
        (
            'score:"minimax:depth=2,alpha_beta=false",games=10',
            ScoreMeasure(source="minimax:depth=2,alpha_beta=false", games=10),
        ),
        ("score:extend,sides=second", ScoreMeasure(source="extend", sides="second")),
        ("score:minimax:depth=2,games=10", ScoreMeasure(source="minimax:depth=2", games=10)),
        ("accuracy:per_class=5", AccuracyMeasure(per_class=5)),
        ('accuracy:positions="my, file"', AccuracyMeasure(positions="my, file")),
        ("proof", ProofMeasure()),
        ("proof:keep=gifts,side=second", ProofMeasure(side="second", keep="gifts")),
        ("proof:sample=800", ProofMeasure(sample=800)),
    ],
)
def test_a_spec_is_read_and_written(text: str, measure: object) -> None:
    found = parse_measure(text)
    assert found == measure
    assert parse_measure(found.spec) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sucess", "there is no measure 'sucess': did you mean 'success'?"),
        ("success:game=5", "did you mean 'games'"),
        ("success:games=0", "games=0"),
        ("success:games=1e99", "games=1e99"),
        ("quota:minimax", "takes no path or name after the colon"),
        ("score", "score needs an opponent after the colon, as in score:minimax"),
        ("score:minimx", "there is no player 'minimx': did you mean 'minimax'?"),
        ('score:"minimax:dept=3"', "did you mean 'depth'"),
        ("", "names nothing"),
    ],
)
def test_a_mistake_is_one_line(text: str, says: str) -> None:
    with pytest.raises(AgentError) as told:
        parse_measure(text)
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_several_measures() -> None:
    assert parse_measures(["exact", "quota"]) == (ExactMeasure(), QuotaMeasure())
    assert parse_measures(["none"]) == ()
    with pytest.raises(AgentError, match="stands alone"):
        parse_measures(["none", "quota"])
    with pytest.raises(AgentError, match="named twice"):
        parse_measures(["quota", "quota:games=1000"])


def test_defaults_fill_what_a_spec_leaves_open() -> None:
    defaults = {"success": {"games": "5", "objective": "outcome"}}
    assert parse_measures(["success:games=9", "quota"], defaults) == (
        SuccessMeasure(games=9, objective="outcome"),
        QuotaMeasure(),
    )
