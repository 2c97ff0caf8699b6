"""Tables 2 and 3 of Faußer 2008: what was printed, settings, and what is told of what came out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from connectlab.cli.app import run
from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.experiment import Experiment
from connectlab.lab.papers.fausser import EXPERIMENTS
from connectlab.lab.papers.fausser_runs import NETWORKS, SIZES, all_cells, match_measure
from connectlab.lab.papers.fausser_table3 import PUBLISHED, meant
from connectlab.lab.papers.page import LONGEST_SUMMARY
from connectlab.lab.papers.results import CellResult, Found
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation

TABLE2, TABLE3 = EXPERIMENTS
FULL = SIZES["full"]


def judged(games: int, quota: float | None) -> Evaluation:
    """Return a judgement that found this quota; None for one that lost nothing."""
    interval = (200.0, None) if quota is None else (quota / 2, quota * 2)
    figures = (Figure("win_rate", 0.99), Figure("winning_quota", quota, interval))
    counts = {"games": 1000, "wins": 900, "draws": 60, "losses": 40}
    return Evaluation(games, (Measurement("quota", figures, counts=counts),))


def made_up(
    quotas: dict[int, float | None], won: dict[str, int] | None = None, **others: object
) -> CellResult:
    """Return a run with quotas by games, and games won of ten by measure."""
    final = [
        Measurement(
            measure,
            (Figure("score_rate", wins / 10),),
            counts={"games": 10, "wins": wins, "draws": 1, "losses": 9 - wins, "distinct_games": 3},
        )
        for measure, wins in (won or {}).items()
    ]
    data = {
        "games": max(quotas, default=0),
        "seconds": 2.0,
        "evaluations": [judged(*each).to_json() for each in quotas.items()],
        "final": [each.to_json() for each in final],
        **others,
    }
    return CellResult.now(data, 3.0)


def found(results: dict[TrainingCell, CellResult]) -> Found:
    return Found(all_cells(FULL), {cell.key: result for cell, result in results.items()})


def test_the_networks_have_the_settings_of_the_paper() -> None:
    cells = all_cells(FULL)
    assert [cell.config["seed"] for cell in cells] == [
        seed for seed in range(1, 6) for _ in "12345"
    ]
    settings = [
        (cell.config["hidden"], cell.config["eta"], cell.config["games"]) for cell in cells[:5]
    ]
    assert settings == [
        (40, "0.1->0.025:halving", 14_000_000),
        (60, "0.1->0.025:halving", 14_000_000),
        (100, "0.1->0.025:halving", 14_000_000),
        (120, "0.5->0.03125:halving", 6_000_000),
        (250, "0.5->0.0625:halving", 14_000_000),
    ]
    for cell in cells:
        common = [cell.config[key] for key in ("initial_weights", "gamma", "exploit")]
        assert common == [0.77, 0.97, 0.7]
        assert cell.measures == ("quota:games=500000",)
        assert cell.evaluation_every == 2_000_000


def test_only_the_fifth_network_meets_the_highest_level() -> None:
    measures = [cell.final for cell in all_cells(FULL)[:5]]
    assert [len(each) for each in measures] == [4, 4, 4, 4, 6]
    assert measures[4][-1] == 'score:"allis:level=c",games=500,sides=second'


def test_what_was_printed_is_typed_in() -> None:
    quotas = [row.quota for network in NETWORKS for row in network.rows]
    assert quotas == [146.00, 246.63, 317.66, 722.56, 1245.86, 1514.14, 5049.42]
    first, last = PUBLISHED[0], PUBLISHED[-1]
    assert first[2:] == ((92, 161), ("18.2 %", "11.4 %"), ("6.8 %", "3 %"))
    assert last == (5, "c", (11, 35), ("0 %", "0.002 %"), ("0 %", "0.004 %"))
    assert [(row.network, row.level) for row in PUBLISHED] == [
        (network.number, level) for network in NETWORKS for level in network.levels
    ]
    assert sum(row.distinct[1] for row in PUBLISHED) == 2479


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_nothing_computed_is_told_as_that(experiment) -> None:
    report = experiment.report(Found(experiment.cells(FULL), {}), FULL)
    assert {row.ours for row in report.compared} == {"not computed"}
    assert report.summary == "not computed"


def test_rows_on_the_way_are_taken_where_the_paper_has_them() -> None:
    cell = all_cells(FULL)[0]
    result = made_up({2_000_000: 100.0, 4_000_000: 1.0, 6_000_000: 200.0, 14_000_000: 300.0})
    report = TABLE2.report(found({cell: result}), FULL)
    assert [row.value for row in report.compared[:3]] == [100.0, 200.0, 300.0]
    assert report.compared[2].ours == "300 [150, 600] (one run)"
    assert report.summary == (
        "quotas of one run are 0.68 to 0.94 times the published quotas in 3 of 7 rows; too few "
        "runs to decide"
    )
    assert "does not rise" not in report.differences
    assert "Made so far: network 1 with seed 1." in report.settings


def test_a_median_is_told_where_there_are_several_runs() -> None:
    cells = [cell for cell in all_cells(FULL) if cell.config["hidden"] == 60]
    results = {cell: made_up({14_000_000: 722.56}) for cell in cells[:3]}
    assert TABLE2.report(found(results), FULL).summary.startswith(
        "medians of 3 runs are 1.00 to 1.00 times the published quotas in 1 of 7 rows; too few"
    )


def test_a_summary_of_quotas_counts_the_rows_that_agree() -> None:
    factors = {1: (0.2, 0.3, 0.4, 0.5, 0.6), 4: (0.9, 1.0, 1.1, 1.2, 1.3)}
    results = {
        cell: made_up({row.episodes: factor * row.quota for row in network.rows})
        for network in NETWORKS
        for cell, factor in zip(
            network.cells(FULL), factors.get(network.number, (0.5, 0.8, 1.5, 2.0, 3.0)), strict=True
        )
    }
    report = TABLE2.report(found(results), FULL)
    assert report.summary == (
        "medians of 5 runs are 0.40 to 1.50 times the published quotas; 4 of 7 rows agree"
    )
    assert report.verdict == "partly"
    assert len(report.summary) <= LONGEST_SUMMARY
    del results[NETWORKS[0].cells(FULL)[-1]]
    assert TABLE2.report(found(results), FULL).summary == (
        "medians of 4 to 5 runs are 0.35 to 1.50 times the published quotas; 4 of 4 rows agree"
    )


def test_rows_far_away_and_runs_that_fall_are_told_in_words() -> None:
    result = made_up({2_000_000: 161.0, 6_000_000: 29.0, 14_000_000: 155.0})
    told = TABLE2.report(found({all_cells(FULL)[0]: result}), FULL).differences
    assert (
        "Network 1 with seed 1 does not rise with its games as the paper's does: 161, 29, 155 "
        "after 2,000,000, 6,000,000, 14,000,000 games, against 146, 247, 318."
    ) in told
    assert "after 6,000,000 games has 29 where the paper's row of 6,000,000 has 247, 0.12 " in told
    assert "after 14,000,000 games has 155" in told
    assert "after 2,000,000 games has" not in told


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_seeds_and_an_unknown_version_are_told(experiment: Experiment) -> None:
    cell = all_cells(FULL)[0]
    made = made_up({14_000_000: 300.0})
    settings = experiment.report(found({cell: made}), FULL).settings
    assert "5 runs of each with seeds 1 to 5" in settings
    assert "unknown" not in settings
    other = replace(made, versions={"numpy": "2"})
    settings = experiment.report(found({cell: other}), FULL).settings
    assert "Which version of connectlab made them is unknown." in settings


def test_every_colour_of_the_quotas_has_its_name() -> None:
    result = made_up({2_000_000: 161.0, 14_000_000: 155.0})
    drawing = TABLE2.report(found({all_cells(FULL)[0]: result}), FULL).pictures[0].drawing
    legend = drawing.axes[0].get_legend()
    assert legend is not None
    named = [text.get_text() for text in legend.get_texts()]
    assert named == [
        "network 1 (h = 40), 1 run",
        *(f"{network.name} (h = {network.hidden}), published" for network in NETWORKS),
    ]


def test_runs_that_break_down_or_lose_nothing_have_their_place_in_the_median() -> None:
    second = [cell for cell in all_cells(FULL) if cell.config["hidden"] == 60]
    quotas = [None, 500.0, 700.0]
    results = {
        cell: made_up({14_000_000: quota}) for cell, quota in zip(second, quotas, strict=False)
    }
    row = TABLE2.report(found(results), FULL).compared[3]
    assert row.ours == "median 700 of 3 runs: nothing lost, 500, 700"
    lost = made_up({}, broke_down="the weights exploded by game 7")
    report = TABLE2.report(found({**results, second[3]: lost, second[4]: lost}), FULL)
    assert report.compared[3].ours == (
        "median 500 of 5 runs: nothing lost, 500, 700, broke down, broke down"
    )
    assert "2 runs stood still before the end" in report.differences
    assert "network 2 with seed 4" in report.differences


def test_matches_are_told_from_either_side_as_means_of_the_runs() -> None:
    size = replace(FULL, repeats=2)
    runs = NETWORKS[4].cells(size)
    first, second = (match_measure("a", side, size) for side in ("first", "second"))
    names = [measure.replace('"', "") for measure in (first, second)]
    results = {
        runs[0]: made_up({14_000_000: 1.0}, dict(zip(names, (9, 0), strict=True))),
        runs[1]: made_up({14_000_000: 1.0}, dict(zip(names, (4, 1), strict=True))),
    }
    there = Found(all_cells(size), {cell.key: result for cell, result in results.items()})
    rows = {row.what: row for row in TABLE3.report(there, size).compared}
    assert rows["network 5 v A, moving first"].value == pytest.approx(0.65)
    assert rows["network 5 v A, moving second"].value == pytest.approx(0.05)
    assert "3 different games (mean of 2 runs)" in rows["network 5 v A, moving first"].ours
    assert rows["network 5 v C, moving first"].ours == "not computed"


def test_levels_of_velena_look_ahead_less_far_by_an_unknown_number() -> None:
    told = " ".join(TABLE3.report(found({}), FULL).differences.split())
    assert "Levels A and B limit Velena's ability to look ahead" in told
    assert "does not tell by how much" in told


def test_a_summary_of_matches_names_networks_runs_and_levels() -> None:
    sides = [(level, side) for level in "ab" for side in ("first", "second")]
    names = [match_measure(*each, FULL).replace('"', "") for each in sides]
    result = made_up({14_000_000: 1.0}, dict(zip(names, (8, 2, 0, 1), strict=True)))
    summary = TABLE3.report(found({all_cells(FULL)[0]: result}), FULL).summary
    assert summary == (
        "won from both sides against allis, network by network: a 50.0, -, -, -, - %; b 5.0, -, -, "
        "-, - %; c - % (network 5) (1 run each)"
    )


def test_five_runs_decide_whether_a_published_quota_is_theirs() -> None:
    row = NETWORKS[1].rows[0]  # 722.56, of 500,000 games
    assert row.interval == pytest.approx((671, 778), abs=1)

    def verdict(*factors: float | None) -> str | None:
        """Return the verdict where all networks have runs at so many times the published quota."""
        results = {
            cell: made_up({row.episodes: factor and factor * row.quota for row in network.rows})
            for network in NETWORKS
            for cell, factor in zip(network.cells(FULL), factors, strict=False)
        }
        return TABLE2.report(found(results), FULL).verdict

    assert verdict(0.5, 0.8, 1.5, 2.0, 3.0) == "reproduced"
    assert verdict(0.5, 0.6, 0.7, 0.7, 0.6) == "differs"
    assert verdict(0.5, 0.6, 0.7, 0.7, None) == "reproduced"  # one that lost nothing is above it
    assert verdict(0.5, 0.6, 1.5, 1.5) == "not decided"  # four runs are too few
    assert TABLE3.report(found({}), FULL).verdict == "not decided"  # allis is not Velena


def test_the_names_of_the_lines_stand_beside_the_plot() -> None:
    result = made_up({2_000_000: 161.0, 14_000_000: 155.0})
    drawing = TABLE2.report(found({all_cells(FULL)[0]: result}), FULL).pictures[0].drawing
    FigureCanvasAgg(drawing).draw()
    axes = drawing.axes[0]
    legend = axes.get_legend()
    assert legend is not None
    assert not legend.get_window_extent().overlaps(axes.get_window_extent())


def test_shares_printed_as_percentages_are_drawn_as_what_they_mean() -> None:
    assert [meant(each) for each in ("0.002 %", "0.004 %", "0.2 %", "0 %", "89.6 %")] == (
        pytest.approx([0.2, 0.4, 0.2, 0.0, 89.6])
    )
    assert TABLE3.published == (
        "won from both sides against Velena: network 1 14.8 % v A, 8.4 % v B; "
        "network 5 68.1 % v A, 64.0 % v B, 0.1 % v C"
    )
    drawing = TABLE3.report(found({}), FULL).pictures[0].drawing
    published = drawing.axes[1].containers[0]
    assert [bar.get_height() for bar in published][-1] == pytest.approx(0.2)
    assert "0.2" in [text.get_text() for text in drawing.axes[1].texts]


@pytest.mark.slow
def test_a_miniature_writes_page_data_and_pictures(tmp_path: Path) -> None:
    names = [each.name for each in EXPERIMENTS]
    options = ["--scale", "mini", "--workers", "1", "--out", str(tmp_path)]
    assert run(["reproduce", *names, *options, "--cells", str(tmp_path / "cells")]) == 0
    for name, picture in zip(names, ("quotas.png", "won.png"), strict=True):
        folder = tmp_path / name / "mini"
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
        document = json.loads((folder / "report.json").read_text())
        assert document["missing"] == 0
        assert "not computed" not in {row["ours"] for row in document["compared"]}
        assert picture in (folder / "README.md").read_text()
