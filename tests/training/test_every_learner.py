"""What every registered learner promises: runs that are judged, stopped, resumed and begun from."""

from pathlib import Path

import pytest

from connectlab.agents import make_agent
from connectlab.agents.registry import learners, make_learner
from connectlab.game import Geometry
from connectlab.lab.jobs import new_job, old_job
from connectlab.lab.measures import parse_measures
from connectlab.lab.plans import Request
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.display import Display
from connectlab.training.learner import LearnerError
from connectlab.training.metrics import RunError
from connectlab.training.run import RunStoppedError

BOARD = Geometry(4, 4, 3)
GAMES = 3_000
SMALL: dict[str, dict[str, object]] = {
    "ntuple": {"tuples": 6, "length": 4, "average_games": 1_000},
    "ntuple+traces": {"tuples": 6, "length": 4, "rule": "tcl-exp", "trace_lambda": 0.5},
    "mlp": {"hidden": 8},
    "mlp+momentum": {"hidden": 8, "optimiser": "momentum", "eta": 0.02},
    "mlp+slip": {"hidden": 8, "variant": "slip:0.1"},
    "qtable": {},
    "qtable+opponents": {
        "opponents": "extend + random",
        "parallel": 10,
        "exploration": "vdbe-softmax",
    },
    "dqn": {"channels": 4, "hidden": 8, "parallel": 300, "steps_per_update": 300, "device": "cpu"},
    "dqn+everything": {
        "device": "cpu",
        "opponents": "self + random",
        "rewards": "plain",
        "channels": 4,
        "hidden": 8,
        "parallel": 300,
        "steps_per_update": 300,
        "double": True,
        "dueling": True,
        "noisy": True,
        "n_step": 3,
        "priority": 0.6,
        "mirror": True,
        "loss": "huber",
        "planes": "own",
        "weights": "float16",
    },
    "qtable+drop-row": {"variant": "drop-row:0.05"},
}
"""Settings that learn in a moment, by the learner and what is special."""


def request(name: str, *measures: str, games: int = GAMES) -> Request:
    return Request(
        learner_of(name),
        changes={"columns": 4, "rows": 4, "connect": 3, "games": games, **SMALL[name]},
        measures=parse_measures(measures or ("none",)),
        evaluation_every=1_000,
    )


def learner_of(name: str) -> str:
    return name.partition("+")[0]


def board_of(name: str) -> Geometry:
    return request(name).config().geometry


def latest(folder: Path) -> bytes:
    return (folder / "latest.safetensors").read_bytes()


class StopAfter:
    """A stop that is set after it was asked some times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_every_learner_has_an_example() -> None:
    assert {learner_of(name) for name in SMALL} == set(learners())


@pytest.mark.parametrize("name", SMALL)
def test_a_run_is_judged_and_what_it_learned_can_play(name: str, tmp_path: Path) -> None:
    job = new_job(request(name, "quota:games=200"), tmp_path / "run")
    result = job.run(Display(), beside=False)
    assert [each.games for each in result.evaluations] == [1_000, 2_000, 3_000]
    assert result.evaluations[0].find("winning_quota") is not None
    board = board_of(name)
    player = make_agent(f"{learner_of(name)}:{tmp_path / 'run'}", board)
    assert type(player).home_board(player.settings) == board


@pytest.mark.parametrize("name", SMALL)
def test_a_stopped_run_goes_on_to_the_same_bits(name: str, tmp_path: Path) -> None:
    whole = new_job(request(name), tmp_path / "whole").run(Display(), beside=False)
    with pytest.raises(RunStoppedError):
        new_job(request(name), tmp_path / "part").run(Display(), StopAfter(3), beside=False)
    again = old_job(Request(learner_of(name)), tmp_path / "part").run(Display(), beside=False)
    assert whole.games == again.games == GAMES
    assert latest(tmp_path / "whole") == latest(tmp_path / "part")


@pytest.mark.parametrize("name", SMALL)
def test_a_run_begins_with_what_another_has_learned(name: str, tmp_path: Path) -> None:
    new_job(request(name), tmp_path / "old").run(Display(), beside=False)
    learned = Checkpoint.load(tmp_path / "old" / "latest.safetensors")
    begun = make_learner(request(name).config())
    begun.begin_from(learned)
    assert begun.games_done == 0
    taken = begun.checkpoint().arrays
    assert taken.keys() == learned.arrays.keys()
    assert all((taken[key] == array).all() for key, array in learned.arrays.items())
    begun.step()
    with pytest.raises(LearnerError, match=r"has learned .* games already"):
        begun.begin_from(learned)


@pytest.mark.parametrize("name", SMALL)
def test_what_another_learner_or_board_has_learned_is_refused(name: str) -> None:
    fresh = make_learner(request(name).config())
    with pytest.raises(CheckpointError, match="was written by 'nobody'"):
        fresh.begin_from(Checkpoint("nobody", {}, {}))
    with pytest.raises(CheckpointError, match="was written by 'nobody'"):
        fresh.restore(Checkpoint("nobody", {}, {}))
    changes = {**request(name).changes, "columns": 5}
    other = make_learner(Request(learner_of(name), changes=changes).config())
    with pytest.raises(LearnerError, match=r"has other columns \(5, and here 4\)"):
        fresh.begin_from(other.checkpoint())


@pytest.mark.parametrize("name", ["ntuple", "mlp", "qtable"])
def test_a_finished_run_can_be_extended(name: str, tmp_path: Path) -> None:
    new_job(request(name), tmp_path / "run").run(Display(), beside=False)
    before = latest(tmp_path / "run")
    longer = old_job(Request(name, changes={"games": 4_000}), tmp_path / "run")
    assert longer.run(Display(), beside=False).games == 4_000
    assert latest(tmp_path / "run") != before
    with pytest.raises(RunError, match="games already: games=10 is too few"):
        old_job(Request(name, changes={"games": 10}), tmp_path / "run")
