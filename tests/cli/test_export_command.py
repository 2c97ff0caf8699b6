"""``connectlab export``: what it writes, and what it refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import connectlab

from devices import make_device


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


Cli = Callable[..., Any]


def test_one_file_is_written_and_named(cli: Cli) -> None:
    ran = cli("export", "kaggle", "minimax:depth=2")
    assert ran.code == 0
    size = Path("main.py").stat().st_size
    assert ran.out == f"minimax:depth=2 written to main.py: {size:,} bytes\n"


def test_large_weights_go_into_an_archive(cli: Cli) -> None:
    ran = cli("export", "kaggle", "ntuple:champion", "--json")
    assert ran.document["path"] == "submission.tar.gz"
    assert ran.document["bytes"] == Path("submission.tar.gz").stat().st_size
    assert ran.document["geometry"] == {"columns": 7, "rows": 6, "connect": 4}


def test_large_weights_do_not_go_into_one_file(cli: Cli) -> None:
    ran = cli("export", "kaggle", "ntuple:champion", "-o", "main.py")
    assert ran.code == 2
    assert "MB of weights, too many for one file: name an archive" in ran.err
    assert not Path("main.py").exists()


def test_an_archive_is_written_if_asked_for(cli: Cli) -> None:
    assert cli("export", "kaggle", "negamax", "-o", "deep/negamax.tar.gz").code == 0
    assert Path("deep/negamax.tar.gz").read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize("name", ["main", "main.txt", "main.zip", "main.tar"])
def test_another_ending_is_refused(cli: Cli, name: str) -> None:
    ran = cli("export", "kaggle", "negamax", "-o", name)
    assert (ran.code, ran.err) == (
        2,
        f"connectlab: {name} must end in .py (one file) or .tar.gz (an archive)\n",
    )


def test_an_existing_file_is_kept_unless_forced(cli: Cli) -> None:
    Path("main.py").write_text("mine")
    ran = cli("export", "kaggle", "negamax", "-o", "main.py")
    assert ran.code == 2
    assert "main.py is there already" in ran.err
    assert cli("export", "kaggle", "negamax").code == 2
    assert Path("main.py").read_text() == "mine"
    assert cli("export", "kaggle", "negamax", "-o", "main.py", "--force").code == 0
    assert Path("main.py").read_text() != "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("kagle", "negamax"), "'kagle' is not"),
        (("kaggle", "negamx"), "did you mean 'negamax'?"),
        (("kaggle", "allis"), "allis cannot be exported to Kaggle"),
        (("kaggle", "mlp:best", "--columns", "5"), "cannot play on 5x6"),
        (("kaggle", "negamax", "-o", "folder.py"), "is a directory"),
    ],
)
def test_what_cannot_be_is_one_line(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    Path("folder.py").mkdir()
    ran = cli("export", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_full_disk_is_one_line(cli: Cli, tmp_path: Path) -> None:
    full = make_device(tmp_path, "full")
    ran = cli("export", "kaggle", "negamax", "-o", str(full))
    assert (ran.code, ran.err) == (2, f"connectlab: {full}: no space left on device\n")


def test_another_board_is_written_into_the_file(cli: Cli) -> None:
    board = ("--columns", "5", "--rows", "4", "--connect", "3")
    assert cli("export", "kaggle", "negamax", *board).code == 0
    assert "Board(5, 4, 3)" in Path("main.py").read_text()


def test_a_stream_gets_the_file_and_nothing_else() -> None:
    ran = connectlab("export", "kaggle", "random", "-o", "/dev/stdout")
    assert ran.returncode == 0
    assert ran.stdout.startswith("# random: a player for Kaggle's ConnectX")
    assert ran.stdout.endswith("return answer(PLAYER, observation, configuration)\n")
