"""``train``: runs from the command line, killed, stopped, damaged and repeated.

Most runs are of a learner that costs nothing, which another package brings along: it is found by
its entry points, in this process and in those that are started.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from connectlab.agents import Spec, make_agent, registry
from connectlab.cli.options import ExecutorKind, executor_options
from connectlab.cli.train import _seconds
from connectlab.cli.train_repeats import train_repeats
from connectlab.errors import UserError
from connectlab.game import Geometry, Position
from connectlab.lab.executors.base import ExecutorError, HeadGoneError
from connectlab.lab.plans import Request
from connectlab.training.metrics import MetricsLog

Cli = Callable[..., Any]

TESTS = Path(__file__).parents[1]
TINY = ("--columns", "4", "--rows", "4", "--connect", "3")
SMALL = (*TINY, "--set", "tuples=6", "--set", "length=4", "--set", "creation=walk")
QUIET = ("--eval-games", "0")
PAGE = (TESTS.parent / "docs" / "cli.md").read_text(encoding="utf-8")

ENTRY_POINTS = """[connectlab.learners]
fake = fake_learner:FakeLearner

[connectlab.agents]
fake = fake_learner:FakeAgent
"""


@pytest.fixture
def fake(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, ...]]:
    """Install a package with a learner; return the beginning of a command line with it."""
    site = tmp_path_factory.mktemp("site")
    about = site / "fakery-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: fakery\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(site))
    paths = [str(site), str(TESTS), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    registry.learners.cache_clear()
    registry.players.cache_clear()
    yield ("train", "fake", *TINY)
    registry.learners.cache_clear()
    registry.players.cache_clear()


PROGRAM = """
import signal, sys
for number in (signal.SIGTERM, signal.SIGHUP):  # whatever nohup or a background shell ignores
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.argv.pop(1) == "ignore":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
from connectlab.cli import main
from connectlab.training import clock
clock.SAVE_SECONDS = 0.3  # so that there is something to go on from soon
main()
"""


def start(*arguments: str, folder: Path, hang_up: str = "hear") -> "subprocess.Popen[str]":
    """Begin to train in a process of its own, which hears or ignores a closed terminal."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, hang_up, *arguments, "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process: "subprocess.Popen[str]", ready: Callable[[], bool]) -> None:
    while process.poll() is None and not ready():
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()


def measures(folder: Path) -> list[tuple[object, ...]]:
    """Return the evaluations without their times."""
    found = MetricsLog(folder / "metrics.jsonl").evaluations
    return [
        (each.games, [(m.name, m.figures, dict(m.counts)) for m in each.measurements])
        for each in found
    ]


def games_saved(folder: Path) -> int:
    rows = MetricsLog(folder / "metrics.jsonl").progress
    return rows[-1].games if rows and (folder / "state.safetensors").exists() else 0


def record(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return found


def test_a_run_ends_with_a_player_that_plays(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    ran = cli(*fake, "--set", "games=40", "--eval-games", "20", "--measure", "quota:games=10",
              "--eval-every", "20", "--out", str(folder), "--json")  # fmt: skip
    assert ran.code == 2
    assert "give one of the two" in ran.err
    ran = cli(*fake, "--set", "games=40", "--measure", "success:games=20", "--measure",
              "quota:games=10", "--eval-every", "20", "--out", str(folder), "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    document = ran.document
    assert document["run"] == str(folder)
    assert document["games"] == 40
    assert [each["games"] for each in document["evaluations"]] == [20, 40]
    assert document["best"]["measures"][0]["counts"]["games"] == 20
    assert document["last"]["win_rate_interval"]
    assert document["config"]["columns"] == 4
    assert "success" in ran.err
    section = PAGE.split("\n## train\n")[1].split("\n## ")[0]
    for key in (*document, *document["best"], *document["best"]["measures"][0]):
        assert f"`{key}`" in section or key.endswith("_interval"), key
    for name in ("run.json", "metrics.jsonl", "curve.png", "best.safetensors"):
        assert (folder / name).is_file()
    player = make_agent(
        Spec("fake", {"source": str(folder / "best.safetensors")}), Geometry(4, 4, 3)
    )
    assert player.choose_one(Position(Geometry(4, 4, 3))) in range(4)


def test_a_run_for_people_on_a_drawn_board(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    ran = cli(*fake, "--connect", "4", "--set", "games=50", "--eval-games", "4", "--eval-exact",
              "--eval-every", "50", "--out", str(tmp_path / "run"))  # fmt: skip
    assert ran.code == 0, ran.err
    assert "fake on 4x4 connect-4: 50 games" in ran.out
    assert "exact at the end" in ran.out
    assert "With perfect play this board is a draw: the most anyone can expect is 0.5." in ran.out
    assert f"play --second fake:{tmp_path / 'run'}" in ran.out
    assert "curve.png" in ran.out
    assert record(tmp_path / "run")["measures"] == ["exact", "success:games=4"]


def test_the_figures_of_all_measures_line_up(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path
) -> None:
    ran = cli(*fake, "--measure", "success:games=4", "--measure", "quota:games=10",
              "--eval-every", "6", "--out", str(tmp_path / "run"))  # fmt: skip
    figures = ran.out.split("\n\n")[1].splitlines()
    names = ["success at the end", "success at its best", "win rate at the end"]
    names.append("winning quota at the end")
    width = max(map(len, names))
    assert [line[:width].rstrip() for line in figures[:4]] == names
    assert {line[width : width + 2] for line in figures[:4]} == {"  "}
    assert " " not in {line[width + 2] for line in figures[:4]}


def test_a_short_time_has_a_decimal() -> None:
    assert [_seconds(each) for each in (0.04, 0.26, 9.94, 9.96, 75.4)] == [
        "0.0 s",
        "0.3 s",
        "9.9 s",
        "10 s",
        "75 s",
    ]


def test_a_summary_without_measures_has_one_blank_line(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path
) -> None:
    out = cli(*fake, *QUIET, "--out", str(tmp_path / "run")).out
    assert "\n\n\n" not in out
    assert out.count("\n\n") == 1


def test_no_curve_is_promised_without_evaluations(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path
) -> None:
    for number, quiet in enumerate([QUIET, ("--measure", "none")]):
        ran = cli(*fake, *quiet, "--out", str(tmp_path / str(number)))
        assert ran.code == 0
        assert "curve.png" not in ran.out
        assert not (tmp_path / str(number) / "curve.png").exists()


def test_runs_get_names_of_their_own(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        document = cli(*fake, *QUIET, "--json").document
        assert document["run"] == f"runs/fake-custom-{number}"
        assert document["last"] is None


def test_a_run_is_never_overwritten(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    arguments = (*fake, *QUIET, "--out", str(tmp_path))
    assert cli(*arguments).code == 0
    before = (tmp_path / "run.json").read_bytes()
    ran = cli(*arguments)
    assert ran.code == 2
    assert "already holds a run: go on with it by --resume, or choose another folder" in ran.err
    assert (tmp_path / "run.json").read_bytes() == before


def test_going_on_keeps_the_config(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    assert cli(*fake, *QUIET, *out).code == 0
    assert cli(*fake, *QUIET, *out, "--resume").code == 0
    assert cli("train", "fake", "--resume", *out).code == 0
    ran = cli(*fake, *out, "--resume", "--seed", "5")
    assert ran.code == 2
    assert "goes on with its own settings: seed is 1, not 5" in ran.err


def test_going_on_with_more_of_everything(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    assert cli(*fake, *QUIET, *out).code == 0
    ran = cli("train", "fake", "--resume", *out, "--set", "games=12", "--threads", "2",
              "--eval-games", "5", "--eval-every", "4", "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert ran.document["games"] == 12
    assert [each["games"] for each in ran.document["evaluations"]] == [8, 12]
    found = record(tmp_path)
    assert found["config"]["games"] == 12
    assert (found["threads"], found["measures"]) == (2, ["success:games=5"])
    assert found["evaluation_every"] == 4


def test_a_run_from_another_says_so(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    assert cli(*fake, *QUIET, "--out", str(tmp_path / "a")).code == 0
    ran = cli(*fake, *QUIET, "--from", str(tmp_path / "a"), "--out", str(tmp_path / "b"), "--json")
    assert ran.document["began_from"] == str(tmp_path / "a" / "latest.safetensors")
    ran = cli(*fake, *QUIET, "--from", str(tmp_path / "x"), "--out", str(tmp_path / "c"))
    assert ran.code == 2
    assert "there is no run or checkpoint" in ran.err
    assert not (tmp_path / "c").exists()


def test_the_record_of_a_run_is_a_config(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    assert cli(*fake, *QUIET, "--seed", "9", "--out", str(tmp_path / "a")).code == 0
    ran = cli("train", "fake", *QUIET, "--config", str(tmp_path / "a" / "run.json"), "--set",
              "games=3", "--out", str(tmp_path / "b"), "--json")  # fmt: skip
    config = ran.document["config"]
    assert (config["seed"], config["columns"], config["games"]) == (9, 4, 3)


@pytest.mark.usefixtures("fake")
def test_a_mistake_leaves_no_folder(cli: Cli, tmp_path: Path) -> None:
    for wrong in (("--set", "seed=x"), ("--preset", "quik"), ("--columns", "30"),
                  ("--measure", "sucess"), ("--vary", "sede=1,2"), ("--repeat", "0")):  # fmt: skip
        ran = cli("train", "fake", *wrong, "--out", str(tmp_path / "run"))
        assert ran.code == 2
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["ntupel"], "there is no learner 'ntupel': did you mean 'ntuple'?"),
        (["ntuple", "--preset", "champoin"], "did you mean 'champion'?"),
        (["ntuple", "--set", "epsilom=0.1"], "did you mean 'epsilon'?"),
        (["ntuple", "--set", "epsilon"], "write key=value"),
        (["ntuple", "--config", "no-such.toml"], "no-such.toml: no such file or directory"),
        (["ntuple", "--resume"], "--resume needs the folder of the run: add --out DIR"),
        (["ntuple", "--resume", "--out", "no-such-run"], "holds no run to go on with"),
        (["ntuple", "--threads", "0"], "--threads"),
        (["ntuple", "--measure", "score"], "score needs an opponent"),
        (["ntuple", "--vary", "seed"], "add --repeat N"),
        (["ntuple", "--repeat", "2", "--resume", "--out", "no-such-plan"], "holds no plan"),
    ],
)
def test_mistakes_are_one_line(
    cli: Cli, arguments: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("train", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"config": {"seed": "many"}},
        {"config": {"games": 10**50}},
        {"threads": "two"},
        {"threads": 10**20},
        {"learner": 5},
        {"measures": ["sucess"]},
        {"started": "long ago"},
    ],
)
def test_an_edited_record_is_one_line(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path, changes: dict[str, Any]
) -> None:
    cli(*fake, *QUIET, "--out", str(tmp_path))
    found = record(tmp_path)
    config = {**found["config"], **changes.get("config", {})}
    (tmp_path / "run.json").write_text(json.dumps({**found, **changes, "config": config}))
    ran = cli("train", "fake", "--resume", "--out", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_garbled_metrics_are_one_line(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    cli(*fake, *QUIET, "--out", str(tmp_path))
    (tmp_path / "metrics.jsonl").write_text('{"games": "six"}\n{}\n')
    for command in (("train", "fake", "--resume", "--out"), ("compare",)):
        ran = cli(*command, str(tmp_path))
        assert (ran.code, ran.out) == (2, "")
        assert "metrics.jsonl is damaged in line 1" in ran.err
        assert ran.err.count("\n") == 1


def test_a_damaged_or_foreign_state_is_refused(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path
) -> None:
    cli(*fake, *QUIET, "--out", str(tmp_path))
    state = tmp_path / "state.safetensors"
    whole = state.read_bytes()
    foreign = (tmp_path / "latest.safetensors").read_bytes()
    for content, part in [
        (whole[:-9], "is damaged"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "is damaged"),
        (b"nothing of ours", "is damaged or is no checkpoint"),
        (foreign, "no state of a fake learner"),
    ]:
        state.write_bytes(content)
        ran = cli("train", "fake", "--resume", "--out", str(tmp_path))
        assert (ran.code, ran.out) == (2, "")
        assert part in ran.err
        assert ran.err.count("\n") == 1
        assert state.read_bytes() == content


def test_a_full_disk_says_how_to_go_on(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", refuse)
        ran = cli(*fake, *QUIET, "--out", str(tmp_path))
    assert ran.code == 2
    last = ran.err.splitlines()[-1]
    assert "no space left on device" in last
    assert "what was saved last is whole" in last
    assert f"train fake --resume --out {tmp_path}" in last
    assert cli("train", "fake", "--resume", "--out", str(tmp_path)).code == 0


def test_a_board_too_hard_to_solve_is_told_before_anything_starts(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from connectlab.lab import bench

    monkeypatch.setattr(bench, "PROBE_NODES", 1000)
    bench.perfect_success.cache_clear()
    hard = ("train", "fake", "--columns", "8", "--rows", "7", "--out", str(tmp_path / "run"))
    ran = cli(*hard, "--measure", "success")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "8x7 connect-4 is too hard to be judged by perfect play" in ran.err
    assert not (tmp_path / "run").exists()
    ran = cli(*hard)
    assert ran.code == 0
    assert "is too hard to be judged by perfect play: only quota is measured" in ran.err
    assert record(tmp_path / "run")["measures"] == ["quota"]
    bench.perfect_success.cache_clear()


SLOWLY = ("--set", "games=100000", "--set", "pause=0.01")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("quiet", [QUIET, ("--measure", "quota:games=10")])
def test_a_signal_saves_and_says_how_to_go_on(
    fake: tuple[str, ...], tmp_path: Path, number: signal.Signals, quiet: tuple[str, ...]
) -> None:
    folder = tmp_path / "run"
    process = start(*fake, *SLOWLY, *quiet, folder=folder)
    wait_for(process, (folder / "metrics.jsonl").exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    last = err.strip().splitlines()[-1]
    assert last.startswith("stopped after")
    assert f"train fake --resume --out {folder}" in last
    assert f"{games_saved(folder):,} games" in last


@pytest.mark.slow
def test_a_signal_that_the_parent_ignores_stays_ignored(
    fake: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    process = start(*fake, *SLOWLY, *QUIET, folder=folder, hang_up="ignore")
    wait_for(process, (folder / "metrics.jsonl").exists)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130


@pytest.mark.slow
def test_two_that_begin_in_one_folder(fake: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    arguments = (*fake, "--set", "games=200", "--set", "pause=0.01", *QUIET)
    both = [start(*arguments, folder=folder) for _ in range(2)]
    ended = [(process.communicate(timeout=120)[1], process.returncode) for process in both]
    (told,) = [err for err, code in ended if code == 2]
    assert [code for _, code in ended if code != 2] == [0]
    assert told.count("\n") == 1
    assert "in use by another process" in told or "already holds a run" in told


@pytest.mark.slow
def test_repeats_are_runs_with_seeds_of_their_own(
    cli: Cli, fake: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    first = (*fake, "--measure", "quota:games=20", "--eval-every", "3", "--repeat", "3",
             "--workers", "2", "--out", str(folder), "--json")  # fmt: skip
    ran = cli(*first)
    assert ran.code == 0, ran.err
    document = ran.document
    assert [run["seed"] for run in document["runs"]] == [1, 2, 3]
    assert [run["config"]["other_seed"] for run in document["runs"]] == [1, 2, 3]
    rates = [run["last"]["win_rate"] for run in document["runs"]]
    assert document["last"]["mean"] == pytest.approx(sum(rates) / 3)
    assert document["best"]["highest"] == max(run["best"]["win_rate"] for run in document["runs"])
    ran = cli(*first)
    assert ran.code == 2
    assert "already exists" in ran.err
    (folder / "run-2" / "state.safetensors").unlink()  # as if killed before the first save
    again = cli("train", "fake", "--repeat", "3", "--resume", "--out", str(folder), "--json")
    assert again.code == 0, again.err
    assert [run["last"]["win_rate"] for run in again.document["runs"]] == rates
    assert [run["config"]["columns"] for run in again.document["runs"]] == [4, 4, 4]


NO_CLUSTER = ("--executor", "ray", "--address", "127.0.0.1:1")
NO_FILE = ("--set", "creation=file", "--set", "tuple_file=nope")


@pytest.mark.parametrize(
    ("wrong", "says"), [(NO_CLUSTER, "no Ray cluster at"), (NO_FILE, "nope cannot be read")]
)
def test_a_sweep_that_fails_before_a_run_began_leaves_nothing(
    cli: Cli, tmp_path: Path, wrong: tuple[str, ...], says: str
) -> None:
    out = ("--repeat", "2", "--workers", "1", "--out", str(tmp_path / "new" / "many"))
    ran = cli("train", "ntuple", *TINY, *QUIET, *wrong, *out)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_that_lost_its_head_says_how_to_go_on_if_anything_came_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    class Headless:
        def __init__(self, *made: str) -> None:
            self.made = made

        def run(self, *_: Any) -> list[Any]:
            for name in self.made:
                (tmp_path / "many" / name).parent.mkdir()
                (tmp_path / "many" / name).touch()
            raise HeadGoneError("the head is gone")

    wanted = Request("ntuple", changes={"columns": "4", "rows": "4", "connect": "3"})
    options = {"beside": False, "again": (), "resume": False, "json": True}
    with pytest.raises(ExecutorError, match=r"^the head is gone$"):
        train_repeats(wanted, Path("many"), 2, (), Headless(), **options)
    how = "what came back is whole: go on with .* train ntuple --resume --out many, here or on anot"
    with pytest.raises(ExecutorError, match=f"^the head is gone; {how}"):
        train_repeats(wanted, Path("many"), 2, (), Headless("run-1/run.json"), **options)


@pytest.mark.parametrize("place", [("--workers", "3"), ("--executor", "local"), NO_CLUSTER])
def test_a_single_run_has_no_executor(cli: Cli, tmp_path: Path, place: tuple[str, ...]) -> None:
    ran = cli("train", "ntuple", *TINY, *QUIET, *place, "--out", str(tmp_path / "one"))
    assert (ran.code, ran.out) == (2, "")
    assert "--workers are for several runs: add --repeat N or --vary KEY=A,B" in ran.err
    assert not (tmp_path / "one").exists()


def test_a_sweep_that_fails_later_keeps_its_plan_and_all_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_with(*made: str) -> list[str]:
        class Fails:
            def run(self, *_: Any) -> list[Any]:
                for name in made:
                    (tmp_path / "many" / name).parent.mkdir(exist_ok=True)
                    (tmp_path / "many" / name).touch()
                raise UserError("no more")

        wanted = Request("ntuple", changes={"columns": "4", "rows": "4", "connect": "3"})
        options = {"beside": False, "again": (), "resume": False, "json": True}
        with pytest.raises(UserError, match="no more"):
            train_repeats(wanted, tmp_path / "many", 2, (), Fails(), **options)
        found = sorted(path.name for path in tmp_path.rglob("*"))
        shutil.rmtree(tmp_path / "many", ignore_errors=True)
        return found

    assert fail_with("run-1/.lock", "run-2/.lock") == []
    assert fail_with("run-1/run.json") == ["many", "plan.json", "run-1", "run.json"]
    assert fail_with("run-1/.lock", "note.txt") == [
        ".lock", "many", "note.txt", "plan.json", "run-1"
    ]  # fmt: skip


@pytest.mark.slow
def test_a_stopped_sweep_is_gone_on_with_in_as_many_processes(
    fake: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    plan = ("--repeat", "2", "--workers", "1")
    process = start(*fake, *SLOWLY, *QUIET, *plan, folder=folder)
    wait_for(process, (folder / "run-1" / "metrics.jsonl").exists)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    last = err.strip().splitlines()[-1]
    assert last.endswith(f"train fake --resume --out {folder} --workers 1")


def test_the_options_of_an_executor_are_named_again() -> None:
    ray = ExecutorKind.RAY
    assert executor_options(None, None, None) == []
    assert executor_options(None, None, 2) == ["--workers", "2"]
    assert executor_options(ray, "a:1", 3) == [
        "--executor", "ray", "--address", "a:1", "--workers", "3"
    ]  # fmt: skip


@pytest.mark.slow
def test_a_grid_for_people(cli: Cli, fake: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    ran = cli(*fake, "--measure", "quota:games=10", "--vary", "step_games=1,3", "--workers", "1",
              "--out", str(folder))  # fmt: skip
    assert ran.code == 0, ran.err
    assert "step_games=1: 1 run on 4x4 connect-3, win rate against random" in ran.out
    assert "step_games=3: 1 run" in ran.out
    assert "run-2: done after 6 games" in ran.err
    assert [record(folder / f"run-{n}")["config"]["step_games"] for n in (1, 2)] == [1, 3]


@pytest.mark.slow
def test_a_run_that_explodes_leaves_the_others_of_its_plan_alone(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    plan = ("--vary", "alpha=0.01,900", "--repeat", "2", "--workers", "1", "--out", str(folder))
    ran = cli("train", "ntuple", *SMALL, *QUIET, "--set", "games=5000", *plan, "--json")
    for _ in range(2):
        assert (ran.code, ran.out) == (2, "")
        *_, second, fourth, last = ran.err.splitlines()
        assert second.startswith(f"{folder / 'run-2'}: the weights exploded in game")
        assert fourth.startswith(f"{folder / 'run-4'}: the weights exploded in game")
        assert "2 of 4 runs broke down, the others are done" in last
        assert last.endswith(f"compare {folder} shows them")
        assert [games_saved(folder / f"run-{n}") for n in (1, 3)] == [5000, 5000]
        shutil.rmtree(folder / "run-3")  # as if stopped before it began
        ran = cli("train", "ntuple", "--resume", "--workers", "1", "--out", str(folder), "--json")


@pytest.mark.slow
def test_where_every_run_explodes_no_other_is_promised(cli: Cli, tmp_path: Path) -> None:
    ran = cli("train", "ntuple", *SMALL, *QUIET, "--set", "alpha=900", "--set", "games=5000",
              "--repeat", "1", "--out", str(tmp_path / "one"))  # fmt: skip
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == "connectlab: 1 run broke down, and there is no other"


LONG = (*SMALL, "--set", "games=400_000", "--set", "rule=tcl-exp", "--set", "alpha=0.05->0.02",
        "--set", "average_games=20000", "--eval-games", "20", "--eval-every", "40000")  # fmt: skip


@pytest.mark.slow
def test_killed_at_any_moment_a_run_ends_in_the_same_bits(cli: Cli, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert cli("train", "ntuple", *LONG, "--out", str(whole)).code == 0
    process = start("train", "ntuple", *LONG, folder=broken)
    for number in range(3):
        before = games_saved(broken)
        wait_for(process, lambda before=before: games_saved(broken) > before)  # type: ignore[misc]
        time.sleep(0.05 * number)
        process.kill()
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        assert games_saved(broken) < 400_000
        process = start("train", "ntuple", "--resume", folder=broken)
    assert process.wait(timeout=300) == 0
    process.communicate()
    for name in ("state", "latest", "best"):
        file = f"{name}.safetensors"
        assert (broken / file).read_bytes() == (whole / file).read_bytes(), file
    assert measures(broken) == measures(whole)
    assert len(measures(whole)) == 10


def test_the_seed_decides_the_weights(cli: Cli, tmp_path: Path) -> None:
    def weights(name: str, seed: str) -> bytes:
        folder = tmp_path / name
        cli("train", "ntuple", *SMALL, "--set", "games=500", *QUIET, "--seed", seed, "--out",
            str(folder))  # fmt: skip
        return (folder / "latest.safetensors").read_bytes()

    assert weights("a", "3") == weights("b", "3") != weights("c", "4")


def test_weights_that_explode_stop_the_run(cli: Cli, tmp_path: Path) -> None:
    ran = cli("train", "ntuple", *SMALL, *QUIET, "--set", "alpha=900", "--set", "games=5000",
              "--out", str(tmp_path))  # fmt: skip
    assert ran.code == 2
    assert "the weights exploded" in ran.err.splitlines()[-1]


def test_several_threads_learn_all_games(cli: Cli, tmp_path: Path) -> None:
    ran = cli("train", "ntuple", *SMALL, "--set", "games=3000", *QUIET, "--threads", "2", "--out",
              str(tmp_path), "--json")  # fmt: skip
    assert ran.document["games"] == 3000
    assert record(tmp_path)["threads"] == 2
