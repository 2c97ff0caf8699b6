"""The players of a runs folder are found; whatever else lies there is passed over."""

import os
import subprocess
import sys
from pathlib import Path

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.game.geometry import Geometry
from connectlab.lab.trained import list_trained
from connectlab.training.folder import RunRecord


def make_run(folder: Path, *, player: bool = True, rows: int = 6, age: int = 0) -> None:
    """Write what is read of a run."""
    folder.mkdir(parents=True)
    record = RunRecord.make(NTupleConfig(rows=rows), preset="quick")
    (folder / "run.json").write_text(record.model_dump_json())
    if player:
        (folder / "latest.safetensors").touch()
        os.utime(folder / "latest.safetensors", (1_000_000 - age, 1_000_000 - age))


def test_players_of_runs_and_of_sweeps_are_listed_newest_first(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    make_run(runs / "old", age=9)
    make_run(runs / "sweep" / "seed 1", age=5, rows=5)
    make_run(runs / "new")
    found = list_trained(runs)
    assert [one.path.name for one in found] == ["new", "seed 1", "old"]
    assert found[1].geometry == Geometry(7, 5, 4)
    assert found[1].title == "seed 1 (ntuple quick)"
    assert found[0].spec == f"ntuple:{runs}/new"


def test_what_is_no_run_with_a_player_is_passed_over(tmp_path: Path) -> None:
    make_run(tmp_path / "begun", player=False)
    make_run(tmp_path / "a" / "b" / "too deep")
    make_run(tmp_path / "damaged")
    (tmp_path / "damaged" / "run.json").write_text("{")
    make_run(tmp_path / "strange")
    text = (tmp_path / "strange" / "run.json").read_text().replace("ntuple", "nobody", 1)
    (tmp_path / "strange" / "run.json").write_text(text)
    (tmp_path / "file").touch()
    assert list_trained(tmp_path) == []
    assert list_trained(tmp_path / "not there") == []


def test_no_kernel_is_needed_to_list_them() -> None:
    program = "import connectlab.lab.trained, sys; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
