"""Workers answer, are ended when nobody listens, and are replaced; nobody freezes all."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import toy_worker

from connectlab.web.limits import Limits
from connectlab.web.options import WebError
from connectlab.web.workers.hand import Hand, WorkerError
from connectlab.web.workers.pool import Pool
from connectlab.web.workers.tickets import Answer
from connectlab.web.workers.worker import MOST_MEMORY, NICENESS
from living import die_out, is_alive

LIMITS = Limits(move_s=120.0, patience_s=60.0)
ENDLESS = json.dumps({"sleep": 3600}).encode()
QUICK = b"{}"
DEADLY = json.dumps({"die": True}).encode()


def with_pool(
    test: Callable[[Pool], Awaitable[None]],
    *,
    size: int = 2,
    limits: Limits = LIMITS,
    born: Callable[[], Hand] = toy_worker.born,
) -> None:
    """Run a test with a pool of its own; whatever it leaves running must end with the pool."""

    async def running() -> None:
        pool = Pool(size, limits, born)
        await pool.start()
        processes = pool.pids
        try:
            await test(pool)
        finally:
            processes += pool.pids
            await pool.stop()
        assert die_out(processes), "a worker outlived its pool"

    asyncio.run(running())


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must come about."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def begin(pool: Pool, question: str, body: bytes, visitor: str) -> "asyncio.Task[Answer]":
    return asyncio.get_running_loop().create_task(pool.ask(question, body, visitor))


def test_to_cancel_a_question_ends_its_worker_and_others_go_on() -> None:
    async def test(pool: Pool) -> None:
        before = set(pool.pids)
        endless = begin(pool, "move", ENDLESS, "a")
        await until(lambda: len(pool.running) == 1)
        endless.cancel()
        assert (await pool.ask("move", QUICK, "b")).status == 200
        await until(lambda: len(pool.pids) == 2 and len(set(pool.pids) - before) == 1)
        assert die_out(list(before - set(pool.pids)))
        assert (await pool.ask("move", QUICK, "a")).status == 200

    with_pool(test)


def test_a_question_that_is_cancelled_while_it_waits_is_never_put() -> None:
    async def test(pool: Pool) -> None:
        endless = begin(pool, "move", ENDLESS, "a")
        await until(lambda: len(pool.running) == 1)
        before = pool.pids
        waiting = begin(pool, "move", QUICK, "b")
        await until(lambda: pool.waiting == 1)
        waiting.cancel()
        await until(lambda: pool.waiting == 0)
        assert pool.pids == before
        endless.cancel()

    with_pool(test, size=1)


def test_a_question_that_takes_too_long_is_ended() -> None:
    async def test(pool: Pool) -> None:
        (before,) = pool.pids
        with pytest.raises(WebError, match=r"longer than 0\.3 s") as late:
            await pool.ask("move", ENDLESS)
        assert late.value.status == 504
        assert die_out([before])
        assert (await pool.ask("move", QUICK)).status == 200

    with_pool(test, size=1, limits=replace(LIMITS, move_s=0.2, grace_s=0.1))


def test_too_many_questions_are_refused_at_once() -> None:
    async def test(pool: Pool) -> None:
        endless = [begin(pool, "move", ENDLESS, str(n)) for n in range(3)]
        await until(lambda: pool.waiting == 2)
        with pytest.raises(WebError, match="busy") as busy:
            async with asyncio.timeout(20):  # to wait would be wrong
                await pool.ask("move", QUICK)
        assert busy.value.status == 503
        for one in endless:
            one.cancel()
        await until(lambda: not pool.running and not pool.waiting)
        assert (await pool.ask("move", QUICK)).status == 200

    with_pool(test, size=1, limits=replace(LIMITS, queue=2, patience_s=3600))


def test_a_question_does_not_wait_for_ever() -> None:
    async def test(pool: Pool) -> None:
        endless = begin(pool, "move", ENDLESS, "a")
        await until(lambda: len(pool.running) == 1)
        with pytest.raises(WebError, match="busy") as busy:
            await pool.ask("move", QUICK, "b")
        assert busy.value.status == 503
        assert pool.waiting == 0
        endless.cancel()

    with_pool(test, size=1, limits=replace(LIMITS, patience_s=0.2))


def test_a_worker_that_dies_over_a_question_is_told_once_and_replaced() -> None:
    async def test(pool: Pool) -> None:
        (victim,) = pool.pids
        doomed = begin(pool, "move", ENDLESS, "a")
        await until(lambda: len(pool.running) == 1)
        waiting = begin(pool, "move", QUICK, "b")
        os.kill(victim, signal.SIGKILL)
        with pytest.raises(WebError, match="broke down") as died:
            await doomed
        assert died.value.status == 500
        assert (await waiting).status == 200
        assert victim not in pool.pids

    with_pool(test, size=1)


def test_a_worker_that_dies_at_rest_is_replaced_before_anybody_asks() -> None:
    async def test(pool: Pool) -> None:
        (victim,) = pool.pids
        os.kill(victim, signal.SIGKILL)
        await until(lambda: len(pool.pids) == 1 and victim not in pool.pids)
        assert (await pool.ask("move", QUICK)).status == 200

    with_pool(test, size=1)


def test_one_visitor_never_has_all_workers() -> None:
    async def test(pool: Pool) -> None:
        greedy = [begin(pool, "move", ENDLESS, "greedy") for _ in range(5)]
        await until(lambda: len(pool.running) == 1)
        assert (await pool.ask("move", QUICK, "modest")).status == 200
        assert [ticket.visitor for ticket in pool.running] == ["greedy"]
        for one in greedy:
            one.cancel()

    with_pool(test)


def test_one_visitor_never_fills_a_lane() -> None:
    async def test(pool: Pool) -> None:
        greedy = [begin(pool, "verdicts", ENDLESS, "greedy") for _ in range(3)]
        await until(lambda: pool.waiting == 2)
        with pytest.raises(WebError, match="busy") as busy:
            async with asyncio.timeout(20):  # to wait would be wrong
                await pool.ask("verdicts", QUICK, "greedy")
        assert busy.value.status == 503
        modest = begin(pool, "verdicts", QUICK, "modest")
        await until(lambda: pool.waiting == 3)
        for one in greedy:
            one.cancel()
        assert (await modest).status == 200

    with_pool(test, limits=replace(LIMITS, queue=3, queue_share=2))


def test_a_lane_that_is_full_leaves_the_other_one_open() -> None:
    async def test(pool: Pool) -> None:
        deep = [begin(pool, "verdicts", ENDLESS, str(n)) for n in range(3)]
        await until(lambda: pool.waiting == 2)
        with pytest.raises(WebError, match="busy"):
            await pool.ask("verdicts", QUICK, "modest")
        assert (await pool.ask("move", QUICK, "modest")).status == 200
        for one in deep:
            one.cancel()

    with_pool(test, limits=replace(LIMITS, queue=2))


def test_a_worker_that_does_not_read_keeps_nobody_else_waiting() -> None:
    long = json.dumps({"text": "x" * 900_000}).encode()

    async def test(pool: Pool) -> None:
        (pid,) = pool.pids
        woken = threading.Event()

        def wake() -> None:
            woken.set()
            os.kill(pid, signal.SIGCONT)

        os.kill(pid, signal.SIGSTOP)
        rescue = threading.Timer(10, wake)  # a loop that waits would wait for ever
        rescue.start()
        asked = begin(pool, "move", long, "a")
        await until(lambda: len(pool.running) == 1)
        assert not woken.is_set(), "the loop waited for the worker"
        rescue.cancel()
        wake()
        assert (await asked).status == 200

    with_pool(test, size=1)


def test_an_answer_that_has_begun_keeps_nobody_else_waiting() -> None:
    async def test(pool: Pool) -> None:
        stammering = begin(pool, "move", json.dumps({"stammer": 3600}).encode(), "a")
        await until(lambda: len(pool.running) == 1)
        for _ in range(20):
            assert (await pool.ask("move", QUICK, "b")).status == 200
        assert not stammering.done()
        stammering.cancel()

    with_pool(test)


def test_an_answer_in_pieces_comes_whole() -> None:
    async def test(pool: Pool) -> None:
        for asked in ({"stammer": 0.05}, {"letters": 3_000_000}, {"stammer": 0, "letters": 7}):
            answer = await pool.ask("move", json.dumps(asked).encode())
            assert len(json.loads(answer.body)["text"]) == asked.get("letters", 0)

    with_pool(test, size=1)


def test_a_question_that_its_worker_never_read_is_put_to_another() -> None:
    async def test(pool: Pool) -> None:
        (victim,) = pool.pids
        os.kill(victim, signal.SIGSTOP)
        asked = begin(pool, "move", QUICK, "a")
        await until(lambda: len(pool.running) == 1)
        os.kill(victim, signal.SIGKILL)
        assert (await asked).status == 200
        assert victim not in pool.pids

    with_pool(test, size=1)


def test_a_question_outlives_the_death_of_all_workers() -> None:
    async def test(pool: Pool) -> None:
        second, first = pool.pids  # the one that was born last is asked first
        for victim in (first, second):
            os.kill(victim, signal.SIGSTOP)
        asked = begin(pool, "move", QUICK, "a")
        await until(lambda: len(pool.running) == 1)
        os.kill(first, signal.SIGKILL)
        await until(lambda: first not in pool.pids)
        await until(lambda: len(pool.running) == 1)
        os.kill(second, signal.SIGKILL)
        assert (await asked).status == 200

    with_pool(test)


def test_a_question_that_no_worker_reads_is_given_up() -> None:
    async def test(pool: Pool) -> None:
        asked = begin(pool, "move", QUICK, "a")
        for _ in range(pool.size + 1):
            await until(lambda: len(pool.running) == 1)
            assert not asked.done()
            os.kill(pool.pids[0], signal.SIGKILL)
            await until(lambda: not pool.running)
        with pytest.raises(WebError, match="broke down") as died:
            await asked
        assert died.value.status == 500

    with_pool(test, size=1, born=toy_worker.born_asleep)


def test_the_solver_never_has_all_workers() -> None:
    async def test(pool: Pool) -> None:
        deep = [begin(pool, "verdicts", ENDLESS, str(n)) for n in range(4)]
        await until(lambda: len(pool.running) == 1)
        assert (await pool.ask("move", QUICK, "modest")).status == 200
        assert [ticket.lane for ticket in pool.running] == ["deep"]
        assert pool.waiting == 3
        for one in deep:
            one.cancel()

    with_pool(test)


def test_whoever_waits_is_told_when_the_pool_ends() -> None:
    asked: list[asyncio.Task[Answer]] = []

    async def test(pool: Pool) -> None:
        asked.extend(begin(pool, "move", ENDLESS, str(n)) for n in range(3))
        await until(lambda: pool.waiting == 2)

    async def outcomes() -> list[object]:
        pool = Pool(1, LIMITS, toy_worker.born)
        await pool.start()
        await test(pool)
        await pool.stop()
        with pytest.raises(WebError, match="busy"):
            await pool.ask("move", QUICK)
        return list(await asyncio.gather(*asked, return_exceptions=True))

    found = asyncio.run(outcomes())
    assert [str(error) for error in found] == ["the server is closing"] * 3


def test_a_question_that_kills_its_worker_is_not_put_to_another() -> None:
    async def test(pool: Pool) -> None:
        before = set(pool.pids)
        with pytest.raises(WebError, match="broke down"):
            await pool.ask("move", DEADLY)
        await until(lambda: len(pool.pids) == 2)
        assert len(before & set(pool.pids)) == 1

    with_pool(test)


def test_a_worker_that_does_not_get_ready_is_told() -> None:
    with pytest.raises(WorkerError, match="before it was ready"):
        toy_worker.stillborn()


def test_real_workers_answer_and_survive_the_mistakes_of_visitors() -> None:
    async def test(pool: Pool) -> None:
        before = pool.pids
        for body, status in [
            ({"position": {"moves": "44"}, "player": "minimax:depth=4"}, 200),
            ({"position": {"moves": "8"}, "player": "random"}, 400),
            ({"position": {"moves": "1212121"}, "player": "random"}, 400),
            ({"position": {"columns": 30, "rows": 30}, "player": "random"}, 400),
            ({"position": {}, "player": "nobody"}, 400),
            ({"position": {"moves": 4}, "player": "random"}, 422),
        ]:
            answer = await pool.ask("move", json.dumps(body).encode())
            assert answer.status == status
            assert status == 200 or "\n" not in json.loads(answer.body)["detail"]
        assert pool.pids == before

    with_pool(test, born=Hand.born)


def test_a_real_worker_has_bounds_and_stands_back_for_the_server() -> None:
    async def test(pool: Pool) -> None:
        (pid,) = pool.pids
        limits = Path(f"/proc/{pid}/limits").read_text()
        (line,) = (line for line in limits.splitlines() if line.startswith("Max data size"))
        assert line.split()[3] == str(MOST_MEMORY)
        assert os.getpriority(os.PRIO_PROCESS, pid) >= NICENESS

    with_pool(test, size=1, born=Hand.born)


def test_a_real_worker_is_ended_in_the_middle_of_a_kernel() -> None:
    hard = {"position": {"columns": 9, "rows": 6, "moves": ""}, "player": "perfect"}

    async def test(pool: Pool) -> None:
        (before,) = pool.pids
        endless = begin(pool, "move", json.dumps(hard).encode(), "a")
        await until(lambda: len(pool.running) == 1)
        endless.cancel()
        await until(lambda: not is_alive(before))
        await until(lambda: len(pool.pids) == 1)

    with_pool(test, size=1, born=Hand.born)


def test_workers_come_from_a_process_with_one_thread() -> None:
    """What other threads hold in the moment of a fork is lost for ever in the child."""

    async def test(pool: Pool) -> None:
        for pid in pool.pids:
            status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            parent = int(status[1])
            assert is_alive(parent)
            assert len(list(Path(f"/proc/{parent}/task").iterdir())) == 1
            assert "torch" not in Path(f"/proc/{parent}/maps").read_text()

    with_pool(test, born=Hand.born)
