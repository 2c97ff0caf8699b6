"""Standard streams that are narrow in their characters, closed, full, or have lost their reader."""

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import connectlab, in_shell

from connectlab.cli import console
from devices import make_device

Cli = Callable[..., Any]
LOST = 1


@pytest.fixture
def deserted() -> Iterator[int]:
    """A pipe whose reader has left."""
    read, write = os.pipe()
    os.close(read)
    yield write
    os.close(write)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A device that takes nothing."""
    return make_device(tmp_path, "full")


@pytest.fixture
def odd_folder(tmp_path: Path) -> Path:
    """A folder whose name ASCII does not have."""
    folder = tmp_path / "…früh"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_character_that_the_encoding_lacks_is_replaced(encoding: str, odd_folder: Path) -> None:
    target = odd_folder / "positions.txt"
    ran = connectlab(
        *("positions", "--per-class", "1", "--columns", "4", "--rows", "4", "-o", str(target)),
        environment={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        encoding=encoding,
    )
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    said = ran.stdout.splitlines()[-1]
    shown = {"ascii": "...fr?h", "latin-1": "...früh", "utf-8": "…früh"}[encoding]
    assert shown in said


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_error_line_is_replaced_too(encoding: str, odd_folder: Path) -> None:
    ran = connectlab(
        *("match", "random", f"ntuple:{odd_folder}"),
        environment={"PYTHONIOENCODING": encoding},
        encoding=encoding,
    )
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "holds no trained player" in ran.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16"])
def test_json_loses_no_character_in_any_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    held = io.BytesIO()
    stream = io.TextIOWrapper(held, encoding=encoding)
    monkeypatch.setattr("sys.stdout", stream)
    console.print_json({"agent": "ntuple:…früh"})
    stream.flush()
    assert json.loads(held.getvalue().decode(encoding)) == {"agent": "ntuple:…früh"}


def test_json_with_a_path_of_odd_bytes_can_be_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = io.BytesIO()
    stream = io.TextIOWrapper(held, encoding="utf-8")
    monkeypatch.setattr("sys.stdout", stream)
    console.print_json({"run": os.fsdecode(b"caf\xe9")})
    stream.flush()
    assert json.loads(held.getvalue()) == {"run": os.fsdecode(b"caf\xe9")}


def test_the_plain_c_locale_is_enough() -> None:
    ran = connectlab("agents", environment={"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"})
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream_swallows_what_is_written(closed: str, tmp_path: Path) -> None:
    target = tmp_path / "positions.txt"
    options = f"positions --per-class 1 --columns 4 --rows 4 -o {target}"
    ran = in_shell(f"CONNECTLAB {options} {closed}")
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr + ran.stdout
    lines = target.read_text().splitlines()
    assert lines[0].startswith("# 4x4 connect-4"), "no message may end up in the file"
    assert all(len(line.split()) == 3 for line in lines[1:])


def test_a_mistake_has_its_exit_code_even_if_nobody_listens() -> None:
    assert in_shell("CONNECTLAB match random nobody 2>&-").returncode == 2


@pytest.mark.parametrize(
    "arguments", [["agents"], ["agents", "--json"], ["--help"], ["solve", "44", "--rows", "4"]]
)
def test_a_reader_that_left_ends_the_program_quietly_with_exit_code_1(
    arguments: list[str], deserted: int
) -> None:
    ran = connectlab(*arguments, stdout=deserted)
    assert (ran.returncode, ran.stderr) == (LOST, "")


def test_the_first_line_of_a_long_output_can_be_had() -> None:
    ran = in_shell("CONNECTLAB agents | head -n 1")
    assert ran.stdout.startswith("player")
    assert ran.stderr == ""


@pytest.mark.parametrize(
    "arguments", [["agents"], ["agents", "--json"], ["--help"], ["match", "random", "random"]]
)
def test_a_full_disk_behind_standard_output_is_one_line(arguments: list[str], full: Path) -> None:
    with full.open("w") as stream:
        ran = connectlab(*arguments, stdout=stream)
    assert ran.returncode == LOST
    assert ran.stderr == "connectlab: standard output: no space left on device\n"


def test_a_full_disk_behind_the_script_of_a_shell_is_one_line(full: Path) -> None:
    """Typer prints it and exits by itself."""
    with full.open("w") as stream:
        ran = connectlab(stdout=stream, environment={"_CONNECTLAB_COMPLETE": "source_bash"})
    assert (ran.returncode, ran.stderr.count("\n")) == (LOST, 1)
    assert "no space left on device" in ran.stderr


def test_notices_that_nobody_can_read_do_not_stop_the_work(full: Path) -> None:
    with full.open("w") as stream:
        ran = connectlab(
            *("positions", "--per-class", "9", "--columns", "4", "--rows", "4"), stderr=stream
        )
    assert ran.returncode == 0
    assert ran.stdout.startswith("# 4x4")


def test_a_full_disk_loses_no_result(full: Path) -> None:
    board = ("--columns", "4", "--rows", "4")
    cross = connectlab(*("tournament", "random", "extend", *board, "--heatmap", str(full)))
    assert "score of the row against the column" in cross.stdout
    made = connectlab(*("positions", "--per-class", "1", *board, "-o", str(full)))
    assert made.stdout == connectlab("positions", "--per-class", "1", *board).stdout
    for ran in (cross, made):
        assert ran.returncode == 2
        assert ran.stderr.splitlines()[-1] == f"connectlab: {full}: no space left on device"


@pytest.mark.parametrize(
    ("arguments", "work"),
    [
        (["tournament", "random", "extend", "--heatmap"], "tournament.play_tournament"),
        (["positions", "--output"], "positions.generate_positions"),
    ],
    ids=["tournament", "positions"],
)
def test_a_file_that_cannot_be_written_is_told_before_the_games(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: list[str], work: str, tmp_path: Path
) -> None:
    monkeypatch.setattr(f"connectlab.arena.{work}", pytest.fail)
    (tmp_path / "file").write_text("")
    ran = cli(*arguments, str(tmp_path / "file" / "below"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"connectlab: {tmp_path}/file/below cannot be written")
    assert ran.err.count("\n") == 1


def test_the_null_device_stays_one(tmp_path: Path) -> None:
    null = make_device(tmp_path, "null")
    ran = connectlab(
        *("positions", "--per-class", "1", "--columns", "4", "--rows", "4", "-o", str(null))
    )
    assert ran.returncode == 0
    assert null.is_char_device()
