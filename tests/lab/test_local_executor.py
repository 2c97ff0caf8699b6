"""Tasks in processes of this machine: order, failures, deaths and stops."""

import threading
from pathlib import Path

import pytest
from executor_tasks import BreakDown, Count, Deaf, Die, Refuse, Square, Wait

from connectlab.errors import UserError
from connectlab.lab.executors.base import ExecutorError, Task, TasksBrokeDownError, ignore
from connectlab.lab.executors.choice import make_executor
from connectlab.lab.executors.local import LocalProcesses

NEVER = threading.Event()


def test_results_keep_the_order_of_the_tasks_and_each_is_told_once() -> None:
    told: list[tuple[str, int]] = []
    tasks = [Square(number) for number in range(7)]
    results = LocalProcesses(2).run(
        tasks, NEVER, lambda task, found: told.append((task.name, found))
    )
    assert results == [number**2 for number in range(7)]
    assert sorted(told) == sorted((f"square {number}", number**2) for number in range(7))


def test_no_task_is_no_work() -> None:
    nothing: list[Task[int]] = []
    assert LocalProcesses(2).run(nothing, NEVER, ignore) == []


def test_the_first_failure_stops_the_others_and_is_raised_as_it_was(tmp_path: Path) -> None:
    log = tmp_path / "log"
    first = tmp_path / "1"
    tasks = [Wait(1, place=first), Refuse(2, after=first), Square(3, log)]
    with pytest.raises(UserError, match=r"^there is no square of 2$"):
        LocalProcesses(2).run(tasks, NEVER, ignore)
    assert (tmp_path / "1" / "stopped").exists()
    assert not log.exists()


def test_a_killed_process_is_one_line_that_names_its_task(tmp_path: Path) -> None:
    tasks = [Wait(1, place=tmp_path / "1"), Square(2), Die(3), Square(4)]
    with pytest.raises(ExecutorError, match=r"^square 3: its process died \(killed, or out of"):
        LocalProcesses(2).run(tasks, NEVER, ignore)
    assert (tmp_path / "1" / "stopped").exists()


def test_a_stop_keeps_what_is_done_and_begins_nothing_more(tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks = [Square(1), Wait(2, place=tmp_path / "2"), Square(3, log)]
    results = LocalProcesses(1).run(tasks, _Until(tmp_path / "2"), ignore)
    assert results == [1, None, None]
    assert (tmp_path / "2" / "stopped").exists()
    assert not log.exists()


def test_what_breaks_down_is_told_when_all_others_are_done(tmp_path: Path) -> None:
    log = tmp_path / "log"
    tasks = [BreakDown(1), Square(2, log), BreakDown(3, place=tmp_path / "3"), Square(4, log)]
    with pytest.raises(TasksBrokeDownError) as caught:
        LocalProcesses(1).run(tasks, NEVER, ignore)
    assert caught.value.lines == ("square 1: 1 exploded", f"{tmp_path / '3'}: 3 exploded")
    assert caught.value.total == 4
    assert log.read_text() == "2\n4\n"


def test_after_a_stop_what_broke_down_counts_as_stopped(tmp_path: Path) -> None:
    tasks = [BreakDown(1), Wait(2, place=tmp_path / "2")]
    results = LocalProcesses(1).run(tasks, _Until(tmp_path / "2"), ignore)
    assert results == [None, None]


def test_a_task_that_keeps_nothing_is_ended_by_a_stop(tmp_path: Path) -> None:
    """But one that saves what it has is waited for."""
    log = tmp_path / "log"
    tasks = [Wait(1, place=tmp_path / "1"), Deaf(2, log), Square(3, log)]
    assert LocalProcesses(2).run(tasks, _Until(log), ignore) == [None, None, None]
    assert log.read_text() == "2\n"
    assert (tmp_path / "1" / "stopped").exists()


class _Until:
    """A stop that is asked for as soon as a file is there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def is_set(self) -> bool:
        return self.path.exists()


def test_a_task_goes_on_in_its_own_folder(tmp_path: Path) -> None:
    tasks = [Count(n, place=tmp_path / str(n)) for n in (1, 2)]
    assert LocalProcesses(1).run(tasks, NEVER, ignore) == [1, 1]
    assert LocalProcesses(1).run(tasks[:1], NEVER, ignore) == [2]


def test_an_address_needs_a_cluster() -> None:
    assert isinstance(make_executor("local", workers=3), LocalProcesses)
    with pytest.raises(ExecutorError, match="add --executor ray"):
        make_executor("local", address="10.0.0.1:6379")
