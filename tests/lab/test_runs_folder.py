"""A folder of runs as data: read while others write, and with whatever lies in it."""

import json
from pathlib import Path

import pytest

from connectlab.lab.jobs import new_job, old_job
from connectlab.lab.live_rows import LiveRows
from connectlab.lab.measures import QuotaMeasure
from connectlab.lab.plans import Request
from connectlab.lab.runs import Runs, RunView, tuple_set
from connectlab.lab.sweep import begin_plan, new_plan, plan_jobs
from connectlab.training.display import Display
from connectlab.training.folder import RunFolder, is_in_use
from connectlab.training.metrics import MetricsLog, ProgressRow, RunError
from fake_learner import GAMES

pytestmark = pytest.mark.usefixtures("fake")

BOARD: dict[str, object] = {"columns": 4, "rows": 4, "connect": 3}
QUOTA = (QuotaMeasure(games=10),)


def make(path: Path, **changes: object) -> None:
    request = Request("fake", changes={**BOARD, **changes}, measures=QUOTA)
    new_job(request, path).run(Display(), beside=False)


def only(runs: Runs) -> RunView:
    (view,) = runs.look()[0]
    return view


def row(games: int) -> ProgressRow:
    return ProgressRow(games, float(games), 1.0, {"loss": 0.5})


def test_a_finished_run_tells_all(tmp_path: Path) -> None:
    make(tmp_path / "first")
    view = only(Runs(tmp_path))
    assert (view.name, view.state, view.games, view.total) == ("first", "finished", GAMES, GAMES)
    assert view.player == f"fake:{tmp_path / 'first'}"
    assert view.newest == f"fake:{tmp_path / 'first' / 'latest.safetensors'}"
    plain = json.loads(json.dumps(view.to_json(), allow_nan=False))
    assert plain["board"] == BOARD
    assert plain["figures"] == ["win_rate", "winning_quota"]
    assert plain["labels"] == {
        "win_rate": "share of games won",
        "winning_quota": "games won / games lost",
    }
    assert plain["best"]["interval"][0] <= plain["best"]["value"]
    assert plain["metrics"] == ["loss", "alpha"]
    assert (plain["evaluation_every"], plain["tuple_file"]) == (max(1, GAMES // 20), None)


def test_a_set_of_tuples_is_told_without_its_folder() -> None:
    assert tuple_set("/somewhere/data/tuples/corner.json") == "corner"
    assert tuple_set(None) is None


def test_a_run_with_games_to_go_is_stopped_and_one_in_use_is_running(tmp_path: Path) -> None:
    make(tmp_path / "first")
    runs = Runs(tmp_path)
    job = old_job(Request("fake", changes={"games": 100}), tmp_path / "first")
    with RunFolder.open(tmp_path / "first") as folder:
        folder.rewrite(job.record)
        assert only(runs).state == "running"
        assert is_in_use(tmp_path / "first")
    view = only(runs)
    assert (view.state, view.games, view.total) == ("stopped", GAMES, 100)


def test_looking_keeps_nobody_out(tmp_path: Path) -> None:
    make(tmp_path / "first")
    assert not is_in_use(tmp_path / "first")
    with RunFolder.open(tmp_path / "first"), pytest.raises(RunError, match="in use"):
        RunFolder.open(tmp_path / "first")
    (tmp_path / "first" / ".lock").unlink()
    assert not is_in_use(tmp_path / "first")
    assert not (tmp_path / "first" / ".lock").exists()


def test_a_plan_has_its_runs_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    request = Request("fake", changes=BOARD, measures=())
    plan, _ = new_plan(request, tmp_path / "many", repeat=11, vary=[])
    begin_plan(plan, tmp_path / "many")
    for job in plan_jobs(plan, tmp_path / "many")[1:]:
        job.run(Display(), beside=False)
    views, plans = Runs(tmp_path).look()
    assert [view.name for view in views] == [f"many/run-{n}" for n in range(2, 12)]
    assert {view.plan for view in views} == {"many"}
    assert [(each.name, each.runs) for each in plans] == [("many", 11)]


def test_damaged_folders_are_listed_with_their_reason(tmp_path: Path) -> None:
    for name in ("cut", "foreign", "lines", "state", "whole"):
        make(tmp_path / name)
    (tmp_path / "cut" / "run.json").write_text('{"learner": "fake"')
    record = json.loads((tmp_path / "foreign" / "run.json").read_text())
    (tmp_path / "foreign" / "run.json").write_text(json.dumps({**record, "learner": "nobody"}))
    (tmp_path / "lines" / "metrics.jsonl").write_text("[]\n{}\n")
    (tmp_path / "state" / "state.safetensors").write_bytes(b"nothing")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "loop").symlink_to(tmp_path)
    views = {view.name: view for view in Runs(tmp_path).look()[0]}
    reasons = {name: view.problem for name, view in views.items() if view.state == "damaged"}
    assert sorted(views) == ["cut", "foreign", "lines", "state", "whole"]
    assert sorted(reasons) == ["cut", "foreign", "lines", "state"]
    assert "run.json is damaged" in str(reasons["cut"])
    assert "there is no learner 'nobody'" in str(reasons["foreign"])
    assert "damaged in line 1" in str(reasons["lines"])
    assert views["whole"].state == "finished"


def test_a_folder_that_is_not_there_holds_no_run(tmp_path: Path) -> None:
    assert Runs(tmp_path / "none").look() == ([], [])
    with pytest.raises(RunError, match="there is no run nobody"):
        Runs(tmp_path).find("nobody")


def test_rows_are_read_as_they_come_and_half_a_line_waits(tmp_path: Path) -> None:
    log, live = MetricsLog(tmp_path / "metrics.jsonl"), LiveRows(tmp_path / "metrics.jsonl")
    live.look()
    assert live.rows == []
    log.add(row(1))
    live.look()
    assert [each.games for each in live.rows] == [1]
    with log.path.open("a") as file:
        file.write('{"games": 2, ')
    live.look()
    assert [each.games for each in live.rows] == [1]
    with log.path.open("a") as file:
        file.write('"seconds": 2.0, "games_per_second": 1.0}\n')
    live.look()
    assert [each.games for each in live.rows] == [1, 2]
    assert live.version == 0


def test_rows_that_a_resume_cuts_are_read_anew(tmp_path: Path) -> None:
    log, live = MetricsLog(tmp_path / "metrics.jsonl"), LiveRows(tmp_path / "metrics.jsonl")
    for games in (1, 2, 3):
        log.add(row(games))
    live.look()
    log.cut(2)
    for games in (4, 5, 6):  # longer than before: its size alone would not tell
        log.add(row(games))
    live.look()
    assert [each.games for each in live.rows] == [1, 2, 4, 5, 6]
    assert live.version == 1


def test_a_file_that_did_not_change_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, live = MetricsLog(tmp_path / "metrics.jsonl"), LiveRows(tmp_path / "metrics.jsonl")
    log.add(row(1))
    live.look()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it was opened")

    monkeypatch.setattr(Path, "open", refuse)
    live.look()
    assert len(live.rows) == 1
