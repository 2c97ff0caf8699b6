"""Tasks on threads: order, failures, progress, and a prompt stop."""

import _thread
import signal
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from connectlab.arena.threads import ArenaError, Meter, StoppedError, run_tasks, thread_count


def count_up(amount: int, meter: Meter) -> int:
    for _ in range(amount):
        meter.advance(1)
    return amount


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_tasks(threads: int) -> None:
    tasks = [partial(count_up, amount) for amount in (50, 1, 7, 0)]
    assert run_tasks(tasks, total=58, threads=threads) == [50, 1, 7, 0]


def test_progress_starts_at_nothing_ends_at_all_and_comes_from_the_main_thread() -> None:
    seen: list[tuple[int, int]] = []
    threads = set()

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        threads.add(threading.current_thread())

    run_tasks([partial(count_up, 5)] * 4, total=20, threads=2, progress=progress)
    assert seen[0] == (0, 20)
    assert seen[-1] == (20, 20)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert threads == {threading.main_thread()}


def test_a_failure_comes_back_and_later_jobs_never_begin() -> None:
    begun = []

    def fail(meter: Meter) -> None:
        raise RuntimeError("broken")

    def never(meter: Meter) -> None:
        begun.append(meter)

    def wait_for_stop(meter: Meter) -> None:
        while True:
            meter.advance(0)

    with pytest.raises(RuntimeError, match="broken"):
        run_tasks([wait_for_stop, fail, wait_for_stop, never], total=4, threads=2)
    assert not begun


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Hear Ctrl-C even where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_stops_jobs_that_would_never_end() -> None:
    ended = threading.Event()
    begun = threading.Event()

    def endless(meter: Meter) -> None:
        begun.set()
        try:
            while True:
                meter.advance(0)
        except StoppedError:
            ended.set()
            raise

    def interrupt() -> None:
        begun.wait()
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        run_tasks([endless], total=1, threads=1)
    assert ended.wait(timeout=60)


def test_the_number_of_threads_is_checked() -> None:
    assert thread_count(3) == 3
    assert thread_count(None) >= 1
    for wrong in (0, -1, 10**9):
        with pytest.raises(ArenaError, match=f"threads must be from 1 to 1,024, not {wrong:,}"):
            thread_count(wrong)
