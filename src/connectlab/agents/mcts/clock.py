"""How a search that is given seconds keeps to them."""

from collections.abc import Iterator
from time import monotonic

BETWEEN_LOOKS = 64
"""Simulations between two looks at the clock."""
MOST_SIMULATIONS = 2**31 - 1
"""Visits are counted in 32 bits."""


def looks(seconds: float) -> Iterator[None]:
    """Yield while there is time for ``BETWEEN_LOOKS`` simulations, and visits can count them."""
    deadline = monotonic() + seconds
    for _ in range(MOST_SIMULATIONS // BETWEEN_LOOKS):
        if monotonic() >= deadline:
            return
        yield
