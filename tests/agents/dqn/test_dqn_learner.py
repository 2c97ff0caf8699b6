"""The learner of deep Q-networks keeps the promises that runs rest on."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from small_dqns import BOARD, EVERYTHING, SELF_PLAY, config, trained

from connectlab.agents import make_agent
from connectlab.agents.dqn.games import BOTH
from connectlab.agents.dqn.training import DQNLearner
from connectlab.arena.measures import winning_quota
from connectlab.game import Geometry
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import LearnerError

SETTINGS: list[dict[str, object]] = [
    {"switch_every": 7},
    {"opponents": "extend + random", "parallel": 5, "invalid": "allow", "rewards": "streak"},
    {**EVERYTHING, "opponents": "self + random", "parallel": 8, "steps_per_update": 8},
]


@pytest.mark.parametrize("changes", SETTINGS, ids=str)
def test_a_run_may_be_cut_and_saved_after_any_step(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    whole = trained(**changes)
    whole.state().save(tmp_path / "whole")
    parts = DQNLearner(config(**changes))
    while parts.games_done < parts.config.games:
        parts.step()
        parts.state().save(tmp_path / "parts")
        parts = DQNLearner(config(**changes))
        parts.restore(Checkpoint.load(tmp_path / "parts"))
    assert whole.updates.done > 20
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_other_seeds_learn_other_weights() -> None:
    one, two = trained(), trained(seed=2)
    assert not torch.equal(one.updates.learned, two.updates.learned)


def test_a_damaged_state_is_refused() -> None:
    state = trained(games=5).state()
    arrays = {**state.arrays, "mean": np.zeros(3, dtype=np.float32)}
    with pytest.raises(CheckpointError, match="its arrays do not fit"):
        DQNLearner(config(games=5)).restore(Checkpoint(state.kind, state.header, arrays))


def test_sides_are_switched_after_some_games() -> None:
    learner = DQNLearner(config(switch_every=3))
    assert [learner._seat(number) for number in range(8)] == [0, 0, 0, 1, 1, 1, 0, 0]
    assert DQNLearner(config(side="second"))._seat(0) == 1
    mixed = DQNLearner(config(opponents="self + random", rewards="plain", switch_every=2))
    assert [mixed._seat(number) for number in range(4)] == [BOTH, 0, BOTH, 1]


def test_the_target_network_is_copied_after_some_games() -> None:
    learner = DQNLearner(config(target_every=50, batch=8, games=200))
    start = learner.updates.target.clone()
    while learner._ended < 49:
        learner._round()
    assert torch.equal(learner.updates.target, start)
    while learner._ended < 50:
        learner._round()
    assert torch.equal(learner.updates.target, learner.updates.learned)


def test_one_update_follows_every_own_move_once_there_is_a_batch() -> None:
    learner = trained(batch=16)
    assert learner.updates.done == learner.replay.added - 15
    rare = trained(batch=16, steps_per_update=5, warmup=40)
    assert rare.updates.done == pytest.approx((rare.replay.added - 40) / 5, abs=2)


def test_epsilon_falls_within_some_games() -> None:
    learner = DQNLearner(config(epsilon_games=1_500, games=20_000))
    found = []
    for learner._ended in (0, 750, 1_500, 10_000):
        found.append(round(learner._epsilon(), 4))
    assert found == [0.9, 0.3, 0.1, 0.1]
    learner = DQNLearner(config(epsilon="0.8->0.2:linear", epsilon_games=0, games=100))
    learner._ended = 50
    assert learner._epsilon() == pytest.approx(0.5)


def test_weights_that_explode_stop_the_run() -> None:
    learner = DQNLearner(config(batch=4))
    learner.updates.learned.data[:] = torch.nan
    with pytest.raises(LearnerError, match="the weights exploded by game"):
        learner.step()


def test_a_device_that_is_not_there_is_told() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one here")
    with pytest.raises(LearnerError, match="finds no CUDA device here: set device=cpu"):
        DQNLearner(config(device="cuda"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes", [{"switch_every": 20}, {**SELF_PLAY, "mirror": True, "n_step": 3}], ids=str
)
def test_it_learns_to_beat_random_play(tmp_path: Path, changes: dict[str, object]) -> None:
    fast = {"channels": 16, "hidden": 32, "parallel": 16, "batch": 64, "steps_per_update": 8}
    schedule = {"epsilon_games": 300, "games": 1_000, "target_every": 100, "planes": "own"}
    learner = DQNLearner(config(**fast, **schedule, **changes))
    before = win_rate(learner, tmp_path)
    while learner.games_done < learner.config.games:
        learner.step()
    assert before < 0.6
    assert win_rate(learner, tmp_path) > 0.7


def win_rate(learner: DQNLearner, folder: Path) -> float:
    learner.checkpoint().save(folder / "player")
    return winning_quota(make_agent(f"dqn:{folder / 'player'}", Geometry(**BOARD)), 400).win_rate


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from connectlab.cli import main
sys.argv = ["connectlab", *sys.argv[1:]]
main()
"""


def without_torch(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that cannot import torch."""
    command = [sys.executable, "-c", WITHOUT_TORCH, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_without_torch_one_line_says_what_to_install(tmp_path: Path) -> None:
    ran = without_torch("train", "dqn", "--out", str(tmp_path / "run"))
    assert ran.returncode == 2
    assert ran.stderr == (
        "connectlab: learning with deep Q-networks needs torch: pip install 'connectlab[deep]'\n"
    )
    assert not (tmp_path / "run").exists()


def test_a_trained_network_plays_without_torch(tmp_path: Path) -> None:
    path = tmp_path / "player"
    DQNLearner(config(**SELF_PLAY)).checkpoint().save(path)
    board = ["--columns", "4", "--rows", "4", "--connect", "3"]
    ran = without_torch("match", f"dqn:{path}", "random", "--games", "4", *board)
    assert ran.returncode == 0, ran.stderr
