"""Runs with a learner that costs nothing: files, crashes, stops, and going on."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from connectlab.training import clock
from connectlab.training.display import Display, Snapshot
from connectlab.training.evaluation import Judge
from connectlab.training.folder import RunFolder, RunRecord
from connectlab.training.learner import BrokeDownError
from connectlab.training.measurement import Measurement
from connectlab.training.metrics import Evaluation, MetricsLog, RunError
from connectlab.training.run import RunResult, RunStoppedError, restore_learner, train
from fake_learner import (
    GAMES,
    FakeConfig,
    FakeLearner,
    judge,
    lines,
    measurement,
    weight_in,
)

EVERY = 2
pytestmark = pytest.mark.usefixtures("quick")


def begin(path: Path, config: FakeConfig | None = None, **options: Any) -> RunFolder:
    options = {"evaluation_every": EVERY, "measures": ["success"], **options}
    return RunFolder.create(path, RunRecord.make(config or FakeConfig(), **options))


def begin_and_close(path: Path, **options: Any) -> None:
    begin(path, **options).close()


def go(
    path: Path,
    display: Display | None = None,
    stop: Event | None = None,
    *,
    config: FakeConfig | None = None,
    by: Judge | None = judge,
) -> RunResult:
    """Begin the run in a folder, or go on with it."""
    with RunFolder.open(path) if (path / "run.json").exists() else begin(path, config) as folder:
        learner = FakeLearner(config)
        restore_learner(folder, learner)
        return train(folder, learner, by, display or Display(), stop=stop, beside=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run without a break."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    go(path)
    return path


def evaluations(path: Path) -> list[dict[str, Any]]:
    found = [evaluation.to_json() for evaluation in MetricsLog(path / "metrics.jsonl").evaluations]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in found]


def assert_same(path: Path, whole: Path) -> None:
    for name in ("state", "latest", "best"):
        file = f"{name}.safetensors"
        assert (path / file).read_bytes() == (whole / file).read_bytes(), file
    assert evaluations(path) == evaluations(whole)
    rows = [row.games for row in MetricsLog(path / "metrics.jsonl").progress]
    assert rows == sorted(set(rows))
    assert not (path / "pending").exists()
    assert len(list(path.glob("events.out.tfevents.*"))) == 1


class CrashError(BaseException):
    """The process is gone."""


def crash_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let the process die before the ``number``-th change of a file."""
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


class Disk:
    """A disk that forgets what was written and not flushed when the power fails."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.flushed: dict[int, bytes] = {}
        patch.setattr(os, "fsync", self._flush)

    def _flush(self, descriptor: int) -> None:
        file = Path(f"/proc/self/fd/{descriptor}")
        if not file.is_dir():
            self.flushed[os.fstat(descriptor).st_ino] = file.read_bytes()

    def lose_power(self, folder: Path) -> None:
        for file in folder.rglob("*"):
            if file.is_file():
                file.write_bytes(self.flushed.get(file.stat().st_ino, b""))


@pytest.mark.parametrize("power_fails", [False, True])
def test_a_crash_before_any_change_of_a_file_leaves_no_trace(
    tmp_path: Path, whole: Path, power_fails: bool
) -> None:
    if power_fails and not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc to see which file is flushed")
    number, crashed = 0, True
    while crashed:
        number += 1
        path = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            disk = Disk(patch) if power_fails else None
            begin_and_close(path)
            crash_at(patch, number)
            try:
                go(path)
                crashed = False
            except CrashError:
                pass
            if disk is not None:
                disk.lose_power(path)
        go(path)
        assert_same(path, whole)
    assert number > 40


def test_the_disk_of_these_tests_forgets_what_was_not_flushed(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(patch)
        with (tmp_path / "file").open("w") as file:
            file.write("kept")
            file.flush()
            os.fsync(file.fileno())
            file.write(" and lost")
        disk.lose_power(tmp_path)
    assert (tmp_path / "file").read_text() == "kept"


def test_crash_after_crash(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"
    begin_and_close(path)
    for number in range(3, 60, 7):
        with pytest.MonkeyPatch.context() as patch:
            crash_at(patch, number)
            try:
                go(path)
            except CrashError:
                continue
    go(path)
    assert_same(path, whole)


@pytest.mark.parametrize("saves", [[1], [3], [4], [2, 5]])
def test_states_that_are_saved_seldom_lose_nothing(
    tmp_path: Path, whole: Path, saves: list[int]
) -> None:
    """Evaluations that came back before a state was saved are measured again, not kept."""

    class Rarely:
        steps = 0

        @property
        def is_due(self) -> bool:
            self.steps += 1
            return self.steps in saves

        def saved(self, seconds: float) -> None:
            del seconds

    number, crashed = 0, True
    while crashed:
        number += 3
        path = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("connectlab.training.run.SavePace", Rarely)
            begin_and_close(path)
            crash_at(patch, number)
            try:
                go(path)
                crashed = False
            except CrashError:
                pass
        saved = 0
        if (path / "state.safetensors").exists():
            learner = FakeLearner()
            with RunFolder.open(path) as folder:
                restore_learner(folder, learner)
            saved = learner.games_done
        kept = MetricsLog(path / "metrics.jsonl").evaluations
        assert all(evaluation.games <= saved for evaluation in kept)
        go(path)
        assert_same(path, whole)


def test_saving_takes_a_small_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clock, "SAVE_SECONDS", 5.0)
    monkeypatch.setattr(clock, "SAVE_SHARE", 20)
    monkeypatch.setattr("time.monotonic", lambda: now)
    pace = clock.SavePace()
    now = 104.9
    assert not pace.is_due
    now = 105.0
    assert pace.is_due
    now = 108.0
    pace.saved(3.0)
    now = 108.0 + 59.9
    assert not pace.is_due
    now = 108.0 + 60.0
    assert pace.is_due


def test_a_line_cut_short_is_measured_again(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        begin_and_close(path)
        crash_at(patch, 50)
        with pytest.raises(CrashError):
            go(path)
    with (path / "metrics.jsonl").open("a") as file:
        file.write('{"games": 99, "loss')
    go(path)
    assert_same(path, whole)


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "SAVE_SECONDS", 1e9)  # nothing but the stop saves
        with pytest.raises(RunStoppedError, match="stopped after"):
            go(path, display, display.stop)
    learner = FakeLearner()
    with RunFolder.open(path) as folder:
        restore_learner(folder, learner)
    assert games <= learner.games_done <= GAMES
    go(path)
    assert_same(path, whole)


def test_a_display_whose_terminal_is_gone_does_not_end_the_run(tmp_path: Path, whole: Path) -> None:
    class Gone(Display):
        def show(self, snapshot: Snapshot) -> None:
            raise OSError(errno.EIO, "Input/output error")

    go(tmp_path / "run", Gone())
    assert_same(tmp_path / "run", whole)


def test_a_finished_run_that_goes_on_changes_nothing(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"
    first, again = go(path), go(path)
    assert_same(path, whole)
    assert first == again


def test_without_a_damaged_checkpoint_that_waits_all_others_are_judged(
    tmp_path: Path, whole: Path
) -> None:
    path = tmp_path / "run"
    with pytest.raises(RunStoppedError):
        go(path, display := StopAt(3), display.stop)
    FakeLearner().checkpoint().save(path / "pending" / "3.safetensors")
    (damaged := path / "pending" / "1.safetensors").write_bytes(b"nothing of ours")
    with pytest.raises(RunError, match="remove that file, and the run goes on without"):
        go(path)
    damaged.unlink()
    go(path)
    judged = [evaluation["games"] for evaluation in evaluations(path)]
    assert judged == [2, 3, 4, 6]


def test_a_full_disk_leaves_the_last_state(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "run"

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    display = Acting(3)
    with pytest.MonkeyPatch.context() as patch:
        display.act = lambda: patch.setattr(os, "fsync", refuse)
        with pytest.raises(OSError, match="No space left"):
            go(path, display)
    assert (path / "state.safetensors").exists()
    go(path)
    assert_same(path, whole)


class Acting(Display):
    """Does something once the run has come so far."""

    act: Callable[[], None]

    def __init__(self, games: int) -> None:
        self.games = games

    def show(self, snapshot: Snapshot) -> None:
        if snapshot.games >= self.games:
            self.act()


def test_the_best_is_the_last_of_equals(whole: Path) -> None:
    found = evaluations(whole)
    assert len(found) == GAMES // EVERY
    top = max(line["success_rate"] for line in found)
    assert sum(line["success_rate"] == top for line in found) > 1, "no test without a tie"
    winner = [line["games"] for line in found if line["success_rate"] == top][-1]
    learner = FakeLearner()
    while learner.games_done < winner:
        learner.step()
    assert weight_in(whole / "best.safetensors") == learner.weight


def test_every_evaluation_is_judged_with_a_seed_of_its_own(tmp_path: Path) -> None:
    seeds = []

    def listen(path: Path, seed: int) -> tuple[Measurement, ...]:
        seeds.append(seed)
        return judge(path, seed)

    go(tmp_path / "run", by=listen)
    go(tmp_path / "other", config=FakeConfig(seed=2), by=listen)
    assert len(seeds) == 2 * GAMES // EVERY
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize(
    ("games", "step", "judged"),
    [(20, 3, [6, 9, 12, 18, 20]), (20, 7, [7, 14, 20]), (20, 50, [20]), (8, 4, [4, 8])],
)
def test_evaluations_come_at_the_first_step_past_each_multiple(
    tmp_path: Path, games: int, step: int, judged: list[int]
) -> None:
    config = FakeConfig(games=games, step_games=step)
    with begin(tmp_path / "run", config, evaluation_every=4) as folder:
        result = train(folder, FakeLearner(config), judge, Display(), beside=False)
    expected = sorted({min(games, -(-at // step) * step) for at in (*range(4, games, 4), games)})
    assert [evaluation.games for evaluation in result.evaluations] == expected == judged


def test_metrics_are_means_over_the_games_since_the_row_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "SAVE_SECONDS", 1e9)
    config = FakeConfig(games=10, step_games=4)
    with begin(tmp_path / "run", config, evaluation_every=10**6) as folder:
        monkeypatch.setattr("connectlab.training.run.ROWS", 1)
        train(folder, FakeLearner(config), None, Display())
    (row,) = lines(tmp_path / "run" / "metrics.jsonl")
    assert row["games"] == 10
    assert row["loss"] == pytest.approx((4 * 4 + 4 * 8 + 2 * 10) / 10)
    assert row["alpha"] == 0.142626, "(4 / 5 + 4 / 9 + 2 / 11) / 10, to six digits"


def test_a_metric_that_is_no_number_is_null(tmp_path: Path) -> None:
    class Lost(FakeLearner):
        def step(self) -> dict[str, float]:
            return {**super().step(), "loss": float("nan"), "huge": 1e200}

    with begin(tmp_path / "run") as folder:
        train(folder, Lost(), None, Display())
    assert all(row["loss"] is None for row in lines(tmp_path / "run" / "metrics.jsonl"))
    with RunFolder.open(tmp_path / "run") as folder:
        learner = Lost()
        restore_learner(folder, learner)
        assert train(folder, learner, None, Display()).games == GAMES


class Exploding(FakeLearner):
    """Breaks down in its fifth game."""

    def step(self) -> dict[str, float]:
        if self.games_done == 4:
            raise BrokeDownError("the weights exploded in game 5")
        return dict(super().step())


@pytest.mark.parametrize("save_seconds", [0.0, 1e9])
@pytest.mark.parametrize("beside", [False, True])
def test_a_run_that_breaks_down_keeps_what_was_judged_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save_seconds: float, *, beside: bool
) -> None:
    monkeypatch.setattr(clock, "SAVE_SECONDS", save_seconds)
    path = tmp_path / "run"
    begin_and_close(path)
    for _ in range(2):  # the second one goes on, and breaks down again
        with RunFolder.open(path) as folder:
            learner = Exploding()
            restore_learner(folder, learner)
            with pytest.raises(BrokeDownError):
                train(folder, learner, judge, Display(), beside=beside)
        log = MetricsLog(path / "metrics.jsonl")
        assert [row.games for row in log.evaluations] == [2, 4]
        assert log.progress[-1].games == 4
        assert not (path / "pending").exists()
        assert (path / "best.safetensors").exists()


def test_a_broken_run_that_is_stopped_before_all_is_judged_is_no_result(tmp_path: Path) -> None:
    stop = Event()

    class Stopped(FakeLearner):
        def step(self) -> dict[str, float]:
            if self.games_done == 2:
                stop.set()
                raise BrokeDownError("the weights exploded in game 3")
            return dict(super().step())

    with begin(tmp_path / "run") as folder, pytest.raises(RunStoppedError, match="after 2 games"):
        train(folder, Stopped(), judge, Display(), stop=stop, beside=True)


def test_another_first_measure_chooses_the_best_anew(tmp_path: Path) -> None:
    def by(name: str, rate: float) -> Judge:
        return lambda _path, _seed: (measurement(rate, name), measurement(0.5, "other"))

    go(tmp_path / "run", by=by("exact", 0.9))
    config = FakeConfig(games=2 * GAMES)
    result = go(tmp_path / "run", config=config, by=by("success", 0.25))
    assert result.best is not None
    assert result.best.first.value == 0.25
    assert result.best.games == 2 * GAMES
    learner = FakeLearner(config)
    while learner.games_done < 2 * GAMES:
        learner.step()
    assert weight_in(tmp_path / "run" / "best.safetensors") == learner.weight


def test_a_run_that_gets_more_games_ends_as_one_that_had_them(tmp_path: Path) -> None:
    config = FakeConfig(games=2 * GAMES)
    go(tmp_path / "short")
    go(tmp_path / "short", config=config)
    go(tmp_path / "long", config=config)
    names = ("latest.safetensors", "best.safetensors", "state.safetensors")
    for name in names:
        assert (tmp_path / "short" / name).read_bytes() == (tmp_path / "long" / name).read_bytes()
    with pytest.raises(RunError, match="has learned from 12 games already: games=6 is too few"):
        go(tmp_path / "short", config=FakeConfig())


def test_a_run_begins_from_what_another_learned(tmp_path: Path, whole: Path) -> None:
    start = FakeLearner(FakeConfig(seed=77)).checkpoint()
    record = RunRecord.make(FakeConfig(), evaluation_every=EVERY, began_from="elsewhere")
    with RunFolder.create(tmp_path / "run", record, start=start):
        pass  # killed before its first state: the copy in the folder is what it begins from
    go(tmp_path / "run")
    assert weight_in(tmp_path / "run" / "latest.safetensors") != weight_in(
        whole / "latest.safetensors"
    )
    other = FakeLearner(FakeConfig(seed=77))
    while other.games_done < GAMES:
        other.step()
    assert weight_in(tmp_path / "run" / "latest.safetensors") == other.weight


def test_the_result_says_what_the_folder_says(tmp_path: Path) -> None:
    result = go(tmp_path / "run")
    assert result.games == GAMES
    document: dict[str, Any] = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert document["last"]["games"] == GAMES
    assert document["metrics"]["loss"] == GAMES
    assert document["best"]["success_rate"] == max(
        line["success_rate"] for line in document["evaluations"]
    )
    assert document["last"]["measures"][0]["counts"] == {"games": 200, "distinct_games": 7}


def test_without_a_judge_nothing_is_evaluated(tmp_path: Path) -> None:
    result = go(tmp_path / "run", by=None)
    assert result.best is None
    assert result.to_json()["last"] is None
    assert (tmp_path / "run" / "latest.safetensors").exists()
    assert not (tmp_path / "run" / "best.safetensors").exists()


def test_evaluations_are_read_back_as_they_were_written(whole: Path) -> None:
    rows = MetricsLog(whole / "metrics.jsonl").evaluations
    assert [Evaluation.of(json.loads(json.dumps(row.to_json()))) for row in rows] == rows
    assert rows[0].first.interval is not None
