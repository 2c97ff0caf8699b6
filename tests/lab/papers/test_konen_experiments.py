"""The poster of Konen 2015: its settings, what the reports say, and what the kernels draw."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from made_up_runs import Success, made_up, report_on

from connectlab.agents.ntuple.config import Rule
from connectlab.cli.app import run
from connectlab.lab.papers.cells import TrainingCell, training_cell
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.konen_eligibility import follow
from connectlab.lab.papers.konen_lambda import LAMBDAS
from connectlab.lab.papers.konen_runs import SIZES
from connectlab.lab.papers.konen_traces import trace_lines
from connectlab.lab.papers.konen_transfer import transfer
from connectlab.lab.papers.lines import curve_of
from connectlab.lab.papers.page import Report
from connectlab.lab.papers.registry import find_experiments
from connectlab.lab.papers.results import CellResult, Found, Trained
from connectlab.training.run import Stop

NAMES = ("konen-traces", "konen-lambda", "konen-transfer", "konen-eligibility", "konen-rules")
CURVES = ("konen-traces", "konen-lambda", "konen-rules")
FULL = SIZES["full"]
COARSE = replace(FULL, points=20)
"""As many games and runs, judged less often: quick to make up."""


class Never:
    """Nobody asks to stop."""

    def is_set(self) -> bool:
        return False


def cells_of(name: str, size: Size = FULL) -> list[TrainingCell]:
    (experiment,) = find_experiments([name])
    return [cell for cell in experiment.cells(size) if isinstance(cell, TrainingCell)]


def fake_report(name: str, success: Success, *, runs: int = 10) -> Report:
    """Return what an experiment would say of such runs, if so many of each line were there."""
    return report_on(name, COARSE, success, runs=runs)


# Settings


def test_every_run_has_the_settings_of_the_poster() -> None:
    common = {
        "tuples": 70,
        "length": 8,
        "creation": "path",
        "states": 4,
        "tables": 2,
        "epsilon": "0.1",
        "gamma": 1.0,
        "initial_weights": 0.0005,
        "games": 2_000_000,
        "updates": "konen",
    }
    for name in CURVES:
        for cell in cells_of(name):
            assert {key: cell.config[key] for key in common} == common
            assert cell.measures == ("success:games=200,objective=framework",)
            assert cell.evaluation_every == 20_000
            assert cell.config["seed"] == cell.config["tuple_seed"]


def haste_of(cell: TrainingCell) -> float:
    return float(str(cell.config.get("haste", 0)))


def test_three_learners_have_four_kinds_of_traces() -> None:
    every = cells_of("konen-traces")
    traced = [cell for cell in every if cell.config["trace_lambda"]]
    cells = [cell for cell in traced if not haste_of(cell)]
    assert (len(every), len(traced), len(cells)) == (17 * 10, 15 * 10, 12 * 10)
    assert {cell.config["trace_lambda"] for cell in traced} == {0.8}
    without = {cell.config["rule"] for cell in every if cell not in traced}
    assert without == {"fixed", "tcl-exp"}
    found = {
        (cell.config["rule"], cell.config["alpha"], cell.config["traces"], cell.config["beta"])
        for cell in cells
    }
    alphas = {"fixed": "0.004->0.002", "tcl": "0.1", "tcl-exp": "0.05"}
    kinds = ("et", "res", "rep", "rr")
    assert found == {(rule, alpha, kind, 2.7) for rule, alpha in alphas.items() for kind in kinds}


def test_lambda_goes_from_none_to_beyond_the_break_down() -> None:
    found = {
        (cell.config["traces"], cell.config["trace_lambda"], haste_of(cell))
        for cell in cells_of("konen-lambda")
    }
    ours = {(kind, value, 0) for kind in ("et", "rr") for value in LAMBDAS}
    assert found == ours | {(k, v, 0.01) for k in ("et", "rr") for v in (0.8, 0.9, 0.95)}
    assert (LAMBDAS[0], LAMBDAS[-1]) == (0, 0.95)
    assert {cell.config["rule"] for cell in cells_of("konen-lambda")} == {"tcl-exp"}


def test_every_rule_of_the_learner_is_compared() -> None:
    cells = cells_of("konen-rules")
    assert {cell.config["rule"] for cell in cells} == set(get_args(Rule))
    assert {(cell.config["trace_lambda"], cell.config["traces"]) for cell in cells} == {(0.8, "rr")}
    idbd = next(cell for cell in cells if cell.config["rule"] == "idbd")
    assert float(str(idbd.config["alpha"])) == pytest.approx(math.exp(-5))
    assert idbd.config["theta"] == 3
    assert {haste_of(cell) for cell in cells} == {0.01}


def test_what_experiments_have_in_common_is_computed_once() -> None:
    traces, rules, lambdas = (
        {cell.key for cell in cells_of(name)}
        for name in ("konen-traces", "konen-rules", "konen-lambda")
    )
    assert len(traces & rules) == 3 * 10  # fixed, tcl and tcl-exp with [rr], framework's rewards
    # tcl-exp at lambda 0.8: [et], [rr], and rewarded [rr]; and at lambda 0
    assert len(traces & lambdas) == 4 * 10


def test_the_first_runs_of_all_lines_come_first() -> None:
    assert [cell.config["seed"] for cell in cells_of("konen-traces")[:18]] == [1] * 17 + [2]


# Reports


@pytest.mark.parametrize("name", CURVES)
def test_a_report_copes_with_nothing_computed(name: str) -> None:
    (experiment,) = find_experiments([name])
    report = experiment.report(Found(experiment.cells(FULL), {}), FULL)
    assert report.compared
    assert all("not computed" in each.ours for each in report.compared)
    assert report.summary == "not computed"


def test_traces_that_break_down_are_told() -> None:
    def breaks(cell: TrainingCell, share: float) -> float:
        long = float(str(cell.config["trace_lambda"])) >= 0.9
        return 0.1 if long and cell.config["traces"] == "et" else min(0.9, share * 3)

    report = fake_report("konen-lambda", breaks)
    assert report.summary == (
        "breaks down: [et] at 0.9, 0.95; [rr] nowhere; framework's rewards: [et] at 0.9, 0.95, "
        "[rr] nowhere; in 10 runs of each"
    )
    published = {each.what: (each.published, each.value) for each in report.compared}
    assert published["[et], late mean at lambda 0.9"] == ("breaks down", pytest.approx(0.1))
    assert published["[et], late mean at lambda 0.8"][0] != "breaks down"
    calm = fake_report("konen-lambda", lambda cell, share: min(0.9, share * 3))
    assert calm.summary.startswith("breaks down: [et] nowhere; [rr] nowhere; framework's")
    assert "not computed" not in calm.summary


def test_rewards_of_the_framework_are_told_apart_and_half_of_the_verdict() -> None:
    def breaks(cell: TrainingCell, share: float) -> float:
        long = float(str(cell.config["trace_lambda"])) >= 0.9
        et = cell.config["traces"] == "et"
        return 0.1 if long and et and haste_of(cell) else min(0.9, share * 3)

    report = fake_report("konen-lambda", breaks)
    assert report.summary == (
        "breaks down: [et] nowhere; [rr] nowhere; framework's rewards: [et] at 0.9, 0.95, [rr] "
        "nowhere; in 10 runs of each"
    )
    assert report.verdict == "partly"  # two of four
    tried = "TCL-EXP [et], framework's rewards, tried at lambda 0.8, 0.9 and 0.95"
    told = f"{tried}: breaks down at lambda"
    assert f"{told} 0.9, 0.95; late means 0.900 (0.900), 0.100 (0.900)" in report.differences
    assert (
        "TCL-EXP [rr], framework's rewards, tried at lambda 0.8, 0.9 and 0.95: breaks down no"
        in (report.differences)
    )
    nowhere = fake_report("konen-lambda", lambda cell, share: 0.1 if haste_of(cell) else 0.9)
    assert f"{told} 0.8, 0.9, 0.95;" in nowhere.differences  # though its three lines are alike
    assert "worth 1 - 0.01 n" in report.differences
    higher = fake_report("konen-lambda", only_best_with_rewards)
    assert f"{told} 0.95;" in higher.differences  # half of the best with these rewards, not of 0.5


def only_best_with_rewards(cell: TrainingCell, share: float) -> float:
    if not haste_of(cell):
        return 0.5
    return 0.3 if cell.config["trace_lambda"] == 0.95 else 0.9


def test_the_verdict_holds_tcl_exp_against_tdl_without_traces() -> None:
    def sooner(cell: TrainingCell, share: float) -> float:
        """Half of the kinds of traces make TCL-EXP soon; with the same ones TDL is as soon."""
        slow = not cell.config["trace_lambda"] or haste_of(cell)
        soon = not slow and cell.config["traces"] in ("et", "res")
        return 0.85 if share >= (0.2 if soon else 0.6) else 0.3

    report = fake_report("konen-traces", sooner)
    assert (
        "To 80 % TDL without traces takes so many times the games of TCL-EXP, run by run: 1.0 "
        "without traces, 3.0 [et], 3.0 [res], 1.0 [rep] and 1.0 [rr]; 2 to 4 in related papers."
    ) in report.differences
    assert "games of TDL with traces, run by run: 3.0 [et]" in report.differences
    assert (
        "To 80 % TDL takes so many times the games of TCL-EXP with the same traces, run by run: "
        "1.0 [et], 1.0 [res], 1.0 [rep], 1.0 [rr] and 1.0 [rr], framework's rewards."
    ) in report.differences
    assert report.verdict == "differs"  # two of five


@pytest.mark.parametrize(("lambdas", "agrees"), [((0.8,), False), ((0.8, 0.9, 0.95), True)])
def test_agreement_is_claimed_where_every_lambda_was_computed(
    lambdas: tuple[float, ...], agrees: bool
) -> None:
    def breaks(cell: TrainingCell, share: float) -> float:
        return 0.1 if float(str(cell.config["trace_lambda"])) >= 0.9 else 0.9

    (experiment,) = find_experiments(["konen-lambda"])
    known = (0.0, 0.2, 0.4, 0.6, *lambdas)
    cells = [
        cell for cell in cells_of("konen-lambda", COARSE) if cell.config["trace_lambda"] in known
    ]
    results = {cell.key: made_up(cell, breaks) for cell in cells}
    told = experiment.report(Found(tuple(cells), results), COARSE).differences
    first = told.partition("TCL-EXP [rr]")[0]
    assert ("as on the poster" in first) == agrees


def test_of_a_lambda_that_was_not_computed_nothing_is_told() -> None:
    (experiment,) = find_experiments(["konen-lambda"])
    cells = [
        cell for cell in cells_of("konen-lambda", COARSE) if cell.config["trace_lambda"] != 0.9
    ]
    results = {cell.key: made_up(cell, lambda cell, share: share) for cell in cells}
    report = experiment.report(Found(tuple(cells), results), COARSE)
    assert "breaks down: [et] nowhere (not computed: 0.9); [rr]" in report.summary


def test_how_much_sooner_is_a_mean_of_ratios_of_runs() -> None:
    def sooner(cell: TrainingCell, share: float) -> float:
        onset = {"fixed": 0.6, "tcl": 0.5, "tcl-exp": 0.2}[str(cell.config["rule"])]
        return 0.85 if share >= onset else 0.3

    report = fake_report("konen-traces", sooner)
    first = report.compared[0]
    assert first.value == pytest.approx(3.0)
    assert "2 to 4 times" in first.published
    assert first.ours.startswith("3.0 [3.0, 3.0] times, run by run; medians 400,000")
    reverse = fake_report("konen-traces", lambda cell, share: sooner(cell, share) * 0.5)
    assert reverse.compared[0].value is None
    assert "0 of 10" in reverse.compared[0].ours


def test_the_fastest_rule_is_named() -> None:
    def only(fast: str) -> Success:
        return lambda cell, share: (
            0.95 if share > (0.2 if cell.config["rule"] == fast else 0.6) else 0
        )

    assert fake_report("konen-rules", only("elk1")).summary == (
        "elk1 reaches 80 % first, after 500,000 games in the median; its interval meets those of "
        "none of 11 others"
    )
    assert fake_report("konen-rules", only("k1")).summary.startswith("k1 reaches 80 % first")
    equal = fake_report("konen-rules", lambda cell, share: 0.95)
    assert equal.summary.endswith("its interval meets those of 11 of 11 others")
    none = fake_report("konen-rules", lambda cell, share: 0.4)
    assert none.summary == "no rule is known to reach 80 % in most runs"


def by_rule(cell: TrainingCell, share: float) -> float:
    """Return a success that rises sooner and higher with TCL-EXP than with the other rules."""
    exp = cell.config["rule"] == "tcl-exp"
    return (0.9 if exp else 0.85) * (share > (0.1 if exp else 0.5))


@pytest.mark.parametrize("name", ["konen-traces", "konen-rules"])
def test_single_runs_name_no_winner(name: str) -> None:
    for runs, each in ((1, "1 run"), (2, "2 runs")):
        report = fake_report(name, by_rule, runs=runs)
        assert report.summary.startswith(f"{each} of each line, too few to rank them: highest at")
        assert "in order" not in report.differences
        assert "times" not in report.compared[0].ours
    assert "TCL-EXP" in (three := fake_report(name, by_rule, runs=3)).summary.upper()
    told = {
        "konen-traces": "3.7 without traces, 3.7 [et], 3.7 [res], 3.7 [rep] and 3.7 [rr]; 2 to 4",
        "konen-rules": "of too few runs for an interval",
    }
    assert told[name] in three.summary
    if name == "konen-traces":
        assert "has the highest late mean" in three.differences


def test_where_traces_break_down_is_told_with_the_runs_it_rests_on() -> None:
    one, three = (fake_report("konen-lambda", by_rule, runs=runs).summary for runs in (1, 3))
    assert one == three.replace("in 3 runs of each", "in the one run of each")
    assert one != three


def test_lines_of_which_some_have_no_run_are_not_ranked() -> None:
    (experiment,) = find_experiments(["konen-rules"])
    cells = [cell for cell in cells_of("konen-rules", COARSE) if cell.config["rule"] != "k1"]
    results = {cell.key: made_up(cell, by_rule) for cell in cells}
    report = experiment.report(Found(tuple(cells), results), COARSE)
    assert report.summary.startswith("0 to 10 runs of each line, too few to rank them: ")


@pytest.mark.parametrize("name", CURVES)
def test_the_settings_name_the_seeds_of_runs_and_sets(name: str) -> None:
    assert {cell.config["seed"] for cell in cells_of(name)} == set(range(1, 11))
    told = fake_report(name, by_rule, runs=1).settings
    assert "10 (seeds 1 to 10, and tuple sets of the same numbers)" in told


def test_many_lines_are_spread_over_panels() -> None:
    report = fake_report("konen-rules", lambda cell, share: share)
    curves = next(each for each in report.pictures if each.file == "curves.png").drawing
    labels = [len(axes.get_legend_handles_labels()[1]) for axes in curves.axes]
    assert max(labels) <= 5
    assert sum(labels) == len(get_args(Rule)) + len(labels) - 1  # fixed is in every panel


# Runs that break down


def exploding() -> TrainingCell:
    changes = {"columns": 4, "rows": 4, "connect": 3, "games": 40_000, "tuples": 8, "length": 4}
    return training_cell(
        "ntuple",
        "konen-tcl-exp-et",
        {**changes, "alpha": "1000"},
        measures=("quota:games=2",),
        evaluation_every=10_000,
    )


def test_a_run_that_breaks_down_is_a_result(tmp_path: Path) -> None:
    stop: Stop = Never()
    cell = exploding()
    trained = Trained.of(CellResult.now(cell.compute(tmp_path, stop), 1.0))
    assert "exploded" in trained.broke_down
    assert trained.games < 40_000
    curve = curve_of(cell, trained, "success_rate")
    assert curve.games[-1] == 40_000
    assert curve.last == 0


def test_a_run_that_broke_down_is_listed_and_counts_as_nothing() -> None:
    (experiment,) = find_experiments(["konen-traces"])
    cell = trace_lines(FULL)[0].cells[0]
    good = made_up(cell, lambda cell, share: 0.9)
    rows = good.data["evaluations"]
    assert isinstance(rows, list)
    broken = {**good.data, "games": 510_000, "evaluations": rows[:20], "broke_down": "exploded"}
    result = CellResult.now(broken, 1.0)
    found = Found((cell,), {cell.key: result})
    report = experiment.report(found, FULL)
    listed = next(table for table in report.tables if table.title == "Runs that broke down")
    assert listed.rows == [("TDL [et]", "1", "510,000")]
    late = next(each for each in report.compared if each.what.startswith("TDL [et], mean"))
    assert late.value == 0
    curve = curve_of(cell, Trained.of(result), "success_rate")
    assert curve.games == tuple(range(20_000, 2_000_001, 20_000))
    assert set(curve.values[:20]) == {0.9}
    assert set(curve.values[20:]) == {0.0}


# What the kernels draw


def test_transfer_functions_are_those_of_the_framework() -> None:
    x = np.linspace(0, 1, 41)
    assert transfer("tcl", x) == pytest.approx(x, abs=1e-6)
    assert transfer("tcl-exp", x) == pytest.approx(np.exp(2.7 * (x - 1)), abs=1e-5)
    linear = np.maximum(math.exp(-2.7), 1 + 2.7 * (x - 1))
    assert transfer("tcl-linear", x) == pytest.approx(linear, abs=1e-5)


def test_the_eligibility_of_a_weight_fades_resets_and_is_replaced() -> None:
    assert follow("none").reached == tuple(float(ply in (2, 4, 12, 14)) for ply in range(20))
    plain, reset, replaced = (follow(kind).reached for kind in ("et", "res", "rep"))
    assert plain[4:8] == pytest.approx([0.8**2 + 1, 1.64 * 0.8, 1.64 * 0.64, 1.64 * 0.512])
    assert plain[12] == pytest.approx(1.64 * 0.8**8 + 1)
    assert reset[:8] == plain[:8]
    assert reset[8:15] == pytest.approx([0, 0, 0, 0, 1, 0.8, 1.64])
    assert replaced[4:7] == pytest.approx([1, 0.8, 0.64])
    assert replaced[12] == 1
    assert follow("rr").reached[8:13] == pytest.approx([0, 0, 0, 0, 1])


def test_pictures_of_kernels_are_written_by_the_command(tmp_path: Path) -> None:
    names = ["konen-transfer", "konen-eligibility"]
    assert run(["reproduce", *names, "--scale", "mini", "--out", str(tmp_path)]) == 0
    for name in names:
        folder = tmp_path / name / "mini"
        assert (folder / f"{name.removeprefix('konen-')}.png").stat().st_size > 10_000
        assert json.loads((folder / "report.json").read_text())["missing"] == 0
    page = (tmp_path / "konen-eligibility" / "mini" / "README.md").read_text()
    assert "the shapes are those of the poster" not in page  # a summary is for the index
    assert "| b) [res], after the random move | reset | 0.000 ([et]: 0.672) |" in page


@pytest.mark.slow
@pytest.mark.parametrize("name", CURVES)
def test_curves_are_computed_and_drawn_by_the_command(name: str, tmp_path: Path) -> None:
    cells = ["--cells", str(tmp_path / "cells"), "--workers", "1"]
    assert run(["reproduce", name, "--scale", "mini", "--out", str(tmp_path), *cells]) == 0
    folder = tmp_path / name / "mini"
    assert "Not complete" not in (folder / "README.md").read_text()
    assert (folder / "curves.png").stat().st_size > 10_000
    document = json.loads((folder / "report.json").read_text())
    assert document["missing"] == 0
    assert document["data"]["groups"]
