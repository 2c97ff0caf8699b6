import gzip
import json
import random
import shutil
import threading
from pathlib import Path

import pytest
from toy_experiments import Here, Toy

from connectlab.arena.statistics import wilson
from connectlab.cli.app import run
from connectlab.lab.papers.cell_archive import ARCHIVE, Archives, write_archive
from connectlab.lab.papers.cells import training_cell
from connectlab.lab.papers.reproduction import Reproduction, compute, missing_cells
from connectlab.lab.papers.results import CellResult, Found
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import write_report

NEVER = threading.Event()
LARGEST_OF_TWENTY = 200_000
"""Bytes that twenty long runs may take beside a report."""


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with a report of the toy, whose cells are gone."""
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path / "cells"))
    compute(missing_cells([toy]), toy.store, Here(), NEVER, lambda cell, result: None)
    write_report(tmp_path / "out", toy)
    shutil.rmtree(tmp_path / "cells")
    return tmp_path / "out"


@pytest.fixture
def toy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectlab.lab.papers.registry.experiments", lambda: {"toy": Toy()})
    monkeypatch.setattr("connectlab.lab.papers.index.experiments", lambda: {"toy": Toy()})


def found_in(out: Path, cells: Path, told: list[str] | None = None) -> Reproduction:
    tell = (told if told is not None else []).append
    return Reproduction(Toy(), "mini", CellStore(cells, Archives([out], tell), tell))


def test_a_report_brings_its_cells_along(out: Path, tmp_path: Path) -> None:
    toy = found_in(out, tmp_path / "none")
    assert toy.found().missing == 0
    assert missing_cells([toy]) == ()
    assert all(toy.store.is_beside_a_report(cell) for cell in toy.cells)
    more = found_in(out, tmp_path / "none")
    more = Reproduction(Toy(), "mini", more.store, repeats=3)
    assert len(missing_cells([more])) == 1  # and the sweep goes on from there


def test_a_report_written_anew_from_its_cells_is_the_same(out: Path, tmp_path: Path) -> None:
    folder = out / "toy" / "mini"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(before) == {ARCHIVE, "README.md", "report.json"}
    write_report(out, found_in(out, tmp_path / "none"))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_bytes_of_an_archive_tell_no_time_and_no_order(tmp_path: Path) -> None:
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path / "cells"))
    compute(toy.cells, toy.store, Here(), NEVER, lambda cell, result: None)
    found = toy.found()
    write_archive(tmp_path / "a", found)
    write_archive(tmp_path / "b", Found(found.cells[::-1], found.results))
    data = (tmp_path / "a" / ARCHIVE).read_bytes()
    assert data == (tmp_path / "b" / ARCHIVE).read_bytes()
    assert data[4:8] == bytes(4)  # the time of gzip's header (RFC 1952)
    keys = [json.loads(line)["key"] for line in gzip.decompress(data).splitlines()]
    assert keys == sorted(cell.key for cell in found.cells)


def test_own_cells_come_before_those_of_reports(out: Path, tmp_path: Path) -> None:
    toy = found_in(out, tmp_path / "cells")
    cell = toy.cells[0]
    old = toy.store.find(cell)
    assert old is not None
    toy.store.save(cell, CellResult.now(old.data, 77.0))
    own = found_in(out, tmp_path / "cells").store.find(cell)
    assert own is not None
    assert own.seconds == 77.0


def test_a_damaged_archive_is_told_once_and_as_if_it_were_not_there(
    out: Path, tmp_path: Path
) -> None:
    path = out / "toy" / "mini" / ARCHIVE
    whole = path.read_bytes()
    for data in (
        b"",
        whole[:-30],
        whole[:40] + b"x" + whole[41:],
        b"no gzip",
        gzip.compress(b"{}"),
        gzip.compress(b"[1]\n\xff"),
        gzip.compress(gzip.decompress(whole).replace(b'"wins": ', b'"won": ')),
    ):
        path.write_bytes(data)
        told: list[str] = []
        toy = found_in(out, tmp_path / "none", told)
        assert toy.found().missing == 2
        assert toy.found().missing == 2
        assert told == [f"{path} is damaged, and as if it were not there"]


@pytest.mark.usefixtures("toy_alone")
def test_the_command_finds_and_continues_the_cells_of_reports(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectlab.lab.papers.cell_archive.COMMITTED", out)
    elsewhere = ["--out", str(tmp_path / "new"), "--cells", str(tmp_path / "none")]
    assert run(["reproduce", "toy", "--scale", "mini", *elsewhere]) == 0
    told = capsys.readouterr().err
    assert "2 cells taken from beside reports; --afresh computes anew" in told
    assert "everything was computed before" in told
    assert (tmp_path / "new" / "toy" / "mini" / ARCHIVE).is_file()
    assert run(["reproduce", "--list", "--scale", "mini", "--json", *elsewhere]) == 0
    assert json.loads(capsys.readouterr().out)[0]["computed"] == 2
    assert run(["reproduce", "--list", "--scale", "mini", "--json", "--afresh", *elsewhere]) == 0
    assert json.loads(capsys.readouterr().out)[0]["computed"] == 0


@pytest.mark.usefixtures("toy_alone")
def test_one_damaged_cell_does_not_keep_the_list_from_the_others(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = found_in(out, tmp_path / "cells")
    path = tmp_path / "cells" / f"{toy.cells[0].key}.json"
    path.parent.mkdir()
    path.write_text("{")
    folders = ["--out", str(tmp_path / "new"), "--cells", str(path.parent), "--afresh"]
    for order in (["--list"], ["--all", "--so-far"]):
        assert run(["reproduce", *order, "--scale", "mini", *folders]) == 0
        assert capsys.readouterr().err.count(f"{path} is damaged") == 1
    assert (tmp_path / "new" / "toy" / "mini" / "README.md").is_file()


def test_twenty_long_runs_take_little_room_beside_a_report(tmp_path: Path) -> None:
    rng = random.Random(1)
    cells = [
        training_cell("ntuple", "thill-p4", {"seed": seed}, measures=(), evaluation_every=1)
        for seed in range(1, 21)
    ]
    results = {cell.key: _long_result(rng) for cell in cells}
    write_archive(tmp_path / "thill" / "full", Found(tuple(cells), results))
    size = (tmp_path / "thill" / "full" / ARCHIVE).stat().st_size
    assert len(json.dumps(next(iter(results.values())).to_json())) > 50_000
    assert size < LARGEST_OF_TWENTY
    store = CellStore(tmp_path / "none", Archives([tmp_path]))
    assert store.archives.find(cells[0].key) is not None
    assert store.find(cells[0]) == results[cells[0].key]  # to the last digit


def _long_result(rng: random.Random) -> CellResult:
    """Return what a run of ten million games leaves: a hundred judgements of fifty games."""
    data = {"games": 10_000_000, "seconds": 250.123, "final": [], "evaluations": []}
    data["evaluations"] = [_judgement(rng, 100_000 * n) for n in range(1, 101)]
    return CellResult.now(data, 251.0)


def _judgement(rng: random.Random, games: int) -> dict[str, object]:
    wins, draws = rng.randint(0, 45), rng.randint(0, 5)
    rate = {"success_rate": wins / 50, "success_rate_interval": list(wilson(wins, 50))}
    counts = {"games": 50, "wins": wins, "draws": draws, "losses": 50 - wins - draws}
    measure = {
        "measure": "success:games=50,objective=framework",
        "keys": ["success_rate"],
        **rate,
        "opponent": "perfect:objective=framework",
        "counts": {**counts, "distinct_games": rng.randint(1, 50)},
        "facts": {
            "objective": "framework",
            "perfect_success_rate": 1.0,
            "mean_plies": round(rng.uniform(30, 41), 2),
        },
        "seconds": round(rng.random(), 3),
    }
    seconds = round(rng.uniform(1, 300), 3)
    return {"games": games, "seconds": seconds, **rate, "measures": [measure]}
