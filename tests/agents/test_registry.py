import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from connectlab.agents import Agent, AgentError, AgentSettings, make_agent, make_learner, registry
from connectlab.agents.registry import (
    AGENT_GROUP,
    LEARNER_GROUP,
    LEARNERS,
    PLAYERS,
    agent_class,
    config_class,
    learner_class,
    learners,
    players,
    settings_class,
    trained_spec,
)
from connectlab.game import Geometry, PositionBatch
from connectlab.lab.measures import parse_measures
from connectlab.training.config import LearnerConfig


class LeftmostSettings(AgentSettings):
    name = "leftmost"
    summary = "the first column with room"

    from_right: bool = False
    """Count from the right."""


class LeftmostAgent(Agent):
    """Plays the first column with room."""

    Settings = LeftmostSettings

    def policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        return np.eye(self.geometry.columns)[batch.legal.argmax(axis=1)]


class Nameless(Agent):
    """Forgot to say its name."""

    def policy(self, batch: PositionBatch) -> NDArray[np.float64]:
        raise NotImplementedError


def install(monkeypatch: pytest.MonkeyPatch, group: str = AGENT_GROUP, /, **targets: str) -> None:
    """Pretend that another package declares these entry points."""
    module = ModuleType("third_party")
    vars(module).update(LeftmostAgent=LeftmostAgent, Nameless=Nameless, number=3)
    monkeypatch.setitem(sys.modules, "third_party", module)
    points = EntryPoints(EntryPoint(name, value, group) for name, value in targets.items())
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    forget()


def forget() -> None:
    players.cache_clear()
    learners.cache_clear()


@pytest.fixture(autouse=True)
def forget_third_parties() -> Iterator[None]:
    yield
    forget()


def test_built_in_names() -> None:
    assert {"random", "extend", "minimax", "negamax", "perfect"} <= set(players())


@pytest.mark.parametrize("name", sorted(PLAYERS))
def test_every_built_in_player_leads_to_its_classes(name: str) -> None:
    assert settings_class(name).name == name
    assert agent_class(name).Settings is settings_class(name)


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_every_built_in_learner_leads_to_its_classes(name: str) -> None:
    assert config_class(name).name == name
    assert learner_class(name).Config is config_class(name)
    assert name in players(), "what is learned can play"
    for preset in config_class(name).presets.values():
        config = config_class(name).model_validate(preset.settings)
        assert parse_measures(preset.measures or config.usual_measures)
        assert (preset.evaluation_every or 1) <= config.games


def test_names_and_settings_are_listed_without_numba() -> None:
    program = (
        "import sys; from connectlab.agents.registry import *;"
        "[settings_class(n) for n in players()]; [config_class(n) for n in learners()];"
        "print('numba' in sys.modules, 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_a_typo_in_a_learner_gets_a_suggestion() -> None:
    with pytest.raises(AgentError, match="there is no learner 'ntupel': did you mean 'ntuple'"):
        config_class("ntupel")


def test_a_config_makes_its_learner() -> None:
    config = config_class("ntuple")(columns=4, rows=4, connect=3, tuples=3, length=3, games=5)
    learner = make_learner(config)
    assert isinstance(learner, learner_class("ntuple"))
    assert isinstance(learner.config, LearnerConfig)


def test_a_player_that_writes_choose_is_told_at_once() -> None:
    with pytest.raises(TypeError, match="Wrong must not write choose: it writes policy"):
        type("Wrong", (LeftmostAgent,), {"choose": lambda self, batch: None})


def test_a_typo_gets_a_suggestion() -> None:
    with pytest.raises(AgentError) as caught:
        make_agent("minmax:depth=4")
    assert str(caught.value) == "there is no player 'minmax': did you mean 'minimax'?"


def test_a_name_like_no_other_gets_the_list() -> None:
    with pytest.raises(AgentError, match=r"choose from .*extend, .*minimax, .*negamax"):
        make_agent("stockfish")


def test_another_package_adds_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, leftmost="third_party:LeftmostAgent")
    agent = make_agent("leftmost:from_right=true", Geometry(5, 4, 4))
    assert isinstance(agent, LeftmostAgent)
    assert agent.spec == "leftmost:from_right=true"
    assert agent.choose(PositionBatch.start(2, agent.geometry)).tolist() == [0, 0]
    assert list(players())[-1] == "leftmost"


def test_another_package_cannot_take_a_built_in_name(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, random="third_party:LeftmostAgent")
    assert not isinstance(make_agent("random"), LeftmostAgent)


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("no_such_module:Agent", "cannot be loaded: No module named 'no_such_module'"),
        ("third_party:Missing", "cannot be loaded: .*Missing"),
        ("third_party:number", "is not a subclass of Agent"),
        ("third_party:LeftmostAgent", "must say name='broken'"),
        ("third_party:Nameless", "must say name='broken'"),
    ],
)
def test_a_broken_player_is_told_by_name(
    monkeypatch: pytest.MonkeyPatch, target: str, says: str
) -> None:
    install(monkeypatch, broken=target)
    with pytest.raises(AgentError, match=says) as caught:
        make_agent("broken")
    assert "'broken'" in str(caught.value)


def test_another_package_adds_a_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, LEARNER_GROUP, broken="third_party:number")
    assert list(learners())[-1] == "broken"
    with pytest.raises(AgentError, match="is not a subclass of Learner"):
        learner_class("broken")


def test_a_folder_called_as_a_player_that_comes_along_is_still_the_folder() -> None:
    assert trained_spec("ntuple", Path("champion")) == "ntuple:./champion"
    assert trained_spec("mlp", Path("champion")) == "mlp:champion"
    assert trained_spec("ntuple", Path("runs/champion")) == "ntuple:runs/champion"
    assert trained_spec("ntuple", Path("a,b"), {"depth": "3"}) == 'ntuple:"a,b",depth=3'
    assert trained_spec("of-a-plugin", Path("run")) == "of-a-plugin:run"
