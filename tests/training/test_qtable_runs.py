"""Runs of a table: judged by an exact walk, stopped, and gone on with to the same bits."""

from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.game import Geometry
from connectlab.lab.jobs import new_job, old_job
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import Request
from connectlab.training.display import Display
from connectlab.training.run import RunStoppedError

SMALL = {"columns": 4, "rows": 4, "connect": 3, "games": 2_000}
MIXED = {"opponents": "extend + random", "parallel": 10, "exploration": "vdbe-softmax"}


class StopAfter:
    """A stop that is set after it was asked some times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


def request(*measures: str, **changes: object) -> Request:
    return Request(
        "qtable",
        changes={**SMALL, **changes},
        measures=parse_measures(measures),
        evaluation_every=1_000,
    )


def test_a_run_is_judged_by_the_exact_walk(tmp_path: Path) -> None:
    result = new_job(request("exact"), tmp_path / "run").run(Display(), beside=False)
    assert [each.games for each in result.evaluations] == [1_000, 2_000]
    assert result.evaluations[0].find("exact_success_rate") is not None
    assert make_agent(f"qtable:{tmp_path / 'run'}", Geometry(4, 4, 3)).has_values


@pytest.mark.parametrize("changes", [{}, MIXED], ids=["self-play", "mixed"])
def test_a_stopped_run_goes_on_to_the_same_bits(tmp_path: Path, changes: dict[str, object]) -> None:
    new_job(request(**changes), tmp_path / "whole").run(Display(), beside=False)
    with pytest.raises(RunStoppedError):
        new_job(request(**changes), tmp_path / "part").run(Display(), StopAfter(3), beside=False)
    again = old_job(Request("qtable"), tmp_path / "part").run(Display(), beside=False)
    assert again.games == 2_000
    whole, part = (
        (tmp_path / run / "latest.safetensors").read_bytes() for run in ("whole", "part")
    )
    assert whole == part
