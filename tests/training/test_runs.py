"""Runs with a learner that costs nothing: files, crashes, stops, and going on."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fake_learner import GAMES, FakeLearner, judge

from connectlab.training.display import Display, Snapshot
from connectlab.training.folder import RunFolder, RunRecord, free_folder
from connectlab.training.metrics import MetricsLog, RunError
from connectlab.training.run import RunResult, RunStoppedError, load_learner, train

EVERY = 2


def begin(path: Path, **options: Any) -> RunFolder:
    options = {"evaluation_every": EVERY, **options}
    record = RunRecord.make("fake", {"games": GAMES, "seed": 1}, **options)
    return RunFolder.create(path, record)


def go(path: Path, display: Display | None = None, stop: Event | None = None) -> RunResult:
    """Begin the run in a folder, or go on with it."""
    folder = RunFolder.open(path) if path.exists() else begin(path)
    learner = load_learner(folder, FakeLearner, 1) or FakeLearner()
    return train(folder, learner, judge, display or Display(), stop=stop, beside=False)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save at every line of metrics, as with a slow learner; draw nothing, wait for no disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr("connectlab.training.run.SAVE_SECONDS", 0.0)
    monkeypatch.setattr("connectlab.training.run.save_curve", lambda *_: None)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run without a break."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    go(path)
    return path


def evaluations(path: Path) -> list[dict[str, Any]]:
    lines = [evaluation.to_json() for evaluation in MetricsLog(path / "metrics.jsonl").evaluations]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def assert_same(path: Path, whole: Path) -> None:
    for name in ("state", "latest", "best"):
        file = f"{name}.safetensors"
        assert (path / file).read_bytes() == (whole / file).read_bytes(), file
    assert evaluations(path) == evaluations(whole)
    reports = [line["games"] for line in MetricsLog(path / "metrics.jsonl").progress]
    assert reports == sorted(set(reports))
    assert not (path / "pending").exists()
    assert len(list(path.glob("events.out.tfevents.*"))) == 1


class CrashError(BaseException):
    """The process is gone."""


def crash_at(monkeypatch: pytest.MonkeyPatch, number: int) -> Callable[[], int]:
    """Let the process die before the ``number``-th change of a file; return a counter."""
    count = 0

    def guard(target: Any, name: str, counts: Callable[..., bool]) -> None:
        real = getattr(target, name)

        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal count
            if counts(*arguments):
                count += 1
                if count >= number:
                    raise CrashError
            return real(*arguments, **options)

        monkeypatch.setattr(target, name, call)

    for name in ("replace", "unlink", "rmdir"):
        guard(Path, name, lambda *_: True)
    guard(Path, "open", lambda _path, mode="r", *_: mode in ("a", "ab"))
    guard(os, "fsync", lambda *_: True)
    return lambda: count


def test_a_crash_before_any_change_of_a_file_leaves_no_trace(tmp_path: Path, whole: Path) -> None:
    number, crashed = 0, True
    while crashed:
        number += 1
        path = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            begin(path)
            crash_at(patch, number)
            try:
                go(path)
                crashed = False
            except CrashError:
                pass
        go(path)
        assert_same(path, whole)
    assert number > 40


def test_crash_after_crash(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"
    begin(path)
    for number in range(3, 60, 7):
        with pytest.MonkeyPatch.context() as patch:
            crash_at(patch, number)
            try:
                go(path)
            except CrashError:
                continue
    go(path)
    assert_same(path, whole)


def test_a_line_cut_short_is_measured_again(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        begin(path)
        patch.setattr(RunFolder, "forget_pending", raise_crash)
        with pytest.raises(CrashError):
            go(path)
    text = (path / "metrics.jsonl").read_text()
    assert "success_rate" in text.splitlines()[-1]
    (path / "metrics.jsonl").write_text(text[:-30])
    go(path)
    assert_same(path, whole)


def raise_crash(*_: Any) -> None:
    raise CrashError


def test_what_a_killed_process_left_half_written_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "run"
    begin(path)
    (path / ".state.safetensors.x1y2.safetensors").write_text("half")
    go(path)
    assert not list(path.glob(".state*"))


class StopAt(Display):
    """Asks the run to stop once it has come so far."""

    def __init__(self, games: int) -> None:
        self.games, self.stop = games, Event()

    def show(self, snapshot: Snapshot) -> None:
        if snapshot.games >= self.games:
            self.stop.set()


@pytest.mark.parametrize("games", [1, 2, 3, GAMES])
def test_a_stop_saves_and_the_run_goes_on(tmp_path: Path, whole: Path, games: int) -> None:
    path = tmp_path / "run"
    display = StopAt(games)
    with pytest.raises(RunStoppedError, match="stopped after"):
        go(path, display, display.stop)
    saved = json.loads((path / "state.safetensors").read_text())["games"]
    assert games <= saved <= GAMES
    go(path)
    assert_same(path, whole)


def test_a_finished_run_that_goes_on_changes_nothing(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"
    first, again = go(path), go(path)
    assert_same(path, whole)
    assert first == again


def test_a_full_disk_leaves_the_last_state(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    display = FullDisk(3)
    with pytest.MonkeyPatch.context() as patch:
        display.act = lambda: patch.setattr(os, "fsync", refuse)
        with pytest.raises(OSError, match="No space left"):
            go(path, display)
    saved = json.loads((path / "state.safetensors").read_text())["games"]
    assert 0 < saved < GAMES
    go(path)
    assert_same(path, whole)


class FullDisk(Display):
    """Does something once the run has come so far."""

    act: Callable[[], None]

    def __init__(self, games: int) -> None:
        self.games = games

    def show(self, snapshot: Snapshot) -> None:
        if snapshot.games >= self.games:
            self.act()


def test_the_best_is_the_last_of_equals(whole: Path) -> None:
    lines = evaluations(whole)
    assert len(lines) == GAMES // EVERY
    top = max(line["success_rate"] for line in lines)
    assert sum(line["success_rate"] == top for line in lines) > 1, "no test without a tie"
    winner = [line["games"] for line in lines if line["success_rate"] == top][-1]
    learner = FakeLearner()
    learner.learn(winner)
    assert json.loads((whole / "best.safetensors").read_text()) == {"weight": learner.weight}


def test_the_result_says_what_the_folder_says(tmp_path: Path) -> None:
    result = go(tmp_path / "run")
    assert result.games == GAMES
    assert result.plies == 2 * GAMES
    document = result.to_json()
    assert document["last"]["games"] == GAMES
    assert document["best"]["success_rate"] == max(
        line["success_rate"] for line in document["evaluations"]
    )


def test_without_an_evaluator_nothing_is_evaluated(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", evaluation_games=0)
    result = train(folder, FakeLearner(), None, Display())
    assert result.best is None
    assert result.to_json()["last"] is None
    assert folder.latest.exists()
    assert not folder.best.exists()


def test_a_folder_with_a_run_is_never_overwritten(whole: Path) -> None:
    with pytest.raises(RunError, match=r"already holds a run: go on with it by --resume"):
        begin(whole)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(RunError, match="is not empty"):
        begin(tmp_path)
    with pytest.raises(RunError, match="is a file"):
        begin(tmp_path / "letter.txt")


def test_a_folder_without_a_run_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"holds no run to go on with"):
        RunFolder.open(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"learner": "fake"}'])
def test_a_damaged_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match=r"run.json is damaged"):
        RunFolder.open(tmp_path)


def test_damaged_metrics_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    go(path)
    lines = (path / "metrics.jsonl").read_text().splitlines(keepends=True)
    (path / "metrics.jsonl").write_text("".join([*lines[:2], "oops\n", *lines[3:]]))
    with pytest.raises(RunError, match="damaged in line 3"):
        go(path)


def test_the_state_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    go(path)
    FakeLearner(seed=2).state().save(path / "state.safetensors")
    with pytest.raises(RunError, match="is of another run: its seed is 2, that of this run 1"):
        go(path)


def test_two_processes_cannot_work_on_one_run(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run")
    with folder.locked(), pytest.raises(RunError, match="in use by another process"):
        go(tmp_path / "run")
    go(tmp_path / "run")


def test_free_names_are_counted_up(tmp_path: Path) -> None:
    assert free_folder(tmp_path, "ntuple-quick").name == "ntuple-quick-1"
    (tmp_path / "ntuple-quick-1").mkdir()
    assert free_folder(tmp_path, "ntuple-quick").name == "ntuple-quick-2"


def test_the_record_names_no_host(whole: Path) -> None:
    record = json.loads((whole / "run.json").read_text())
    assert record["versions"].keys() == {"connectlab", "python", "numpy", "numba"}
    assert record["started"].endswith("+00:00")
    assert os.uname().nodename not in (whole / "run.json").read_text()
