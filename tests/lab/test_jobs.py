"""One run as a job: begun, gone on with, extended, begun from another; and several of a plan."""

import errno
import json
import pickle
import threading
from pathlib import Path

import pytest

from connectlab.agents import AgentError
from connectlab.lab.jobs import Job, find_checkpoint, new_job, old_job, run_folder
from connectlab.lab.measures import Measure, QuotaMeasure, SuccessMeasure
from connectlab.lab.orders import Order, RunTask
from connectlab.lab.plans import PLAN_FILE, Plan, Request
from connectlab.lab.sweep import begin_plan, new_plan, old_plan, plan_jobs
from connectlab.storage.checkpoint import CheckpointError
from connectlab.training.config import Preset
from connectlab.training.display import Display
from connectlab.training.folder import RunFolder, RunRecord
from connectlab.training.metrics import MetricsLog, RunError
from connectlab.training.run import RunResult
from fake_learner import GAMES, FakeConfig, FakeLearner, weight_in

pytestmark = pytest.mark.usefixtures("fake")

BOARD = {"columns": "4", "rows": "4", "connect": "3"}
QUOTA = (QuotaMeasure(games=10),)


def request(
    measures: tuple[Measure, ...] | None = (),
    *,
    threads: int | None = None,
    every: int | None = None,
    begin_from: Path | None = None,
    **changes: object,
) -> Request:
    settings = {**BOARD, **changes}
    return Request("fake", None, None, settings, threads, measures, every, begin_from)


def run(job: Job) -> RunResult:
    return job.run(Display(), beside=False)


def again(**changes: object) -> Request:
    return Request("fake", changes=changes)


def edit(path: Path, **changes: object) -> None:
    record = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps({**record, **changes}))


def test_a_job_can_be_sent_and_leaves_a_run(tmp_path: Path) -> None:
    job = pickle.loads(pickle.dumps(new_job(request(QUOTA), tmp_path / "run")))
    result = run(job)
    assert result.games == GAMES
    assert job.agent == f"fake:{tmp_path / 'run'}"
    document = json.loads(json.dumps(job.to_json(result), allow_nan=False))
    assert document["measures"] == ["quota:games=10"]
    assert document["config"]["columns"] == 4
    assert document["last"]["win_rate_interval"]


def test_a_run_and_a_plan_are_judged_as_their_preset_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = Preset({**BOARD, "games": 40}, ("quota:games=3",), 8)
    monkeypatch.setattr(FakeConfig, "presets", {"paper": paper})
    wanted = Request("fake", "paper")
    plan, _ = new_plan(wanted, tmp_path / "plan", repeat=2, vary=[])
    jobs = [new_job(wanted, tmp_path / "run"), *plan_jobs(plan, tmp_path / "plan")]
    assert [job.record.measures for job in jobs] == [["quota:games=3"]] * 3
    assert [job.record.evaluation_every for job in jobs] == [8] * 3
    result = run(jobs[0])
    assert [evaluation.games for evaluation in result.evaluations] == [8, 16, 24, 32, 40]
    own = new_job(Request("fake", "paper", measures=QUOTA, evaluation_every=20), tmp_path / "own")
    assert own.record.measures == ["quota:games=10"]
    assert own.record.evaluation_every == 20


def test_the_config_travels_as_an_object(tmp_path: Path) -> None:
    job = new_job(request(seed="7"), tmp_path / "run")
    assert isinstance(job.config, FakeConfig)
    assert job.config.seed == 7
    assert job.record.config == job.config.plain()


def test_a_run_is_given_more_games(tmp_path: Path) -> None:
    run(new_job(request(), tmp_path / "run"))
    result = run(old_job(again(games="10"), tmp_path / "run"))
    assert result.games == 10
    assert RunRecord.read(tmp_path / "run").config["games"] == 10
    assert run(old_job(again(), tmp_path / "run")).games == 10
    with pytest.raises(RunError, match="has learned from 10 games already: games=9 is too few"):
        run(old_job(again(games="9"), tmp_path / "run"))
    assert RunRecord.read(tmp_path / "run").config["games"] == 10


def test_going_on_with_other_threads_takes_effect_and_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []
    real = FakeLearner.step

    def step(learner: FakeLearner) -> object:
        used.append(learner.threads)
        return real(learner)

    monkeypatch.setattr(FakeLearner, "step", step)
    run(new_job(request(), tmp_path / "run"))
    run(old_job(Request("fake", changes={"games": "8"}, threads=3), tmp_path / "run"))
    assert used == [1] * GAMES + [3] * 2
    assert RunRecord.read(tmp_path / "run").threads == 3
    assert old_job(again(), tmp_path / "run").record.threads == 3


def test_going_on_with_other_evaluations_takes_effect_and_is_recorded(tmp_path: Path) -> None:
    run(new_job(request(QUOTA, every=3), tmp_path / "run"))
    success = (SuccessMeasure(games=5),)
    changed = Request("fake", changes={"games": "10"}, measures=success, evaluation_every=2)
    run(old_job(changed, tmp_path / "run"))
    record = RunRecord.read(tmp_path / "run")
    assert (record.measures, record.evaluation_every) == (["success:games=5"], 2)
    found = MetricsLog(tmp_path / "run" / "metrics.jsonl").evaluations
    assert [(each.games, each.first.word) for each in found] == [
        (3, "quota"),
        (6, "quota"),
        (8, "success"),
        (10, "success"),
    ]


def test_a_run_begins_from_another(tmp_path: Path) -> None:
    run(new_job(request(), tmp_path / "old"))
    learned = weight_in(tmp_path / "old" / "latest.safetensors")
    job = new_job(request(begin_from=tmp_path / "old", games="1"), tmp_path / "new")
    run(job)
    one = FakeLearner(job.config)  # type: ignore[arg-type]
    one.weight = learned
    one.step()
    assert weight_in(tmp_path / "new" / "latest.safetensors") == one.weight
    record = RunRecord.read(tmp_path / "new")
    assert record.began_from == str(tmp_path / "old" / "latest.safetensors")
    with pytest.raises(RunError, match="--from begins a new run"):
        old_job(request(begin_from=tmp_path / "old"), tmp_path / "new")


def test_what_a_run_cannot_begin_from(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run or checkpoint"):
        find_checkpoint(tmp_path / "nowhere")
    with pytest.raises(RunError, match="holds no trained player"):
        find_checkpoint(tmp_path)
    FakeLearner().state().save(tmp_path / "state")
    job = new_job(request(begin_from=tmp_path / "state"), tmp_path / "run")
    with pytest.raises(CheckpointError, match="written by 'fake-state', not by 'fake'"):
        run(job)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seed": 2}, "is of another run: its seed is 1, that of this run 2"),
        ({"seed": 2**70}, "seed="),
        ({"seed": -1}, "seed=-1"),
        ({"games": "many"}, "games=many"),
        ({"games": 10**40}, "games=1000"),
        ({"games": 2}, "has learned from 6 games already"),
        ({"columns": 1e300}, "columns"),
        ({"colums": 4}, "did you mean 'columns'"),
    ],
)
def test_an_edited_config_is_one_line(
    tmp_path: Path, changes: dict[str, object], says: str
) -> None:
    run(new_job(request(), tmp_path / "run"))
    config = json.loads((tmp_path / "run" / "run.json").read_text())["config"]
    edit(tmp_path / "run", config={**config, **changes})
    with pytest.raises((RunError, AgentError), match=says) as told:
        run(old_job(again(), tmp_path / "run"))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("measures", [["sucess"], [""], ["success:games=0"], ["none", "quota"]])
def test_edited_measures_are_one_line(tmp_path: Path, measures: list[str]) -> None:
    run(new_job(request(), tmp_path / "run"))
    edit(tmp_path / "run", measures=measures)
    with pytest.raises((RunError, AgentError)) as told:
        old_job(again(), tmp_path / "run")
    assert "\n" not in str(told.value)


def test_another_learner_cannot_go_on(tmp_path: Path) -> None:
    run(new_job(request(), tmp_path / "run"))
    with pytest.raises(RunError, match="is a run of fake, not of ntuple"):
        old_job(Request("ntuple"), tmp_path / "run")


def test_other_versions_are_told(tmp_path: Path) -> None:
    run(new_job(request(), tmp_path / "run"))
    edit(tmp_path / "run", versions={"python": "2.7"})
    (notice,) = old_job(again(), tmp_path / "run").notices
    assert "was begun with python 2.7, this is" in notice


def test_a_full_disk_says_what_is_safe_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = tmp_path / "my run"
    with monkeypatch.context() as patch:
        patch.setattr("connectlab.training.run.MetricsLog.add", refuse)
        with pytest.raises(RunError) as told:
            run(new_job(request(), folder))
    assert str(told.value) == (
        "no space left on device; what was saved last is whole: go on with connectlab train "
        f"fake --resume --out '{folder}'"
    )
    assert run(old_job(again(), folder)).games == GAMES


@pytest.mark.parametrize("name", ["metrics.jsonl", "curve.png"])
def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path, name: str) -> None:
    run(new_job(request(QUOTA), tmp_path / "run"))
    (tmp_path / "run" / name).unlink()
    (tmp_path / "run" / name).mkdir()
    with pytest.raises(RunError) as told:
        run(old_job(again(), tmp_path / "run"))
    file = tmp_path / "run" / name
    assert str(told.value).startswith(f"{file}: is a directory; what was saved last is whole: ")


def test_a_run_of_the_page_that_finds_a_full_disk_says_what_the_page_offers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("connectlab.training.run.MetricsLog.add", refuse)
    order = Order(learner="fake", settings=dict(BOARD), measures=[])
    with pytest.raises(RunError) as told:
        RunTask(tmp_path / "run", order)(threading.Event())
    assert str(told.value) == (
        "no space left on device; what was saved last is whole: choose Go on when that is mended"
    )


def test_folders_get_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_folder(Request("fake"), None, resume=False) == Path("runs/fake-custom-1")
    with pytest.raises(RunError, match="--resume needs the folder"):
        run_folder(Request("fake"), None, resume=True)
    with pytest.raises(AgentError, match="there is no learner"):
        run_folder(Request("fakee"), None, resume=False)


def sweep(folder: Path, plan: Plan) -> list[RunResult]:
    return [run(job) for job in plan_jobs(plan, folder)]


def test_a_plan_goes_on_without_being_told_again(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    plan, notice = new_plan(request(QUOTA, every=3, games="4"), folder, repeat=2, vary=[])
    assert notice is None
    begin_plan(plan, folder)
    run(plan_jobs(plan, folder)[0])
    plan = old_plan(again(), folder, repeat=None, vary=[])
    sweep(folder, plan)
    records = [RunRecord.read(folder / f"run-{n}") for n in (1, 2)]
    assert [record.config["games"] for record in records] == [4, 4]
    assert [record.config["seed"] for record in records] == [1, 2]
    assert [record.config["columns"] for record in records] == [4, 4]
    assert all(record.measures == ["quota:games=10"] for record in records)


def test_a_plan_can_be_extended(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    plan, _ = new_plan(request(), folder, repeat=1, vary=["step_games=1,2"])
    begin_plan(plan, folder)
    sweep(folder, plan)
    more = old_plan(again(games="9"), folder, repeat=2, vary=["step_games=1,2"])
    assert [result.games for result in sweep(folder, more)] == [9] * 4
    more.save(folder)
    with pytest.raises(RunError, match="give no less"):
        old_plan(again(), folder, repeat=1, vary=[])
    with pytest.raises(RunError, match="is not that of the plan"):
        old_plan(again(), folder, repeat=None, vary=["step_games=1,3"])
    with pytest.raises(RunError, match="goes on with its own settings: seed is 1, not 5"):
        old_plan(again(seed="5"), folder, repeat=None, vary=[])


def test_a_plan_never_takes_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(RunError, match="is not empty and holds no runs: choose another folder"):
        new_plan(request(), tmp_path, repeat=2, vary=[])
    folder = tmp_path / "many"
    plan, _ = new_plan(request(), folder, repeat=2, vary=[])
    begin_plan(plan, folder)
    assert [path.name for path in folder.iterdir()] == [PLAN_FILE]
    with pytest.raises(RunError, match="already exists: go on by --resume"):
        new_plan(request(), folder, repeat=2, vary=[])
    before = (folder / PLAN_FILE).read_bytes()
    with pytest.raises(RunError, match="in use by another process"):
        begin_plan(plan, folder)
    assert (folder / PLAN_FILE).read_bytes() == before


def test_a_plan_takes_a_folder_with_nothing_in_it(tmp_path: Path) -> None:
    """A disk that was full leaves one, or one with what locks and half a file were called."""
    (tmp_path / ".lock").touch()
    (tmp_path / ".plan.json.0a1b2c.json").touch()
    plan, _ = new_plan(request(), tmp_path, repeat=2, vary=[])
    begin_plan(plan, tmp_path)
    assert Plan.read(tmp_path) == plan


def test_a_file_is_no_folder_for_a_plan(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="file is a file: choose another folder"):
        new_plan(request(), tmp_path / "file", repeat=2, vary=[])


def test_two_jobs_in_one_folder_do_not_meet(tmp_path: Path) -> None:
    job = new_job(request(), tmp_path / "run")
    with (
        RunFolder.create(tmp_path / "run", job.record),
        pytest.raises(RunError, match="already holds a run"),
    ):
        run(job)
