"""What tests of runs share."""

import os

import pytest

from connectlab.training import clock


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save after every step, as with a slow learner; draw nothing, wait for no disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(clock, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(clock, "SAVE_SHARE", 0.0)
    monkeypatch.setattr("connectlab.training.run.save_curve", lambda *_: None)
