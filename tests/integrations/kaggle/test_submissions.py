"""What is exported plays as the player here, where only Python and NumPy are there."""

from pathlib import Path

import pytest
from submissions import answers_of, some_positions

from connectlab.agents import make_agent
from connectlab.game import Geometry, PositionBatch

SMALL = Geometry(5, 4, 4)
CONNECT_THREE = Geometry(4, 4, 3)
NETWORKS = Path(__file__).parents[2] / "golden" / "networks"


@pytest.mark.parametrize(
    ("spec", "n"),
    [
        ("random", 300),
        ("extend", 300),
        ("minimax:depth=3", 200),
        ("minimax:force_center=true,depth=2", 300),
        ("negamax:depth=4", 200),
        ("mlp:best", 400),
        ("ntuple:champion", 400),
        ("ntuple:champion,depth=4", 60),
    ],
)
def test_a_submission_plays_what_the_player_would(spec: str, n: int, tmp_path: Path) -> None:
    positions = some_positions(n)
    chances = make_agent(spec).policy(PositionBatch.of(positions))
    answers = answers_of(spec, positions, tmp_path)
    wrong = [
        p for p, row, column in zip(positions, chances, answers, strict=True) if not row[column]
    ]
    assert not wrong
