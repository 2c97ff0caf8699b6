"""What a cell of a run keeps besides its judgements."""

import json
import threading
from pathlib import Path

import pytest

from connectlab.lab.papers.cells import CELL, TrainingCell, _means_of, training_cell
from connectlab.lab.papers.results import CellResult, Trained
from connectlab.training.metrics import ProgressRow

NEVER = threading.Event()
SMALL = {"columns": 4, "rows": 4, "connect": 3}


def compute(cell: TrainingCell, folder: Path) -> Trained:
    plain = json.loads(json.dumps(cell.compute(folder, NEVER), allow_nan=False))
    return Trained.of(CellResult.now(plain, 1.0))


def small_dqn(**changes: object) -> TrainingCell:
    settings = {
        "games": 12,
        "channels": 4,
        "hidden": 8,
        "batch": 4,
        "invalid": "allow",
        "device": "cpu",
    }
    return training_cell(
        "dqn",
        None,
        {**settings, **SMALL},
        measures=("quota:games=4",),
        evaluation_every=6,
        final=("score:random,games=60",),
        **changes,  # type: ignore[arg-type]
    )


def test_fields_that_came_later_leave_older_keys_alone() -> None:
    cell = small_dqn()
    assert cell.key != small_dqn(keeps=("reward",)).key
    assert cell.key != small_dqn(also_as=("invalid=allow",)).key
    plain = cell.model_dump(mode="json")
    older = {key: value for key, value in plain.items() if key not in ("keeps", "also_as")}
    assert CELL.validate_python(older).key == cell.key


def test_a_key_is_what_it_was_before_there_were_later_fields() -> None:
    cell = TrainingCell(learner="mlp", config={"games": 1}, measures=("quota",), evaluation_every=1)
    assert cell.key == "2a09e51f587682a2517c6c01"


def test_a_player_is_measured_again_with_other_settings(tmp_path: Path) -> None:
    trained = compute(small_dqn(also_as=("invalid=allow",), keeps=("reward",)), tmp_path)
    (plain,), (allowed,) = trained.final, trained.final_as["invalid=allow"]
    assert "forfeits" not in plain.counts
    # After a dozen games it has not learned where there is room.
    assert allowed.counts["forfeits"] > 0
    assert allowed.counts["losses"] >= allowed.counts["forfeits"]
    assert [games for games, _ in trained.kept["reward"]] == [6, 12]


def test_means_are_weighted_by_games_and_end_with_a_judgement() -> None:
    rows = [
        ProgressRow(4, 1.0, 1.0, {"reward": 1.0}),
        ProgressRow(10, 1.0, 1.0, {"reward": 2.0}),
        ProgressRow(15, 1.0, 1.0, {"reward": float("nan")}),
        ProgressRow(20, 1.0, 1.0, {"reward": 3.0}),
    ]
    assert _means_of("reward", rows, 10) == [[10, pytest.approx(1.6)], [20, 3.0]]


def test_weights_that_explode_are_a_result_with_its_reason(tmp_path: Path) -> None:
    changes = {"games": 20_000, "hidden": 120, "eta": "20", "error": "sum", **SMALL}
    cell = training_cell("mlp", None, changes, measures=("quota:games=4",), evaluation_every=20_000)
    trained = compute(cell, tmp_path)
    assert trained.broke_down
    assert trained.broke_down.startswith("the weights exploded")
    assert trained.games < 20_000
    assert trained.evaluations == ()
    assert trained.final == ()
