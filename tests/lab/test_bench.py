"""A player on the bench: every measure, its interval, its opponent, and the referee of runs."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from connectlab.agents import make_agent, make_learner
from connectlab.arena.exact import exact_success
from connectlab.arena.match import play_match
from connectlab.arena.measures import move_accuracy, success_rate, winning_quota
from connectlab.arena.positions import generate_positions
from connectlab.arena.threads import ArenaError
from connectlab.game import Geometry
from connectlab.lab import bench
from connectlab.lab.bench import Bench, Referee, perfect_success
from connectlab.lab.measures import parse_measure, parse_measures
from connectlab.lab.plans import make_config
from connectlab.training.evaluation import EvaluationsBeside
from connectlab.training.measurement import Measurement
from fake_learner import FakeLearner

SMALL = Geometry(4, 4, 3)
DRAWN = Geometry(4, 4, 4)


def measured(spec: str, player: str = "random", geometry: Geometry = SMALL) -> Measurement:
    return Bench(make_agent(player, geometry), seed=3).measure(parse_measure(spec))


@pytest.mark.parametrize(
    ("spec", "keys", "opponent"),
    [
        ("success:games=20", ["success_rate"], "perfect"),
        ("success:games=20,objective=outcome", ["success_rate"], "perfect:objective=outcome"),
        (
            "success:games=20,objective=framework",
            ["success_rate"],
            "perfect:objective=framework",
        ),
        (
            "exact",
            ["exact_success_rate", "win_chance", "draw_chance", "loss_chance"],
            "perfect",
        ),
        (
            "exact:objective=framework",
            ["exact_success_rate", "win_chance", "draw_chance", "loss_chance"],
            "perfect:objective=framework",
        ),
        ("quota:games=20", ["win_rate", "winning_quota"], "random"),
        ("score:extend,games=20", ["score_rate"], "extend"),
        ("accuracy:per_class=3", ["outcome_accuracy", "best_move_accuracy"], None),
        ("proof", ["held_rate", "hole_chance"], "anybody"),
        ("proof:side=second", ["held_rate", "hole_chance"], "anybody"),
        ("proof:sample=80", ["met_held_rate", "hole_chance"], "anybody"),
    ],
)
def test_every_measure_names_its_figures_and_its_opponent(
    spec: str, keys: list[str], opponent: str | None
) -> None:
    found = measured(spec)
    assert found.name == spec
    assert [figure.key for figure in found.figures] == keys
    assert found.key == keys[0]
    assert found.opponent == opponent
    plain = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert plain["measure"] == spec
    for key in keys:
        assert plain[key] == found.find(key).value  # type: ignore[union-attr]
        exact = spec.partition(":")[0] in ("exact", "proof") and "sample" not in spec
        assert (f"{key}_interval" in plain) == (not exact)
    assert all(key == key.lower() for key in plain)
    bare = Measurement(found.name, found.figures, found.opponent, found.counts, found.facts)
    again = Measurement.of({**plain, "seconds": 0})
    assert again == bare


def test_a_score_from_one_side_counts_the_games_of_that_side_for_the_player() -> None:
    player, opponent = make_agent("extend", SMALL), make_agent("random", SMALL)
    as_first = play_match(player, opponent, 60, sides="fixed", seed=3).tally
    others = play_match(opponent, player, 60, sides="fixed", seed=3).tally
    as_second = (others.losses, others.draws, others.wins)
    assert as_first != as_second
    for sides, tally in (("first", as_first), ("second", as_second)):
        found = measured(f"score:random,games=60,sides={sides}", "extend")
        assert (found.counts["wins"], found.counts["draws"], found.counts["losses"]) == tally
        assert found.value == (tally[0] + tally[1] / 2) / 60
        assert found.opponent == "random"


def test_the_bench_measures_what_the_arena_measures() -> None:
    found = measured("success:games=40")
    rate = success_rate(make_agent("random", SMALL), 40, seed=3)
    assert found.value == rate.success_rate
    assert found.interval == rate.success_rate_interval
    tally = rate.match.tally
    assert found.counts == {
        "games": 40,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "distinct_games": rate.match.distinct_games,
    }


def test_every_figure_of_the_bench_has_the_interval_of_the_arena() -> None:
    player = make_agent("random", SMALL)
    quota = winning_quota(player, 60, seed=3)
    accuracy = move_accuracy(player, generate_positions(4, seed=3, geometry=SMALL), seed=3).total
    figures = {
        figure.key: figure.interval
        for spec in ("quota:games=60", "accuracy:per_class=4")
        for figure in measured(spec).figures
    }
    assert figures == {
        "win_rate": quota.win_rate_interval,
        "winning_quota": quota.winning_quota_interval,
        "outcome_accuracy": accuracy.outcome_accuracy_interval,
        "best_move_accuracy": accuracy.best_move_accuracy_interval,
    }
    assert len(set(figures.values())) == 4, "no test if two of them agree"


@pytest.mark.parametrize("spec", ["success:games=10", "score:perfect,games=10"])
def test_draws_count_half_in_the_value_and_in_its_interval(spec: str) -> None:
    """Ten draws: Wilson's interval for 5 of 10, on paper."""
    found = measured(spec, "perfect", DRAWN)
    assert found.counts["draws"] == 10
    assert found.value == 0.5
    assert found.interval == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_exact_and_sampled_success_agree() -> None:
    exact, sampled = measured("exact"), measured("success:games=4000")
    assert exact.interval is None
    assert sampled.interval is not None
    low, high = sampled.interval
    assert exact.value is not None
    assert high is not None
    assert low < exact.value < high


def test_accuracy_has_a_part_for_each_class(tmp_path: Path) -> None:
    found = measured("accuracy:per_class=4", "perfect")
    assert found.value == 1.0
    assert (
        sum(part.counts["positions"] for part in found.parts.values()) == found.counts["positions"]
    )
    file = tmp_path / "positions.txt"
    generate_positions(2, geometry=SMALL).write(file)
    assert measured(f"accuracy:positions={file}", "perfect").counts["positions"] > 0


def test_what_perfect_play_reaches() -> None:
    assert perfect_success(SMALL) == 1.0
    assert perfect_success(DRAWN) == 0.5
    assert measured("success:games=2", geometry=DRAWN).facts["perfect_success_rate"] == 0.5


def test_a_board_that_is_too_hard_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PROBE_NODES", 100)
    assert perfect_success(Geometry(8, 7, 4)) is None
    perfect_success.cache_clear()


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    FakeLearner().checkpoint().save(tmp_path / "checkpoint")
    return tmp_path / "checkpoint"


@pytest.mark.usefixtures("fake")
def test_the_referee_can_be_sent_and_judges_by_all_measures(checkpoint: Path) -> None:
    measures = parse_measures(["quota:games=30", "success:games=20", "exact"])
    referee = pickle.loads(pickle.dumps(Referee("fake", SMALL, measures)))
    found = referee(checkpoint, 5)
    assert [each.name for each in found] == ["quota:games=30", "success:games=20", "exact"]
    assert [each.key for each in found] == ["win_rate", "success_rate", "exact_success_rate"]


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize("spec", ["quota:games=200", "success:games=200", "score:extend,games=200"])
def test_other_seeds_play_other_games(checkpoint: Path, spec: str) -> None:
    referee = Referee("fake", SMALL, parse_measures([spec]))
    (first,), (again,), (other,) = (referee(checkpoint, seed) for seed in (1, 1, 2))
    assert first.counts == again.counts != other.counts


@pytest.mark.usefixtures("fake")
def test_accuracy_in_a_run_always_rests_on_the_same_positions(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench._made.clear()
    made: list[int] = []
    real: Callable[..., object] = generate_positions

    def count(*arguments: object, **options: object) -> object:
        made.append(1)
        return real(*arguments, **options)

    monkeypatch.setattr(bench, "generate_positions", count)
    referee = Referee("fake", SMALL, parse_measures(["accuracy:per_class=3"]))
    assert referee(checkpoint, 1)[0].counts == referee(checkpoint, 2)[0].counts
    assert len(made) == 1


@pytest.mark.usefixtures("fake")
def test_games_are_sampled_where_not_all_can_be_walked(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ArenaError("too many ways")

    monkeypatch.setattr(bench, "exact_success", refuse)
    measure = "exact:objective=framework"
    (found,) = Referee("fake", SMALL, parse_measures([measure]))(checkpoint, 1)
    assert found.name == measure
    assert found.key == "success_rate"
    assert found.counts["games"] == 200
    assert found.opponent == "perfect:objective=framework"


def test_a_process_beside_measures_what_the_arena_measures(tmp_path: Path) -> None:
    board = {"columns": 4, "rows": 4, "connect": 3, "tuples": 6, "length": 4, "creation": "walk"}
    learner = make_learner(make_config("ntuple", {**board, "games": 500}))
    while learner.games_done < 500:
        learner.step()
    learner.checkpoint().save(tmp_path / "network")
    referee = Referee("ntuple", SMALL, parse_measures(["success:games=50", "exact"]))
    with EvaluationsBeside(referee) as beside:
        beside.submit(500, tmp_path / "network", 11)
        (found,) = beside.collect(120.0)
    player = make_agent(f"ntuple:{tmp_path / 'network'}", SMALL)
    success, exact = found.measurements
    assert success.value == success_rate(player, 50, seed=11).success_rate
    assert exact.value == exact_success(player).success_rate
