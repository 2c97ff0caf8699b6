"""An update is the one of a textbook."""

import numpy as np
import pytest
import torch
from naive_dqn import Module, Step, learn
from small_dqns import config

from connectlab.agents.dqn.network import Network, NetworkHeader
from connectlab.agents.dqn.parameters import Layout, new_parameters
from connectlab.agents.dqn.replay import Replay
from connectlab.agents.dqn.updates import Updates
from connectlab.game import Geometry, Position

BOARD = Geometry(4, 4, 3)
UPDATES = 4

KINDS: list[dict[str, object]] = [
    {},
    {"double": True, "planes": "own"},
    {"loss": "huber", "dueling": True},
    {"invalid": "allow"},
]


def steps_of_games(n: int) -> list[Step]:
    """Own moves of random games, with rewards that differ."""
    rng = np.random.default_rng(2)
    steps: list[Step] = []
    while len(steps) < n:
        position = Position(BOARD)
        while not position.is_over:
            column = int(rng.choice(position.legal_columns))
            after = position.play(column)
            ends = after.is_over
            reward = float(rng.normal())
            steps.append(Step(position, column, reward, after, 0.0 if ends else -0.7))
            position = after
    return steps[:n]


def filled(steps: list[Step], **settings: float) -> Replay:
    replay = Replay(len(steps), torch.device("cpu"), priority=settings.get("priority", 0.0))
    words = [[s.position.mover, s.position.occupied, s.then.mover, s.then.occupied] for s in steps]
    replay.add(
        np.array(words, dtype=np.int64).T,
        np.array([s.column for s in steps], dtype=np.uint8),
        np.array([[s.reward, s.bootstrap] for s in steps], dtype=np.float32).T,
    )
    return replay


def both(**changes: object) -> tuple[Updates, Layout, Network, Network]:
    """An updater with a target network of its own, and both networks as files have them."""
    settings = config(**{"batch": 8, **changes})
    layout = Layout(NetworkHeader.of(settings), noisy=settings.noisy)
    replay = filled(steps_of_games(64), priority=settings.priority)
    learned, target = (new_parameters(layout, seed, 0.5) for seed in (1, 2))
    updates = Updates(settings, layout, learned, replay)
    updates.target.copy_(target)
    networks = [Network(layout.header, layout.saved(v, "float32")) for v in (learned, target)]
    return updates, layout, networks[0], networks[1]


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_updates_equal_those_of_a_naive_loop(changes: dict[str, object]) -> None:
    updates, layout, network, target = both(**changes)
    settings = config(batch=8, **changes)
    updates.learn(UPDATES, 1.0, 0.001, torch.Generator().manual_seed(5))
    replay = filled(steps_of_games(64))
    drawn = replay.draw(UPDATES, 8, 1.0, torch.Generator().manual_seed(5)).places
    steps = steps_of_games(64)
    learned = Module(network)
    batches = [[steps[i] for i in row] for row in drawn.tolist()]
    losses = learn(learned, Module(target), batches, settings)
    assert float(updates.sums[0]) == pytest.approx(sum(losses), rel=1e-4)
    rewards = np.mean([step.reward for batch in batches for step in batch])
    assert float(updates.sums[1]) / UPDATES == pytest.approx(rewards, abs=1e-5)
    saved = layout.saved(updates.learned, "float32")
    wanted = learned.convolutions[1].weight.detach().permute(2, 3, 1, 0)
    np.testing.assert_allclose(saved["conv2"], wanted, atol=2e-5)
    np.testing.assert_allclose(saved["output"], learned.output.weight.detach().T, atol=2e-5)
    assert np.abs(saved["output"] - network.arrays["output"]).max() > 1e-3


def test_a_mirrored_batch_is_learned_as_if_it_had_been_played_so() -> None:
    def mirrored(step: Step) -> Step:
        turned = 3 - step.column
        return step._replace(
            position=step.position.mirror(), column=turned, then=step.then.mirror()
        )

    plain, *_ = both(double=True)
    turned, *_ = both(double=True, mirror=True)
    plain._replay = filled([mirrored(step) for step in steps_of_games(64)])
    for updates in (plain, turned):
        updates._places.copy_(torch.arange(8))
        updates._flipped.fill_(updates is turned)
        updates._set_rates(0.001)
        updates._update()
    # Adam's mean is the gradient itself; its first step has the same length for any gradient.
    assert plain.mean.abs().max() > 1e-3
    np.testing.assert_allclose(turned.mean, plain.mean, atol=1e-6)
    np.testing.assert_allclose(turned.learned.detach(), plain.learned.detach(), atol=1e-4)


def test_errors_that_were_found_become_priorities() -> None:
    updates, *_ = both(priority=1.0)
    updates.learn(1, 1.0, 0.0, torch.Generator().manual_seed(5))
    before = updates._replay.priorities.clone()
    updates._update()
    assert (before != 1.0).any()
    np.testing.assert_allclose(updates._replay.priorities, before, rtol=1e-4)


def test_weights_of_rare_transitions_count_less() -> None:
    one, *_ = both()
    two, *_ = both()
    for updates, weight in ((one, 1.0), (two, 0.25)):
        updates._places.copy_(torch.arange(8))
        updates._weights.fill_(weight)
        updates._set_rates(0.0)
        updates._update()
    assert float(two.sums[0]) == pytest.approx(float(one.sums[0]) / 4, rel=1e-5)


def test_a_long_gradient_is_shortened() -> None:
    updates, *_ = both(clip=0.5)
    updates._set_rates(0.0)
    with torch.no_grad():
        updates._adam(torch.full_like(updates.mean, 3.0))
    assert float(updates.mean.norm()) == pytest.approx(0.1 * 0.5, rel=1e-4)


def test_the_target_may_follow_as_an_average() -> None:
    updates, *_ = both(target_average=0.75)
    before = updates.target.clone()
    updates.learn(1, 1.0, 0.01, torch.Generator().manual_seed(5))
    wanted = 0.75 * before + 0.25 * updates.learned.detach()
    np.testing.assert_allclose(updates.target, wanted, atol=1e-6)


def test_only_columns_with_room_are_chosen_unless_others_are_allowed() -> None:
    full = Position.from_moves("112211", BOARD)
    mover, occupied = (np.array([w], dtype=np.uint64) for w in (full.mover, full.occupied))
    for invalid, wanted in (("forbid", 1), ("allow", 0)):
        updates, layout, *_ = both(invalid=invalid)
        arrays = layout.saved(updates.learned, "float32")
        arrays["output"][:] = 0
        arrays["output_bias"][:] = [3, 2, 1, 0]
        with torch.no_grad():
            layout.fill(updates.learned, arrays)
        assert updates.best_columns(mover, occupied, torch.Generator()).tolist() == [wanted]
