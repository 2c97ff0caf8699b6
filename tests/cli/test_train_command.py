"""``train``: runs from the command line, killed, stopped, damaged and repeated."""

import errno
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from connectlab.agents.learners import make_player

from connectlab.game import Geometry, Position
from connectlab.training.metrics import MetricsLog

Cli = Callable[..., Any]

TINY = ("--columns", "4", "--rows", "4", "--connect", "3")
SMALL = (*TINY, "--set", "tuples=6", "--set", "length=4", "--set", "creation=walk")
QUIET = ("--eval-games", "0")
PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def start(*arguments: str, folder: Path) -> "subprocess.Popen[str]":
    """Begin to train in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "connectlab", "train", "ntuple", *arguments, "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process: "subprocess.Popen[str]", ready: Callable[[], bool]) -> None:
    while process.poll() is None and not ready():
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()


def measures(folder: Path) -> list[dict[str, Any]]:
    """Return the evaluations without their times."""
    lines = [each.to_json() for each in MetricsLog(folder / "metrics.jsonl").evaluations]
    return [{k: v for k, v in line.items() if not k.endswith("seconds")} for line in lines]


def games_saved(folder: Path) -> int:
    lines = MetricsLog(folder / "metrics.jsonl").progress
    return int(lines[-1]["games"]) if lines and (folder / "state.safetensors").exists() else 0


def test_a_run_ends_with_a_player_that_plays(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ran = cli("train", "ntuple", *SMALL, "--set", "games=4000", "--eval-games", "20",
              "--eval-every", "2000", "--out", str(folder), "--json")  # fmt: skip
    assert ran.code == 0
    document = ran.document
    assert document["run"] == str(folder)
    assert document["games"] == 4000
    assert [each["games"] for each in document["evaluations"]] == [2000, 4000]
    assert document["best"]["evaluation_games"] == 20
    assert document["settings"]["columns"] == 4
    assert "success" in ran.err
    section = PAGE.split("\n## train\n")[1].split("\n## ")[0]
    for key in (*document, *document["best"]):
        assert f"`{key}`" in section or key == "success_rate_interval", key
    for name in ("run.json", "metrics.jsonl", "curve.png", "best.safetensors"):
        assert (folder / name).is_file()
    player = make_player("ntuple", folder, Geometry(4, 4, 3))
    assert player.choose_one(Position.from_moves("", Geometry(4, 4, 3))) in range(4)


def test_a_run_for_people_on_a_drawn_board(cli: Cli, tmp_path: Path) -> None:
    ran = cli("train", "ntuple", *SMALL, "--connect", "4", "--set", "games=50", "--eval-games",
              "4", "--eval-every", "50", "--out", str(tmp_path / "run"))  # fmt: skip
    assert ran.code == 0
    assert "ntuple on 4x4 connect-4: 50 games" in ran.out
    assert "With perfect play this board is a draw: the most anyone can expect is 0.5." in ran.out
    assert f"play --second ntuple:{tmp_path / 'run'}" in ran.out


def test_runs_get_names_of_their_own(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        ran = cli("train", "ntuple", "--preset", "konen-tdl-rr", *SMALL, "--set", "games=10",
                  *QUIET, "--json")  # fmt: skip
        assert ran.document["run"] == f"runs/ntuple-konen-tdl-rr-{number}"
        assert ran.document["last"] is None


def test_the_seed_decides_the_weights(cli: Cli, tmp_path: Path) -> None:
    def weights(name: str, seed: str) -> bytes:
        folder = tmp_path / name
        cli("train", "ntuple", *SMALL, "--set", "games=500", *QUIET, "--seed", seed, "--out",
            str(folder))  # fmt: skip
        return (folder / "latest.safetensors").read_bytes()

    assert weights("a", "3") == weights("b", "3") != weights("c", "4")


def test_a_run_is_never_overwritten(cli: Cli, tmp_path: Path) -> None:
    arguments = ("train", "ntuple", *SMALL, "--set", "games=10", *QUIET, "--out", str(tmp_path))
    assert cli(*arguments).code == 0
    before = (tmp_path / "run.json").read_bytes()
    ran = cli(*arguments)
    assert ran.code == 2
    assert "already holds a run: go on with it by --resume, or choose another folder" in ran.err
    assert (tmp_path / "run.json").read_bytes() == before


def test_going_on_keeps_the_settings(cli: Cli, tmp_path: Path) -> None:
    arguments = ("train", "ntuple", *SMALL, "--set", "games=10", *QUIET, "--out", str(tmp_path))
    assert cli(*arguments).code == 0
    assert cli(*arguments, "--resume").code == 0
    assert cli("train", "ntuple", "--resume", "--out", str(tmp_path)).code == 0
    ran = cli(*arguments, "--resume", "--set", "alpha=0.5")
    assert ran.code == 2
    assert "goes on with its own settings: alpha is 0.004, not 0.5" in ran.err
    ran = cli("train", "ntuple", "--resume", "--out", str(tmp_path), "--eval-games", "7")
    assert "--eval-games is 0, not 7" in ran.err


def test_a_mistake_leaves_no_folder(cli: Cli, tmp_path: Path) -> None:
    for wrong in (("--set", "length=99"), ("--preset", "quik"), ("--columns", "30")):
        assert cli("train", "ntuple", *wrong, "--out", str(tmp_path / "run")).code == 2
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


def test_a_damaged_or_foreign_state_is_refused(cli: Cli, tmp_path: Path) -> None:
    cli("train", "ntuple", *SMALL, "--set", "games=10", *QUIET, "--out", str(tmp_path))
    state = tmp_path / "state.safetensors"
    whole = state.read_bytes()
    foreign = (tmp_path / "latest.safetensors").read_bytes()
    for content, part in [
        (whole[:-9], "is damaged"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "is damaged"),
        (b"nothing of ours", "is damaged or is no checkpoint"),
        (foreign, "was written by 'ntuple', not by 'ntuple-state'"),
    ]:
        state.write_bytes(content)
        ran = cli("train", "ntuple", "--resume", "--out", str(tmp_path))
        assert (ran.code, ran.out) == (2, "")
        assert part in ran.err
        assert ran.err.count("\n") == 1
        assert state.read_bytes() == content


def test_a_full_disk_says_how_to_go_on(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("connectlab.storage.checkpoint.save_file", refuse)
        ran = cli("train", "ntuple", *SMALL, "--set", "games=500", *QUIET, "--out", str(tmp_path))
    assert ran.code == 2
    assert "no space left on device" in ran.err.splitlines()[-1]
    assert f"train ntuple --resume --out {tmp_path}" in ran.err.splitlines()[-1]
    assert cli("train", "ntuple", "--resume", "--out", str(tmp_path)).code == 0


def test_weights_that_explode_stop_the_run(cli: Cli, tmp_path: Path) -> None:
    ran = cli("train", "ntuple", *SMALL, *QUIET, "--set", "alpha=1e9", "--set", "games=5000",
              "--out", str(tmp_path))  # fmt: skip
    assert ran.code == 2
    assert "the weights exploded" in ran.err.splitlines()[-1]


def test_several_threads_learn_all_games(cli: Cli, tmp_path: Path) -> None:
    ran = cli("train", "ntuple", *SMALL, "--set", "games=3000", *QUIET, "--threads", "2", "--out",
              str(tmp_path), "--json")  # fmt: skip
    assert ran.document["games"] == 3000
    assert json.loads((tmp_path / "run.json").read_text())["threads"] == 2


LONG = (*SMALL, "--set", "games=400_000", "--set", "rule=tcl-exp", "--set", "alpha=0.05->0.02",
        "--set", "average_games=20000", "--eval-games", "20", "--eval-every", "40000")  # fmt: skip


@pytest.mark.slow
def test_killed_at_any_moment_a_run_ends_in_the_same_bits(cli: Cli, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert cli("train", "ntuple", *LONG, "--out", str(whole)).code == 0
    process = start(*LONG, folder=broken)
    for number in range(3):
        before = games_saved(broken)
        wait_for(process, lambda before=before: games_saved(broken) > before)  # type: ignore[misc]
        time.sleep(0.05 * number)
        process.kill()
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        assert games_saved(broken) < 400_000
        process = start("--resume", folder=broken)
    assert process.wait(timeout=300) == 0
    process.communicate()
    for name in ("state", "latest", "best"):
        file = f"{name}.safetensors"
        assert (broken / file).read_bytes() == (whole / file).read_bytes(), file
    assert measures(broken) == measures(whole)
    assert len(measures(whole)) == 10


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "run"
    process = start(*SMALL, "--set", "games=2_000_000", *QUIET, folder=folder)
    wait_for(process, (folder / "metrics.jsonl").exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    last = err.strip().splitlines()[-1]
    assert last.startswith("stopped after")
    assert f"train ntuple --resume --out {folder}" in last
    done = games_saved(folder)
    assert f"{done:,} games" in last
    assert 0 < done < 2_000_000


@pytest.mark.slow
def test_repeats_are_runs_with_seeds_of_their_own(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    arguments = ("train", "ntuple", *SMALL, "--set", "games=2000", "--eval-games", "20",
                 "--eval-every", "1000", "--repeat", "3", "--jobs", "2", "--out", str(folder),
                 "--json")  # fmt: skip
    document = cli(*arguments).document
    assert [run["seed"] for run in document["runs"]] == [1, 2, 3]
    assert [run["settings"]["tuple_seed"] for run in document["runs"]] == [1, 2, 3]
    rates = [run["last"]["success_rate"] for run in document["runs"]]
    assert document["last"]["mean"] == pytest.approx(sum(rates) / 3)
    assert document["best"]["highest"] == max(
        run["best"]["success_rate"] for run in document["runs"]
    )
    ran = cli(*arguments)
    assert ran.code == 2
    assert "already exists" in ran.err
    (folder / "run-2" / "state.safetensors").unlink()  # as if killed before the first save
    again = cli(*arguments, "--resume").document
    assert [run["last"]["success_rate"] for run in again["runs"]] == rates
