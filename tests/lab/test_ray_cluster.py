"""Tasks on a real Ray cluster: three nodes on this machine, two are killed on the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from executor_tasks import BreakDown, Count, Refuse, Slow, Wait

from connectlab.errors import UserError
from connectlab.lab.executors import ray_connection
from connectlab.lab.executors.base import ExecutorError, TasksBrokeDownError, ignore
from connectlab.lab.executors.ray import RayCluster
from connectlab.training.folder import METRICS_FILE
from living import die_out

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

HERE = Path(__file__).parent
NEVER = threading.Event()


@dataclass
class Nodes:
    """A cluster, and the processes of its nodes; the head comes first."""

    address: str
    raylets: list[int]
    head: int
    """The process that is asked about the cluster."""

    def kill(self, raylet: int) -> None:
        """Kill a node as a power cut would: all its processes, without a word."""
        everything = [*_children(raylet), raylet]
        for process in everything:
            os.kill(process, signal.SIGKILL)
        self.raylets.remove(raylet)


def _children(parent: int) -> list[int]:
    stats = (path.read_text() for path in Path("/proc").glob("[0-9]*/stat"))
    fields = ((text.split()[0], text.rpartition(")")[2].split()[1]) for text in stats)
    found = [int(process) for process, mother in fields if int(mother) == parent]
    return [each for child in found for each in (*_children(child), child)]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Start a cluster for all tests."""
    with cluster_of(3) as nodes:
        yield nodes


@contextmanager
def cluster_of(n: int) -> Iterator[Nodes]:
    """Start a cluster; afterwards nothing of it is left, neither processes nor files."""
    folder = Path(tempfile.mkdtemp(prefix="cl-", dir="/tmp"))  # sockets have short paths only
    paths = [str(HERE.parents[1] / "src"), str(HERE), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, str(HERE / "ray_nodes.py"), str(folder / "r"), str(n)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        text=True,
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    everything = _children(process.pid)
    try:
        yield Nodes(**told)
    finally:
        everything += _children(process.pid)
        process.communicate(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)
    assert die_out(everything)


def test_folders_and_files_travel_and_what_comes_back_replaces_what_was_there(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    (read := Path("data/read.txt")).write_text("a file that tasks read")
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "count").write_text("41")
    told: list[str] = []
    tasks = [Count(n, place=tmp_path / str(n), read=read) for n in (1, 2, 3)]
    results = RayCluster(nodes.address).run(tasks, NEVER, lambda task, _: told.append(task.name))
    assert results == [1, 42, 1]
    assert sorted(told) == ["square 1", "square 2", "square 3"]
    assert [(tmp_path / n / "count").read_text() for n in "123"] == ["1", "42", "1"]
    assert (tmp_path / "3" / "copy").read_text() == "a file that tasks read"


def test_a_refusal_is_raised_as_it_was_and_the_others_save(nodes: Nodes, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks = [Wait(1, place=tmp_path / "1", log=log), Refuse(2, after=log)]
    with pytest.raises(UserError, match=r"^there is no square of 2$"):
        RayCluster(nodes.address).run(tasks, NEVER, ignore)
    assert (tmp_path / "1" / "stopped").exists()


def test_what_breaks_down_on_a_cluster_is_told_when_all_others_are_done(
    nodes: Nodes, tmp_path: Path
) -> None:
    tasks = [BreakDown(1, place=tmp_path / "1"), Count(2, place=tmp_path / "2"), BreakDown(3)]
    with pytest.raises(TasksBrokeDownError) as caught:
        RayCluster(nodes.address, workers=1).run(tasks, NEVER, ignore)
    assert caught.value.lines == (f"{tmp_path / '1'}: 1 exploded", "square 3: 3 exploded")
    assert (tmp_path / "2" / "count").read_text() == "1"


def test_a_stop_brings_back_what_is_done_and_saved(nodes: Nodes, tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks = [Count(1, place=tmp_path / "1"), Wait(2, place=tmp_path / "2", log=log)]
    stop = Until(lambda: log.exists() and (tmp_path / "1" / "count").exists())
    assert RayCluster(nodes.address).run(tasks, stop, ignore) == [1, None]
    assert (tmp_path / "2" / "stopped").exists()


@dataclass
class Until:
    """A stop that is asked for as soon as something is so."""

    is_so: Callable[[], bool]

    def is_set(self) -> bool:
        return self.is_so()


def test_a_node_with_another_version_is_refused(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = {**ray_connection.identity(), "connectlab": "9.9.9 (cafe)"}
    monkeypatch.setattr(ray_connection, "identity", lambda: ours)
    with pytest.raises(ExecutorError, match=r"^node [\d.]+ has connectlab .*, this machine .*9\.9"):
        RayCluster(nodes.address).run([Refuse(1)], NEVER, ignore)


def test_more_threads_than_cores_are_refused(nodes: Nodes) -> None:
    class Greedy(Refuse):
        threads = 3

    with pytest.raises(ExecutorError, match=r"^3 threads are more than any node has cores \(1\)"):
        RayCluster(nodes.address).run([Greedy(1)], NEVER, ignore)


def test_tasks_of_a_killed_node_are_done_elsewhere_and_finished_ones_never_again(
    nodes: Nodes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    log.touch()
    tasks = [Slow(n, log, seconds=1.0 if n < 3 else 4.0) for n in range(8)]
    finished: list[str] = []

    def strike(task: object, result: int) -> None:
        finished.append(str(result))
        if len(finished) == 3:  # while tasks run on all nodes
            wait_for(lambda: bool(set(at_work(log).values()) & set(nodes.raylets[1:])))
            struck.append([n for n, raylet in at_work(log).items() if raylet == nodes.raylets[1]])
            once.extend(ended(log))
            nodes.kill(nodes.raylets[1])

    struck: list[list[int]] = []
    once: list[int] = []
    assert RayCluster(nodes.address).run(tasks, NEVER, strike) == [n**2 for n in range(8)]
    begun = [int(line.split()[0]) for line in log.read_text().splitlines() if "begun" in line]
    assert all(begun.count(n) == 1 for n in once)
    assert all(begun.count(n) == 2 for n in struck[0])
    assert len(once) >= 3
    assert capfd.readouterr() == ("", "")


def at_work(log: Path) -> dict[int, int]:
    """Return the tasks that were begun and have not ended, and the node each is on."""
    found: dict[int, int] = {}
    for number, what, raylet in map(str.split, log.read_text().splitlines()):
        if what == "begun":
            found[int(number)] = int(raylet)
        else:
            found.pop(int(number), None)
    return found


def ended(log: Path) -> list[int]:
    return [int(line.split()[0]) for line in log.read_text().splitlines() if "ended" in line]


def wait_for(ready: Callable[[], bool], patience_s: float = 60.0) -> None:
    end = time.monotonic() + patience_s
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)


BOARD = ("--columns", "4", "--rows", "4", "--connect", "3")
TINY = ("train", "ntuple", *BOARD, "--set", "tuples=6", "--set", "length=4", "--set",
        "creation=walk", "--measure", "quota:games=20", "--eval-every", "20000",
        "--json")  # fmt: skip
SWEEP = (*TINY, "--repeat", "4", "--set", "games=40_000")


def test_a_sweep_on_a_cluster_that_loses_a_node_ends_in_the_same_bits(
    nodes: Nodes, tmp_path: Path
) -> None:
    local, far = tmp_path / "local", tmp_path / "far"
    here, told = finish(connectlab(*SWEEP, "--out", str(local)))
    process = connectlab(*SWEEP, "--out", str(far), "--executor", "ray", "--address", nodes.address)
    wait_for(lambda: any(far.glob("run-*/run.json")), patience_s=300)
    assert len(list(far.glob("run-*/run.json"))) < 4
    nodes.kill(nodes.raylets[1])
    out, err = finish(process)
    ends = [line for line in told.splitlines() if ": done" in line]  # it shows progress too
    assert sorted(err.splitlines()) == sorted(ends)
    rates = [[run["last"]["win_rate"] for run in json.loads(each)["runs"]] for each in (here, out)]
    assert rates[0] == rates[1]
    for file in ("state", "latest", "best"):
        for number in range(1, 5):
            name = f"run-{number}/{file}.safetensors"
            assert (far / name).read_bytes() == (local / name).read_bytes(), name


def test_ctrl_c_saves_what_a_cluster_has_learned_and_it_goes_on_to_the_same_bits(
    nodes: Nodes, tmp_path: Path
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    where = ("--out", str(broken), "--executor", "ray", "--address", nodes.address)
    arguments = (*TINY, "--repeat", "1", "--set", "games=400_000")
    process = connectlab(*arguments, *where)
    wait_for(lambda: b"ray::run-1" in titles() or process.poll() is not None, patience_s=300)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (130, ""), err
    assert err.rstrip() == (
        f"stopped: go on with connectlab train ntuple --resume --out {broken} "
        f"--executor ray --address {nodes.address}"
    )
    finish(connectlab("train", "ntuple", "--resume", "--json", *where))
    finish(connectlab(*arguments, "--out", str(whole)))
    for file in ("state", "latest", "best"):
        name = f"run-1/{file}.safetensors"
        assert (broken / name).read_bytes() == (whole / name).read_bytes(), name


def test_a_sweep_whose_head_dies_says_so_before_ray_ends_the_process(tmp_path: Path) -> None:
    out = tmp_path / "headless"
    with cluster_of(1) as nodes:
        where = ("--out", str(out), "--executor", "ray", "--address", nodes.address)
        process = connectlab(*TINY, "--repeat", "9", "--set", "games=400_000", *where)
        wait_for(lambda: any(out.glob("run-*/run.json")), patience_s=300)
        os.kill(nodes.head, signal.SIGKILL)
        told, err = process.communicate(timeout=300)
        nodes.kill(nodes.raylets[0])  # without a head it ends nothing that it has begun
    assert (process.returncode, told) == (2, ""), err
    assert err.rstrip().splitlines()[-1] == (
        f"connectlab: the head of the Ray cluster at {nodes.address} is gone; what came back is "
        f"whole: go on with connectlab train ntuple --resume --out {out}, here or on another "
        "executor"
    )
    assert (out / "run-1" / "latest.safetensors").is_file()


def run_out_of_time(process: "subprocess.Popen[str]") -> None:
    """Signal as ``timeout`` does: the command, and then its group, where its own cluster is too."""
    os.kill(process.pid, signal.SIGTERM)
    os.killpg(process.pid, signal.SIGTERM)


def close_terminal(process: "subprocess.Popen[str]") -> None:
    os.killpg(process.pid, signal.SIGHUP)


@pytest.mark.parametrize("end", [run_out_of_time, close_terminal])
def test_a_command_with_a_cluster_of_its_own_saves_and_says_how_to_go_on(
    tmp_path: Path, end: Callable[["subprocess.Popen[str]"], None]
) -> None:
    out = tmp_path / "own"
    arguments = (*TINY, "--repeat", "1", "--set", "games=40_000_000", "--workers", "1")
    process = connectlab(*arguments, "--out", str(out), "--executor", "ray")
    # A busy machine may take long to load kernels before it can learn anything.
    wait_for(lambda: has_learned("run-1") or process.poll() is not None, patience_s=300)
    end(process)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert err.rstrip() == (
        f"stopped: go on with connectlab train ntuple --resume --out {out} "
        "--executor ray --workers 1"
    )
    assert (out / "run-1" / "state.safetensors").is_file()


def has_learned(task: str) -> bool:
    """Say whether a task of Ray has been judged: it works in a folder beside that of its run."""
    for path in workers(f"ray::{task}".encode()):
        with suppress(OSError):
            run = (path / "cwd").readlink().parent / "task"
            return (run / METRICS_FILE).stat().st_size > 0
    return False


def titles() -> set[bytes]:
    """Return what the processes of this machine call themselves."""
    return {title for _, title in processes()}


def workers(title: bytes) -> list[Path]:
    """Return what /proc has of the processes that call themselves so."""
    return [path for path, each in processes() if each == title]


def processes() -> Iterator[tuple[Path, bytes]]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield path.parent, path.read_bytes().strip(b"\0 ")


def test_contests_on_a_cluster_have_the_same_results(nodes: Nodes) -> None:
    where = ("--json", "--executor", "ray", "--address", nodes.address)
    for command in (
        ("tournament", "random", "extend", "negamax", "--games", "20", *BOARD),
        ("evaluate", "extend", "--measure", "quota:games=150", "--measure", "exact", *BOARD),
    ):
        here, far = (finish(connectlab(*command, *more)) for more in (("--json",), where))
        assert far[1] == here[1] == ""
        assert timeless(json.loads(far[0])) == timeless(json.loads(here[0]))


def timeless(plain: object) -> object:
    """Return a document without the times in it."""
    if isinstance(plain, dict):
        return {key: timeless(value) for key, value in plain.items() if key != "seconds"}
    return [timeless(each) for each in plain] if isinstance(plain, list) else plain


def connectlab(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "connectlab", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Return what a command printed that went well."""
    try:
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0, err
    return out, err
