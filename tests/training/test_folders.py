"""Folders of runs: who may begin one, what damage is told, and what is never overwritten."""

import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from test_runs import begin, go

from connectlab.storage.checkpoint import Checkpoint
from connectlab.training.folder import RunFolder, RunRecord, free_folder
from connectlab.training.metrics import RunError
from fake_learner import FakeConfig, FakeLearner

pytestmark = pytest.mark.usefixtures("quick")


def edit(path: Path, **changes: Any) -> None:
    """Change the record of a run by hand."""
    record = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps({**record, **changes}))


def test_a_folder_with_a_run_is_never_overwritten(tmp_path: Path) -> None:
    go(tmp_path / "run")
    with pytest.raises(RunError, match=r"already holds a run: go on with it by --resume"):
        begin(tmp_path / "run")


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(RunError, match="is not empty"):
        begin(tmp_path)
    with pytest.raises(RunError, match="is a file"):
        begin(tmp_path / "letter.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_that_was_killed_before_its_record_can_be_used(tmp_path: Path) -> None:
    for name in (".lock", ".run.json.0123abc.json", "start.safetensors"):
        (tmp_path / name).touch()
    begin(tmp_path).close()


def test_a_folder_without_a_run_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"holds no run to go on with"):
        RunFolder.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"learner": "fake"}', "\x00", '"' * 9])
def test_a_damaged_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match=r"run.json is damaged"):
        RunFolder.open(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"threads": "many"},
        {"threads": 0},
        {"threads": 10**30},
        {"evaluation_every": 0},
        {"evaluation_every": 10**400},
        {"measures": "success"},
        {"measures": [7]},
        {"started": "yesterday"},
        {"started": "9999-99-99"},
        {"config": []},
        {"versions": {"python": 3}},
        {"more": 1},
        {"commit": 7},
    ],
)
def test_an_edited_record_is_one_line(tmp_path: Path, changes: dict[str, Any]) -> None:
    begin(tmp_path / "run").close()
    edit(tmp_path / "run", **changes)
    with pytest.raises(RunError, match=rf"run.json is damaged at {next(iter(changes))}") as told:
        RunFolder.open(tmp_path / "run")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "line",
    [
        "oops",
        "[]",
        "{}",
        "null",
        '{"games": "six"}',
        '{"games": -1, "seconds": 1, "games_per_second": 1}',
        '{"games": 1e400, "seconds": 1, "games_per_second": 1}',
        '{"games": 2, "seconds": "long", "games_per_second": 1}',
        '{"games": 2, "seconds": NaN, "games_per_second": 1}',
        '{"games": 2, "seconds": 1, "games_per_second": 1, "loss": "high"}',
        '{"games": 2, "seconds": 1, "games_per_second": 1, "loss": 1' + "0" * 400 + "}",
        '{"games": 2, "seconds": 1, "measures": []}',
        '{"games": 2, "seconds": 1, "measures": [{}]}',
        '{"games": 2, "seconds": 1, "measures": [{"measure": "success", "keys": ["a"]}]}',
        '{"games": 2, "seconds": 1, "measures": [{"measure": "success", "keys": ["a"], "a": 1, '
        '"a_interval": [1], "opponent": null, "counts": {}, "facts": {}, "seconds": 1}]}',
        "[" * 100_000,
        "\x00\x00\x00",
    ],
)
def test_damaged_metrics_are_refused_in_one_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run"
    go(path)
    written = (path / "metrics.jsonl").read_text().splitlines(keepends=True)
    (path / "metrics.jsonl").write_text("".join([*written[:2], f"{line}\n", *written[3:]]))
    with pytest.raises(RunError, match="damaged in line 3") as told:
        go(path)
    assert "\n" not in str(told.value)


def test_bytes_that_are_no_text_are_damage_too(tmp_path: Path) -> None:
    path = tmp_path / "run"
    go(path)
    (path / "metrics.jsonl").write_bytes(b"\xff\xfe{}\n" + (path / "metrics.jsonl").read_bytes())
    with pytest.raises(RunError, match="damaged in line 1"):
        go(path)


def test_the_state_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    go(path)
    FakeLearner(FakeConfig(seed=2)).state().save(path / "state.safetensors")
    with pytest.raises(RunError, match="is of another run: its seed is 2, that of this run 1"):
        go(path)


def test_a_changed_record_takes_effect_at_once(tmp_path: Path) -> None:
    with begin(tmp_path / "run") as folder:
        folder.rewrite(folder.record.model_copy(update={"threads": 3}))
        assert folder.record.threads == 3
    assert RunRecord.read(tmp_path / "run").threads == 3


def test_two_processes_cannot_work_on_one_run(tmp_path: Path) -> None:
    with (
        begin(tmp_path / "run"),
        pytest.raises(RunError, match="in use by another process"),
    ):
        go(tmp_path / "run")
    go(tmp_path / "run")


def test_of_several_who_begin_in_one_folder_exactly_one_wins(tmp_path: Path) -> None:
    """Threads stand for processes: a lock belongs to the file that was opened, not to either."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for number in range(40):
            _race(tmp_path / str(number))
    finally:
        sys.setswitchinterval(before)


def _race(path: Path) -> None:
    barrier, answers = threading.Barrier(3), queue.SimpleQueue[tuple[str, object]]()

    def attempt(seed: int) -> None:
        record = RunRecord.make(FakeConfig(seed=seed))
        barrier.wait()
        try:
            with RunFolder.create(path, record):
                answers.put(("began", seed))
                barrier.wait()
        except RunError as error:
            answers.put(("refused", str(error)))
            barrier.wait()

    tries = [threading.Thread(target=attempt, args=(seed,)) for seed in (1, 2, 3)]
    for thread in tries:
        thread.start()
    for thread in tries:
        thread.join()
    found = [answers.get() for _ in tries]
    (winner,) = [seed for word, seed in found if word == "began"]
    assert RunRecord.read(path).config["seed"] == winner
    for word, text in found:
        assert word == "began" or "in use by" in str(text) or "already holds a run" in str(text)


def test_free_names_are_counted_up(tmp_path: Path) -> None:
    assert free_folder(tmp_path, "ntuple-quick").name == "ntuple-quick-1"
    (tmp_path / "ntuple-quick-1").mkdir()
    assert free_folder(tmp_path, "ntuple-quick").name == "ntuple-quick-2"


def test_the_record_names_no_host(tmp_path: Path) -> None:
    begin(tmp_path / "run").close()
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    always = {"connectlab", "python", "numpy", "numba"}
    assert record["versions"].keys() == always | ({"torch"} & sys.modules.keys())
    assert record["started"].endswith("+00:00")
    assert os.uname().nodename not in (tmp_path / "run" / "run.json").read_text()


def test_the_start_of_a_run_is_kept_in_its_folder(tmp_path: Path) -> None:
    start = FakeLearner(FakeConfig(seed=5)).checkpoint()
    record = RunRecord.make(FakeConfig(), began_from="runs/old/best.safetensors")
    with RunFolder.create(tmp_path / "run", record, start=start) as folder:
        assert Checkpoint.load(folder.start).header == start.header
