"""The keeper: what shall be going on goes on, whoever is killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from kept_work import Ledger

from connectlab.lab.jobs import new_job
from connectlab.lab.keeper import Keeper
from connectlab.lab.orders import ORDERS, Order, Orders, check_name
from connectlab.lab.plans import Request
from connectlab.lab.runs import Runs
from connectlab.training.display import Display
from connectlab.training.metrics import RunError
from living import die_out

SETTINGS: dict[str, object] = {
    "columns": 4,
    "rows": 4,
    "connect": 3,
    "tuples": 6,
    "length": 4,
    "games": 150_000,
}
ORDER = Order(learner="ntuple", settings=SETTINGS, measures=[])


def until(holds: Callable[[], object], keeper: Keeper | None = None, patience: float = 60) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, "it never came about"
        if keeper is not None:
            keeper.tick()
        time.sleep(0.02)


@contextmanager
def kept(ledger: Ledger | Orders, at_once: int = 1) -> Iterator[Keeper]:
    keeper = Keeper(ledger, at_once=at_once)
    try:
        yield keeper
    finally:
        keeper.close()


def children_of(pid: int) -> list[int]:
    """Return all processes below one."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found = [child for child, parent in pairs if parent == pid]
    return found + [each for child in found for each in children_of(child)]


@pytest.mark.slow
def test_work_that_ends_is_crossed_out_and_work_that_fails_says_why() -> None:
    ledger = Ledger("short", "refused", "stumbles", "vanishes")
    with kept(ledger, at_once=4) as keeper:
        until(lambda: not ledger.names, keeper)
    assert ledger.ended == ["short"]
    assert ledger.reasons == {
        "refused": "this cannot be",
        "stumbles": "ZeroDivisionError: one by none",
        "vanishes": "its process ended with code 7",
    }


@pytest.mark.slow
def test_others_wait_in_line_and_what_is_wanted_no_more_is_stopped() -> None:
    ledger = Ledger("long-1", "long-2", "long-3")
    with kept(ledger) as keeper:
        keeper.tick()
        assert keeper.standings() == {
            "long-1": ("starting", 0),
            "long-2": ("waiting", 1),
            "long-3": ("waiting", 2),
        }
        ledger.names.remove("long-1")
        until(lambda: keeper.standing("long-1") is None, keeper)
        keeper.tick()
        assert keeper.standing("long-2") == ("starting", 0)
        assert ledger.reasons == {}


@pytest.mark.slow
def test_work_that_could_not_save_when_it_was_stopped_says_so() -> None:
    ledger = Ledger("unsaved")
    with kept(ledger) as keeper:
        keeper.tick()
        ledger.busy = {"unsaved"}
        ledger.names.clear()
        until(lambda: keeper.standing("unsaved") is None, keeper)
    assert ledger.reasons == {"unsaved": "OSError: [Errno 28] No space left"}


@pytest.mark.slow
def test_what_a_closing_keeper_could_not_save_is_tried_again_by_the_next() -> None:
    ledger = Ledger("unsaved")
    with kept(ledger) as keeper:
        keeper.tick()
        ledger.busy = {"unsaved"}
    assert ledger.names == ["unsaved"]
    assert ledger.reasons == {}


def test_what_another_process_is_at_is_left_to_it_and_takes_room() -> None:
    ledger = Ledger("long-1", "long-2")
    ledger.busy = {"long-1"}
    with kept(ledger) as keeper:
        keeper.tick()
        assert keeper.standings() == {"long-1": ("elsewhere", 0), "long-2": ("waiting", 1)}


@pytest.mark.slow
def test_a_keeper_that_closes_leaves_the_ledger_for_the_next() -> None:
    ledger = Ledger("long-1")
    with kept(ledger) as keeper:
        keeper.tick()
    assert ledger.names == ["long-1"]
    assert ledger.reasons == {}


@pytest.mark.slow
def test_runs_go_on_by_themselves_after_kill_9_and_two_keepers_do_not_fight(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    new_job(Request("ntuple", changes=SETTINGS, measures=()), alone).run(Display())
    orders = Orders(tmp_path / "runs")
    assert orders.begin(ORDER) == "ntuple-custom-1"
    script = [sys.executable, str(Path(__file__).with_name("kept_work.py")), str(orders.root)]
    path = orders.root / "ntuple-custom-1"
    first = subprocess.Popen(script, stdout=subprocess.DEVNULL)
    until((path / "metrics.jsonl").exists)
    below = children_of(first.pid)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert below
    assert die_out(below), "a process outlived its keeper"
    assert orders.wanted() == ["ntuple-custom-1"]
    others = [subprocess.Popen(script, stdout=subprocess.DEVNULL) for _ in range(2)]
    try:
        until(lambda: not orders.read(), patience=120)
    finally:
        for each in others:
            each.kill()
            each.wait()
    for name in ("latest.safetensors", "state.safetensors"):
        assert (path / name).read_bytes() == (alone / name).read_bytes()
    (view,) = Runs(orders.root).look()[0]
    assert view.state == "finished"


@pytest.mark.slow
def test_a_run_that_cannot_begin_says_why_and_can_be_dropped(tmp_path: Path) -> None:
    orders = Orders(tmp_path)
    name = orders.begin(ORDER.model_copy(update={"begin_from": str(tmp_path / "nothing")}))
    with kept(orders) as keeper:
        until(lambda: not orders.wanted(), keeper)
    assert "there is no ntuple player" in str(orders.read()[name].problem)
    orders.stop(name)
    assert orders.read() == {}
    assert not (tmp_path / name).exists()


def test_a_mistake_in_the_settings_is_told_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="ntuple has no setting 'alhpa': did you mean 'alpha'"):
        Orders(tmp_path).begin(Order(learner="ntuple", settings={"alhpa": 1}))
    assert list(tmp_path.iterdir()) == []


def test_nobody_takes_a_name_that_is_taken(tmp_path: Path) -> None:
    one, other = Orders(tmp_path), Orders(tmp_path)
    names = [each.begin(ORDER) for each in (one, other, one)]
    assert names == ["ntuple-custom-1", "ntuple-custom-2", "ntuple-custom-3"]
    with pytest.raises(RunError, match="exists already"):
        other.begin(ORDER, "ntuple-custom-2")
    assert list(one.read()) == names


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", ".hidden", "-x", "ä", "a b", "x" * 81])
def test_a_name_that_could_leave_the_folder_is_refused(name: str) -> None:
    with pytest.raises(RunError):
        check_name(name)


@pytest.mark.parametrize("name", ["events", "check"])
def test_a_name_that_means_something_else_on_the_page_is_refused(name: str) -> None:
    with pytest.raises(RunError, match="means something else on the page"):
        check_name(name)
    check_name(f"{name}-1")


@pytest.mark.usefixtures("fake")
def test_a_stopped_run_is_resumed_with_more_games(tmp_path: Path) -> None:
    orders, path = Orders(tmp_path), tmp_path / "run"
    new_job(Request("fake", measures=()), path).run(Display())
    with pytest.raises(RunError, match="is not going on"):
        orders.stop("run")
    orders.resume("run", games=9)
    with pytest.raises(RunError, match="is going on already"):
        orders.resume("run")
    orders.task("run")(_Never())
    (view,) = Runs(tmp_path).look()[0]
    assert (view.games, view.total) == (9, 9)


def test_a_damaged_order_is_told_and_stops_nothing_else(tmp_path: Path) -> None:
    orders = Orders(tmp_path)
    name = orders.begin(ORDER)
    (tmp_path / ORDERS / "broken.json").write_text("{")
    assert orders.wanted() == [name]
    assert "is damaged" in str(orders.read()["broken"].problem)
    orders.stop("broken")
    assert list(orders.read()) == [name]
    (tmp_path / ORDERS / "folder.json").mkdir()
    (tmp_path / ORDERS / "loop.json").symlink_to("loop.json")
    assert orders.wanted() == [name]
    assert "cannot be read: is a directory" in str(orders.read()["folder"].problem)
    assert "cannot be read" in str(orders.read()["loop"].problem)


def test_a_new_process_has_a_low_priority() -> None:
    from connectlab.lab.keeper import NICENESS

    assert NICENESS > 5, "workers that answer people have 5"
    assert hasattr(os, "nice")


class _Never:
    def is_set(self) -> bool:
        return False
