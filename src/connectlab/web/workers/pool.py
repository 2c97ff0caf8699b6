"""The pool of workers: so many questions at once, fair among visitors, none for ever.

A question waits in its lane until a worker is free. Quick ones go first, and deep ones (the solver)
may use half of the workers at most, so a move never waits for a solver. Visitors take turns, and no
visitor has all workers or fills a lane. Whoever goes away cancels: a question that waits is
dropped, one that runs is ended with its worker, and another worker is forked in its place, in
milliseconds.

All of this runs in the event loop of the server; only births and deaths of processes, which block,
happen in threads.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable

from connectlab.web.limits import Limits
from connectlab.web.options import WebError
from connectlab.web.questions import QUESTIONS, Lane
from connectlab.web.workers.hand import Hand, WorkerError, payload
from connectlab.web.workers.tickets import Answer, Queue, Ticket

BUSY, TOO_LATE, BROKEN = 503, 504, 500
BROKE_DOWN = (
    "the process that worked on this broke down, perhaps for want of memory; another has taken "
    "its place: try again, or ask for less"
)
REBIRTH_S = 0.5
"""Pause before a worker that could not be born is tried again."""

_log = logging.getLogger(__name__)


class Pool:
    """A number of workers and the questions that wait for them."""

    def __init__(self, size: int, limits: Limits, born: Callable[[], Hand] = Hand.born) -> None:
        self._size = size
        self._born = born
        """Makes another worker; it blocks until that is ready."""
        self._limits = limits
        self._hands: set[Hand] = set()
        self._free: list[Hand] = []
        self._lanes: dict[Lane, Queue] = {"quick": Queue(), "deep": Queue()}
        self._open = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        """How many workers there are when all are well."""
        return self._size

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return sum(map(len, self._lanes.values()))

    @property
    def running(self) -> list[Ticket]:
        """The questions that are worked on."""
        return [hand.ticket for hand in self._hands if hand.ticket is not None]

    @property
    def pids(self) -> list[int]:
        """The worker processes."""
        return sorted(hand.process.pid or 0 for hand in self._hands)

    async def start(self) -> None:
        """Fork all workers; ready when this returns."""
        self._open = True
        for _ in range(self._size):
            self._admit(await asyncio.to_thread(self._born))

    async def stop(self) -> None:
        """End all workers; whoever still waits is told."""
        self._open = False
        for ticket in self._everybody():
            _tell(ticket, WebError("the server is closing", BUSY))
        hands, self._hands, self._free = list(self._hands), set(), []
        for hand in hands:
            hand.leave()
        await asyncio.gather(*(asyncio.to_thread(hand.end) for hand in hands), *self._tasks)

    async def ask(self, question: str, body: bytes, visitor: str = "") -> Answer:
        """Return the answer to a question; to cancel this is to cancel the question.

        Raises ``WebError`` with status 503 if there are too many questions, 504 if this one takes
        too long, and 500 if its worker died.
        """
        known = QUESTIONS[question]
        if not self._open or self._is_full(known.lane, visitor):
            raise WebError("the server is busy: try again in a few seconds", BUSY)
        seconds = getattr(self._limits, known.time) + self._limits.grace_s
        ticket = Ticket(payload(question, body), visitor, known.lane, seconds)
        self._lanes[ticket.lane].add(ticket)
        patience = asyncio.get_running_loop().call_later(
            self._limits.patience_s, self._lose_patience, ticket
        )
        self._dispatch()
        try:
            return await ticket.answer
        finally:
            patience.cancel()
            self._withdraw(ticket)

    def _is_full(self, lane: Lane, visitor: str) -> bool:
        """Whether no more can wait in a lane, or no more of this visitor."""
        queue, limits = self._lanes[lane], self._limits
        return len(queue) >= limits.queue or queue.share(visitor) >= limits.queue_share

    def _dispatch(self) -> None:
        """Give waiting questions to free workers."""
        while self._free:
            ticket = self._next_ticket()
            if ticket is None:
                return
            self._free.pop().begin(ticket, self._late)

    def _next_ticket(self) -> Ticket | None:
        running = self.running
        shares = Counter(ticket.visitor for ticket in running)
        most = max(1, self._size - 1)
        busy = {visitor for visitor, share in shares.items() if share >= most}
        ticket = self._lanes["quick"].take(busy)
        if ticket is None and sum(one.lane == "deep" for one in running) < self._deepest:
            ticket = self._lanes["deep"].take(busy)
        return ticket

    @property
    def _deepest(self) -> int:
        return max(1, self._size // 2)

    def _heard(self, hand: Hand) -> None:
        """Read what a worker says; one that died, over a question or without one, is replaced."""
        try:
            found = hand.read()
        except WorkerError as error:
            _log.warning("worker %d died", hand.process.pid)
            if error.unread:
                self._ask_again(hand)
            self._replace(hand, WebError(BROKE_DOWN, BROKEN))
            self._dispatch()
            return
        if found is None:
            return
        ticket = hand.finish()
        if ticket is not None and not ticket.answer.done():
            ticket.answer.set_result(found)
        self._free.append(hand)
        self._dispatch()

    def _ask_again(self, hand: Hand) -> None:
        """Put a question back that its worker died without having read.

        All workers may have died at once, so as many times as there are workers.
        """
        ticket = hand.ticket
        if ticket is not None and ticket.unread < self._size:
            hand.finish()
            ticket.unread += 1
            self._lanes[ticket.lane].put_back(ticket)

    def _late(self, hand: Hand) -> None:
        seconds = 0.0 if hand.ticket is None else hand.ticket.seconds
        self._replace(hand, WebError(f"this took longer than {seconds:g} s", TOO_LATE))

    def _lose_patience(self, ticket: Ticket) -> None:
        if self._lanes[ticket.lane].remove(ticket):
            _tell(ticket, WebError("the server is busy: try again in a few seconds", BUSY))

    def _withdraw(self, ticket: Ticket) -> None:
        """Drop a question that waits, and end the worker of one that runs: nobody listens."""
        self._lanes[ticket.lane].remove(ticket)
        for hand in [one for one in self._hands if one.ticket is ticket]:
            self._replace(hand, WebError("nobody waits for the answer", BROKEN))

    def _replace(self, hand: Hand, why: WebError) -> None:
        """End a worker, tell whoever waits for it why, and let another take its place."""
        ticket = hand.leave()
        hand.process.kill()
        if ticket is not None:
            _tell(ticket, why)
        self._hands.discard(hand)
        if hand in self._free:
            self._free.remove(hand)
        task = asyncio.get_running_loop().create_task(self._bear_another(hand))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _bear_another(self, dead: Hand) -> None:
        await asyncio.to_thread(dead.end)
        while self._open:
            try:
                hand = await asyncio.to_thread(self._born)
            except (WorkerError, OSError) as error:
                _log.warning("no worker could be started: %s", error)
                await asyncio.sleep(REBIRTH_S)
                continue
            self._admit(hand)
            return

    def _admit(self, hand: Hand) -> None:
        if not self._open:
            hand.end()
            return
        self._hands.add(hand)
        self._free.append(hand)
        hand.listen(self._heard)
        self._dispatch()

    def _everybody(self) -> list[Ticket]:
        waiting = []
        for queue in self._lanes.values():
            while (ticket := queue.take()) is not None:
                waiting.append(ticket)
        return waiting + self.running


def _tell(ticket: Ticket, error: WebError) -> None:
    if not ticket.answer.done():
        ticket.answer.set_exception(error)
