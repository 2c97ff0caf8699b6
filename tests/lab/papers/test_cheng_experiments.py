"""Tables 1 to 5 of Connect-N and its growing boards: what was printed, settings, what is told."""

import json
import math
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from connectlab.arena.results import Tally
from connectlab.arena.statistics import fisher_exact
from connectlab.cli.app import run
from connectlab.lab.papers import cheng_large
from connectlab.lab.papers.cells import Cell, MatchCell, TrainingCell
from connectlab.lab.papers.cheng import EXPERIMENTS
from connectlab.lab.papers.cheng_common import D2, D4, D5, SIZES, play
from connectlab.lab.papers.cheng_learners import READINGS, score_of
from connectlab.lab.papers.cheng_q import KNOWN_FIRST, PLAIN_FIRST
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.outcome_tables import OutcomesExperiment, summary
from connectlab.lab.papers.outcomes import Beside, Contest, Ours, Published, Shares, match
from connectlab.lab.papers.page import LONGEST_SUMMARY
from connectlab.lab.papers.results import CellResult, Found
from connectlab.lab.statistics import SIGNIFICANT

BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}
FULL = SIZES["full"]
ONE_RUN = replace(FULL, repeats=1)


def table(name: str) -> OutcomesExperiment:
    experiment = BY_NAME[name]
    assert isinstance(experiment, OutcomesExperiment)
    return experiment


def match_result(wins: int, draws: int, losses: int) -> CellResult:
    tally = Tally(wins, draws, losses)
    return CellResult.now(
        {**tally.to_json(), "distinct_games": 7, "mean_plies": 20.0, "seconds": 1.0}, 1.0
    )


def run_result(scores: dict[str, tuple[int, int, int]]) -> CellResult:
    final = [
        {
            "measure": measure,
            "keys": ["score_rate"],
            "score_rate": (wins + draws / 2) / (wins + draws + losses),
            "opponent": "somebody",
            "counts": {"wins": wins, "draws": draws, "losses": losses, "distinct_games": 5},
            "facts": {},
            "seconds": 0.1,
        }
        for measure, (wins, draws, losses) in scores.items()
    ]
    return CellResult.now({"games": 1, "seconds": 1.0, "evaluations": [], "final": final}, 1.0)


def found_of(experiment: Experiment, size: Size, results: dict[Cell, CellResult]) -> Found:
    keyed = {cell.key: result for cell, result in results.items()}
    return Found(experiment.cells(size), keyed)


@pytest.mark.parametrize(
    ("name", "row", "printed"),
    [
        ("cheng-table1", "Random", "0.5607 / 0.0002 / 0.4391"),
        ("cheng-table1", "Minimax d2 alpha-beta", "0.65 / 0.0 / 0.35"),
        ("cheng-table2", "MCTS, 200 iterations", "0.75 / 0.05 / 0.2"),
        ("cheng-table3", "Minimax d4", "0.0905 / 0.8438 / 0.0657"),
        ("cheng-table4", "Q-learning with known states", "0.517 / 0.334 / 0.149"),
        ("cheng-table5", "Minimax d4, first move in the middle", "0.0 / 0.0 / 1.0"),
    ],
)
def test_the_printed_figures_are_those_of_the_paper(name: str, row: str, printed: str) -> None:
    rows = {contest.name: contest.published for contest in table(name).contests(FULL)}
    assert rows[row] == Published(printed)


@pytest.mark.parametrize("name", [f"cheng-table{number}" for number in range(1, 6)])
def test_printed_shares_are_all_of_the_games(name: str) -> None:
    printed = [c.published for c in table(name).contests(FULL) if c.published is not None]
    assert all(sum(each.shares) == pytest.approx(1) for each in printed)


def test_the_fewest_games_are_those_that_give_the_printed_shares() -> None:
    assert Published("0.5607 / 0.0002 / 0.4391").fewest_games == 10_000
    assert Published("0.139 / 0.351 / 0.51").fewest_games == 1_000
    assert Published("0.75 / 0.05 / 0.2").fewest_games == 20
    assert Published("1.0 / 0.0 / 0.0").fewest_games == 1


def test_the_full_scale_has_the_settings_of_the_paper() -> None:
    cell = table("cheng-table3").contests(FULL)[0].cells[0]
    assert isinstance(cell, TrainingCell)
    config = cell.config
    assert (config["games"], config["side"], config["ties"]) == (10_000, "first", "first")
    assert (config["exploration"], config["traces"]) == ("vdbe-softmax", "limited")
    assert (config["known"], config["shaping"], config["reward_win"]) == ("first", False, 50.0)
    values = (config["known_win"], config["known_block"], config["known_streak"])
    assert values == (25.0, 20.0, 15.0)
    assert all("sides=first" in measure for measure in cell.final)
    mcts = table("cheng-table1").contests(FULL)[2].cells[0]
    assert isinstance(mcts, MatchCell)
    assert (mcts.second, mcts.games) == ("mcts:iterations=200", 10_000)


def test_tables_share_the_runs_of_the_learners() -> None:
    runs = {
        name: {cell.key for cell in table(name).cells(ONE_RUN) if isinstance(cell, TrainingCell)}
        for name in BY_NAME
        if name != "cheng-large-n"
    }
    assert (
        runs["cheng-table4"] == runs["cheng-table5"] < runs["cheng-table3"] | runs["cheng-table2"]
    )
    readings = table("cheng-table3").grids(ONE_RUN)[1]
    assert len(readings.rows) == len(READINGS) == 6
    assert len({contest.cells[0].key for contest in readings.contests}) == 6


def test_minimax_tells_its_games_from_its_own_side() -> None:
    experiment = table("cheng-table4")
    random, _, _, learner, _ = experiment.contests(ONE_RUN)
    measure = score_of("minimax:depth=2", ONE_RUN)
    results = {
        random.cells[0]: match_result(1, 2, 7),
        learner.cells[0]: run_result({measure: (20, 30, 50)}),
    }
    found = found_of(experiment, ONE_RUN, results)
    assert random.ours(found) == Ours((Tally(7, 2, 1),), (7,))
    assert learner.ours(found) == Ours((Tally(50, 30, 20),), (5,), learned=True)


def test_a_wrong_result_changes_what_is_said() -> None:
    experiment = table("cheng-table1")
    cell = experiment.contests(FULL)[0].cells[0]
    told = {}
    for name, result in (("right", (5607, 2, 4391)), ("wrong", (4391, 2, 5607))):
        found = found_of(experiment, FULL, {cell: match_result(*result)})
        told[name] = experiment.report(found, FULL)
    fewest = "if the paper played no more games than its shares need"
    assert told["right"].summary == (
        f"outcomes differ in 0 of 1 row, {fewest}; 0.00 of the games end otherwise"
    )
    assert told["wrong"].summary == (
        f"outcomes differ in 1 of 1 row, {fewest}; 0.12 of the games end otherwise"
    )
    assert told["wrong"].compared[0].value == pytest.approx(0.4391)
    assert told["wrong"].verdict == "not decided"  # one of eight rows says little
    assert "10,000 games, 7 distinct" in told["right"].compared[0].ours


def test_a_share_that_one_game_may_give_agrees_with_nothing() -> None:
    experiment = table("cheng-table5")
    cell = experiment.contests(FULL)[1].cells[0]
    found = found_of(experiment, FULL, {cell: match_result(5, 0, 5)})
    summary = experiment.report(found, FULL).summary
    assert summary.startswith(
        "outcomes are not decided in 1 row (too few runs, or one printed game)"
    )


def test_a_match_has_an_interval_of_its_games_and_a_learner_the_range_of_its_runs() -> None:
    one = Ours((Tally(50, 0, 50),), (9,))
    assert one.win_interval == one.total.win_rate_interval
    tallies = (Tally(90, 0, 10), Tally(50, 0, 50), Tally(10, 0, 90))
    several = Ours(tallies, (9, 9, 9), learned=True)
    assert several.shares == Shares(0.5, 0.0, 0.5)
    assert several.win_interval is None  # neither 300 games nor three runs would give 95 %
    assert several.text == (
        "0.500 / 0.000 / 0.500; wins of the runs 0.100 to 0.900 "
        "(3 runs, 100 games each, 9 distinct in a run)"
    )
    assert several.short == "0.500 / 0.000 / 0.500 (0.100 to 0.900)"
    assert several.of_one_more[1] == (0.0, 0.0)
    assert several.of_one_more[0] == pytest.approx(several.of_one_more[2])


def beside_printed(printed: str, *tallies: Tally, learned: bool) -> Beside:
    ours = Ours(tallies, (9,) * len(tallies), learned)
    return Beside(Contest("somebody", ()), Published(printed), ours)


def test_a_match_differs_by_the_exact_test_of_the_fewest_games() -> None:
    ours = Tally(1110, 0, 8890)
    assert beside_printed("0.04 / 0.0 / 0.96", ours, learned=False).verdict == "may agree"
    assert beside_printed("0.041 / 0.0 / 0.959", ours, learned=False).verdict == "differ"
    assert beside_printed("1.0 / 0.0 / 0.0", ours, learned=False).verdict == "one game may be all"


def test_draws_and_losses_of_a_match_count_as_its_wins_do() -> None:
    printed = "0.5607 / 0.0002 / 0.4391"
    drawn = beside_printed(printed, Tally(5639, 21, 4340), learned=False)
    assert (drawn.apart, drawn.verdict, drawn.agrees) == (("draws",), "differ", False)
    assert beside_printed(printed, Tally(5607, 0, 4393), learned=False).verdict == "may agree"
    lost = beside_printed("0.5 / 0.3 / 0.2", Tally(5000, 5000, 0), learned=False)
    assert lost.published.tally == Tally(5, 3, 2)
    assert lost.apart == ("losses",)


def test_three_questions_do_not_make_a_match_differ_more_often_than_one() -> None:
    printed = "0.473 / 0.0 / 0.527"
    chances = [fisher_exact((wins, 1000), (473, 1000)) for wins in (526, 528)]
    assert SIGNIFICANT / 2 > chances[0] > SIGNIFICANT / 3 > chances[1]
    rows = [beside_printed(printed, Tally(w, 0, 1000 - w), learned=False) for w in (526, 528)]
    assert [row.verdict for row in rows] == ["may agree", "differ"]


def scattered(n_runs: int, rng: np.random.Generator) -> list[Tally]:
    """Return runs whose shares scatter about a third, in every direction alike."""
    along, across = 0.05 * rng.normal(size=(2, n_runs))
    wins = 1 / 3 + along * math.sqrt(2 / 3)
    draws = 1 / 3 - along / math.sqrt(6) + across / math.sqrt(2)
    parts = [(round(10**6 * a), round(10**6 * b)) for a, b in zip(wins, draws, strict=True)]
    return [Tally(won, drawn, 10**6 - won - drawn) for won, drawn in parts]


def test_a_sixth_run_like_ours_seldom_lies_apart_from_five() -> None:
    rng = np.random.default_rng(1)
    apart = []
    for _ in range(2_000):
        *ours, theirs = scattered(6, rng)
        printed = " / ".join(f"{part / 10**6:.6f}" for part in theirs)
        apart.append(beside_printed(printed, *ours, learned=True).apart)
    assert 0.02 < fmean(map(bool, apart)) < 0.06
    assert fmean("draws" in each for each in apart) == pytest.approx(0.05 / 3, abs=0.01)


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize(
    ("printed", "ours"),
    [
        ("0.517 / 0.334 / 0.149", [(411, 4, 585), (257, 3, 740), (551, 5, 444), (400, 0, 600)]),
        ("0.517 / 0.334 / 0.149", [(517, 334, 149), (500, 300, 200), (530, 350, 120)]),
        ("0.5607 / 0.0002 / 0.4391", [(5639, 21, 4340)]),
        ("0.87 / 0.0 / 0.13", [(9807, 1, 192)]),
        ("1.0 / 0.0 / 0.0", [(797, 0, 203)]),
    ],
)
def test_the_verdict_is_the_same_from_either_side(
    printed: str, ours: list[tuple[int, int, int]], learned: bool
) -> None:
    tallies = [Tally(*ours[n % len(ours)]) for n in range(5 if learned else 1)]
    mine = beside_printed(printed, *tallies, learned=learned)
    turned = " / ".join(reversed(printed.split(" / ")))
    flipped = [tally.seen_by_opponent for tally in tallies]
    theirs = beside_printed(turned, *flipped, learned=learned)
    assert mine.verdict == theirs.verdict
    other_side = {"wins": "losses", "draws": "draws", "losses": "wins"}
    assert {other_side[part] for part in mine.apart} == set(theirs.apart)


def test_draws_that_no_run_has_count_where_the_wins_lie_within_the_runs() -> None:
    printed = "0.417 / 0.334 / 0.249"
    runs = [Tally(wins, 4, 996 - wins) for wins in (257, 300, 411, 500, 800)]
    row = beside_printed(printed, *runs, learned=True)
    assert (row.apart, row.verdict) == (("draws",), "differ")
    runs = [Tally(wins, 334, 666 - wins) for wins in (257, 300, 411, 500, 551)]
    assert beside_printed(printed, *runs, learned=True).verdict == "may agree"


def test_the_page_names_what_differs_in_a_row() -> None:
    experiment = table("cheng-table1")
    cell = experiment.contests(FULL)[0].cells[0]
    report = experiment.report(
        found_of(experiment, FULL, {cell: match_result(5639, 21, 4340)}), FULL
    )
    assert report.tables[0].rows == [("Random", "10,000", "0.005", "differ: draws")]


def test_the_outcome_of_a_learner_is_decided_by_five_runs_and_not_by_fewer() -> None:
    far = "0.139 / 0.0 / 0.861"
    runs = [Tally(wins, 0, 1000 - wins) for wins in (300, 320, 340, 360, 380)]
    assert beside_printed(far, runs[0], learned=True).verdict == "too few runs"
    assert beside_printed(far, *runs[:4], learned=True).verdict == "too few runs"
    assert beside_printed(far, *runs, learned=True).verdict == "differ"
    near = [Tally(140, 0, 860), *runs[1:]]
    assert beside_printed(far, *near, learned=True).verdict == "may agree"


def test_rows_that_are_not_decided_are_counted_apart() -> None:
    rows = [
        beside_printed("0.5 / 0.0 / 0.5", Tally(5, 0, 5), learned=False),
        beside_printed("0.139 / 0.351 / 0.51", Tally(5, 0, 5), learned=True),
    ]
    assert summary(rows).startswith(
        "outcomes differ in 0 of 1 row, not decided in 1 row, if the paper"
    )


def test_what_was_published_of_random_names_whom_it_beats() -> None:
    rows = {c.name: c.published for c in table("cheng-table1").contests(FULL)}
    beaten = [name for name, row in rows.items() if row is not None and row.shares.wins > 0.5]
    assert beaten == ["Random", "Minimax d2 alpha-beta"]
    assert "random in .56, alpha-beta of depth 2 in .65" in table("cheng-table1").published


@pytest.mark.parametrize("name", BY_NAME)
def test_the_settings_name_the_seeds(name: str) -> None:
    experiment = BY_NAME[name]
    size = experiment.sizes["quick"]
    seeds = {
        cell.seed if isinstance(cell, MatchCell) else cell.config["seed"]
        for cell in experiment.cells(size)
        if isinstance(cell, MatchCell | TrainingCell)
    }
    assert seeds <= {0, 1, 2, 3}
    told = experiment.report(Found(experiment.cells(size), {}), size).settings
    assert ("seeds 1 to 3" in told) == (3 in seeds)
    assert ("seed 0" in told) == (0 in seeds)


def test_the_nearest_reading_is_the_one_that_plays_as_printed() -> None:
    experiment = table("cheng-table3")
    rows = experiment.grids(ONE_RUN)[1].rows
    results: dict[Cell, CellResult] = {}
    for name, contests in rows.items():
        close = name.startswith("rewards")
        results[contests[0].cells[0]] = run_result(
            {each.measure: _tally(each, exact=close) for each in contests}
        )
    report = experiment.report(found_of(experiment, ONE_RUN, results), ONE_RUN)
    assert "In wins *rewards (`known=off`, `shaping=true`)* comes nearest (0.000)" in (
        report.differences
    )


def _tally(contest: Contest, *, exact: bool) -> tuple[int, int, int]:
    assert contest.published is not None
    wins, draws, losses = (round(10_000 * share) for share in contest.published.shares)
    return (wins, draws, losses) if exact else (losses, draws, wins)


def plain_found(*, exact: bool, draws: int = 0) -> Found:
    """Return the runs of Table 2 at home, as printed or the other way round, and on 7x7."""
    experiment = table("cheng-table2")
    rows = experiment.grids(FULL)[0].rows
    home = {each.measure: _tally(each, exact=exact) for each in rows["trained"]}
    square = {each.measure: (100 - draws, draws, 0) for each in rows["trained, on 7x7"]}
    runs = {cell: run_result(home) for cell in rows["trained"][0].cells}
    runs |= {cell: run_result(square) for cell in rows["trained, on 7x7"][0].cells}
    return found_of(experiment, FULL, runs)


def test_a_verdict_counts_the_rows_that_agree() -> None:
    experiment = table("cheng-table2")
    assert experiment.report(plain_found(exact=True), FULL).verdict == "reproduced"
    assert experiment.report(plain_found(exact=False), FULL).verdict == "differs"


def test_where_the_draws_come_from_is_told_as_the_paper_supposes() -> None:
    experiment = table("cheng-table2")
    grid = experiment.grids(FULL)[0].rows
    alike = {each.measure: (100, 0, 0) for each in grid["trained"]}
    never = found_of(
        experiment,
        FULL,
        {grid[name][0].cells[0]: run_result(alike) for name in ("trained", "trained, on 7x7")},
    )
    told = experiment.report(never, FULL).differences
    assert "it is 0.000 of ours: neither board gives them. The paper supposes" in told
    told = experiment.report(plain_found(exact=True, draws=40), FULL).differences
    assert "it is 0.400 of ours: half of them or more come about on 7x6 and 7x7. The" in told


def test_draws_are_told_of_the_q_learners_alone() -> None:
    told = table("cheng-table2").report(plain_found(exact=True), FULL).differences
    assert (
        "Of the games of Q-learners against minimax 0.38 of the paper's are drawn, and 0.376 of "
        "ours."
    ) in told


def test_known_states_win_no_more_in_the_paper_against_random_alone() -> None:
    more = {
        opponent: Published(KNOWN_FIRST[opponent][1]).shares.wins
        > Published(PLAIN_FIRST[opponent][1]).shares.wins
        for opponent in KNOWN_FIRST
    }
    assert more == {"random": False, D2: True, D4: True}
    experiment = table("cheng-table3")
    assert (
        "against random the paper's player wins no more often with known states (0.7502) than "
        "without (0.7604)"
    ) in experiment.report(found_of(experiment, FULL, {}), FULL).differences


@pytest.mark.parametrize("name", ["cheng-table1", "cheng-table5"])
def test_what_is_printed_twice_is_told_on_both_pages(name: str) -> None:
    experiment = table(name)
    printed = (
        "Random first against minimax of depth 5 is printed twice: minimax wins .97 of the games "
        "in Table 1 and .99 in Table 5."
    )
    told = experiment.report(found_of(experiment, FULL, {}), FULL).differences
    assert told.endswith(printed)
    cell = play("random", D5, FULL)
    found = found_of(experiment, FULL, {cell: match_result(11, 3, 9986)})
    assert experiment.report(found, FULL).differences.endswith(
        f"{printed} So the verdict on the same games of ours is *differ* in Table 1 and *may "
        "agree* in Table 5."
    )
    rows = {contest.name: contest.published for contest in experiment.contests(FULL)}
    shares = {"cheng-table1": ("Minimax d5", "0.03 / 0.0 / 0.97")}
    row, wanted = shares.get(name, ("Random", "0.99 / 0.0 / 0.01"))
    assert rows[row] == Published(wanted)


def test_one_game_repeated_is_a_supposition() -> None:
    told = table("cheng-table5").report(found_of(table("cheng-table5"), FULL, {}), FULL)
    assert "is printed as one game repeated would give;" in told.differences


def test_a_run_that_broke_down_is_left_out() -> None:
    contest = table("cheng-table2").contests(ONE_RUN)[0]
    found = Found(contest.cells, {contest.cells[0].key: run_result({})})
    assert contest.ours(found) is None
    assert contest.compared(found).ours == "not computed"


def test_a_contest_without_published_shares_is_not_compared() -> None:
    last = table("cheng-table1").contests(FULL)[-1]
    assert last.published is None
    assert match(MatchCell(first="random", second="random", games=1), "x").published is None


def large_found(score: dict[str, float]) -> Found:
    """Return results in which every opponent is scored by the line alone."""
    size = replace(cheng_large.SIZES["full"], repeats=1, tests=100)
    results = {}
    for board in cheng_large.BOARDS:
        for line in cheng_large.lines_of(board, size):
            wins = round(100 * score.get(line.name, 0.2))
            tallies = {
                cheng_large.score_of(opponent, size): (wins, 0, 100 - wins)
                for opponent in cheng_large.OPPONENTS
            }
            results[line.cells[0].key] = run_result(tallies)
    return Found(BY_NAME["cheng-large-n"].cells(size), results)


def test_growing_boards_tell_what_training_added() -> None:
    size = replace(cheng_large.SIZES["full"], repeats=1, tests=100)
    found = large_found({"1,000,000 games": 0.7, cheng_large.UNTRAINED: 0.4})
    report = BY_NAME["cheng-large-n"].report(found, size)
    assert report.summary == (
        "Against mcts:iterations=100 a table of 1,000,000 games scores 0.70 on 4x4, N = 3 and "
        "0.70 on 8x7, N = 5 (at least even); training added +0.30 and +0.30."
    )
    behind = BY_NAME["cheng-large-n"].report(large_found({"1,000,000 games": 0.3}), size)
    assert "(behind)" in behind.summary
    assert len(report.summary) <= LONGEST_SUMMARY
    assert report.verdict is None  # nothing was published


def test_a_loss_too_small_to_print_has_no_minus() -> None:
    size = replace(cheng_large.SIZES["full"], repeats=1, tests=1_000)
    measure = cheng_large.score_of(cheng_large.SEARCH[-1], size)
    wins = {"1,000,000 games": 198, cheng_large.UNTRAINED: 200}
    results = {
        line.cells[0].key: run_result({measure: (wins.get(line.name, 0), 0, 800)})
        for board in (cheng_large.BOARDS[0], cheng_large.BOARDS[-1])
        for line in cheng_large.lines_of(board, size)
    }
    found = Found(BY_NAME["cheng-large-n"].cells(size), results)
    assert BY_NAME["cheng-large-n"].report(found, size).summary.endswith("added 0.00 and 0.00.")


@pytest.mark.slow
def test_a_miniature_writes_page_data_and_pictures(tmp_path: Path) -> None:
    names = ["cheng-table3", "cheng-large-n"]
    options = ["--scale", "mini", "--workers", "1", "--out", str(tmp_path)]
    assert run(["reproduce", *names, *options, "--cells", str(tmp_path / "cells")]) == 0
    for name, picture in zip(names, ("outcomes.png", "boards.png"), strict=True):
        folder = tmp_path / name / "mini"
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
        document = json.loads((folder / "report.json").read_text())
        assert document["missing"] == 0
        assert document["summary"] != "not computed"
        assert picture in (folder / "README.md").read_text()
