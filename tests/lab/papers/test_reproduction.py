import json
import math
import os
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from toy_experiments import SMALL, Here, Toy, files

from connectlab.agents.ntuple.config import NTupleConfig
from connectlab.agents.ntuple.training import NTupleLearner
from connectlab.cli.app import run
from connectlab.errors import UserError
from connectlab.lab.papers.cell_task import CellTask
from connectlab.lab.papers.cells import CELL, MatchCell, MeasuringCell, TrainingCell, training_cell
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.index import index_page, write_index
from connectlab.lab.papers.page import Compared, Report
from connectlab.lab.papers.reproduction import Reproduction, compute, missing_cells
from connectlab.lab.papers.results import (
    CellResult,
    Found,
    Played,
    Trained,
    check_result,
    measured_of,
)
from connectlab.lab.papers.store import CellStore
from connectlab.lab.papers.writer import write_report
from connectlab.storage.locks import hold
from connectlab.training.metrics import RunError
from connectlab.training.run import RunStoppedError

TINY = {"games": 40, "tuples": 4, "length": 4, **SMALL}
NEVER = threading.Event()


def tiny_run(**changes: object) -> TrainingCell:
    return training_cell(
        "ntuple",
        None,
        {**TINY, **changes},
        measures=("quota:games=6",),
        evaluation_every=20,
        final=("exact",),
        counts_weights=True,
    )


def finish(each: Reproduction, executor: Here) -> bool:
    cells = missing_cells([each])
    return compute(cells, each.store, executor, NEVER, lambda cell, result: None)


def test_what_a_cell_is_decides_its_key() -> None:
    match = MatchCell(first="random", second="extend", games=10)
    assert match.key == MatchCell(first="random", second="extend", games=10).key
    others = [
        MatchCell(first="extend", second="random", games=10),
        MatchCell(first="random", second="extend", games=11),
        MatchCell(first="random", second="extend", games=10, seed=1),
        MatchCell(first="random", second="extend", games=10, board=SMALL),
        MeasuringCell(player="random", measures=("exact",)),
        tiny_run(),
        tiny_run(seed=2),
    ]
    keys = {each.key for each in [match, *others]}
    assert len(keys) == 1 + len(others)
    for each in [match, *others]:
        assert CELL.validate_python(json.loads(json.dumps(each.model_dump(mode="json")))) == each


def test_a_preset_is_written_out_in_full() -> None:
    cell = training_cell("ntuple", "thill-p4", measures=("success",), evaluation_every=1)
    assert cell.config["alpha"] == "0.01->0.001"
    assert cell.config["gamma"] == 1.0  # also what the preset does not name


def test_a_finished_cell_is_never_computed_again(tmp_path: Path) -> None:
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path))
    first, second = Here(), Here()
    assert finish(toy, first)
    assert finish(toy, second)
    assert (first.done, second.done) == (2, 0)
    assert toy.found().missing == 0


def test_changed_settings_are_computed(tmp_path: Path) -> None:
    store = CellStore(tmp_path)
    finish(Reproduction(Toy(), "mini", store), Here())
    other = Here()
    finish(Reproduction(Toy(), "quick", store), other)
    assert other.done == 2
    more = Here()
    finish(Reproduction(Toy(), "mini", store, repeats=3), more)
    assert more.done == 1


def test_a_stopped_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path), repeats=5)
    assert not finish(toy, Here(until=lambda done: done == 3))
    assert toy.found().missing == 2
    rest = Here()
    assert finish(toy, rest)
    assert rest.done == 2


def test_experiments_share_the_cells_they_have_in_common(tmp_path: Path) -> None:
    store = CellStore(tmp_path)
    twins = [Reproduction(Toy(name=name), "mini", store) for name in ("one", "two")]
    assert len(missing_cells(twins)) == 2


def test_a_damaged_result_is_told_once_and_computed_again(tmp_path: Path) -> None:
    finish(Reproduction(Toy(), "mini", CellStore(tmp_path)), Here())
    path, other = (tmp_path / f"{cell.key}.json" for cell in Toy().cells(Toy().sizes["mini"]))
    whole = path.read_text()
    wrong = whole.replace('"wins": ', '"wins": "many", "won": ')
    for text in ("", "{}", '{"cell": 1, "result": 2}', whole[:-20], wrong, other.read_text()):
        path.write_text(text)
        told: list[str] = []
        toy = Reproduction(Toy(), "mini", CellStore(tmp_path, tell=told.append))
        assert toy.found().missing == 1
        assert toy.found().missing == 1
        assert told == [f"{path} is damaged, and as if it were not there"]
        assert finish(toy, again := Here())
        assert again.done == 1
        assert toy.found().missing == 0
    path.write_bytes(b"\xff\xfe\xfd")
    assert CellStore(tmp_path).find(toy.cells[0]) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"wins": 0, "draws": 0, "losses": 0},
        {"wins": 10**6},
    ],
)
def test_games_that_do_not_add_up_are_damaged(tmp_path: Path, wrong: dict[str, int]) -> None:
    toy = Reproduction(Toy(), "mini", store := CellStore(tmp_path))
    finish(toy, Here())
    cell = next(each for each in toy.cells if isinstance(each, MatchCell))
    good = store.find(cell)
    assert good is not None
    check_result(cell, good)
    with pytest.raises(ValueError, match="games of"):
        check_result(cell, replace(good, data={**good.data, **wrong}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": {"wins": 5, "draws": 0, "losses": 0, "games": 6, "distinct_games": 1}},
        {"counts": {"games": 6, "losses": 6, "distinct_games": 1}},
        {"win_rate": -1e300},
        {"win_rate": 1.5},
    ],
)
def test_measurements_that_no_games_gave_are_damaged(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    cell = tiny_run()
    good = cell.compute(tmp_path, NEVER)
    check_result(cell, CellResult.now(good, 1.0))
    rows = json.loads(json.dumps(good["evaluations"]))
    measured = rows[0]["measures"][0]
    assert set(wrong) <= set(measured)
    measured |= wrong
    with pytest.raises((ValueError, KeyError)):
        check_result(cell, CellResult.now({**good, "evaluations": rows}, 1.0))


def test_a_quota_without_its_losses_is_damaged_unless_it_was_taken_over(tmp_path: Path) -> None:
    """Runs that were made before there were cells counted only what they won."""
    cell = tiny_run()
    data = json.loads(json.dumps(cell.compute(tmp_path, NEVER)))
    for row in data["evaluations"]:
        row["measures"][0]["counts"] = {"games": 6, "wins": 3}
    result = CellResult.now(data, 1.0)
    check_result(cell, replace(result, source="made earlier"))
    with pytest.raises(KeyError, match="draws"):
        check_result(cell, result)


def put_folder(path: Path) -> None:
    path.mkdir()


def put_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("put", [put_folder, put_loop, os.mkfifo])
def test_what_is_no_file_in_the_place_of_a_result_is_told_and_never_waited_for(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    path = tmp_path / f"{Toy().cells(Toy().sizes['mini'])[0].key}.json"
    put(path)
    told: list[str] = []
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path, tell=told.append))
    assert toy.found().missing == 2
    assert told == [f"{path} is damaged, and as if it were not there"]
    with pytest.raises(UserError, match=f"^{path} is no file, so no result can be kept there"):
        finish(toy, nobody := Here())
    assert nobody.done == 0, "what is computed would be lost"
    with pytest.raises(UserError, match=r"remove it$"):
        toy.store.save(toy.cells[0], CellResult.now({}, 0.0))


def test_a_run_is_judged_on_its_way_and_at_its_end(tmp_path: Path) -> None:
    cell, store = tiny_run(), CellStore(tmp_path)
    compute([cell], store, Here(), NEVER, lambda cell, result: None)
    found = store.find(cell)
    assert found is not None
    trained = Trained.of(found)
    assert [row.games for row in trained.evaluations] == [20, 40]
    assert [each.key for each in measured_of(found)] == ["exact_success_rate"]
    assert trained.weights["all"] == 2 * 4 * 4**4
    assert 0 < trained.weights["non_zero"] <= trained.weights["realisable"]
    assert found.seconds > 0
    assert files(tmp_path) == [f"{cell.key}.json"]  # what was under way is gone


def test_a_killed_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    cell = tiny_run()
    whole = cell.compute(tmp_path / "whole", NEVER)
    stop = threading.Event()
    stop.set()
    task = CellTask(cell, tmp_path / "broken")
    with pytest.raises(Exception, match="stopped after"):
        task.run(task.folder, stop)
    assert (tmp_path / "broken" / "run" / "state.safetensors").is_file()
    assert float((tmp_path / "broken" / "core_seconds").read_text()) > 0
    again = cell.compute(tmp_path / "broken", NEVER)
    assert _figures(again) == _figures(whole)


def test_a_run_that_lost_its_judgements_is_no_result(tmp_path: Path) -> None:
    cell = tiny_run()
    cell.compute(tmp_path / "cell", NEVER)
    measured = tmp_path / "cell" / "run" / "metrics.jsonl"
    rows = measured.read_text().splitlines(keepends=True)
    first = next(row for row in rows if "measures" in row)
    measured.write_text("".join(row for row in rows if row != first))
    with pytest.raises(RunError, match=r"judgements are missing .* to begin this cell anew"):
        cell.compute(tmp_path / "cell", NEVER)


@pytest.mark.parametrize("every", [7, 30, 39, 50])
def test_judgements_come_with_the_steps_that_end_there_or_later(tmp_path: Path, every: int) -> None:
    cell = tiny_run(games=60).model_copy(update={"evaluation_every": every})
    step = NTupleLearner(NTupleConfig.model_validate(cell.config)).games_a_step
    found = Trained.of(CellResult.now(cell.compute(tmp_path, NEVER), 1.0))
    due = [*range(every, 61, every), 60]
    assert [row.games for row in found.evaluations] == sorted(
        {min(60, math.ceil(games / step) * step) for games in due}
    )


def test_a_damaged_run_tells_how_its_cell_begins_anew(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(RunStoppedError):
        tiny_run().compute(tmp_path / "cell", stop)
    (tmp_path / "cell" / "run" / "state.safetensors").write_bytes(b"half")
    with pytest.raises(RunError, match=f"; remove {tmp_path / 'cell'} to begin this cell anew"):
        tiny_run().compute(tmp_path / "cell", NEVER)


@pytest.mark.parametrize("text", ["nan", "inf", "-5", "soon", "1e308"])
def test_time_that_nobody_can_have_spent_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "core_seconds").write_text(text)
    result = CellTask(tiny_run(), tmp_path).run(tmp_path, NEVER)
    assert 0 < result.seconds < 1000


def _figures(data: dict[str, object]) -> object:
    trained = Trained.of(CellResult.now(data, 0.0))
    judged = [(row.games, row.first.figures) for row in trained.evaluations]
    return judged, [each.figures for each in trained.final], trained.weights


def test_who_comes_later_waits_and_finds_the_result(tmp_path: Path) -> None:
    cell, store = tiny_run(), CellStore(tmp_path)
    task = CellTask(cell, store.work(cell))
    done: list[CellResult] = []
    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(task.run, task.folder, NEVER) for _ in range(2)]:
            done.append(each.result())
    assert done[0] == done[1]
    assert store.find(cell) == done[0]


def test_who_waits_for_another_command_can_be_stopped(tmp_path: Path) -> None:
    task = CellTask(tiny_run(), tmp_path / "key")
    task.work.mkdir()
    lock = hold(task.work / ".lock", "the cell")
    assert lock is not None
    stop = threading.Event()
    stop.set()
    with pytest.raises(RunStoppedError, match="another process computes"):
        task.run(task.folder, stop)
    lock.close()


def test_a_report_is_not_replaced_by_one_of_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("connectlab.lab.papers.registry.experiments", lambda: {"toy": Toy()})
    finish(Reproduction(Toy(), "mini", CellStore(tmp_path / "cells")), Here())
    out = ["--scale", "mini", "--so-far", "--out", str(tmp_path / "out")]
    assert run(["reproduce", "toy", *out, "--cells", str(tmp_path / "cells")]) == 0
    before = (tmp_path / "out" / "toy" / "mini" / "README.md").read_text()
    assert run(["reproduce", "toy", *out, "--cells", str(tmp_path / "none"), "--afresh"]) == 0
    assert "is kept: it rests on 2 cells, this would on 0" in capsys.readouterr().err
    assert (tmp_path / "out" / "toy" / "mini" / "README.md").read_text() == before
    (tmp_path / "out" / "toy" / "mini" / "report.json").unlink()  # its cells are still there
    assert run(["reproduce", "toy", *out, "--cells", str(tmp_path / "none"), "--afresh"]) == 0
    assert "is kept: it rests on 2 cells, this would on 0" in capsys.readouterr().err


def test_what_is_endless_is_null_in_the_data_of_a_report(tmp_path: Path) -> None:
    class Endless(Toy):
        def report(self, found: Found, size: Size) -> Report:
            compared = [Compared("quota", "5,049", "nothing lost", math.inf, (3.0, math.inf))]
            data = {"quotas": (1.0, math.nan)}
            return replace(super().report(found, size), compared=compared, data=data)

    write_report(tmp_path, Reproduction(Endless(), "mini", CellStore(tmp_path / "cells")))
    document = json.loads((tmp_path / "toy" / "mini" / "report.json").read_text())
    (quota,) = document["compared"]
    assert quota["value"] is None
    assert quota["interval"] == [3.0, None]
    assert document["data"] == {"quotas": [1.0, None]}


@pytest.mark.parametrize("text", ["{}", '{"cells": 1}', '{"data": []}', "[]", ""])
def test_a_damaged_report_is_left_out_of_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr("connectlab.lab.papers.index.experiments", lambda: {"toy": Toy()})
    (tmp_path / "toy" / "mini").mkdir(parents=True)
    (tmp_path / "toy" / "mini" / "report.json").write_text(text)
    assert "No report is here yet of: toy." in write_index(tmp_path).read_text()


@pytest.mark.parametrize(
    "wrong", [{"rows": [[1, 2]]}, {"rows": 3}, {"headings": [1]}, {"picture": 1}, {"sentences": 1}]
)
def test_a_glance_that_is_no_text_is_left_out_of_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object]
) -> None:
    monkeypatch.setattr("connectlab.lab.papers.index.experiments", lambda: {"toy": Toy()})
    toy = Reproduction(Toy(), "full", CellStore(tmp_path / "cells"))
    finish(toy, Here())
    write_report(tmp_path, toy)
    file = tmp_path / "toy" / "full" / "report.json"
    glance = {
        "title": "Told",
        "sentences": [],
        "headings": ["a"],
        "rows": [["b"]],
        "picture": "p.png",
    }
    for given, is_there in ((glance, True), (glance | wrong, False)):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"data": {"glance": given}}))
        page = write_index(tmp_path).read_text()
        assert ("## Told" in page) is is_there
        assert ("No report is here yet of: toy." in page) is not is_there


def test_fewer_runs_than_those_of_the_scale_are_told_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectlab.lab.papers.index.experiments", lambda: {"toy": Toy()})
    toy = Reproduction(Toy(), "full", CellStore(tmp_path / "cells"), repeats=1)
    finish(toy, Here())
    write_report(tmp_path, toy)
    assert "| full, 1 of 2 runs |" in write_index(tmp_path).read_text()


def test_games_of_a_match_are_counted_from_the_first_side(tmp_path: Path) -> None:
    cell = MatchCell(first="perfect", second="random", games=9, board=SMALL)
    played = Played.of(CellResult.now(cell.compute(tmp_path, NEVER), 0.0))
    assert (played.tally.wins, played.tally.losses) == (9, 0)
    back = MatchCell(first="random", second="perfect", games=9, board=SMALL)
    assert Played.of(CellResult.now(back.compute(tmp_path, NEVER), 0.0)).tally.losses > 5


def test_a_report_says_what_was_published_and_how_it_was_made(tmp_path: Path) -> None:
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path / "cells"))
    finish(toy, Here())
    page, report = write_report(tmp_path, toy)
    text = page.read_text()
    assert "| wins | half |" in text
    assert "connectlab reproduce toy --scale mini" in text
    assert "2 cells computed on 20" in text
    assert "Not complete" not in text
    document = json.loads((page.parent / "report.json").read_text())
    assert document["compared"][0]["value"] == report.compared[0].value
    assert document["versions"]["numba"]
    assert document["missing"] == 0


def test_a_report_of_a_part_says_so(tmp_path: Path) -> None:
    toy = Reproduction(Toy(), "mini", CellStore(tmp_path / "cells"), repeats=3)
    finish(toy, Here(until=lambda done: done == 1))
    page, _ = write_report(tmp_path, toy)
    assert "**Not complete:** 1 of 3 cells were computed" in page.read_text()
    assert "--repeats 3" in page.read_text()


def test_the_index_shows_the_greatest_scale_of_each_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "connectlab.lab.papers.index.experiments", lambda: {"toy": Toy(core_minutes={"full": 67.0})}
    )
    store = CellStore(tmp_path / "cells")
    assert "Nobody 1900" not in write_index(tmp_path).read_text()
    for scale in ("quick", "mini"):
        toy = Reproduction(Toy(), scale, store)
        finish(toy, Here())
        write_report(tmp_path, toy)
    text = write_index(tmp_path).read_text()
    assert "## Nobody 1900" in text
    assert "(toy/quick/README.md)" in text
    assert "| quick (full takes 67 min) |" in text
    write_report(tmp_path, Reproduction(Toy(), "full", store))  # nothing of it was computed
    assert "(toy/quick/README.md)" in write_index(tmp_path).read_text()
    shutil.rmtree(tmp_path / "toy" / "full")
    (tmp_path / "toy" / "quick" / "report.json").write_text("{")
    assert "(toy/mini/README.md)" in write_index(tmp_path).read_text()
    assert "Nobody" not in index_page([], tmp_path)


def test_the_index_names_pages_that_are_there(tmp_path: Path) -> None:
    assert "everyone" not in index_page([], tmp_path)
    (tmp_path / "everyone").mkdir()
    (tmp_path / "everyone" / "report.md").write_text("# All\n")
    page = index_page([], tmp_path)
    assert "(everyone/report.md)" in page
    assert "(../proof.md)" not in page
