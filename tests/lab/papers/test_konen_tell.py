"""Konen 2015: which lines broke down, learned nothing or led is told of the runs."""

from dataclasses import replace

import pytest
from made_up_runs import Success, number, report_on

from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.konen_runs import SIZES
from connectlab.lab.papers.page import LONGEST_SUMMARY

CURVES = ("konen-traces", "konen-lambda", "konen-rules")
FULL = replace(SIZES["full"], points=20)
QUICK = SIZES["quick"]


def learns(cell: TrainingCell, done: float) -> float:
    """Return a success that rises soon."""
    return 0.85 if done > 0.2 else 0.3


def all_but(*rules: str) -> Success:
    """Return runs that learn nothing with some rules."""
    return lambda cell, done: 0.05 if cell.config["rule"] in rules else learns(cell, done)


def test_rules_that_broke_down_are_told_with_runs_and_games() -> None:
    def explodes(cell: TrainingCell) -> int | None:
        if cell.config["rule"] != "nl-idbd":
            return None
        return {1: 40_000, 2: 60_000}.get(int(number(cell, "seed")))

    report = report_on("konen-rules", QUICK, all_but("rprop"), broken=explodes)
    told = report.differences
    assert "broke down before their end: nl-idbd in 2 of 3 runs, after 40,000 and 60,000" in told
    assert "Learned nothing: rprop (late mean 0.050, 0.050 at the end, 3 runs)." in told
    calm = report_on("konen-rules", QUICK, learns).differences
    assert calm.startswith("No run broke down. Runs are shorter here")
    assert "Learned nothing" not in calm


def test_traces_that_broke_down_are_told_and_the_ratios_of_the_others() -> None:
    def explodes(cell: TrainingCell) -> int | None:
        return 80_000 if (cell.config["rule"], cell.config["traces"]) == ("tcl", "rep") else None

    def sooner(cell: TrainingCell, done: float) -> float:
        return 0.85 * (done >= (0.2 if cell.config["rule"] == "tcl-exp" else 0.6))

    told = report_on("konen-traces", QUICK, sooner, broken=explodes).differences
    assert "broke down before their end: TCL [rep] in 3 of 3 runs, after 80,000 games" in told
    factors = "3.0 without traces, 3.0 [et], 3.0 [res], 3.0 [rep] and 3.0 [rr]; 2 to 4 in"
    assert f"times the games of TCL-EXP, run by run: {factors}" in told
    assert "TDL 3 of 3 with [et]" in told
    few = report_on("konen-traces", QUICK, sooner, runs=2).differences
    assert "run by run" not in few
    assert "TCL-EXP 2 of 2 with [et]" in few


def test_a_single_run_that_lost_what_it_had_is_told() -> None:
    def loses(cell: TrainingCell, done: float) -> float:
        lost = cell.config["rule"] == "k1" and number(cell, "seed") == 2 and done == 1
        return 0.08 if lost else learns(cell, done)

    told = report_on("konen-rules", QUICK, loses).differences
    assert "Runs that ended under 0.2 in lines that learned: k1 in 1 of 3 runs (0.080)." in told
    assert "Runs that ended" not in report_on("konen-rules", QUICK, learns).differences


def explodes_rewarded(cell: TrainingCell) -> int | None:
    broken = (cell.config.get("haste"), number(cell, "trace_lambda"), number(cell, "seed"))
    return 400_000 if broken == (0.01, 0.9, 2) else None


def test_a_lambda_that_holds_in_the_mean_tells_of_single_runs_that_broke_down() -> None:
    def explodes(cell: TrainingCell) -> int | None:
        broken = (cell.config["traces"], number(cell, "trace_lambda"), number(cell, "seed"))
        return 400_000 if broken == ("rr", 0.95, 2) else None

    report = report_on("konen-lambda", FULL, learns, broken=explodes)
    assert "tried at lambda 0.8, 0.9 and 0.95: breaks down nowhere; late" in report.differences
    assert (
        "; [rr] nowhere, single runs at 0.95; framework's rewards: [et] nowhere" in report.summary
    )
    assert "TCL-EXP [rr]: breaks down nowhere, though single runs do at 0.95 (in" in (
        report.differences
    )
    rewarded = report_on("konen-lambda", FULL, learns, broken=explodes_rewarded).differences
    tried = "[et], framework's rewards, tried at lambda 0.8, 0.9 and 0.95"
    assert f"{tried}: breaks down nowhere, though single runs do at 0.9; late" in rewarded
    calm = report_on("konen-lambda", FULL, learns)
    assert "single runs" not in calm.summary
    assert "TCL-EXP [rr]: breaks down nowhere, as on the poster" in calm.differences


def test_a_lambda_that_is_clearly_worse_but_not_broken_is_told() -> None:
    def declines(cell: TrainingCell, done: float) -> float:
        worse = cell.config["traces"] == "et" and number(cell, "trace_lambda") == 0.95
        return learns(cell, done) - 0.15 * worse

    report = report_on("konen-lambda", FULL, declines)
    assert "breaks down: [et] nowhere, worse at 0.95;" in report.summary
    assert "but is clearly worse than at its best at 0.95" in report.differences
    few = report_on("konen-lambda", FULL, declines, runs=3)
    assert "worse" not in few.summary


def breaking(*pairs: tuple[str, float]) -> Success:
    """Return runs that fail with some traces at some lambdas."""
    return lambda cell, done: (
        0.1
        if (cell.config["traces"], number(cell, "trace_lambda")) in pairs
        else learns(cell, done)
    )


def test_where_lambda_breaks_down_is_put_beside_the_poster() -> None:
    as_published = breaking(("et", 0.9), ("et", 0.95))
    told = report_on("konen-lambda", FULL, as_published).differences
    assert "breaks down at lambda 0.9 (late mean 0.100) and 0.95 (late mean 0.100), as on" in told
    assert "TCL-EXP [rr]: breaks down nowhere, as on the poster (in 10 runs of each" in told
    other = report_on("konen-lambda", QUICK, breaking(("et", 0.9), ("rr", 0.95)), runs=1)
    assert "not at 0.95 (late mean 0.850), where the poster says it does (in the one run" in (
        other.differences
    )
    assert "which the poster does not say of 0.95 (in the one run of each" in other.differences
    assert other.summary.startswith("breaks down: [et] at 0.9; [rr] at 0.95; framework's rewards:")
    assert other.summary.endswith("in the one run of each")


@pytest.mark.parametrize("name", CURVES)
def test_shorter_runs_are_given_as_a_reason_at_the_quick_scale_alone(name: str) -> None:
    reason = "Runs are shorter here, 200,000 games where 2,000,000 are assumed"
    assert reason in report_on(name, QUICK, learns, runs=1).differences
    assert reason not in report_on(name, FULL, learns, runs=1).differences


@pytest.mark.parametrize("name", CURVES)
def test_the_alpha_of_the_poster_and_ours_are_both_told(name: str) -> None:
    told = report_on(name, QUICK, learns, runs=1).differences
    assert "lists one alpha for all, 0.004 -> 0.002" in told
    assert "0.1 for TCL, and 0.05 with beta 2.7 for TCL-EXP" in told
    assert "nor a step size" not in told


def test_few_runs_tell_who_ended_highest_and_lowest_and_no_more() -> None:
    def ends(cell: TrainingCell, done: float) -> float:
        heights = {"k1": 0.0, "elk1": 0.0, "idbd": 0.8 + 0.02 * number(cell, "seed")}
        return heights.get(str(cell.config["rule"]), 0.5)

    two = report_on("konen-rules", QUICK, ends, runs=2)
    assert two.summary == (
        "2 runs of each line, too few to rank them: highest at the end idbd 0.830 (0.820 to "
        "0.840), lowest k1 and elk1 0.000"
    )
    equal = report_on("konen-rules", QUICK, lambda cell, done: 0.5, runs=1)
    assert equal.summary == "1 run of each line, too few to rank them: all ended at 0.500"
    assert "too few to rank" not in report_on("konen-rules", QUICK, ends, runs=3).summary


def sooner_by(times: float, *, slow: float = 0.6) -> Success:
    """Return runs of which TCL-EXP reaches 80 % so many times sooner than the others."""
    return lambda cell, done: (
        0.85 * (done >= (slow / times if cell.config["rule"] == "tcl-exp" else slow) - 1e-9)
    )


def test_the_verdict_on_traces_counts_those_that_are_twice_as_soon() -> None:
    assert report_on("konen-traces", FULL, sooner_by(3)).verdict == "reproduced"
    assert report_on("konen-traces", FULL, sooner_by(6)).verdict == "reproduced"
    assert report_on("konen-traces", FULL, sooner_by(1.5)).verdict == "differs"
    assert report_on("konen-traces", FULL, sooner_by(3), runs=4).verdict == "not decided"


def test_of_runs_that_never_get_there_only_their_side_is_known() -> None:
    def never(late: str, onset: float) -> Success:
        return lambda cell, done: (
            0.3 if cell.config["rule"] == late else 0.85 * (done >= onset - 1e-9)
        )

    assert report_on("konen-traces", FULL, never("fixed", 0.1)).verdict == "reproduced"
    assert report_on("konen-traces", FULL, never("fixed", 0.6)).verdict == "not decided"
    assert report_on("konen-traces", FULL, never("tcl-exp", 0.5)).verdict == "differs"
    nobody = report_on("konen-traces", FULL, lambda cell, done: 0.3)
    assert nobody.verdict == "not decided"


def test_factors_that_may_be_twice_or_less_decide_nothing() -> None:
    def unsure(cell: TrainingCell, done: float) -> float:
        """Return runs of TCL-EXP that are three times as soon, or hardly sooner."""
        soon = 0.2 if number(cell, "seed") % 2 else 0.5
        return 0.85 * (done >= (soon if cell.config["rule"] == "tcl-exp" else 0.6) - 1e-9)

    report = report_on("konen-traces", FULL, unsure)
    assert report.verdict == "not decided"
    assert report.compared[0].value == pytest.approx((3 * 1.2) ** 0.5)
    low, high = report.compared[0].interval or (None, None)
    assert low is not None
    assert high is not None
    assert 1.2 < low < 2 < high < 3
    assert "1.9 [1." in report.compared[0].ours


def test_the_verdict_on_lambda_counts_where_plain_traces_break_down() -> None:
    both = breaking(("et", 0.9), ("et", 0.95))
    assert report_on("konen-lambda", FULL, both).verdict == "reproduced"
    assert report_on("konen-lambda", FULL, both, runs=4).verdict == "not decided"
    with_rr = breaking(("et", 0.9), ("et", 0.95), ("rr", 0.95))
    assert report_on("konen-lambda", FULL, with_rr).verdict == "reproduced"  # not on the poster
    only_one = breaking(("et", 0.95))
    assert report_on("konen-lambda", FULL, only_one).verdict == "partly"
    nobody = report_on("konen-lambda", FULL, lambda cell, done: 0.0)
    assert nobody.verdict == "differs"
    assert nobody.summary.startswith("breaks down: [et] everywhere; [rr] everywhere; framework's")
    assert len(nobody.summary) <= LONGEST_SUMMARY
    too_soon = breaking(("et", 0.8), ("et", 0.95))
    assert report_on("konen-lambda", FULL, too_soon).verdict == "differs"
    below = breaking(("et", 0.2), ("et", 0.9), ("et", 0.95))  # where only rewards of 1 were tried
    assert report_on("konen-lambda", FULL, below).verdict == "partly"
    assert report_on("konen-rules", FULL, learns).verdict is None


def test_a_lambda_of_which_half_of_the_runs_break_down_is_not_decided() -> None:
    def halves(cell: TrainingCell, done: float) -> float:
        broken = number(cell, "trace_lambda") >= 0.9 and number(cell, "seed") % 2
        return 0.0 if broken and cell.config["traces"] == "et" else 0.9

    report = report_on("konen-lambda", FULL, halves)
    assert report.verdict == "not decided"
    assert report.summary.startswith("breaks down: [et] perhaps at 0.9, 0.95; [rr] nowhere")
    assert "TCL-EXP [et]: breaks down perhaps at 0.9 (late mean 0.450)" in report.differences
    assert "where the poster says it does" not in report.differences
