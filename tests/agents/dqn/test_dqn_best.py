"""The network that comes along keeps what docs/dqn.md says of it."""

import pytest

from connectlab.agents.dqn.agent import SOURCES
from connectlab.agents.dqn.config import DQNConfig
from connectlab.agents.dqn.network import KIND
from connectlab.agents.registry import make_agent
from connectlab.arena.match import play_match
from connectlab.storage.checkpoint import Checkpoint


def test_it_was_trained_with_the_preset_of_its_name() -> None:
    header = Checkpoint.load(SOURCES.shipped_file("best"), KIND).header
    config = DQNConfig.model_validate(DQNConfig.presets["best"].settings)
    assert header["config"] == config.plain()
    assert header["games_done"] == config.games


def test_it_is_small_enough_to_come_along() -> None:
    assert SOURCES.shipped_file("best").stat().st_size <= 5_000_000


@pytest.mark.parametrize(
    ("opponent", "games", "least"), [("negamax", 60, 0.8), ("random", 200, 0.99)]
)
def test_it_beats_the_opponents_of_the_paper(opponent: str, games: int, least: float) -> None:
    match = play_match(make_agent("dqn:best"), make_agent(opponent), games, seed=1)
    assert match.tally.win_rate > least
