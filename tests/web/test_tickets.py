"""Who waits is served in turn, whoever else waits."""

import asyncio

from connectlab.web.workers.tickets import Queue, Ticket


def served(order: list[str], busy: frozenset[str] = frozenset()) -> list[str]:
    """Return in which order questions of these visitors leave a queue."""

    async def serving() -> list[str]:
        queue = Queue()
        for visitor in order:
            queue.add(Ticket(b"", visitor, "quick", 1.0))
        taken = []
        while (ticket := queue.take(busy)) is not None:
            taken.append(ticket.visitor)
        assert len(queue) == sum(visitor in busy for visitor in order)
        return taken

    return asyncio.run(serving())


def test_visitors_take_turns() -> None:
    assert served(["a", "a", "a", "b", "c", "b"]) == ["a", "b", "c", "a", "b", "a"]


def test_who_has_enough_under_way_waits() -> None:
    assert served(["a", "b", "a", "b"], frozenset({"a"})) == ["b", "b"]


def test_a_visitor_is_served_in_the_order_of_asking() -> None:
    async def serving() -> None:
        queue = Queue()
        tickets = [Ticket(bytes([n]), "a", "quick", 1.0) for n in range(4)]
        for ticket in tickets:
            queue.add(ticket)
        assert queue.remove(tickets[1])
        assert not queue.remove(tickets[1])
        assert [queue.take(), queue.take(), queue.take()] == [tickets[0], *tickets[2:]]
        assert queue.take() is None

    asyncio.run(serving())
