"""The tables and figures of Dangel 2021: what was printed, settings, and what is told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from connectlab.agents.registry import config_class
from connectlab.arena.statistics import fisher_exact, wilson
from connectlab.cli.app import run
from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.dangel import EXPERIMENTS
from connectlab.lab.papers.dangel_figures import smoothed
from connectlab.lab.papers.dangel_invalid import ALLOWED, INVALID, RUNS
from connectlab.lab.papers.dangel_plot import Point, draw_points
from connectlab.lab.papers.dangel_runs import SIZES
from connectlab.lab.papers.dangel_tables import BUG, DEFAULT, STREAK
from connectlab.lab.papers.experiment import Experiment
from connectlab.lab.papers.page import LONGEST_SUMMARY
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.results import CellResult, Found
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import write_report
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation

BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}
FULL = SIZES["full"]


def cells(name: str) -> tuple[TrainingCell, ...]:
    found = BY_NAME[name].cells(FULL)
    assert all(isinstance(cell, TrainingCell) for cell in found)
    return found  # type: ignore[return-value]


def final(wins: int, opponent: str, forfeits: int = 0) -> dict[str, object]:
    """Return a thousand games, of which so many were won."""
    counts = {"games": 1000, "wins": wins, "draws": 0, "losses": 1000 - wins}
    counts |= {"distinct_games": 900, "forfeits": forfeits}
    figure = Figure("score_rate", wins / 1000)
    return Measurement(f"score:{opponent},games=1000", (figure,), opponent, counts).to_json()


def made_up(random: int, negamax: int, **others: object) -> CellResult:
    """Return a run that won so many of a thousand games at its end."""
    measured = [final(random, "random"), final(negamax, "negamax")]
    data = {"games": 20_000, "seconds": 9.0, "evaluations": [], "final": measured, **others}
    return CellResult.now(data, 10.0)


def found(name: str, *results: CellResult) -> Found:
    pairs = zip(cells(name), results, strict=False)
    return Found(cells(name), {cell.key: result for cell, result in pairs})


def test_runs_are_the_presets_on_one_core() -> None:
    config = config_class("dqn")
    rows = [*DEFAULT, *STREAK, *RUNS, *BUG]
    assert len({row.preset for row in rows}) == 18
    for row in rows:
        cell = row.cell(FULL)
        wanted = config(**{**config.presets[row.preset].settings, "seed": 1, "device": "cpu"})
        assert cell.config == wanted.plain(), row.preset
        assert (cell.config["games"], cell.config["switch_every"]) == (20_000, 1_000)
        assert cell.evaluation_every == 500
        assert cell.measures == ("quota:games=100",)
        assert cell.final == ("score:random,games=1000", "score:negamax,games=1000")


def test_a_shorter_run_is_a_miniature() -> None:
    config = DEFAULT[0].cell(SIZES["quick"]).config
    shown = {key: config[key] for key in ("games", "switch_every", "epsilon_games", "replay")}
    assert shown == {"games": 500, "switch_every": 25, "epsilon_games": 37, "replay": 500}


def test_what_was_printed_is_typed_in() -> None:
    assert [(row.random, row.negamax) for row in DEFAULT] == [
        (97, 1), (96, 2), (92, 3), (94, 7), (95, 2), (86, 3), (86, 0),
    ]  # fmt: skip
    assert [(row.random, row.negamax) for row in STREAK] == [
        (98, 7), (97, 7), (98, 4), (96, 9), (91, 8), (78, 6), (58, 2),
    ]  # fmt: skip
    assert [(row.random, row.negamax) for row in RUNS] == [(69, 6), (74, 5)]
    assert [(row.random, row.negamax) for row in ALLOWED] == [(59, 0), (65, 0)]
    assert [(row.random, row.negamax) for row in BUG] == [(93, 3), (90, 4)]
    assert list(INVALID.values()) == [11, 1, 9, 6]


def test_tables_and_figures_share_their_runs() -> None:
    assert cells("dangel-table5") == cells("dangel-table6")
    assert {cell.also_as for cell in cells("dangel-table5")} == {("invalid=allow",)}
    drawn = {cell.key for cell in cells("dangel-fig4")}
    rows = {cell.key for number in (3, 4, 7) for cell in cells(f"dangel-table{number}")}
    assert {cell.key for cell in cells("dangel-fig3")} < drawn < rows


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_nothing_computed_is_told_as_that(experiment: Experiment) -> None:
    report = experiment.report(Found(experiment.cells(FULL), {}), FULL)
    assert {row.ours for row in report.compared} == {"not computed"}
    assert report.summary == "not computed"


def test_a_percentage_that_differs_is_named() -> None:
    right = BY_NAME["dangel-table3"].report(found("dangel-table3", made_up(970, 10)), FULL)
    assert right.summary == (
        "2 of 2 published percentages cannot be told from ours at p < 0.05 (Fisher's exact test)"
    )
    assert right.compared[0].ours == "97.0 % [95.7, 97.9] of 1,000"
    wrong = BY_NAME["dangel-table3"].report(found("dangel-table3", made_up(700, 10)), FULL)
    assert "discount 0.4 against random (97 % there, 70.0 % here, p < 0.001)" in wrong.differences
    assert wrong.compared[0].value == pytest.approx(0.7)


def test_fishers_test_tells_percentages_apart_whose_intervals_overlap() -> None:
    # Of the 20 ways to choose three of six, two are as unlike as this.
    assert fisher_exact((3, 3), (0, 3)) == pytest.approx(2 / 20)
    theirs, ours = wilson(92, 100), wilson(967, 1000)
    assert theirs.high > ours.low
    runs = made_up(970, 10), made_up(960, 20), made_up(967, 44)
    told = BY_NAME["dangel-table3"].report(found("dangel-table3", *runs), FULL)
    assert told.summary.startswith("5 of 6 published percentages")
    assert "discount 0.6 against random (92 % there, 96.7 % here, p = 0.0267)" in told.differences
    assert "Fisher's exact test" in told.differences


def test_both_ways_to_play_a_run_are_told_apart() -> None:
    allowed = {"invalid=allow": [final(590, "random", 46), final(0, "negamax", 39)]}
    there = found("dangel-table5", made_up(690, 60, final_as=allowed))
    won = {row.what: row.value for row in BY_NAME["dangel-table5"].report(there, FULL).compared}
    assert won["default rewards, full columns forbidden, against random"] == pytest.approx(0.69)
    assert won["default rewards, full columns allowed, against random"] == pytest.approx(0.59)
    report = BY_NAME["dangel-table6"].report(there, FULL)
    assert report.compared[0].ours == "4.6 [3.5, 6.1] (46 in 1,000)"
    assert report.compared[1].value == pytest.approx(3.9)
    assert "(Fisher's exact test); apart: default rewards against random (11 there, " in (
        report.differences
    )
    assert "3.9 to 4.6 of 100 games end in a full column, fewer than published in 1 of 2" in (
        report.differences
    )


def test_a_row_that_differs_says_whether_full_columns_were_allowed() -> None:
    allowed = {"invalid=allow": [final(590, "random"), final(0, "negamax")]}
    there = found("dangel-table5", made_up(690, 19, final_as=allowed))
    report = BY_NAME["dangel-table5"].report(there, FULL)
    assert report.differences.startswith(
        "3 of 4 published percentages cannot be told from ours at p < 0.05 (Fisher's exact test); "
        "apart: default rewards, full columns forbidden against negamax "
        "(6 % there, 1.9 % here, p = 0.0206)"
    )
    assert report.summary == (
        "3 of 4 published percentages cannot be told from ours at p < 0.05 (Fisher's exact test)"
    )


def test_a_verdict_counts_the_percentages_that_agree() -> None:
    def verdict(*wins: tuple[int, int]) -> str | None:
        there = found("dangel-table7", *(made_up(*each) for each in wins))
        return BY_NAME["dangel-table7"].report(there, FULL).verdict

    assert verdict((930, 30), (900, 40)) == "reproduced"
    assert verdict((930, 30), (500, 400)) == "partly"
    assert verdict((500, 30), (500, 400)) == "differs"
    assert verdict((930, 30)) == "reproduced"  # two of four are enough
    assert verdict() == "not decided"


def test_a_table_of_many_differences_fits_into_a_line_of_the_index() -> None:
    for number in (3, 4, 5, 6, 7):
        name = f"dangel-table{number}"
        allowed = {"invalid=allow": [final(300, "random", 700), final(300, "negamax", 700)]}
        results = [made_up(300, 300, final_as=allowed) for _ in cells(name)]
        report = BY_NAME[name].report(found(name, *results), FULL)
        assert "apart: " in report.differences
        assert len(report.summary) <= LONGEST_SUMMARY
        assert report.verdict == "differs"


def test_each_table_of_discounts_tells_its_own_conclusion() -> None:
    wins = [(980, 70)] * 5 + [(700, 50)] * 2
    told = {
        number: BY_NAME[f"dangel-table{number}"]
        .report(found(f"dangel-table{number}", *(made_up(*each) for each in wins)), FULL)
        .differences
        for number in (3, 4)
    }
    assert "It finds 0.7 best against negamax" in told[3]
    assert "0.7 best" not in told[4]
    assert (
        "discounts up to 0.8 win 98 % against random in the mean, and those above 70 %; against "
        "negamax 7 % and 5 %."
    ) in told[4]


def test_what_is_drawn_is_what_was_counted() -> None:
    points = [Point("a", "random", 50, (400, 1000)), Point("b", "random", 20, None)]
    axes = draw_points(points, "won", "title").axes[0]
    published, ours = (each.lines[0] for each in axes.containers[:2])
    assert list(published.get_ydata()) == [50, 20]
    assert list(ours.get_ydata()) == [40]
    ((low, high),) = [segment[:, 1] for segment in axes.containers[1].lines[2][0].get_segments()]
    assert (low, high) == pytest.approx((37.0, 43.1), abs=0.05)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["a", "b"]


def test_an_unknown_version_is_told() -> None:
    made = made_up(970, 10)
    known = BY_NAME["dangel-table7"].report(found("dangel-table7", made, made), FULL)
    assert "unknown" not in known.settings
    other = replace(made, versions={"torch": "2"})
    told = BY_NAME["dangel-table7"].report(found("dangel-table7", made, other), FULL)
    assert "Which version of connectlab made 1 of 2 cells is unknown." in told.settings


def test_the_lead_of_streak_rewards_follows_the_curves() -> None:
    def curve(rate: float) -> list[dict[str, object]]:
        rows = [Evaluation(at, (Measurement("quota", (Figure("win_rate", rate - (at < 6000)),)),))
                for at in range(500, 20_001, 500)]  # fmt: skip
        return [row.to_json() for row in rows]

    runs = [made_up(1, 1, evaluations=curve(rate)) for rate in (0.90, 0.95, 0.80, 0.78)]
    report = BY_NAME["dangel-fig4"].report(found("dangel-fig4", *runs), FULL)
    assert report.compared[2].ours == "90 % at 6,000 games"
    # The early quarter up to 5,500 games is one lower: 1 of 30 judgements of the last three.
    assert report.compared[0].value == pytest.approx(0.05)
    assert "+5.0 points, -2.0 points with the bug" in report.summary
    # 90 and 95 % of 3,000 games are told apart, 80 and 78 are not: one of two is decided.
    assert report.verdict == "reproduced"
    assert "The verdict counts these two leads, and not the four peaks." in report.differences


def test_a_lead_is_the_difference_of_what_is_printed() -> None:
    def curve(rate: float) -> list[dict[str, object]]:
        row = Evaluation(20_000, (Measurement("quota", (Figure("win_rate", rate),)),))
        return [row.to_json()]

    runs = [made_up(1, 1, evaluations=curve(rate)) for rate in (0.9384, 0.9576, 0.8, 0.8)]
    report = BY_NAME["dangel-fig4"].report(found("dangel-fig4", *runs), FULL)
    assert report.compared[0].ours == "95.8 % against 93.8 %"
    assert "+2.0 points, 0.0 points with the bug" in report.summary


def test_rewards_that_fall_are_counted() -> None:
    steady = {"reward": [[500 * n, n] for n in range(1, 41)]}
    rough = {"reward": [[500 * n, n % 2] for n in range(1, 41)]}
    runs = made_up(1, 1, kept=steady), made_up(1, 1, kept=rough)
    report = BY_NAME["dangel-fig3"].report(found("dangel-fig3", *runs), FULL)
    assert [row.ours for row in report.compared] == ["0 of 39 steps", "20 of 39 steps"]
    assert "more often, as published" in report.summary
    same = BY_NAME["dangel-fig3"].report(found("dangel-fig3", runs[1], runs[1]), FULL)
    assert "too near to tell" in same.summary
    assert (report.verdict, same.verdict) == ("reproduced", "not decided")


def test_smoothing_is_that_of_the_figure() -> None:
    assert smoothed([(0, 1.0), (1, 0.0), (2, 0.0)]) == pytest.approx([1.0, 0.8, 0.64])


def test_results_from_elsewhere_are_told_on_the_page(tmp_path: Path) -> None:
    each = Reproduction(BY_NAME["dangel-table7"], "full", CellStore(tmp_path / "cells"))
    made = made_up(900, 30)
    taken = CellResult.of({**made.to_json(), "source": "made by a script."})
    for cell, result in zip(each.cells, (taken, made), strict=True):
        each.store.save(cell, result)
    page, _ = write_report(tmp_path, each)
    assert "Of these, 1 cell were taken over: made by a script." in page.read_text()
    document = json.loads((page.parent / "report.json").read_text())
    assert document["sources"] == ["made by a script."]


@pytest.mark.slow
def test_a_miniature_writes_page_data_and_pictures(tmp_path: Path) -> None:
    names = ["dangel-table5", "dangel-table6", "dangel-table7", "dangel-fig3", "dangel-fig4"]
    options = ["--scale", "mini", "--workers", "1", "--out", str(tmp_path)]
    assert run(["reproduce", *names, *options, "--cells", str(tmp_path / "cells")]) == 0
    for name in names:
        document = json.loads((tmp_path / name / "mini" / "report.json").read_text())
        assert document["missing"] == 0
        assert "not computed" not in {row["ours"] for row in document["compared"]}
    pictures = ("wins.png", "invalid.png", "wins.png", "reward.png", "wins.png")
    for name, picture in zip(names, pictures, strict=True):
        assert (tmp_path / name / "mini" / picture).read_bytes().startswith(b"\x89PNG")
