"""What is exported plays as the player here, where only Python and NumPy are there."""

from pathlib import Path

import numpy as np
import pytest
from submissions import answers_of, some_positions

from connectlab.agents import make_agent
from connectlab.agents.dqn.agent import DQNAgent
from connectlab.agents.dqn.kernels import FINENESS
from connectlab.agents.dqn.network import Network, NetworkHeader
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.dqn import DQNPlayer
from connectlab.storage.checkpoint import Checkpoint

SMALL = Geometry(5, 4, 4)
CONNECT_THREE = Geometry(4, 4, 3)
NETWORKS = Path(__file__).parents[2] / "golden" / "networks"


def unlike(spec: str, positions: list[Position], answers: list[int]) -> list[Position]:
    """Return where a column was played that the player itself would never play."""
    chances = make_agent(spec, positions[0].geometry).policy(PositionBatch.of(positions))
    rows = zip(positions, chances, answers, strict=True)
    return [position for position, row, column in rows if row[column] == 0.0]


@pytest.mark.parametrize(
    ("spec", "n"),
    [
        ("random", 200),
        ("extend", 200),
        ("minimax:depth=3", 200),
        ("minimax:force_center=true,depth=2", 200),
        ("negamax:depth=4", 200),
        ("mlp:best", 300),
        ("qtable:cheng-known", 300),
        ("ntuple:champion", 300),
        ("ntuple:champion,depth=4", 100),
    ],
)
def test_a_submission_plays_what_the_player_would(spec: str, n: int, tmp_path: Path) -> None:
    positions = some_positions(n)
    assert not unlike(spec, positions, answers_of(spec, positions, tmp_path))


@pytest.mark.parametrize(
    ("spec", "geometry"),
    [
        ("minimax:depth=4", CONNECT_THREE),
        ("minimax:depth=3", Geometry(6, 7, 5)),
        ("minimax:depth=2", Geometry(1, 9, 3)),
        ("negamax:depth=4", SMALL),
        ("extend", Geometry(9, 5, 4)),
        (f"mlp:{NETWORKS}/mlp-5x4-4.safetensors", SMALL),
        (f"mlp:{NETWORKS}/mlp-4x4-3.safetensors", CONNECT_THREE),
        (f"qtable:{NETWORKS}/qtable-4x4-3.safetensors", CONNECT_THREE),
        (f"ntuple:{NETWORKS}/ntuple-5x4-4.safetensors,depth=5", SMALL),
        (f"ntuple:{NETWORKS}/ntuple-4x4-3.safetensors,depth=4", CONNECT_THREE),
    ],
)
def test_other_boards_are_played_too(spec: str, geometry: Geometry, tmp_path: Path) -> None:
    positions = some_positions(40, geometry)
    assert not unlike(spec, positions, answers_of(spec, positions, tmp_path))


@pytest.mark.parametrize("geometry", [STANDARD, SMALL, Geometry(4, 5, 3)], ids=str)
def test_a_perfect_submission_with_time_enough_plays_a_best_move(
    geometry: Geometry, tmp_path: Path
) -> None:
    hardest = range(11, 15) if geometry == STANDARD else range(0)
    positions = [p for p in some_positions(60, geometry) if p.ply not in hardest]
    answers = answers_of("perfect", positions, tmp_path, act_s=10_000.0)
    assert not unlike("perfect", positions, answers)


def test_a_perfect_submission_in_a_hurry_keeps_the_outcome(tmp_path: Path) -> None:
    positions = [p for p in some_positions(60) if p.ply not in range(11, 15)]
    answers = answers_of("perfect", positions, tmp_path, act_s=0.0)
    assert not unlike("perfect:objective=outcome", positions, answers)
    assert unlike("perfect", positions, answers)


@pytest.mark.parametrize("planes", ["own", "players"])
@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("dueling", [False, True])
def test_networks_of_any_form_play_alike(
    planes: str, padding: int, dueling: bool, tmp_path: Path
) -> None:
    path = tmp_path / "network.safetensors"
    random_dqn(planes=planes, padding=padding, dueling=dueling).save(path)
    positions = some_positions(100)
    answers = answers_of(f"dqn:{path}", positions, tmp_path)
    assert not unlike(f"dqn:{path}", positions, answers)
    agent = make_agent(f"dqn:{path}")
    assert isinstance(agent, DQNAgent)
    unit = 2.0 / FINENESS
    player = DQNPlayer(Board(7, 6, 4), agent.network.arrays, padding, planes == "own", unit)
    ours = [player.values(position.mover, position.occupied) for position in positions]
    theirs = agent.action_values(PositionBatch.of(positions)) / unit
    assert np.abs(np.array(ours) - theirs).max() <= 1
    assert np.ptp(theirs, axis=0).min() > 1_000


def random_dqn(**form: object) -> Checkpoint:
    """Return a network of move values whose weights are drawn by lot."""
    board = {"columns": 7, "rows": 6, "connect": 4}
    size = {"channels": 4, "layers": 2, "hidden": 16, "hidden_layers": 2, "reward_win": 2.0}
    header = NetworkHeader.model_validate({**board, **size, **form})
    rng = np.random.default_rng(5)
    arrays = {
        name: rng.normal(0.0, 0.01 if name.endswith("bias") else 0.4, shape).astype(np.float32)
        for name, shape in header.shapes.items()
    }
    return Network(header, arrays).checkpoint({})


def test_mcts_keeps_what_it_can_prove(tmp_path: Path) -> None:
    spec = "mcts:iterations=4000,transpositions=true"
    positions = [p for p in some_positions(40, CONNECT_THREE) if p.ply >= 4]
    answers = answers_of(spec, positions, tmp_path)
    assert not unlike("perfect:objective=outcome", positions, answers)


def test_a_wrong_move_would_be_noticed() -> None:
    positions = some_positions(50)
    chances = make_agent("minimax").policy(PositionBatch.of(positions))
    assert unlike("minimax", positions, np.argmin(chances, axis=1).tolist())
