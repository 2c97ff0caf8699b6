"""On a disk that is full nothing half made is left, and what went wrong is not forgotten."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from connectlab.game import Geometry
from connectlab.lab.jobs import new_job
from connectlab.lab.lessons import Lesson, _write_down
from connectlab.lab.orders import Order, Orders
from connectlab.lab.plans import Request
from connectlab.lab.tournaments import Tournaments
from connectlab.training.display import Display

SMALL = Geometry(4, 4, 3)
PLAYERS = ["random", "extend"]
ORDER = Order(learner="ntuple", measures=[])


@contextmanager
def full_disk() -> Iterator[None]:
    """Have no room for the bytes of any file; folders can still be made."""

    def refuse(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("connectlab.storage.files._flush", refuse)
        yield


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let no file grow beyond some bytes, as the system does where a disk ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_run_that_could_not_be_ordered_leaves_its_name_free(tmp_path: Path) -> None:
    orders = Orders(tmp_path)
    with full_disk(), pytest.raises(OSError, match="No space left"):
        orders.begin(ORDER, "mine")
    assert not (tmp_path / "mine").exists()
    assert orders.begin(ORDER, "mine") == "mine"


def test_a_tournament_that_could_not_be_written_leaves_no_folder(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(OSError, match="No space left"):
        Tournaments(tmp_path).begin(PLAYERS, SMALL, 4)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("fake")
def test_a_run_that_could_not_save_when_it_was_stopped_is_listed_with_the_reason(
    tmp_path: Path,
) -> None:
    new_job(Request("fake", measures=()), tmp_path / "run").run(Display())
    orders = Orders(tmp_path)
    orders.failed("run", "no room")
    assert Orders(tmp_path).read()["run"].problem == "no room"
    assert orders.wanted() == []


def test_a_run_that_was_dropped_before_it_began_does_not_come_back(tmp_path: Path) -> None:
    orders = Orders(tmp_path)
    orders.stop(orders.begin(ORDER, "dropped"))
    orders.failed("dropped", "no room")
    assert orders.read() == {}


def test_a_reason_for_which_there_is_no_room_is_kept_until_the_work_goes_on(
    tmp_path: Path,
) -> None:
    orders, tournaments = Orders(tmp_path / "runs"), Tournaments(tmp_path / "tournaments")
    run, tournament = orders.begin(ORDER), tournaments.begin(PLAYERS, SMALL, 4)
    with full_disk():
        orders.failed(run, "no room")
        tournaments.failed(tournament, "no room")
    assert (orders.wanted(), tournaments.wanted()) == ([], [])
    assert orders.read()[run].problem == "no room"
    assert tournaments.find(tournament).problem == "no room"
    orders.resume(run)
    tournaments.resume(tournament)
    assert (orders.wanted(), tournaments.wanted()) == ([run], [tournament])


def test_half_a_line_of_a_lesson_spoils_no_other(tmp_path: Path) -> None:
    log = tmp_path / "lessons.jsonl"
    _write_down(log, Lesson("one", again=False))
    written = log.read_bytes()
    with files_up_to(len(written) + 10):
        _write_down(log, Lesson("two", again=False))
    assert log.read_bytes() == written
