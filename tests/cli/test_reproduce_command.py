import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import Cli
from connectlab.errors import UserError
from connectlab.lab.executors.base import HeadGoneError
from connectlab.lab.papers.experiment import SCALES
from connectlab.lab.papers.registry import experiments

NAMES = sorted(experiments())
ROWS = {
    "thill-table1", "thill-fig1", "thill-fig2a", "thill-fig2b", "thill-fig3a", "thill-fig3b",
    "thill-alpha", "thill-epsilon", "thill-opponents", "thill-sigmoid", "konen-traces",
    "konen-lambda", "konen-transfer",
    "konen-eligibility", "konen-rules", "dangel-table3", "dangel-table4", "dangel-table5",
    "dangel-table6", "dangel-table7", "dangel-fig3", "dangel-fig4", "cheng-table1", "cheng-table2",
    "cheng-table3", "cheng-table4", "cheng-table5", "cheng-large-n", "fausser-table2",
    "fausser-table3",
}  # fmt: skip
"""Every table and figure that is to be shown."""


def test_every_table_and_figure_is_there() -> None:
    assert set(NAMES) >= ROWS


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_has_all_scales_and_says_how_long_they_take(name: str) -> None:
    experiment = experiments()[name]
    assert tuple(experiment.sizes) == SCALES
    assert set(experiment.core_minutes) == set(SCALES)
    minutes = [experiment.core_minutes[scale] for scale in SCALES]
    assert minutes == sorted(minutes)
    for scale in SCALES:
        cells = experiment.cells(experiment.sizes[scale])
        assert len({cell.key for cell in cells}) <= len(cells)


@pytest.mark.parametrize("name", NAMES)
def test_a_report_can_be_written_before_anything_is_computed(name: str, tmp_path: Path) -> None:
    from connectlab.lab.papers.reproduction import Reproduction
    from connectlab.lab.papers.store import CellStore
    from connectlab.lab.papers.writer import write_report

    each = Reproduction(experiments()[name], "mini", CellStore(tmp_path / "cells"))
    page, _ = write_report(tmp_path, each)
    text = page.read_text()
    assert text.startswith("# ")
    assert ("Not complete" in text) == bool(each.cells)
    json.loads((page.parent / "report.json").read_text())


def test_the_list_tells_what_there_is(cli: Cli, tmp_path: Path) -> None:
    nothing = ("--cells", tmp_path / "cells", "--afresh")
    out = cli("reproduce", "--list", "--out", tmp_path, *nothing).out
    for name in NAMES:
        assert name in out
    rows = cli("reproduce", "--list", "--json", *nothing).document
    assert [row["name"] for row in rows] == list(experiments())
    assert all(row["computed"] == 0 for row in rows)


def test_a_formula_is_shown_at_once(cli: Cli, tmp_path: Path) -> None:
    ran = cli("reproduce", "thill-fig1", "--out", tmp_path / "out", "--cells", tmp_path / "cells")
    assert "91" in ran.out
    assert (tmp_path / "out" / "thill-fig1" / "quick" / "README.md").is_file()
    assert "thill-fig1" in (tmp_path / "out" / "README.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name an experiment, take --all, or see --list"),
        (["thill-fig2"], "there is no experiment 'thill-fig2': did you mean 'thill-fig2"),
        (["thill-fig1", "--all"], "name experiments, or take --all"),
        (["thill-fig1", "--scale", "huge"], "'--scale': 'huge' is not one of 'mini', 'quick'"),
        (["thill-fig1", "--repeats", "0"], "--repeats"),
        (["thill-fig1", "--out", ""], "'--out': the path is empty: name a folder"),
        (["thill-fig1", "--cells", ""], "'--cells': the path is empty: name a folder"),
        (["thill-fig1", "--cells", __file__], "is a file"),
        (["thill-fig1", "--so-far", "--workers", "2"], "--so-far computes nothing: leave --exec"),
        (["thill-fig1", "--so-far", "--executor", "local"], "--so-far computes nothing"),
        (["--list", "--address", "a:1"], "--list computes nothing: leave --executor, --address"),
        (["thill-fig1", "--executor", "ray", "--address", "nowhere"], "write HOST:PORT"),
        (["thill-fig1", "--executor", "ray", "--address", "a:99999"], "from 1 to 65535"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(cli: Cli, arguments: list[str], told: str) -> None:
    ran = cli("reproduce", *arguments)
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_computed(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    ran = cli("reproduce", "thill-table1", "--scale", "mini", "--out", tmp_path / "file" / "below")
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_a_page_of_something_else_is_not_lost(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for notes in ("# My notes\n", "# Results\n\nMy thesis.\n"):
        Path("README.md").write_text(notes)
        ran = cli("reproduce", "thill-fig1", "--scale", "mini", "--out", ".")
        assert ran.code == 2
        told = "README.md is no page of reports and would be lost: choose another --out"
        assert told in ran.err
        assert Path("README.md").read_text() == notes
    for _ in range(2):  # its own page it writes anew
        assert cli("reproduce", "thill-fig1", "--scale", "mini", "--out", "out").code == 0


def test_what_only_reads_asks_for_no_folder_to_write_to(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr("connectlab.lab.papers.writer.check_writable", asked.append)
    monkeypatch.setattr("connectlab.storage.files.check_writable", asked.append)
    folders = ("--out", tmp_path / "out", "--cells", tmp_path / "cells")
    assert cli("reproduce", "--list", *folders).code == 0
    assert asked == []
    assert cli("reproduce", "thill-fig1", "--so-far", *folders).code == 0
    report = tmp_path / "out" / "thill-fig1" / "quick" / "README.md"
    assert asked == [tmp_path / "out" / "README.md", report]
    assert cli("reproduce", "thill-fig1", *folders).code == 0
    assert tmp_path / "cells" / "cell.json" in asked


def test_a_report_of_something_else_is_not_lost(cli: Cli, tmp_path: Path) -> None:
    page = tmp_path / "out" / "thill-fig1" / "mini" / "README.md"
    page.parent.mkdir(parents=True)
    page.write_text("# My notes\n")
    ran = cli("reproduce", "thill-fig1", "--scale", "mini", "--out", tmp_path / "out")
    assert ran.code == 2
    assert f"{page} is no such report and would be lost: choose another --out" in ran.err
    assert page.read_text() == "# My notes\n"


def test_all_is_written_before_anything_is_printed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody_reads(_compared: object) -> None:
        raise UserError("nobody reads this")

    monkeypatch.setattr("connectlab.cli.reproduce._print_compared", nobody_reads)
    names = ("thill-fig1", "konen-transfer")
    assert cli("reproduce", *names, "--scale", "mini", "--out", tmp_path).code == 2
    assert "(konen-transfer/mini/README.md)" in (tmp_path / "README.md").read_text()


def test_a_cluster_that_lost_its_head_is_told_with_how_to_go_on(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_: object) -> None:
        raise HeadGoneError("the head is gone")

    monkeypatch.setattr("connectlab.lab.papers.reproduction.compute", lose)
    folders = ("--out", tmp_path, "--cells", tmp_path / "cells")
    ran = cli("reproduce", "thill-table1", "--scale", "mini", *folders, "--afresh")
    assert ran.code == 2
    assert "the head is gone; what came back is whole: the same command goes on, here" in ran.err


def test_a_report_nested_beyond_all_bounds_counts_as_damaged(cli: Cli, tmp_path: Path) -> None:
    for name in ("thill-fig1", "konen-transfer"):
        (tmp_path / name / "mini").mkdir(parents=True)
        (tmp_path / name / "mini" / "report.json").write_text("[" * 100_000)
    ran = cli("reproduce", "thill-fig1", "--scale", "mini", "--out", tmp_path)
    assert ran.code == 0
    assert "konen-transfer" not in (tmp_path / "README.md").read_text().partition("No report")[0]


def test_nothing_is_compiled_to_list_what_there_is(tmp_path: Path) -> None:
    code = (
        "import sys; from connectlab.cli.app import run; "
        f"assert run(['reproduce', '--list', '--json', '--cells', {str(tmp_path)!r}]) == 0; "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)


@pytest.mark.slow
def test_ctrl_c_ends_in_two_lines(tmp_path: Path) -> None:
    """All processes of the terminal get it, as when somebody presses the keys."""
    folders = ["--out", str(tmp_path / "out"), "--cells", str(tmp_path / "cells"), "--afresh"]
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "connectlab",
            "reproduce",
            "thill-fig3b",
            "--workers",
            "2",
            *folders,
        ],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "6 cells to compute\n"
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    said = "stopped: the same command goes on, --so-far reports what there is"
    assert told.strip().splitlines() == [said]
