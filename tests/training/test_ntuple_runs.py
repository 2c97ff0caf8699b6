"""What a run measures of an n-tuple network is what the arena measures."""

from pathlib import Path

from connectlab.agents.learners import make_player
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


def test_a_schedule_is_written_to_the_last_bit() -> None:
    for word in (
        "0.0123456789->0.001",
        "0.1",
        "1e-07",
        "0.3333333333333333->0.1:linear@0.12345678",
    ):
        schedule = Schedule.model_validate(word)
        assert Schedule.model_validate(str(schedule)) == schedule


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
