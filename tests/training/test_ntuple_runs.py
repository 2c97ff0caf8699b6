"""The n-tuple learner keeps the promises that runs rest on."""

from pathlib import Path

import numpy as np
import pytest
from connectlab.agents.learners import make_player
from safetensors.numpy import load_file

from connectlab.agents import AgentError
from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.arena.exact import exact_success
from connectlab.arena.measures import success_rate
from connectlab.arena.referee import PerfectReferee
from connectlab.game import Geometry
from connectlab.training.evaluation import EvaluationsBeside
from connectlab.training.schedules import Schedule

BOARD = {"columns": 4, "rows": 4, "connect": 3, "tuples": 6, "length": 4, "creation": "walk"}


def config(**changes: object) -> NTupleConfig:
    settings = {**BOARD, "games": 25_000, "average_games": 20_000, **changes}
    return NTupleConfig.model_validate(settings)


SETTINGS = [
    {"alpha": "0.0123456789->0.001"},
    {"rule": "tcl-exp", "alpha": "0.05", "epsilon": "0.9->0.1:sigmoid"},
    {"trace_lambda": 0.0, "average_games": 0},
]


@pytest.mark.parametrize("changes", SETTINGS)
def test_games_may_be_cut_and_saved_anywhere(tmp_path: Path, changes: dict[str, object]) -> None:
    whole = NTupleLearner(config(**changes))
    whole.learn(25_000)
    whole.state().save(tmp_path / "whole")
    parts = NTupleLearner(config(**changes))
    for games in (1, 6, 4_993, 7_777, 25_000):
        parts.learn(games)
        parts.state().save(tmp_path / "parts")
        parts = NTupleLearner.load(tmp_path / "parts")
    assert parts.games_done == 25_000
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    first, second = whole.checkpoint(), parts.checkpoint()
    assert np.array_equal(first.arrays["weights"], second.arrays["weights"])


def test_another_seed_gives_other_weights(tmp_path: Path) -> None:
    states = []
    for seed in (1, 2):
        learner = NTupleLearner(config(seed=seed))
        learner.learn(100)
        learner.state().save(tmp_path / "state")
        states.append(load_file(tmp_path / "state")["learning"])
    assert not np.array_equal(*states)


def test_a_schedule_is_written_to_the_last_bit() -> None:
    for word in (
        "0.0123456789->0.001",
        "0.1",
        "1e-07",
        "0.3333333333333333->0.1:linear@0.12345678",
    ):
        schedule = Schedule.model_validate(word)
        assert Schedule.model_validate(str(schedule)) == schedule


def test_a_tuple_file_that_was_changed_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "tuples.json"
    file.write_text("[[[0, 0], [1, 0], [2, 0]]]")
    learner = NTupleLearner(config(creation="file", tuple_file=str(file)))
    learner.state().save(tmp_path / "state")
    NTupleLearner.load(tmp_path / "state")
    file.write_text("[[[0, 0], [1, 0], [3, 0]]]")
    with pytest.raises(AgentError, match="no longer those of the saved state"):
        NTupleLearner.load(tmp_path / "state")


def test_a_network_is_no_state(tmp_path: Path) -> None:
    NTupleLearner(config()).checkpoint().save(tmp_path / "network")
    with pytest.raises(AgentError, match="was written by 'ntuple', not by 'ntuple-state'"):
        NTupleLearner.load(tmp_path / "network")


def test_the_referee_measures_what_the_arena_measures(tmp_path: Path) -> None:
    geometry = Geometry(4, 4, 3)
    learner = NTupleLearner(config())
    learner.learn(2_000)
    learner.checkpoint().save(tmp_path / "network")
    referee = PerfectReferee("ntuple", geometry, 50)
    with EvaluationsBeside(referee) as beside:
        beside.submit(2_000, tmp_path / "network", 11)
        (found,) = beside.collect(120.0)
    here = dict(referee(tmp_path / "network", 11))
    there = dict(found.measures)
    assert here.pop("evaluation_seconds") >= 0
    assert there.pop("evaluation_seconds") >= 0
    assert here == there
    player = make_player("ntuple", tmp_path / "network", geometry)
    success = success_rate(player, 50, seed=11)
    assert here["success_rate"] == success.success_rate
    assert here["distinct_games"] == success.distinct_games
    assert here["perfect_success_rate"] == 1.0


def test_the_referee_can_measure_exactly(tmp_path: Path) -> None:
    learner = NTupleLearner(config(tuples=20, length=8, initial_weights=0.5))
    learner.checkpoint().save(tmp_path / "network")
    geometry = Geometry(4, 4, 3)
    measures = PerfectReferee("ntuple", geometry, 50, exact=True)(tmp_path / "network", 1)
    player = make_player("ntuple", tmp_path / "network", geometry)
    assert measures["success_rate"] == exact_success(player).success_rate
    assert measures["positions"] > 0
    assert "evaluation_games" not in measures


def test_the_referee_knows_what_is_possible(tmp_path: Path) -> None:
    learner = NTupleLearner(config(connect=4))
    learner.checkpoint().save(tmp_path / "network")
    measures = PerfectReferee("ntuple", Geometry(4, 4, 4), 4)(tmp_path / "network", 1)
    assert measures["perfect_success_rate"] == 0.5
