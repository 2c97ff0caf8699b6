"""The replay buffer keeps what it should, and draws as it should."""

import numpy as np
import torch

from connectlab.agents.dqn.replay import Replay

CPU = torch.device("cpu")


def filled(n: int, capacity: int, *, bug: bool = False, at_once: int = 1) -> list[int]:
    """Add transitions 1 to n; return the rewards (their numbers) that are held."""
    replay = Replay(capacity, CPU, bug=bug)
    for first in range(1, n + 1, at_once):
        numbers = np.arange(first, min(n + 1, first + at_once))
        add(replay, numbers)
    return replay.held.reward.int().tolist()


def add(replay: Replay, numbers: np.ndarray) -> None:
    words = np.stack([numbers * 10 + i for i in range(4)])
    reals = np.stack([numbers, -numbers]).astype(np.float32)
    replay.add(words, numbers.astype(np.uint8), reals)


def test_the_oldest_transition_is_replaced() -> None:
    assert filled(7, 5) == [6, 7, 3, 4, 5]


def test_the_bug_of_table_7_replaces_the_newest() -> None:
    assert filled(7, 5, bug=True) == [1, 2, 3, 4, 7]


def test_many_at_once_are_as_many_one_by_one() -> None:
    for bug in (False, True):
        assert filled(13, 5, bug=bug, at_once=4) == filled(13, 5, bug=bug)
        assert filled(13, 5, bug=bug, at_once=13) == filled(13, 5, bug=bug)


def test_all_parts_of_a_transition_stay_together() -> None:
    replay = Replay(5, CPU)
    add(replay, np.arange(1, 8))
    taken = replay.take(torch.tensor([1, 4]))
    assert taken.words.tolist() == [[70, 50], [71, 51], [72, 52], [73, 53]]
    assert taken.columns.tolist() == [7, 5]
    assert taken.reward.tolist() == [7, 5]
    assert taken.bootstrap.tolist() == [-7, -5]


def test_all_are_drawn_alike_and_nothing_that_is_not_there() -> None:
    replay = Replay(100, CPU)
    add(replay, np.arange(1, 11))
    sample = replay.draw(50, 200, 0.4, torch.Generator().manual_seed(1))
    counts = np.bincount(sample.places.flatten().numpy(), minlength=10)
    assert len(counts) == 10
    assert counts.min() > 0.9 * 1_000
    assert (sample.weights == 1).all()


def test_priorities_say_how_often_and_weights_make_up_for_it() -> None:
    replay = Replay(4, CPU, priority=0.5)
    add(replay, np.arange(1, 5))
    replay.set_errors(torch.arange(4), torch.tensor([0.0, 1.0, 4.0, 16.0]))
    sample = replay.draw(100, 200, 1.0, torch.Generator().manual_seed(1))
    share = np.bincount(sample.places.flatten().numpy(), minlength=4) / 20_000
    np.testing.assert_allclose(share, np.array([0, 1, 2, 4]) / 7, atol=0.02)
    drawn = zip(sample.places[0].tolist(), sample.weights[0].tolist(), strict=True)
    weights = {place: round(weight, 3) for place, weight in drawn}
    assert weights == {1: 1.0, 2: 0.5, 3: 0.25}


def test_new_transitions_have_the_highest_priority() -> None:
    replay = Replay(4, CPU, priority=1.0)
    add(replay, np.arange(1, 3))
    replay.set_errors(torch.arange(2), torch.tensor([0.5, 9.0]))
    add(replay, np.arange(3, 4))
    np.testing.assert_allclose(replay.priorities[:3], [0.5, 9.0, 9.0], rtol=1e-4)
