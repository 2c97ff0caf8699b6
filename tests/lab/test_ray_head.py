"""The head of a cluster that is there, that is silent, and that is gone."""

import socket
import threading

import pytest

from connectlab.lab.executors import ray_head
from connectlab.lab.executors.base import HeadGoneError
from connectlab.lab.executors.ray_head import Head

NOW = 0.0
"""Patience with a head that is silent, in a test."""


def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"127.0.0.1:{listening.getsockname()[1]}"


def test_a_head_that_is_there_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        head = Head(f"127.0.0.1:{listening.getsockname()[1]}")
        assert head.answers()
        assert head.answers()


def test_a_head_may_be_silent_for_a_while_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    head = Head(closed_port())
    clock = iter([0.0, 19.0, 25.0, 30.0, 45.0, 50.0])
    monkeypatch.setattr(ray_head.time, "monotonic", lambda: next(clock))
    assert not head.answers()
    assert not head.answers()
    with monkeypatch.context() as patched:
        patched.setattr(head, "_is_there", lambda: True)
        assert head.answers()
    assert not head.answers()
    assert not head.answers()
    with pytest.raises(HeadGoneError, match=f"^the head of the Ray cluster at {head.address} is"):
        head.answers()


def test_what_the_head_is_asked_for_is_returned_or_raised() -> None:
    head = Head(closed_port())
    assert head.asked(lambda: 3) == 3
    with pytest.raises(KeyError):
        head.asked(lambda: {}["nothing"])


def test_who_asks_a_head_that_died_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_head, "SILENT_SECONDS", NOW)
    monkeypatch.setattr(ray_head, "PATIENCE_SECONDS", 0.01)
    never = threading.Event()
    with pytest.raises(HeadGoneError):
        Head(closed_port()).asked(never.wait)
    never.set()
