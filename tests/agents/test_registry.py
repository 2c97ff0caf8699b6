import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from connectlab.agents import Agent, AgentError, agent_class, make_agent, registered, registry
from connectlab.agents.base import AgentSettings
from connectlab.game import Geometry, PositionBatch


class LeftmostSettings(AgentSettings):
    from_right: bool = False
    """Count from the right."""


class LeftmostAgent(Agent):
    """Plays the first column with room."""

    name = "leftmost"
    summary = "the first column with room"
    Settings = LeftmostSettings

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        return batch.legal.argmax(axis=1)


class Nameless(Agent):
    """Forgot to say its name."""

    def choose(self, batch: PositionBatch) -> NDArray[np.int64]:
        raise NotImplementedError


def install(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    """Pretend that another package declares these entry points."""
    module = ModuleType("third_party")
    vars(module).update(LeftmostAgent=LeftmostAgent, Nameless=Nameless, number=3)
    monkeypatch.setitem(sys.modules, "third_party", module)
    group = registry.ENTRY_POINT_GROUP
    points = EntryPoints(EntryPoint(name, value, group) for name, value in targets.items())
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    registered.cache_clear()


@pytest.fixture(autouse=True)
def forget_third_parties() -> Iterator[None]:
    yield
    registered.cache_clear()


def test_built_in_names() -> None:
    assert {"random", "extend", "minimax", "negamax", "perfect"} <= set(registered())


@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_every_built_in_name_leads_to_its_class(name: str) -> None:
    assert agent_class(name).name == name


def test_a_typo_gets_a_suggestion() -> None:
    with pytest.raises(AgentError) as caught:
        make_agent("minmax:depth=4")
    assert str(caught.value) == "there is no player 'minmax': did you mean 'minimax'?"


def test_a_name_like_no_other_gets_the_list() -> None:
    with pytest.raises(AgentError, match="choose from extend, minimax, negamax"):
        make_agent("stockfish")


def test_another_package_adds_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, leftmost="third_party:LeftmostAgent")
    agent = make_agent("leftmost:from_right=true", Geometry(5, 4, 4))
    assert isinstance(agent, LeftmostAgent)
    assert agent.spec == "leftmost:from_right=true"
    assert agent.choose(PositionBatch.start(2, agent.geometry)).tolist() == [0, 0]
    assert list(registered())[-1] == "leftmost"


def test_another_package_cannot_take_a_built_in_name(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, random="third_party:LeftmostAgent")
    assert not isinstance(make_agent("random"), LeftmostAgent)


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("no_such_module:Agent", "cannot be loaded: No module named 'no_such_module'"),
        ("third_party:Missing", "cannot be loaded: .*Missing"),
        ("third_party:number", "is not a subclass of Agent"),
        ("third_party:LeftmostAgent", "must say name = 'broken'"),
        ("third_party:Nameless", "must say name = 'broken'"),
    ],
)
def test_a_broken_player_is_told_by_name(
    monkeypatch: pytest.MonkeyPatch, target: str, says: str
) -> None:
    install(monkeypatch, broken=target)
    with pytest.raises(AgentError, match=says) as caught:
        make_agent("broken")
    assert "'broken'" in str(caught.value)
