"""Runs of a real learner: killed, resumed, extended, and begun from another's checkpoint."""

from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.arena.exact import exact_success
from connectlab.game import Geometry
from connectlab.lab.jobs import new_job, old_job
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import Request
from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.display import Display
from connectlab.training.metrics import RunError

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


class StopAfter:
    """A stop that is set after it was asked some times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


def weights_of(folder: Path) -> bytes:
    return (folder / "latest.safetensors").read_bytes()


def test_a_run_judged_exactly_keeps_the_checkpoint_that_is_best(tmp_path: Path) -> None:
    result = new_job(request("exact", "quota:games=20"), tmp_path / "run").run(
        Display(), beside=False
    )
    assert [each.games for each in result.evaluations] == [1_000, 2_000, 3_000]
    best = max(each.first.figures[0].value or 0.0 for each in result.evaluations)
    kept = make_agent(f"ntuple:{tmp_path / 'run'}", BOARD)
    assert exact_success(kept).success_rate == pytest.approx(best)
    assert result.evaluations[0].find("win_rate") is not None


def test_a_stopped_run_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    from connectlab.training.run import RunStoppedError

    whole = new_job(request(), tmp_path / "whole").run(Display(), beside=False)
    with pytest.raises(RunStoppedError):
        new_job(request(), tmp_path / "part").run(Display(), StopAfter(3), beside=False)
    again = old_job(Request("ntuple"), tmp_path / "part").run(Display(), beside=False)
    assert whole.games == again.games == 3_000
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "part")


def test_a_finished_run_can_be_extended(tmp_path: Path) -> None:
    new_job(request(), tmp_path / "run").run(Display(), beside=False)
    before = weights_of(tmp_path / "run")
    longer = old_job(Request("ntuple", changes={"games": 4_000}), tmp_path / "run")
    assert longer.run(Display(), beside=False).games == 4_000
    assert weights_of(tmp_path / "run") != before


def test_a_run_begins_with_what_another_has_learned(tmp_path: Path) -> None:
    new_job(request(), tmp_path / "old").run(Display(), beside=False)
    learned = Checkpoint.load(tmp_path / "old" / "latest.safetensors")
    begun = NTupleLearner(request().config())  # type: ignore[arg-type]
    begun.begin_from(learned)
    assert begun.games_done == 0
    assert (begun.checkpoint().arrays["weights"] == learned.arrays["weights"]).all()


def test_games_that_would_end_a_run_before_its_state_are_refused_at_once(tmp_path: Path) -> None:
    new_job(request(), tmp_path / "run").run(Display(), beside=False)
    with pytest.raises(RunError, match="has learned from 3,000 games already: games=10 is too few"):
        old_job(Request("ntuple", changes={"games": 10}), tmp_path / "run")
