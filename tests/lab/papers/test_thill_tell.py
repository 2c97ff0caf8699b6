"""Thill 2012: where and why we differ is told of the runs, and changes when they do."""

from dataclasses import replace

import pytest
from made_up_runs import Success, made_up, number, report_on

from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import compare_lines
from connectlab.lab.papers.page import Report
from connectlab.lab.papers.registry import find_experiments
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.sentences import (
    apart,
    beside,
    few_of,
    joined,
    mean_text,
    which_is_higher,
)
from connectlab.lab.papers.thill_rates import epsilon_lines
from connectlab.lab.papers.thill_runs import SIZES, STANDARD
from connectlab.lab.papers.thill_sets import set_lines
from connectlab.lab.papers.thill_verdict import set_claims
from connectlab.lab.statistics import Spread

FULL = replace(SIZES["full"], points=20)
"""As many games and runs, judged less often: quick to make up."""
QUICK = SIZES["quick"]
CURVES = ("thill-table1", "thill-fig2a", "thill-fig2b", "thill-fig3a", "thill-fig3b", "thill-alpha",
          "thill-epsilon")  # fmt: skip
SHORTER = "Runs are shorter here than the paper's, 500,000 games instead of 10,000,000"


def said(name: str, success: Success, size: Size = FULL) -> str:
    return report_on(name, size, success).differences


def ours(report: Report) -> dict[str, str]:
    return {each.what: each.ours for each in report.compared}


def spread_of(*values: float) -> Spread:
    spread = Spread.of(values)
    assert spread is not None
    return spread


def jitter(cell: TrainingCell) -> float:
    """Return what makes runs of a line differ a little."""
    return 0.004 * (number(cell, "seed") % 10 - 5)


def states(three: float, four: float, onset: float = 0.35) -> Success:
    """Return runs that rise at a time to a height of their coding."""
    return lambda cell, done: (
        (three if cell.config["states"] == 3 else four) + jitter(cell) if done >= onset else 0.1
    )


def by_alpha(**late: float) -> Success:
    """Return runs whose height depends on their alpha, by "start_end"."""

    def success(cell: TrainingCell, done: float) -> float:
        key = "a" + str(cell.config["alpha"]).replace("->", "_").replace(".", "")
        return late.get(key, 0.9) if done >= 0.3 else 0.05

    return success


# Each page tells what its own numbers show


def test_a_published_mean_that_differs_is_told_by_the_test_of_the_verdict() -> None:
    told = said("thill-fig2b", states(0.81, 0.90))
    assert "late mean of P = 3 is 0.808" in told
    assert "in 10 runs, below the published 0.84 (Student's t, p < 0.001)." in told
    assert "in 10 runs, not told apart from the published 0.90 (Student's t, p = 0.72)." in told
    assert "below the published" not in said("thill-fig2b", states(0.84, 0.90))


def test_sentence_and_verdict_never_contradict_each_other() -> None:
    """An interval of the mean is narrower than the test allows, which knows of ten other runs."""
    for level in (0.80, 0.82, 0.83, 0.835, 0.84):
        report = report_on("thill-fig2b", FULL, states(level, 0.90), runs=5)
        claim = next(each for each in report.claims if each.what == "P = 3: late mean 0.84")
        told = [each for each in report.differences.split(". ") if "of P = 3 is" in each]
        assert len(told) == 1
        assert ("not told apart from" in told[0]) == (claim.agrees is True)
        assert claim.how.split("Student")[1] in told[0]


def test_an_onset_is_told_as_sooner_later_or_about_the_published_one() -> None:
    early = said("thill-fig2b", states(0.84, 0.9, 0.35))
    at = "3,500,000 games [3,500,000, 3,500,000], 35 % of the run"
    assert f"P = 3 reaches 80 % after {at}, sooner than" in early
    assert f"P = 4 reaches 80 % after {at}, about" in early
    assert "60 % of the run, later than the published 40 % (4 million games)" in said(
        "thill-fig2b", states(0.84, 0.9, 0.6)
    )
    assert "P = 4 never reaches 80 %" in said("thill-fig2b", states(0.5, 0.5))


def test_an_onset_whose_interval_holds_the_published_one_is_not_told_apart() -> None:
    def unsure(cell: TrainingCell, done: float) -> float:
        """Return runs of which four of five are early, which makes the mean just early, too."""
        return 0.99 if done >= (0.25 if number(cell, "seed") % 5 else 0.75) else 0.1

    report = report_on("thill-fig2b", FULL, unsure)
    assert "after 2,500,000 games [2,500,000, 7,500,000], 25 % of the run" in report.differences
    assert "not told apart from the published 50 %" in report.differences
    sure = report_on("thill-fig2b", FULL, states(0.84, 0.9, 0.25))
    assert "of the run, not told apart" not in sure.differences
    assert "sooner than the published 50 %" in sure.differences


def test_a_tuned_alpha_that_is_no_faster_is_told() -> None:
    same = report_on("thill-fig3b", FULL, lambda cell, done: 0.9 if done >= 0.3 else 0.1)
    assert "The tuned alpha is no faster here; the paper's was twice as fast" in same.differences
    assert "no difference is seen; 0.02 was published" in same.differences
    assert same.summary == (
        "no difference seen in late means: tuned 0.900, standard 0.900; means at 80 % after "
        "3,000,000 and 3,000,000 games"
    )

    def faster(cell: TrainingCell, done: float) -> float:
        tuned = str(cell.config["alpha"]).startswith("0.004")
        return (0.95 if tuned else 0.9) * (done >= (0.2 if tuned else 0.4))

    report = report_on("thill-fig3b", FULL, faster)
    assert "The tuned alpha is 2.0 times as fast here" in report.differences
    assert "The tuned alpha is +0.050 higher late" in report.differences
    assert "no difference" not in report.summary


def test_late_means_and_ends_of_one_table_are_told_apart() -> None:
    def last_moment(cell: TrainingCell, done: float) -> float:
        chosen = cell.config["creation"] == "snake" and number(cell, "seed") == 2
        return 0.61 if chosen and done == 1 else 0.2

    report = report_on("thill-fig2a", FULL, last_moment)
    assert "that of the best run is 0.25, and the best end 0.61" in report.summary
    assert "the best end is 0.610 (snake, P = 4), not under it" in report.differences
    assert ours(report)["best run at the end"] == "0.610 (snake, P = 4)"
    assert ours(report)["best run, mean of its last 40 %"].startswith("0.24")
    assert "not under it" not in said("thill-fig2a", lambda cell, done: 0.2)


def test_alphas_that_learn_although_the_paper_says_none_does_are_named() -> None:
    report = report_on("thill-alpha", QUICK, by_alpha(a001_0004=0.5, a001_0006=0.85, a001_001=0.04))
    told = report.differences
    assert "alpha 0.01 -> 0.004 learned (late mean 0.500, 0.500 at the end)" in told
    assert "alpha 0.01 -> 0.006 learned (late mean 0.850, 0.850 at the end, its mean first" in told
    assert "and alpha 0.01 -> 0.01 did not (late mean 0.040" in told
    assert "0.006: late mean 0.850, 0.850 at the end" in report.summary
    none = said("thill-alpha", by_alpha(a001_0004=0.1, a001_0006=0.1, a001_001=0.1))
    assert "learned (" not in none
    assert "did not (late mean 0.100, 0.100 at the end), as published." in none


def test_the_range_of_other_epsilons_is_told() -> None:
    def by_epsilon(cell: TrainingCell, done: float) -> float:
        return 0.1 if "linear" in str(cell.config["epsilon"]) else 0.8 + jitter(cell)

    report = report_on("thill-epsilon", QUICK, by_epsilon)
    assert "late means range from 0.100 (epsilon 0.95 -> 0.1, linear) to 0.788" in (
        report.differences
    )
    assert "Runs apart from those of the standard one, 0.788 (" in report.differences
    assert "late means from 0.10 to 0.79, at the end from 0.10 to 0.79" in report.summary
    calm = said("thill-epsilon", lambda cell, done: 0.8 + jitter(cell))
    assert "None has intervals apart from those of the standard one" in calm


def test_sets_are_told_with_their_number_and_with_the_run_that_failed() -> None:
    def second_fails(cell: TrainingCell, done: float) -> float:
        if number(cell, "tuple_seed") == 1:
            return 0.7 + jitter(cell)
        bad = number(cell, "tuple_seed") == 2 and number(cell, "seed") > 100
        return 0.05 if bad else 0.5 + 0.01 * number(cell, "tuple_seed")

    report = report_on("thill-fig3a", QUICK, second_fails)
    told = report.differences
    assert "On 3 other sets the late mean is 0.530" in told
    assert "in the first runs none of the 3 sets, in the second runs set 2 (0.050)" in told
    assert "set 2 with 0.520, has 0.050 in its second: none of the 3 sets had less then" in told
    assert ours(report)["the sets that do not fail below the standard one"] == (
        "no set fails in its first run"
    )
    assert report.summary.endswith("below the standard set (0.688); 3 other sets")
    equal = report_on("thill-fig3a", QUICK, lambda cell, done: 0.5)
    assert equal.summary.startswith("no difference seen in late means: other sets 0.500")


def test_a_share_of_weights_below_the_published_one_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told(non_zero: int) -> str:
        counts = {"all": 918_540, "realisable": 1_000, "non_zero": non_zero}
        monkeypatch.setattr("made_up_runs.WEIGHTS", counts)
        return said("thill-table1", lambda cell, done: 0.5)

    assert "P = 3 has learned 97.4 %, less than the published 98 to 100 %" in told(974)
    assert "P = 3 has learned 97.7 %, rounded within the published 98 to 100 %" in told(977)
    assert "P = 3 has learned 98.5 %, within the published 98 to 100 %" in told(985)


# What all pages have in common


@pytest.mark.parametrize("name", CURVES)
def test_shorter_runs_are_given_as_a_reason_at_the_quick_scale_alone(name: str) -> None:
    assert SHORTER in said(name, lambda cell, done: 0.5, QUICK)
    assert SHORTER not in said(name, lambda cell, done: 0.5, FULL)


@pytest.mark.parametrize("name", CURVES)
def test_of_nothing_computed_nothing_is_told(name: str) -> None:
    (experiment,) = find_experiments([name])
    report = experiment.report(Found(experiment.cells(QUICK), {}), QUICK)
    assert report.summary == "not computed"
    assert SHORTER not in report.differences
    assert report.differences.startswith(("The paper gives neither", "Ours stores only"))


@pytest.mark.parametrize("name", CURVES)
def test_seeds_are_named(name: str) -> None:
    (experiment,) = find_experiments([name])
    cells = [cell for cell in experiment.cells(QUICK) if isinstance(cell, TrainingCell)]
    seeds = {(number(cell, "tuple_seed"), number(cell, "seed")) for cell in cells}
    told = report_on(name, QUICK, lambda cell, done: 0.5).settings
    assert "3 (seeds 1 to 3" in told
    others = {pair for pair in seeds if pair[0] != 1}
    assert others == ({(n, n + k) for n in (2, 3, 4) for k in (0, 100)} if others else set())
    sets = "seeds 2 to 4 on the tuple sets of the same numbers; these sets again with seeds 102"
    assert (sets in told) == bool(others)


def test_that_sets_differ_is_told_as_the_papers_finding() -> None:
    assert "the paper finds that sets differ more than runs do" in said(
        "thill-fig2b", states(0.8, 0.9)
    )


# Spread and time


def test_the_spread_at_a_point_is_not_that_of_late_means() -> None:
    def alternating(cell: TrainingCell, done: float) -> float:
        swing = 0.1 if cell.config["states"] == 3 else 0.02
        return 0.8 + (swing if done >= 0.6 else 0.2) * (-1) ** round(
            20 * done + number(cell, "seed")
        )

    report = report_on("thill-fig2b", FULL, alternating)
    at_a_point = "standard deviation of the runs at a point, mean of the last 40 %"
    assert ours(report)[f"P = 3, {at_a_point}"] == "0.105"
    assert ours(report)[f"P = 4, {at_a_point}"] == "0.021"
    assert "by 0.105 with P = 3 and by 0.021 with P = 4" in report.differences
    assert "less, as published" in report.differences
    late = ours(report)["P = 3, mean of the last 40 %"]
    assert "± 0.012" in late
    wider = said("thill-fig2b", lambda cell, done: 1 - alternating(cell, done) * (
        cell.config["states"] == 4) * (1 + 4 * (number(cell, "seed") % 2)) / 5)  # fmt: skip
    assert "not less, as it is in the paper" in wider


def test_time_is_that_of_a_core_with_judging() -> None:
    (experiment,) = find_experiments(["thill-table1"])
    cells = experiment.cells(QUICK)
    results = {cell.key: made_up(cell, lambda cell, done: 0.5, core_seconds=90) for cell in cells}
    report = experiment.report(Found(cells, results), QUICK)
    assert ours(report)["P = 4, time"] == (
        "1.5 minutes of one core for a run of 500,000 games, judging included"
    )


# Sentences


def test_few_runs_stand_beside_a_number_by_their_lowest_and_highest() -> None:
    assert beside(spread_of(0.4, 0.5, 0.6), 0.84, 10) == "every run below the published 0.84"
    assert beside(spread_of(0.9, 0.95), 0.84, 10) == "every run above the published 0.84"
    assert beside(spread_of(0.8, 0.9), 0.84, 10) == "runs on both sides of the published 0.84"
    assert beside(spread_of(0.8), 0.84, 10) == "where 0.84 was published"
    assert mean_text(spread_of(0.8)) == "0.800 in the one run"


def test_two_runs_are_never_told_apart() -> None:
    three = spread_of(0.3, 0.4, 0.5)
    assert apart(spread_of(0.1, 0.2, 0.2), three)
    assert not apart(spread_of(0.1, 0.2, 0.35), three)
    assert not apart(spread_of(0.1, 0.2), three)
    assert which_is_higher("a", spread_of(0.1, 0.2), "b", three) == (
        "late means a 0.150, b 0.400, of too few runs to tell them apart"
    )


def test_lists_are_written_as_people_do() -> None:
    assert [joined(list(each)) for each in ("", "a", "ab", "abc")] == [
        "", "a", "a and b", "a, b and c"]  # fmt: skip


def test_the_verdict_counts_what_agrees() -> None:
    agree = report_on("thill-fig2b", FULL, wide_states(0.84, 0.90))
    assert agree.verdict == "reproduced"
    assert report_on("thill-fig2b", FULL, states(0.60, 0.70, onset=0.9)).verdict == "differs"
    assert report_on("thill-fig2b", FULL, states(0.84, 0.90), runs=4).verdict == "not decided"


def test_a_published_mean_among_our_runs_may_differ_all_the_same() -> None:
    """With more runs the lowest and the highest lie further apart, but not the means."""

    def near(cell: TrainingCell, done: float) -> float:
        onset, published = (0.2, 0.92) if cell.config["alpha"] == "0.004->0.002" else (0.4, 0.90)
        return published + 0.0175 + jitter(cell) if done >= onset else 0.1

    runs = [0.0175 + 0.004 * (seed % 10 - 5) for seed in range(1, 11)]
    assert min(runs) < 0 < max(runs)
    assert report_on("thill-fig3b", FULL, near).verdict == "partly"  # both onsets, no mean


def test_a_line_whose_end_alone_is_high_decides_nothing() -> None:
    def ends_high(cell: TrainingCell, done: float) -> float:
        return 0.65 if done == 1 else 0.3

    assert report_on("thill-fig2a", FULL, ends_high).verdict == "not decided"
    assert report_on("thill-fig2a", FULL, lambda cell, done: 0.3).verdict == "reproduced"
    assert report_on("thill-fig2a", FULL, lambda cell, done: 0.7).verdict == "differs"


def wide_states(three: float, four: float) -> Success:
    """Return runs with the published onsets and late means, and more spread with three states."""

    def success(cell: TrainingCell, done: float) -> float:
        fewer = cell.config["states"] == 3
        level, onset, spread = (three, 0.5, 2) if fewer else (four, 0.4, 1)
        return level + spread * jitter(cell) if done >= onset else 0.1

    return success


def test_alphas_that_learn_nothing_are_as_published_and_others_are_not() -> None:
    assert report_on("thill-alpha", FULL, lambda cell, done: 0.05).verdict == "reproduced"
    assert report_on("thill-alpha", FULL, lambda cell, done: 0.9).verdict == "differs"


def test_epsilons_that_change_nothing_are_as_published() -> None:
    assert report_on("thill-epsilon", FULL, lambda cell, done: 0.9 + jitter(cell)).verdict == (
        "reproduced"
    )


def test_a_schedule_that_changes_much_counts_against_the_paper() -> None:
    def without(schedules: tuple[str, ...], change: float) -> Success:
        return lambda cell, done: (
            0.9 + jitter(cell) - change * (str(cell.config["epsilon"]) in schedules)
        )

    schedules = tuple(
        dict.fromkeys(
            str(cell.config["epsilon"])
            for line in epsilon_lines(FULL)
            for cell in line.cells
            if line.name != STANDARD
        )
    )
    assert len(schedules) == 4
    assert report_on("thill-epsilon", FULL, without(schedules, 0.04)).verdict == "reproduced"
    assert report_on("thill-epsilon", FULL, without(schedules[:1], 0.3)).verdict == "partly"
    assert report_on("thill-epsilon", FULL, without(schedules[:3], 0.3)).verdict == "differs"


def on_sets(lower: float, *, spread: float = 1.0, failing: tuple[int, ...] = ()) -> Success:
    """Return runs that are lower on other sets, with more spread, and that fail on some."""

    def success(cell: TrainingCell, done: float) -> float:
        if cell.config["tuple_seed"] == 1:
            return 0.9 + jitter(cell)
        fails = number(cell, "tuple_seed") in failing
        return 0.05 if fails else 0.9 - lower + spread * jitter(cell)

    return success


def test_the_verdict_on_sets_counts_level_spread_and_failures() -> None:
    as_published = on_sets(0.1, spread=5, failing=(3,))
    assert report_on("thill-fig3a", FULL, as_published).verdict == "reproduced"
    assert report_on("thill-fig3a", FULL, on_sets(0.1, spread=5)).verdict == "reproduced"
    assert report_on("thill-fig3a", FULL, on_sets(0, spread=5)).verdict == "partly"
    same = report_on("thill-fig3a", FULL, on_sets(0))  # no lower, and with the same order again
    assert same.verdict == "partly"
    all_fail = on_sets(0, failing=tuple(range(2, 12)))
    assert report_on("thill-fig3a", FULL, all_fail).verdict in ("partly", "differs")

    def fails_once(cell: TrainingCell, done: float) -> float:
        return 0.05 if cell.config["seed"] == 3 and cell.config["tuple_seed"] == 3 else (
            on_sets(0.1, spread=5)(cell, done)
        )  # fmt: skip

    assert report_on("thill-fig3a", FULL, fails_once).verdict == "partly"


def test_sets_that_keep_their_place_with_other_games_stay_as_they_are() -> None:
    def stays(success: Success) -> bool | None:
        cells = [cell for line in set_lines(FULL) for cell in line.cells]
        found = Found(tuple(cells), {cell.key: made_up(cell, success) for cell in cells})
        return set_claims(Curves(compare_lines(set_lines(FULL), found), FULL, found))[-1].agrees

    def by_set(cell: TrainingCell, done: float) -> float:
        return 0.9 + 0.004 * (number(cell, "tuple_seed") - 6.5) + 0.3 * jitter(cell)

    def by_games(cell: TrainingCell, done: float) -> float:
        again = number(cell, "seed") > 100
        return 0.9 + jitter(cell) * (1 if again else -1)

    assert stays(by_set) is True
    assert stays(by_games) is None
    assert stays(lambda cell, done: 0.9) is None


def test_a_set_that_changes_with_its_games_is_named() -> None:
    def moody(cell: TrainingCell, done: float) -> float:
        return 0.4 if cell.config["seed"] == 106 else 0.9 + jitter(cell)

    told = report_on("thill-fig3a", FULL, moody).differences
    assert "With other games alone set 6 goes from 0.9" in told
    assert "to 0.400, further than the first runs of all sets lie apart." in told
    assert "With other games" not in report_on("thill-fig3a", FULL, on_sets(0)).differences


def test_shares_of_weights_are_compared_in_whole_percents() -> None:
    def share(non_zero: int) -> str | None:
        size = replace(FULL, repeats=5)
        (experiment,) = find_experiments(["thill-table1"])
        cells = experiment.cells(size)
        results = {cell.key: made_up(cell, lambda cell, done: 0.9) for cell in cells}
        for result in results.values():
            result.data["weights"] = {"all": 2000, "realisable": 1000, "non_zero": non_zero}
        return experiment.report(Found(tuple(cells), results), size).verdict

    assert share(977) == "reproduced"
    assert share(974) == "differs"


def test_why_alphas_above_learn_is_told_where_they_do() -> None:
    assert (
        "does not wait for that here"
        in report_on("thill-alpha", FULL, lambda cell, done: 0.9).differences
    )
    assert "does not wait" not in report_on("thill-alpha", FULL, lambda cell, done: 0.1).differences


def test_a_long_list_tells_how_many_more_there_are() -> None:
    assert few_of(["a", "b", "c"]) == "a, b and c"
    assert few_of(["a", "b", "c", "d", "e"]) == "a, b and 3 others"


# All curves by four perfect opponents

HARDER = {"framework-books": -0.1, "framework": 0.0, "distance": -0.2, "outcome": 0.05}


def harder(measure: str) -> float:
    """Return what an opponent changes of a success rate."""
    return HARDER[measure.rpartition("=")[2]]


def test_every_opponent_has_a_curve_of_the_same_runs() -> None:
    report = report_on("thill-opponents", FULL, by_alpha(), by_measure=harder)
    by_line = {each.what: each.value for each in report.compared if "last 40 %" in each.what}
    assert len(by_line) == 12
    for opponent, change in HARDER.items():
        found = by_line[f"P = 4, {opponent}, mean of the last 40 %"]
        assert found == pytest.approx(0.9 + change)
    assert report.verdict is None


def test_the_opponent_whose_figures_are_nearest_is_named_first() -> None:
    report = report_on("thill-opponents", FULL, by_alpha(), by_measure=harder)
    assert "The three are off by 0.027 with framework, 0.063 with outcome" in report.differences
    assert "the same player scores 0.100 more against it than against framework-books, in the " in (
        report.differences
    )
    assert "mean of 30 runs of these lines (from +0.100 to +0.100)" in report.differences
    assert report.summary.startswith("late mean with P = 4 by opponent: 0.80 (framework-books)")


def test_opponents_say_nothing_before_every_curve_has_a_run() -> None:
    report = report_on("thill-opponents", FULL, by_alpha(), runs=0)
    assert report.summary == "not computed"
    assert "Late means of" not in report.differences
