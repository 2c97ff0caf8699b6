"""Runs side by side: means, spreads and games to a level, on numbers added up by hand."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import stdev

import pytest

from connectlab.lab.compare import compare
from connectlab.lab.compare_plot import draw_comparison, save_plot
from connectlab.lab.onset import Onset
from connectlab.lab.plans import Plan, Vary
from connectlab.lab.statistics import Spread
from connectlab.training.folder import RunFolder, RunRecord
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation, MetricsLog, ProgressRow, RunError
from fake_learner import FakeConfig, measurement

pytestmark = pytest.mark.usefixtures("fake")


def write(
    path: Path,
    rates: list[float],
    *,
    seed: int = 1,
    seconds: float = 2.0,
    possible: float = 1.0,
    **other: int,
) -> Path:
    """Write a run that was judged every 100 games."""
    config = FakeConfig(seed=seed, **{"games": 400, **other})
    with RunFolder.create(path, RunRecord.make(config)) as folder:
        log = MetricsLog(folder.metrics)
        for number, rate in enumerate(rates, start=1):
            at = seconds * number / len(rates)
            log.add(ProgressRow(100 * number, at, 50.0, {"loss": 1.0}))
            found = replace(measurement(rate), facts={"perfect_success_rate": possible})
            log.add(Evaluation(100 * number, (found,), at))
    return path


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    return [
        write(tmp_path / "a", [0.5, 0.85, 0.95, 0.7], seed=1, seconds=2.0),
        write(tmp_path / "b", [0.25, 0.5, 0.8, 0.9], seed=2, seconds=4.0),
        write(tmp_path / "c", [0.0, 0.25, 0.5, 0.75], seed=3, seconds=8.0),
    ]


def test_figures_of_a_group(runs: list[Path]) -> None:
    found = compare(runs)
    (group,) = found.groups
    assert found.key == "success_rate"
    assert found.opponent == "perfect"
    last, best = group.spread("last"), group.spread("best")
    assert last is not None
    assert best is not None
    assert (last.lowest, last.highest) == (0.7, 0.9)
    assert last.mean == pytest.approx((0.7 + 0.9 + 0.75) / 3)
    assert last.standard_deviation == pytest.approx(stdev([0.7, 0.9, 0.75]))
    assert (best.lowest, best.highest) == (0.75, 0.95)
    speed = group.spread("games_per_second")
    assert speed is not None
    assert speed.mean == pytest.approx((200 + 100 + 50) / 3)


def test_games_to_a_level_count_the_first_evaluation_that_reaches_it(runs: list[Path]) -> None:
    (group,) = compare(runs).groups
    assert [curve.games_to(0.8) for curve in group.curves] == [200, 300, None]
    assert [curve.games_to(0.9) for curve in group.curves] == [300, 400, None]
    found = group.games_to(0.8)
    assert found is not None
    assert (found.median, found.reached, found.runs) == (300, 2, 3)  # one takes longer than 400
    none = group.games_to(0.99)
    assert none is not None
    assert (none.median, none.reached, none.runs) == (None, 0, 3)


def test_the_mean_of_the_runs_late_and_where_it_reaches_a_level(runs: list[Path]) -> None:
    (group,) = compare(runs).groups
    late = group.mean_between(300, 400)
    assert late is not None
    assert late.mean == pytest.approx((0.75 + 2.35 / 3) / 2)
    assert group.mean_between(500, 600) is None
    assert group.onset(0.7) == Onset(300, None)  # of three runs no interval is told
    assert group.onset(0.9) == Onset(None, None)


def test_the_mean_curve(runs: list[Path]) -> None:
    (group,) = compare(runs).groups
    games, mean, spread = group.mean_curve()
    assert games.tolist() == [100, 200, 300, 400]
    assert mean.tolist() == pytest.approx([0.25, 1.6 / 3, 0.75, 2.35 / 3])
    assert spread[0] == pytest.approx(0.25)


def test_curves_of_other_lengths_meet_where_all_were_judged(tmp_path: Path) -> None:
    write(tmp_path / "many" / "a", [0.0, 1.0])
    write(tmp_path / "many" / "b", [1.0, 1.0, 1.0], seed=2)
    (group,) = compare([tmp_path / "many"]).groups
    games, mean, _ = group.mean_curve()
    assert games.tolist() == [100, 200]
    assert mean.tolist() == [0.5, 1.0]


def test_runs_that_differ_in_more_than_seeds_are_groups_of_their_own(
    runs: list[Path], tmp_path: Path
) -> None:
    other = write(tmp_path / "other", [0.5, 0.5, 0.5, 0.5], step_games=2)
    found = compare([*runs, other])
    assert [(group.name, len(group.curves)) for group in found.groups] == [
        ("step_games=1", 3),
        ("step_games=2", 1),
    ]


def test_unlike_runs_of_a_folder_are_not_averaged(tmp_path: Path) -> None:
    write(tmp_path / "a", [0.5])
    write(tmp_path / "b", [0.7], seed=2)
    assert [group.name for group in compare([tmp_path]).groups] == [str(tmp_path)]
    write(tmp_path / "c", [0.9], games=800)
    write(tmp_path / "d", [1.0], columns=5, rows=4)
    groups = {
        group.name: [curve.path.name for curve in group.curves]
        for group in compare([tmp_path]).groups
    }
    assert groups == {
        "7x6 connect-4 games=400": ["a", "b"],
        "7x6 connect-4 games=800": ["c"],
        "5x4 connect-4 games=400": ["d"],
    }


def test_a_run_that_was_not_measured_never_fails_a_level(runs: list[Path], tmp_path: Path) -> None:
    quiet = write(tmp_path / "quiet", [], seed=4)
    (group,) = compare([*runs, quiet]).groups
    found = group.games_to(0.8)
    assert found is not None
    assert (found.reached, found.runs) == (2, 3)
    assert group.to_json()["not_measured"] == 1
    assert compare([quiet]).groups[0].levels == ()


def test_levels_are_shares_of_what_perfect_play_reaches(tmp_path: Path) -> None:
    drawn = write(tmp_path / "drawn", [0.25, 0.4, 0.5], possible=0.5)
    lost = write(tmp_path / "lost", [0.0, 0.0], possible=0.0)
    (group,) = compare([drawn]).groups
    assert [group.curves[0].games_to(level) for level in (0.8, 0.9)] == [200, 300]
    assert compare([lost]).levels == ()


def test_a_plan_has_a_group_for_each_combination(tmp_path: Path) -> None:
    plan = Plan(
        learner="fake",
        preset=None,
        config=FakeConfig().plain(),
        threads=1,
        measures=[],
        evaluation_every=None,
        repeat=2,
        vary=[Vary(name="step_games", values=("1", "2")), Vary(name="seed")],
    )
    plan.save(tmp_path)
    for number in (1, 2, 3):  # the fourth was not begun
        write(tmp_path / f"run-{number}", [0.1 * number])
    groups = {group.name: len(group.curves) for group in compare([tmp_path]).groups}
    assert groups == {"step_games=1": 2, "step_games=2": 1}


def test_the_document_is_plain_data(runs: list[Path]) -> None:
    document = json.loads(json.dumps(compare(runs).to_json(), allow_nan=False))
    (group,) = document["groups"]
    assert group["games_to"]["0.8"]["reached"] == 2
    assert group["runs"][0]["games_to"] == {"0.8": 200, "0.9": 300}
    names = {"mean", "mean_interval", "standard_deviation", "lowest", "highest", "n"}
    assert group["last"].keys() == {*names, "interquartile_mean"}
    assert group["curve"]["games"] == [100, 200, 300, 400]
    assert "mean_low" not in group["curve"]  # of three runs no interval is told


def test_five_runs_have_a_band_around_their_mean(tmp_path: Path) -> None:
    many = [write(tmp_path / str(n), [0.1 * n, 0.5], seed=n) for n in range(1, 6)]
    (group,) = compare(many).to_json()["groups"]
    curve = group["curve"]
    assert curve["mean_low"][0] < curve["mean"][0] < curve["mean_high"][0]
    assert curve["mean_low"][1] == curve["mean_high"][1] == 0.5


def test_a_picture_is_drawn(runs: list[Path], tmp_path: Path) -> None:
    save_plot(compare(runs), tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    save_plot(compare([write(tmp_path / "quiet", [])]), tmp_path / "empty.png")
    assert (tmp_path / "empty.png").exists()


def test_bands_of_rates_end_at_0_and_1(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", [0.0, 0.9]), write(tmp_path / "b", [0.2, 1.0], seed=2)]
    paths.append(write(tmp_path / "c", [0.0, 1.0], seed=3))
    _, mean, spread = compare(paths).groups[0].mean_curve()
    assert mean[0] - spread[0] < 0
    assert mean[1] + spread[1] > 1
    (axes,) = draw_comparison(compare(paths)).axes
    heights = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (0, 1)


def test_single_runs_are_drawn_beside_two_means_at_most(runs: list[Path], tmp_path: Path) -> None:
    games = [write(tmp_path / f"other-{n}", [0.5, 0.5], games=500 + n) for n in (1, 2)]
    (two,) = draw_comparison(compare([*runs, games[0]])).axes
    (three,) = draw_comparison(compare([*runs, *games])).axes
    assert len(two.lines) == 3 + 1 + 1
    assert len(three.lines) == 3


def test_the_picture_names_the_board_and_what_its_lines_are(runs: list[Path]) -> None:
    (many,) = draw_comparison(compare(runs)).axes
    (one,) = draw_comparison(compare(runs[:1])).axes
    title = many.get_title(loc="left")
    assert title == "7x6 connect-4, mean of the runs and one standard deviation"
    assert one.get_title(loc="left") == "7x6 connect-4"
    assert not one.collections


def test_another_figure_can_be_compared(tmp_path: Path) -> None:
    figures = (Figure("win_rate", 0.5, (0.4, 0.6)), Figure("winning_quota", 3.0, (2.0, None)))
    for name, measurements in (
        ("a", (Measurement("quota", figures, "random"), measurement(0.25))),
        ("b", (measurement(0.75),)),
    ):
        with RunFolder.create(tmp_path / name, RunRecord.make(FakeConfig())) as folder:
            MetricsLog(folder.metrics).add(Evaluation(5, measurements))
    both = [tmp_path / "a", tmp_path / "b"]
    with pytest.raises(RunError, match="--key win_rate or success_rate"):
        compare(both)
    found = compare(both, "success_rate")
    assert [curve.last for curve in found.groups[0].curves] == [0.25, 0.75]
    quota = compare([tmp_path / "a"], "winning_quota")
    assert quota.groups[0].curves[0].last == 3.0
    assert quota.levels == ()
    with pytest.raises(RunError, match="has no figure 'succes': choose from success_rate"):
        compare(both, "succes")


def test_a_quota_without_losses_counts_as_what_is_surely_reached(tmp_path: Path) -> None:
    figures = (Figure("winning_quota", None, (25.0, None)),)
    with RunFolder.create(tmp_path / "a", RunRecord.make(FakeConfig())) as folder:
        MetricsLog(folder.metrics).add(Evaluation(5, (Measurement("quota", figures, "random"),)))
    assert compare([tmp_path / "a"]).groups[0].curves[0].best == 25.0


def test_a_run_named_twice_is_one_run(runs: list[Path], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(runs[0])
    found = compare([runs[1] / ".." / "a", *runs, tmp_path / "link"])
    assert sum(len(group.curves) for group in found.groups) == len(runs)


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        compare([tmp_path])
    with pytest.raises(RunError, match="holds no run"):
        compare([tmp_path / "nowhere"])


def test_the_spread_of_one_and_of_none() -> None:
    assert Spread.of([]) is None
    assert Spread.of([0.5]) == Spread(0.5, 0.0, 0.5, 0.5, 0.5)
