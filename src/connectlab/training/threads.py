"""Games of one step learned on several threads, which share what is learned."""

import threading
from collections.abc import Callable


def work_side_by_side(work: Callable[[int], None], threads: int) -> None:
    """Call ``work(0)`` here and ``work(1)``, … on threads of their own; wait for all of them."""
    others = [threading.Thread(target=work, args=(number,)) for number in range(1, threads)]
    for thread in others:
        thread.start()
    work(0)
    for thread in others:
        thread.join()
