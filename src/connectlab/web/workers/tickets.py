"""Questions that wait: fair among visitors, and two lanes."""

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import NamedTuple

from connectlab.web.questions import Lane


class Answer(NamedTuple):
    """What a worker said."""

    status: int
    """As HTTP has it."""
    body: bytes
    """JSON."""


@dataclass(eq=False)
class Ticket:
    """A question on its way."""

    payload: bytes
    visitor: str
    lane: Lane
    seconds: float
    """How long it may be worked on."""
    unread: int = 0
    """How many workers died without having read it."""
    answer: "asyncio.Future[Answer]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Queue:
    """Tickets of one lane: visitors take turns, and each visitor's own are taken in order."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Ticket]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, ticket: Ticket) -> None:
        """Let a ticket wait."""
        self._waiting.setdefault(ticket.visitor, deque()).append(ticket)

    def put_back(self, ticket: Ticket) -> None:
        """Let a ticket that was taken be the next one."""
        self._waiting.setdefault(ticket.visitor, deque()).appendleft(ticket)
        self._waiting.move_to_end(ticket.visitor, last=False)

    def share(self, visitor: str) -> int:
        """Return how many tickets of a visitor wait."""
        return len(self._waiting.get(visitor, ()))

    def remove(self, ticket: Ticket) -> bool:
        """Forget a ticket; False if it does not wait here."""
        tickets = self._waiting.get(ticket.visitor, deque())
        if ticket not in tickets:
            return False
        tickets.remove(ticket)
        if not tickets:
            del self._waiting[ticket.visitor]
        return True

    def take(self, busy: "set[str] | frozenset[str]" = frozenset()) -> Ticket | None:
        """Return the next ticket of the visitor whose turn it is; those who are busy wait."""
        visitor = next((one for one in self._waiting if one not in busy), None)
        if visitor is None:
            return None
        tickets = self._waiting.pop(visitor)
        ticket = tickets.popleft()
        if tickets:
            self._waiting[visitor] = tickets  # at the end: the others come first
        return ticket
