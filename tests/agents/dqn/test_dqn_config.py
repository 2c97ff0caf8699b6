"""The settings of deep Q-learning: the paper's rows, and what is refused."""

import pytest
from pydantic import ValidationError
from small_dqns import config

from connectlab.agents.dqn.config import DQNConfig
from connectlab.errors import GameError


def preset(name: str) -> DQNConfig:
    return DQNConfig.model_validate(DQNConfig.presets[name].settings)


def test_every_row_of_the_tables_has_its_preset() -> None:
    for gamma in ("0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"):
        for table, rewards in ((3, "default"), (4, "streak")):
            run = preset(f"table{table}-{gamma}")
            assert (run.gamma, run.rewards, run.invalid) == (float(gamma), rewards, "forbid")
            assert not run.replay_bug
    for rewards in ("default", "streak"):
        run = preset(f"table5-{rewards}")
        assert (run.gamma, run.rewards, run.invalid) == (1.0, rewards, "allow")
        run = preset(f"table7-{rewards}")
        assert (run.gamma, run.rewards, run.replay_bug) == (0.7, rewards, True)


def test_the_defaults_are_those_of_the_paper() -> None:
    run = preset("table3-0.7")
    assert (run.games, run.opponents, run.switch_every, run.parallel) == (
        20_000,
        "random",
        1_000,
        1,
    )
    assert (run.channels, run.layers, run.hidden, run.hidden_layers) == (64, 2, 300, 2)
    assert (run.replay, run.batch, run.steps_per_update, run.target_every) == (20_000, 32, 1, 50)
    assert (str(run.alpha), str(run.epsilon), run.epsilon_games) == ("0.001", "0.9->0.1", 1_500)
    assert (run.loss, run.planes, run.n_step, run.priority) == ("mse", "players", 1, 0)
    assert not (run.double or run.dueling or run.noisy or run.mirror or run.learns_both)


def test_the_best_player_learns_from_both_sides_of_self_play() -> None:
    assert preset("best").learns_both
    assert config(opponents="self + negamax", rewards="plain").learns_both
    assert not config(opponents="negamax").learns_both


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"opponents": "self"}, "takes a zero-sum game: set rewards=plain"),
        ({"opponents": "self", "rewards": "plain", "learn": "own"}, "leave learn out"),
        ({"opponents": "nobody"}, "there is no player 'nobody'"),
        ({"opponents": ""}, "from 1 to 16 players"),
        ({"padding": 0}, "leave nothing of 4x4 cells: set padding=1"),
        ({"replay": 10}, "replay=10 must hold a batch"),
        ({"epsilon": "2"}, "must lie from 0 to 1"),
        ({"variant": "slip:0.1"}, "dqn cannot learn the variant"),
    ],
    ids=str,
)
def test_what_cannot_be_learned_is_refused(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises((ValidationError, GameError), match=complaint):
        config(**changes)
