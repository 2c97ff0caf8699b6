"""A run of n-tuple learning is judged by what its checkpoints really do."""

from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.arena.exact import exact_success
from connectlab.game import Geometry
from connectlab.lab.jobs import new_job
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import Request
from connectlab.training.display import Display

BOARD = Geometry(4, 4, 3)
SMALL = {
    "columns": 4,
    "rows": 4,
    "connect": 3,
    "tuples": 6,
    "length": 4,
    "games": 3_000,
    "average_games": 1_000,
}


def request(*measures: str, **changes: object) -> Request:
    return Request(
        "ntuple",
        changes={**SMALL, **changes},
        measures=parse_measures(measures),
        evaluation_every=1_000,
    )


def test_a_run_judged_exactly_keeps_the_checkpoint_that_is_best(tmp_path: Path) -> None:
    result = new_job(request("exact", "quota:games=20"), tmp_path / "run").run(
        Display(), beside=False
    )
    assert [each.games for each in result.evaluations] == [1_000, 2_000, 3_000]
    best = max(each.first.figures[0].value or 0.0 for each in result.evaluations)
    kept = make_agent(f"ntuple:{tmp_path / 'run'}", BOARD)
    assert exact_success(kept).success_rate == pytest.approx(best)
    assert result.evaluations[0].find("win_rate") is not None
