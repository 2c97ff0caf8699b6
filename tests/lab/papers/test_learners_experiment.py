"""All learners side by side: who is best for what follows from the curves."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from connectlab.cli.app import run
from connectlab.lab.orders import find_trained
from connectlab.lab.papers.cells import MeasuringCell, TrainingCell, measuring_cell
from connectlab.lab.papers.experiment import Scale
from connectlab.lab.papers.index import write_index
from connectlab.lab.papers.learners import PUPILS, SHIPPED, SIZES, benches, lines
from connectlab.lab.papers.learners_told import Runs, accuracy_at, by_games, by_seconds
from connectlab.lab.papers.registry import experiments
from connectlab.lab.papers.reproduction import Reproduction
from connectlab.lab.papers.results import CellResult, Trained
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import write_report
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation

PLAYED = {"games": 100}
SPEED = 1000.0
"""Games a second of runs that are made up."""


def figures(accuracy: float) -> tuple[Figure, ...]:
    return tuple(Figure(key, accuracy) for key in ("outcome_accuracy", "success_rate", "win_rate"))


def made_up(cell: TrainingCell, accuracy: float, size: int) -> CellResult:
    """Return a run that is as accurate from its first judgement on."""
    games = cell.learner_config.games
    rows = [
        Evaluation(
            at, (Measurement("accuracy", figures(accuracy), counts=PLAYED),), seconds=at / SPEED
        )
        for at in range(cell.evaluation_every, games + 1, cell.evaluation_every)
    ]
    data = {
        "games": games,
        "seconds": games / SPEED,
        "evaluations": [row.to_json() for row in rows],
        "final": [],
        "checkpoint_bytes": size,
    }
    return CellResult.now(data, 1.0)


def written(
    folder: Path, accuracies: dict[str, float], sizes: dict[str, int], scale: Scale = "quick"
) -> str:
    """Write the report of runs that are made up; return the page of all reports."""
    each = Reproduction(experiments()["learners"], scale, CellStore(folder / "cells"))
    for cell in each.cells:
        if isinstance(cell, TrainingCell):
            found = made_up(cell, accuracies.get(cell.learner, 0.5), sizes.get(cell.learner, 10**6))
        else:
            assert isinstance(cell, MeasuringCell)
            measured = Measurement("accuracy", figures(accuracies.get(cell.player, 0.6)))
            found = CellResult.now({"final": [measured.to_json()]}, 1.0)
        each.store.save(cell, found)
    write_report(folder, each)
    return write_index(folder).read_text()


def run_of(games: int, accuracy: float = 0.9) -> Trained:
    """Return a run that was judged half-way and at its end."""
    rows = tuple(
        Evaluation(at, (Measurement("accuracy", figures(accuracy)),), seconds=at / SPEED)
        for at in (games // 2, games)
    )
    return Trained(games, games / SPEED, rows)


def test_every_learner_of_the_house_is_there() -> None:
    assert {pupil.learner for pupil in PUPILS} == {"ntuple", "mlp", "qtable", "dqn"}


def test_the_most_accurate_is_named_first_on_the_page_of_all_results(tmp_path: Path) -> None:
    page = written(tmp_path, {"mlp": 0.9, "ntuple": 0.8}, {})
    assert "trained here: mlp, Faußer's fifth, 90.0 % right moves [86.1, 92.9]" in page
    assert page.index("| mlp, best |") < page.index("| ntuple, quick |") < page.index("| dqn")


def test_who_is_nearly_as_accurate_is_not_told_apart(tmp_path: Path) -> None:
    page = written(tmp_path, {"mlp": 0.9, "ntuple": 0.88, "dqn": 0.7}, {})
    line = next(line for line in page.splitlines() if "**Most right moves**" in line)
    apart = "not told apart from it: ntuple, quick and ntuple, champion's recipe and mlp, best."
    assert line.endswith(apart)
    nearest = next(line for line in page.splitlines() if "**Nearest to perfect play**" in line)
    assert nearest.endswith(apart)


def test_the_best_for_its_size_is_small_and_still_good(tmp_path: Path) -> None:
    page = written(tmp_path, {"mlp": 0.87, "dqn": 0.9}, {"mlp": 100_000, "qtable": 100})
    assert "of the best: mlp, Faußer's fifth, 98 KiB, 87.0 % right moves" in page


def test_players_that_come_along_stand_beside_chance(tmp_path: Path) -> None:
    page = written(tmp_path, {"ntuple:champion": 0.95, "random": 0.65}, {})
    what = "right moves, and success moving first against perfect play"
    assert f"{what}: ntuple:champion 95.0 % and 0." in page
    assert "random 65.0 %" in page
    assert [cell.player for cell in benches(SIZES["full"])] == list(SHIPPED)


def test_who_was_not_judged_by_then_or_was_over_before_is_not_compared(tmp_path: Path) -> None:
    page = written(tmp_path, {"dqn": 0.9, "ntuple": 0.8}, {})
    assert "**Best for 10,000 games**, of the 2 of 6 learners that were trained so long" in page
    assert "**Best for 1,000,000 games**" not in page  # the longest run has 700,000
    report = (tmp_path / "learners" / "quick" / "README.md").read_text()
    rows = [line for line in report.splitlines() if line.startswith("| dqn, Dangel's 0.7 |")]
    assert rows[1] == "| dqn, Dangel's 0.7 | 0.900 | - | - | - |"  # 1,000 games in all


@pytest.mark.parametrize(("mark", "value"), [(400, None), (500, 0.9), (1_000, 0.9), (1_001, None)])
def test_a_mark_is_told_of_runs_that_were_judged_before_it_and_went_so_far(
    mark: int, value: float | None
) -> None:
    assert accuracy_at([run_of(1_000), run_of(1_000)], by_games, mark) == value
    assert accuracy_at([run_of(1_000), run_of(10)], by_games, 1_000) is None


def test_at_a_time_all_runs_count_with_the_pace_of_the_fastest() -> None:
    quick = run_of(1_000, 0.9)
    rows = tuple(replace(row, seconds=3 * row.seconds) for row in run_of(1_000, 0.7).evaluations)
    slow = replace(quick, seconds=3 * quick.seconds, evaluations=rows)
    assert accuracy_at([quick, slow], by_seconds, 500 / SPEED) == pytest.approx(0.8)
    assert accuracy_at([quick, slow], by_seconds, 400 / SPEED) is None


def test_an_interval_is_that_of_the_positions_and_not_of_positions_times_runs() -> None:
    assert Runs({}, 150).share(0.9) == "90.0 % right moves [84.2, 93.8]"
    assert Runs({}, 600).share(0.9) == "90.0 % right moves [87.3, 92.2]"


def test_a_short_run_of_the_deep_learner_is_a_miniature_of_the_whole_one() -> None:
    quick, full = (lines(SIZES[scale])[-1].cells[0].config for scale in ("quick", "full"))
    assert (full["games"], full["switch_every"], full["epsilon_games"]) == (20_000, 1_000, 1_500)
    assert (quick["games"], quick["switch_every"], quick["epsilon_games"]) == (1_000, 50, 75)


def test_the_page_says_which_share_of_the_games_was_played(tmp_path: Path) -> None:
    written(tmp_path, {}, {})
    report = (tmp_path / "learners" / "quick" / "README.md").read_text()
    assert "2 runs of each (seeds 1 to 2) with 5 % of the games of its preset" in report


def test_a_player_with_other_weights_is_another_cell(tmp_path: Path) -> None:
    champion = find_trained("ntuple", "champion")
    keys = set()
    for name in ("champion", "hardened"):
        file = tmp_path / name / "player.safetensors"
        file.parent.mkdir()
        file.write_bytes(find_trained("ntuple", name).read_bytes())
        cell = measuring_cell(f"ntuple:{file}", ("quota",))
        assert cell.weights == hashlib.sha256(file.read_bytes()).hexdigest()[: len(cell.weights)]
        keys.add(cell.model_copy(update={"player": "ntuple:champion"}).key)
    assert len(keys) == 2
    shipped = measuring_cell("ntuple:champion", ("quota",))
    assert hashlib.sha256(champion.read_bytes()).hexdigest().startswith(shipped.weights)
    assert shipped.key in keys
    assert measuring_cell("random", ("quota",)).weights == ""


@pytest.mark.slow
def test_a_miniature_of_every_learner_writes_page_data_and_pictures(tmp_path: Path) -> None:
    options = ["--scale", "mini", "--workers", "1", "--out", str(tmp_path)]
    assert run(["reproduce", "learners", *options, "--cells", str(tmp_path / "cells")]) == 0
    folder = tmp_path / "learners" / "mini"
    document = json.loads((folder / "report.json").read_text())
    assert document["missing"] == 0
    page = (folder / "README.md").read_text()
    for picture in ("over-games.png", "over-time.png"):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")
        assert picture in page
