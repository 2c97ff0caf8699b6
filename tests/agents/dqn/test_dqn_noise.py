"""What is drawn while learning: noise, mirror images, openings, and what goes with them."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from small_dqns import config, trained
from test_dqn_updates import both

from connectlab.agents.dqn.forward import QFunction
from connectlab.agents.dqn.network import NetworkHeader
from connectlab.agents.dqn.parameters import Layout, new_parameters
from connectlab.agents.dqn.training import DQNLearner
from connectlab.game import Position


def signed_root(x: np.ndarray) -> np.ndarray:
    """f of Fortunato et al. (2018), section 3.1."""
    return np.copysign(np.sqrt(np.abs(x)), x)


def test_noise_is_that_of_fortunato_equations_10_and_11() -> None:
    layout = Layout(NetworkHeader.of(config(noisy=True, channels=2, hidden=3)), noisy=True)
    vector = new_parameters(layout, 3, 0.5)
    noise = np.random.default_rng(4).normal(size=layout.noise_size)
    still = layout.arrays(vector.clone())
    at = 0
    for name in ("hidden1", "hidden2", "output"):
        n_in, n_out = layout.shapes[name]
        into, out = signed_root(noise[at : at + n_in]), signed_root(noise[at + n_in :][:n_out])
        at += n_in + n_out
        still[name] += still[f"{name}_sigma"] * torch.from_numpy(np.outer(into, out)).float()
        still[f"{name}_bias"] += still[f"{name}_bias_sigma"] * torch.from_numpy(out).float()
    disturbed = vector.clone()
    for name, array in still.items():  # the views changed a copy: read the arrays back
        layout.arrays(disturbed)[name].copy_(array)
    planes = torch.randn(5, 3, 4, 4, generator=torch.Generator().manual_seed(1))
    wanted = QFunction(layout)(disturbed, planes)
    found = QFunction(layout)(vector, planes, torch.from_numpy(noise).float())
    assert torch.allclose(found, wanted, atol=1e-5)
    assert not torch.allclose(found, QFunction(layout)(vector, planes), atol=1e-3)


def test_the_strength_of_noise_begins_at_sigma_over_the_root_of_the_inputs() -> None:
    layout = Layout(NetworkHeader.of(config(noisy=True)), noisy=True)
    arrays = layout.arrays(new_parameters(layout, 1, 0.4))
    n_in = layout.shapes["hidden2"][0]
    for name in ("hidden2_sigma", "hidden2_bias_sigma"):
        assert torch.allclose(arrays[name], torch.tensor(0.4 / n_in**0.5))


def test_acting_and_learning_draw_their_noise() -> None:
    updates, *_ = both(noisy=True, double=True)
    boards = np.zeros(3, dtype=np.uint64)
    seen = []
    for seed in (1, 2):
        updates.best_columns(boards, boards, torch.Generator().manual_seed(seed))
        seen.append(updates._noise[0].clone())
    for seed in (3, 4):
        updates.learn(1, 1.0, 0.001, torch.Generator().manual_seed(seed))
        seen.append(updates._noise[0].clone())
    assert all(not torch.equal(one, other) for one, other in pairwise(seen))
    draws = updates._noise
    assert not any(torch.equal(draws[i], draws[j]) for i, j in ((0, 1), (0, 2), (1, 2)))


def test_noise_moves_the_choice_in_place_of_epsilon() -> None:
    learner = DQNLearner(config(noisy=True, noisy_sigma=5.0, epsilon="0.9"))
    assert learner._epsilon() == 0.0
    boards = np.zeros(1, dtype=np.uint64)
    chosen = {
        int(learner.updates.best_columns(boards, boards, torch.Generator().manual_seed(seed))[0])
        for seed in range(30)
    }
    assert len(chosen) > 1


def test_the_next_move_is_chosen_with_noise_of_its_own() -> None:
    updates, *_ = both(noisy=True, double=True, gamma=0.7)
    batch = updates._replay.take(torch.arange(8))
    updates._noise.normal_(generator=torch.Generator().manual_seed(1))
    before = updates._targets(batch)
    updates._noise[2].mul_(-9.0)
    assert not torch.equal(updates._targets(batch), before)


def test_mirror_images_are_drawn_for_every_update() -> None:
    updates, *_ = both(mirror=True)
    shares = []
    for seed in range(20):
        updates.learn(1, 1.0, 0.001, torch.Generator().manual_seed(seed))
        shares.append(float(updates._flipped.float().mean()))
    assert 0.3 < np.mean(shares) < 0.7
    assert len(set(shares)) > 2


def test_beta_rises_from_its_start_to_its_end() -> None:
    learner = DQNLearner(config(games=100, priority=0.6, beta="0.4->1:linear"))
    seen: list[float] = []
    learn = learner.updates.learn

    def spy(updates: int, beta: float, alpha: float, generator: torch.Generator) -> None:
        seen.append(beta)
        learn(updates, beta, alpha, generator)

    learner.updates.learn = spy  # type: ignore[method-assign]
    while learner.games_done < 100:
        learner.step()
    assert seen[0] < 0.5
    assert seen[-1] > 0.98
    assert all(one <= other for one, other in pairwise(seen))


def test_openings_are_random_for_both_sides() -> None:
    # negamax answers the same board in one or two ways; random openings in all four.
    learner = DQNLearner(config(opponents="negamax", side="second", openings=16, games=200))
    replies = set()
    for _ in range(60):
        learner._begin_games()
        _, chosen = learner._choose()
        fresh = learner._games.occupied == 0
        replies |= set(chosen[fresh & (chosen >= 0)].tolist())
        learner._round()
    assert replies == {0, 1, 2, 3}


def test_the_smallest_numbers_are_there_after_a_step() -> None:
    trained(games=5)
    assert np.float64(5e-324) * np.float64(1.0) > 0, "others in this process may need them"


def test_a_game_that_the_opponent_forfeits_is_won(tmp_path: Path) -> None:
    first = trained(invalid="allow", games=5)
    path = tmp_path / "first"
    first.checkpoint().save(path)
    learner = DQNLearner(config(opponents=f"dqn:{path},invalid=allow", games=40, epsilon="1.0"))
    metrics = learner.step()
    while learner.games_done < 40 and "forfeits" not in metrics:
        metrics = learner.step()
    assert 0 < metrics["forfeits"] <= metrics["score"]
    while learner.games_done < 40:
        learner.step()
    held = learner.replay.held
    wins = held.reward[: len(learner.replay)] == learner.config.reward_numbers.win
    # A game that was given up ends with the learner's last move, without a line on the board.
    last = held.words[:, : len(learner.replay)][:, wins].numpy().view(np.uint64)
    unfinished = [
        not Position(learner.config.geometry, int(mover), int(occupied)).is_over
        for mover, occupied in zip(last[2], last[3], strict=True)
    ]
    assert any(unfinished)
    assert (held.bootstrap[: len(learner.replay)][wins] == 0).all()
