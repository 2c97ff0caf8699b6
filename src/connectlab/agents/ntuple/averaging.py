"""Weights averaged over the games of a run, to play with.

A run jumps from one evaluation to the next; the mean of its weights over the last games does not.
The average looks at the weights every few games and moves towards them by a share, so that older
looks fade exponentially. Early in a run it spans half of the games so far, lest the first weights
linger.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LOOK_EVERY = 10_000
"""Games between two looks, in runs long enough."""
LOOKS = 50
"""Looks that a shorter run takes at least (one a game in the shortest), and one at its end."""


class Average:
    """The average of a run's weights; until its first look it is not ``ready``."""

    def __init__(self, weights: Floats, span: int, games: int) -> None:
        self.weights = weights.copy()
        self.ready = False
        self._span = span
        self._games = games
        self._every = max(1, min(LOOK_EVERY, games // LOOKS))

    def next_look(self, games_done: int) -> int:
        """Return the number of games after which to look again."""
        regular = (games_done // self._every + 1) * self._every
        # In a long run what is left over at the end is less than a look, and is left out.
        short = self._every < LOOK_EVERY
        return min(regular, self._games) if short and games_done < self._games else regular

    def look(self, weights: Floats, games_done: int) -> None:
        """Move towards the weights of the run, as they are after ``games_done`` games."""
        span = min(self._span, max(games_done // 2, self._every))
        self.move(weights, self._every / span)

    def move(self, weights: Floats, share: float) -> None:
        """Move a share of the way, at most all of it (which the first look does)."""
        self.weights += np.float32(min(1.0, share)) * (weights - self.weights)
        self.ready = True

    def learned_from(self, weights: Floats, games: int) -> None:
        """Take in games beyond those of the run itself; before the first look there is no need."""
        if self.ready:
            self.move(weights, games / self._span)
