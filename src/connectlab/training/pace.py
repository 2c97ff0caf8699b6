"""How many games a learner plays in a step: enough to be worth it, few enough to watch and stop."""

from connectlab.game.geometry import Geometry
from connectlab.game.variants import LONGEST_GAME

FEWEST_STEPS = 20
"""Steps that a short run is cut into at least, where it has the games."""
ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
"""Games of a step: numbers that divide those at which people like to look."""


def games_a_step(work_a_step: float, work_a_game: float, games: int) -> int:
    """Return the largest round number of games whose work fits into a step, at least one.

    Work is counted in what a learner spends its time on; ``games`` are those of the whole run.
    """
    most = min(work_a_step / work_a_game, games / FEWEST_STEPS)
    return max((size for size in ROUND if size <= most), default=1)


def longest_plies(geometry: Geometry) -> float:
    """Return about how many plies a game takes that nobody wins: more where rows fall.

    A move adds a stone and takes a row away with some odds. Where more leaves than comes, only the
    limit of a game's moves ends it.
    """
    kept = 1 - geometry.variant.drop_row * geometry.columns
    return min(LONGEST_GAME, geometry.cells / max(kept, geometry.cells / LONGEST_GAME))
