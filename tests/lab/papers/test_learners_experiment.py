"""All learners side by side: who is best for what follows from the curves."""

from pathlib import Path
from unittest.mock import patch

from connectlab.lab.papers.cells import TrainingCell
from connectlab.lab.papers.index import Written, write_index
from connectlab.lab.papers.learners import PUPILS
from connectlab.lab.papers.registry import experiments
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.results import CellResult
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import write_report
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation


def made_up(cell: TrainingCell, accuracy: float, speed: float, size: int) -> CellResult:
    """Return a run that is as accurate from its first judgement on."""
    games = cell.learner_config.games
    figures = tuple(
        Figure(key, accuracy) for key in ("outcome_accuracy", "success_rate", "win_rate")
    )
    rows = [
        Evaluation(at, (Measurement("accuracy", figures),), seconds=at / speed)
        for at in range(cell.evaluation_every, games + 1, cell.evaluation_every)
    ]
    data = {
        "games": games,
        "seconds": games / speed,
        "evaluations": [row.to_json() for row in rows],
        "final": [],
        "checkpoint_bytes": size,
    }
    return CellResult.now(data, 1.0)


def page_of(folder: Path, accuracies: dict[str, float], sizes: dict[str, int]) -> str:
    each = Reproduction(experiments()["learners"], "mini", CellStore(folder / "cells"))
    for cell in each.cells:
        assert isinstance(cell, TrainingCell)
        learner = cell.learner
        found = made_up(cell, accuracies.get(learner, 0.5), 1000.0, sizes.get(learner, 10**6))
        each.store.save(cell, found)
    write_report(folder, each)
    with patch.object(Written, "is_miniature", False):  # whose answers are not for the index
        return write_index(folder).read_text()


def test_every_learner_of_the_house_is_there() -> None:
    assert {pupil.learner for pupil in PUPILS} == {"ntuple", "mlp", "qtable", "dqn"}


def test_the_most_accurate_is_named_first_on_the_page_of_all_results(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"mlp": 0.9, "ntuple": 0.8}, {})
    assert "**Nearest to perfect play**: mlp, Faußer's fifth, 90.0 % right moves (one run)." in page
    assert page.index("| mlp, best |") < page.index("| ntuple, quick |") < page.index("| dqn")


def test_the_best_for_its_memory_is_small_and_still_good(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"mlp": 0.87, "dqn": 0.9}, {"mlp": 100_000, "qtable": 100})
    assert "of the best: mlp, Faußer's fifth, 98 KiB, 87.0 % right moves (one run)." in page


def test_who_was_not_judged_by_then_is_not_compared(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"dqn": 0.9, "ntuple": 0.8}, {})
    said = "**Best for 1,000 games**, of the 3 of 6 that were judged by then: dqn, Dangel's 0.7,"
    assert f"{said} 90.0 %" in page
    report = (tmp_path / "learners" / "mini" / "README.md").read_text()
    row = next(line for line in report.splitlines() if line.startswith("| mlp, best | -"))
    assert row.startswith("| mlp, best | - | 0.500 |")  # first judged after 7,000 games
