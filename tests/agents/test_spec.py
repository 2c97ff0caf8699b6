from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from connectlab.agents import AgentError, AgentSettings, Spec, make_agent
from connectlab.agents.registry import config_class
from connectlab.agents.spec import validate


class Model(AgentSettings):
    name = "x"
    summary = "for tests"

    source: str
    depth: int = Field(default=4, ge=1)
    rate: float = 0.5
    fast: bool = True
    style: Literal["calm", "wild"] = "calm"


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("random", "random", {}),
        ("random:", "random", {}),
        (
            " minimax : depth = 4 , alpha_beta=false ",
            "minimax",
            {"depth": "4", "alpha_beta": "false"},
        ),
        ("ntuple:runs/first,depth=4", "ntuple", {"source": "runs/first", "depth": "4"}),
        ("ntuple:C:/runs/first", "ntuple", {"source": "C:/runs/first"}),
        ("x:key=a=b", "x", {"key": "a=b"}),
        ("ntuple:runs/alpha=0.1,depth=2", "ntuple", {"source": "runs/alpha=0.1", "depth": "2"}),
        ('ntuple:"runs/a, b",depth=2', "ntuple", {"source": "runs/a, b", "depth": "2"}),
        ('ntuple:"alpha=0.1"', "ntuple", {"source": "alpha=0.1"}),
        ('x:key=" a ",other="b\\"c\\\\d"', "x", {"key": " a ", "other": 'b"c\\d'}),
        ("ntuple:my runs/first", "ntuple", {"source": "my runs/first"}),
    ],
)
def test_parses(text: str, name: str, settings: dict[str, str]) -> None:
    assert Spec.parse(text) == Spec(name, settings)


@pytest.mark.parametrize(
    "text", ["random", "minimax:depth=4,alpha_beta=false", "ntuple:runs/first,depth=4"]
)
def test_text_round_trips(text: str) -> None:
    assert str(Spec.parse(text)) == text


ANY_VALUE = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=12)


@given(st.dictionaries(st.sampled_from(["source", "depth", "key_2"]), ANY_VALUE))
def test_any_value_survives_being_written(settings: dict[str, str]) -> None:
    assert Spec.parse(str(Spec("x", settings))) == Spec("x", settings)


def test_the_source_is_written_first() -> None:
    assert str(Spec("a", {"depth": "2", "source": "runs/x"})) == "a:runs/x,depth=2"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names nothing"),
        (":depth=4", "names nothing"),
        ("minimax:depth=4,fast", "'fast' where a setting should be"),
        ("minimax:depth=4,", "where a setting should be"),
        ("minimax:=4", "where a setting should be"),
        ("minimax:depth=4,depth=5", "sets depth twice"),
        ('ntuple:"runs/first', "a quote that does not end"),
        ('ntuple:"runs"/first', "a quote that does not end"),
    ],
)
def test_refuses_what_is_no_spec(text: str, says: str) -> None:
    with pytest.raises(AgentError, match=says):
        Spec.parse(text)


def test_settings_become_typed_values() -> None:
    settings = Spec.parse("x:a/b,depth=7,rate=0.25,fast=no,style=wild").validate(Model)
    assert settings == Model(source="a/b", depth=7, rate=0.25, fast=False, style="wild")


@pytest.mark.parametrize(
    "settings",
    [
        Model(source="a"),
        Model(source="a/b.c", depth=9, fast=False),
        Model(source="a", rate=1e-9, style="wild"),
    ],
)
def test_settings_round_trip_through_text(settings: Model) -> None:
    assert Spec.parse(str(Spec.of(settings))).validate(Model) == settings


def test_the_spec_of_default_settings_is_the_bare_name() -> None:
    assert make_agent("minimax:depth=4,alpha_beta=true").spec == "minimax"
    assert make_agent("minimax:depth=2,alpha_beta=false").spec == "minimax:depth=2,alpha_beta=false"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("minimax:dept=4", "minimax has no setting 'dept': did you mean 'depth'?"),
        ("minimax:zzz=4", "minimax has no setting 'zzz': choose from alpha_beta, depth, force"),
        ("minimax:depth=0", "minimax: depth=0 should be greater than or equal to 1"),
        ("minimax:depth=deep", "minimax: depth=deep should be a valid integer"),
        ("minimax:alpha_beta=maybe", "minimax: alpha_beta=maybe should be a valid boolean"),
        (
            "perfect:objective=fun",
            "perfect: objective=fun should be 'distance', 'outcome', 'framework' or",
        ),
        ("random:depth=4", "random has no settings, so depth cannot be set"),
        ("minimax:runs/first", "minimax takes no path or name after the colon"),
    ],
)
def test_a_wrong_setting_is_explained_in_one_line(text: str, says: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(text)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_a_missing_source_is_asked_for() -> None:
    with pytest.raises(AgentError, match="x needs a path or a name after the colon"):
        Spec.parse("x").validate(Model)


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        make_agent("minimax").settings.depth = 5  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["games", "columns", "mu"])
def test_a_truth_is_no_number(name: str) -> None:
    with pytest.raises(AgentError, match="number, not true"):
        validate("ntuple", config_class("ntuple"), {name: True})
    assert validate("ntuple", config_class("ntuple"), {"mirror": True})
