"""Thill 2012: which inflection of epsilon's sigmoid has the onsets of the paper."""

from collections.abc import Mapping
from dataclasses import replace

from made_up_runs import Success, report_on

from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.registry import experiments
from connectlab.lab.papers.thill_runs import FEWER_RUNS
from connectlab.training.schedules import Schedule

NAME = "thill-sigmoid"
FULL = replace(FEWER_RUNS["full"], points=20)
"""As many games and runs, judged less often: quick to make up."""
PRESETS = 0.3


def inflection(cell: TrainingCell) -> float:
    epsilon = Schedule.model_validate(cell.config["epsilon"])
    assert epsilon.inflection is not None
    return epsilon.inflection


def curve(cell: TrainingCell) -> str:
    if cell.config["states"] == 3:
        return "P = 3"
    return "tuned" if str(cell.config["alpha"]).startswith("0.004") else "P = 4"


def rising(onsets: Mapping[str, float]) -> Success:
    """Return runs that are at 0.9 from an onset on, half an inflection later the later it is."""

    def success(cell: TrainingCell, done: float) -> float:
        later = (inflection(cell) - 0.2) / 2
        return 0.9 if done >= onsets[curve(cell)] + later - 1e-9 else 0.1

    return success


def full_cells(name: str) -> list[TrainingCell]:
    experiment = experiments()[name]
    cells = experiment.cells(experiment.sizes["full"])
    return [cell for cell in cells if isinstance(cell, TrainingCell)]


def test_every_curve_has_every_inflection_and_one_is_that_of_the_presets() -> None:
    cells = full_cells(NAME)
    assert len({(curve(cell), inflection(cell)) for cell in cells}) == 9
    assert len(cells) == 9 * 5
    assert {cell.config["tuple_seed"] for cell in cells} == {1}
    standard = {cell.key for name in ("thill-fig2b", "thill-fig3b") for cell in full_cells(name)}
    shared = [cell for cell in cells if cell.key in standard]
    assert len(shared) == 3 * 5
    assert {inflection(cell) for cell in shared} == {PRESETS}


def test_the_inflection_whose_onsets_are_nearest_is_named() -> None:
    report = report_on(NAME, FULL, rising({"P = 3": 0.45, "P = 4": 0.35, "tuned": 0.35}))
    assert report.summary == (
        "nearest for Figure 2b is the inflection 0.3: 80 % after 50 %, 40 % and 40 % of the run; "
        "50, 40 and 20 % published"
    )
    assert (
        "The onsets of P = 3 and P = 4 (Figure 2b) are off by 0.0 % of the run with the inflection "
        "0.3, 5.0 % of the run with the inflection 0.2 and 10.0 % of the run with the inflection "
        "0.1, in the mean; with the tuned alpha (Figure 3b) all three by 6.7 % of the run with the "
        "inflection 0.3, 8.3 % of the run with the inflection 0.2 and 10.0 % of the run with the "
        "inflection 0.1."
    ) in report.differences
    assert (
        "The standard alpha takes 1.0, 1.0 and 1.0 times the games of the tuned one to 80 % with "
        "the inflection 0.1, inflection 0.2 and inflection 0.3; published is 2 times."
    ) in report.differences
    assert report.verdict is None


def test_a_curve_that_never_rises_counts_as_rising_at_the_end() -> None:
    report = report_on(NAME, FULL, lambda cell, done: 0.9 if inflection(cell) == 0.2 else 0)
    assert "by 40.0 % of the run with the inflection 0.2, 55.0 % of the run" in report.differences
    assert "takes 1.0 times the games of the tuned one to 80 % with the inflection 0.2;" in (
        report.differences
    )
    never = report_on(NAME, FULL, lambda cell, done: 0.1)
    assert "80 % after never, never and never of the run" in never.summary
    assert "times the games of the tuned one" not in never.differences


def test_inflections_are_not_compared_before_every_curve_has_a_run() -> None:
    report = report_on(NAME, FULL, rising({"P = 3": 0.4, "P = 4": 0.4, "tuned": 0.4}), runs=0)
    assert report.summary == "not computed"
    assert "off by" not in report.differences
