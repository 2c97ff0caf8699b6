"""The registry of learners and how settings are put together."""

from pathlib import Path
from typing import Any

import pytest

from connectlab.agents import AgentError
from connectlab.agents.learners import LEARNERS, learner_class, make_settings, parse_changes


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_settings_and_presets_that_hold(name: str) -> None:
    kind = learner_class(name)
    assert kind.presets
    for preset in kind.presets:
        make_settings(name, preset=preset)
    for field in kind.Config.model_fields.values():
        assert field.description, "every setting is documented"


def test_settings_go_from_preset_to_file_to_changes(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('alpha = "0.02->0.01"\ntuples = 30\nlength = 5\n')
    settings = make_settings("ntuple", preset="thill-p3", file=file, changes={"tuples": "20"})
    assert settings.states == 3  # preset
    assert str(settings.alpha) == "0.02->0.01"  # file over preset
    assert settings.length == 5  # file over default
    assert settings.tuples == 20  # change over file
    assert settings.gamma == 1.0  # default


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"preset": "quik"}, "ntuple has no preset 'quik': did you mean 'quick'?"),
        ({"changes": {"alhpa": 1}}, "ntuple has no setting 'alhpa': did you mean 'alpha'?"),
        ({"changes": {"zzz": 1}}, "ntuple has no setting 'zzz': choose from alpha, average_games"),
        ({"changes": {"tuples": "many"}}, "ntuple: tuples=many: input should be a valid integer"),
        ({"changes": {"alpha": "fast"}}, "'fast' is no schedule"),
        ({"changes": {"alpha": "-1"}}, "alpha=-1: values must not be below 0"),
        ({"changes": {"games": 0}}, "ntuple: games=0: input should be greater than or equal to 1"),
    ],
)
def test_a_mistake_is_told_in_one_line(options: dict[str, Any], says: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_settings("ntuple", **options)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("alpha 0.1")
    with pytest.raises(AgentError, match=r"x.toml is no TOML file"):
        make_settings("ntuple", file=tmp_path / "x.toml")


def test_an_unknown_learner_gets_a_suggestion() -> None:
    with pytest.raises(AgentError, match=r"no learner 'ntupel': did you mean 'ntuple'"):
        learner_class("ntupel")


def test_changes_are_key_and_value() -> None:
    assert parse_changes(["a=1", "b = x=y "]) == {"a": "1", "b": "x=y"}
    for wrong in (["a"], ["=1"], ["a=1", "a=2"]):
        with pytest.raises(AgentError):
            parse_changes(wrong)
