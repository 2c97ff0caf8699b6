"""Thill 2012: what is computed is what the paper did, and what is told follows what came out."""

import json
from pathlib import Path

import pytest
from made_up_runs import Success, made_up

from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.experiment import Experiment
from connectlab.lab.papers.registry import experiments
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import write_report


def full_cells(name: str) -> list[TrainingCell]:
    experiment = experiments()[name]
    cells = experiment.cells(experiment.sizes["full"])
    return [cell for cell in cells if isinstance(cell, TrainingCell)]


def report_of(name: str, folder: Path, success: Success) -> tuple[str, dict[str, str]]:
    """Return the page of an experiment on made-up runs, and ours by what is compared."""
    each = Reproduction(experiments()[name], "mini", CellStore(folder / "cells"))
    for cell in each.cells:
        each.store.save(cell, made_up(cell, success))
    page, report = write_report(folder, each)
    assert json.loads((page.parent / "report.json").read_text())["missing"] == 0
    return page.read_text(), {row.what: row.ours for row in report.compared}


def test_the_standard_runs_have_the_settings_of_the_paper() -> None:
    cells = full_cells("thill-fig2b")
    assert len(cells) == 20
    four = [cell.config for cell in cells if cell.config["states"] == 4]
    assert [config["seed"] for config in four] == list(range(1, 11))
    for config in four:
        shown = {key: config[key] for key in (
            "tuples", "length", "tables", "mirror", "initial_weights", "trace_lambda", "gamma",
            "alpha", "games", "tuple_seed", "updates")}  # fmt: skip
        assert shown == {
            "tuples": 70, "length": 8, "tables": 2, "mirror": True, "initial_weights": 0.0,
            "trace_lambda": 0.0, "gamma": 1.0, "alpha": "0.01->0.001", "games": 10_000_000,
            "tuple_seed": 1, "updates": "thill",
        }  # fmt: skip
        assert str(config["epsilon"]).startswith("0.95->0.1:sigmoid")
    assert {cell.evaluation_every for cell in cells} == {100_000}
    assert {cell.measures for cell in cells} == {("success:games=50,objective=framework",)}


def test_figures_share_the_standard_runs() -> None:
    standard = {cell.key for cell in full_cells("thill-fig2b") if cell.config["states"] == 4}
    for name in ("thill-table1", "thill-fig3a", "thill-fig3b", "thill-alpha", "thill-epsilon"):
        assert standard <= {cell.key for cell in full_cells(name)}, name


def test_one_table_is_tried_with_all_creations_and_codings() -> None:
    tried = {(c.config["creation"], c.config["states"]) for c in full_cells("thill-fig2a")}
    assert len(tried) == 6
    assert {cell.config["tables"] for cell in full_cells("thill-fig2a")} == {1}


def test_ten_sets_are_run_twice_with_other_games() -> None:
    cells = [cell.config for cell in full_cells("thill-fig3a")][:]
    pairs = [(c["tuple_seed"], c["seed"]) for c in cells if c["tuple_seed"] != 1]
    assert len(set(pairs)) == 20
    assert len({tuples for tuples, _ in pairs}) == 10


def test_the_learning_rates_are_those_of_the_text() -> None:
    tuned = {str(cell.config["alpha"]) for cell in full_cells("thill-fig3b")}
    assert tuned == {"0.01->0.001", "0.004->0.002"}
    finals = {str(cell.config["alpha"]) for cell in full_cells("thill-alpha")}
    assert finals == {"0.01->0.001", "0.01->0.004", "0.01->0.006", "0.01->0.01"}


def test_published_numbers_are_those_of_the_paper() -> None:
    from connectlab.lab.papers.thill_weights import COUNTS, HOURS

    assert sorted(COUNTS.values()) == [(918_540, 304_444), (9_175_040, 646_693)]
    assert [f"{hours:.3f}" for hours in HOURS.values()] == ["6.750", "7.833"]


def test_onset_and_late_mean_follow_the_curves(tmp_path: Path) -> None:
    def rise(cell: TrainingCell, done: float) -> float:
        late = 0.9 if cell.config["states"] == 4 else 0.8
        return late if done >= 0.5 else 0.1

    _, ours = report_of("thill-fig2b", tmp_path, rise)
    assert ours["P = 4 reaches 80 %"] == "500 (50 % of the run)"
    assert ours["P = 4, mean of the last 40 %"].startswith("0.900")
    assert ours["P = 3, mean of the last 40 %"].startswith("0.800")


def test_a_line_that_never_gets_there_is_told(tmp_path: Path) -> None:
    page, ours = report_of("thill-fig3b", tmp_path, lambda cell, done: 0.2)
    assert ours["tuned reaches 80 %"] == "never"
    assert "0 of 2" in page


def test_bad_sets_are_counted_and_looked_up_again(tmp_path: Path) -> None:
    def by_set(cell: TrainingCell, done: float) -> float:
        return 0.05 if cell.config["tuple_seed"] == 2 else 0.8

    page, ours = report_of("thill-fig3a", tmp_path, by_set)
    assert ours["sets whose first run has a late mean under 0.1"] == "1 of 2"
    assert "| set 2 | 0.050 | 0.050 |" in page


def test_what_was_not_computed_is_not_called_never(tmp_path: Path) -> None:
    each = Reproduction(experiments()["thill-fig2b"], "mini", CellStore(tmp_path / "cells"))
    page, report = write_report(tmp_path, each)
    assert {row.ours for row in report.compared} == {"not computed"}
    assert "never |" not in page.read_text()
    assert "Nothing was computed yet." in page.read_text()


def test_the_share_of_learned_weights_is_told_in_the_summary(tmp_path: Path) -> None:
    each = Reproduction(experiments()["thill-table1"], "mini", CellStore(tmp_path / "cells"))
    assert write_report(tmp_path, each)[1].summary == "not computed"
    for cell in each.cells:
        each.store.save(cell, made_up(cell, lambda cell, done: 0.5))
    assert "98.5 % of the realisable" in write_report(tmp_path, each)[1].summary


def test_weights_are_told_as_the_paper_counts_them(tmp_path: Path) -> None:
    page, _ = report_of("thill-table1", tmp_path, lambda cell, done: 0.5)
    assert "646,693" in page
    assert "| 98.5 % |" in page


@pytest.mark.parametrize("experiment", experiments().values(), ids=lambda each: each.name)
def test_only_thill_is_of_2012(experiment: Experiment) -> None:
    assert experiment.name.startswith("thill") == experiment.paper.startswith("Thill 2012")
