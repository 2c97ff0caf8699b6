"""Games that a player loses by what is no move: an illegal one, none in time, or a crash.

Only players that say so may forfeit (``Agent.may_forfeit``): programs of others, and networks that
were never taught the rules. From anyone else it is an error.
"""

from collections import Counter

from connectlab.agents.settings import AgentError

FORFEIT = -1
"""Stands for a column where a player forfeits."""
ILLEGAL = "chose a column without room"


class ForfeitError(AgentError):
    """A player forfeits where a move was needed; the message says who and why."""


class ForfeitLog:
    """Why a player has forfeited games, and how often; threads may write at once.

    A list, since one more entry is a single step, and a lock could not be copied with the player.
    """

    def __init__(self) -> None:
        self._reasons: list[str] = []

    def note(self, reason: str) -> None:
        """Count one more game."""
        self._reasons.append(reason)

    def so_far(self) -> Counter[str]:
        """Return how many games were forfeited for each reason."""
        return Counter(self._reasons)
