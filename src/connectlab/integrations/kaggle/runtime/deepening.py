"""Searching deeper and deeper while there is time."""

from collections.abc import Callable

from connectlab.integrations.kaggle.runtime.clock import Clock, OutOfTime

Level = Callable[[int], tuple[int, bool]]
"""Searches a number of plies; returns the best cells, and whether more depth can change nothing."""


def deepen(search: Level, depth: int, deepest: int, clock: Clock) -> int:
    """Return the best cells at ``depth`` plies, or deeper as far as time and ``deepest`` allow.

    Shallow searches go first: they order the moves of the next, and are what is left should even
    ``depth`` take longer than the hard limit. If nothing at all is found, returns 0.
    """
    found, done = 0, False
    try:
        for level in range(2 - depth % 2, depth + 1, 2):
            found, done = search(level)
        clock.hurry()
        level = depth + 1
        while not done and level <= deepest and not clock.is_over():
            found, done = search(level)
            level += 1
    except OutOfTime:
        pass
    return found
