"""What tests of the lab share: a learner that costs nothing, known by name."""

from collections.abc import Iterator

import pytest

from connectlab.agents import registry


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Enter the fake learner and its player into the registry; return their name."""
    learner = registry.Entry("fake_learner:FakeConfig", "fake_learner:FakeLearner")
    player = registry.Entry("fake_learner:FakeSettings", "fake_learner:FakeAgent")
    monkeypatch.setitem(registry.LEARNERS, "fake", learner)
    monkeypatch.setitem(registry.PLAYERS, "fake", player)
    registry.learners.cache_clear()
    registry.players.cache_clear()
    yield "fake"
    registry.learners.cache_clear()
    registry.players.cache_clear()
