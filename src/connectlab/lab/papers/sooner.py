"""How many times sooner one line reaches a level than another, run by run.

Run r of both has the same tuple set and the same seed, so runs are compared in pairs, and what is
told is the geometric mean of their ratios.
"""

import math
from dataclasses import dataclass

from connectlab.arena.statistics import Interval
from connectlab.lab.compare import Curve, RunGroup
from connectlab.lab.papers.ranking import FEWEST_TO_RANK
from connectlab.lab.papers.verdict import Agrees
from connectlab.lab.statistics import Spread


@dataclass(frozen=True)
class Sooner:
    """The games of a slow line to a level, divided by those of a fast one."""

    at_least: Spread | None
    """Logarithms of the ratios, where slow runs that never got there count as if they had at their
    end; None if a fast one never did."""
    at_most: Spread | None
    """The same where fast runs that never got there count so; None if a slow one never did."""

    @classmethod
    def of(cls, slow: RunGroup, fast: RunGroup, level: float) -> "Sooner":
        """Compare the runs that have the same seed."""
        others = {curve.seed: curve for curve in fast.measured}
        pairs = [(each, others[each.seed]) for each in slow.measured if each.seed in others]
        slow_all = all(each.games_to(level) is not None for each, _ in pairs)
        fast_all = all(other.games_to(level) is not None for _, other in pairs)
        ratios = [math.log(_games(each, level) / _games(other, level)) for each, other in pairs]
        spread = Spread.of(ratios)
        return cls(spread if fast_all else None, spread if slow_all else None)

    @property
    def factor(self) -> float | None:
        """The geometric mean; None where a run never got there, or of too few pairs to tell."""
        known = self._known
        return None if known is None else math.exp(known.mean)

    @property
    def interval(self) -> Interval | None:
        """Its 95 % interval, from five pairs on."""
        known = self._known
        if known is None or known.mean_interval is None:
            return None
        return Interval(*(math.exp(end) for end in known.mean_interval))

    @property
    def _known(self) -> Spread | None:
        both = self.at_least if self.at_most is not None else None
        return both if both is not None and both.n >= FEWEST_TO_RANK else None

    def is_at_least(self, factor: float) -> Agrees:
        """Say whether it is a factor or more; None where the interval holds that factor."""
        wanted = math.log(factor)
        for spread, agrees in ((self.at_least, True), (self.at_most, False)):
            if spread is not None and spread.mean_interval is not None:
                low, high = spread.mean_interval
                if (low >= wanted) if agrees else (high < wanted):
                    return agrees
        return None


def _games(curve: Curve, level: float) -> int:
    """Return the games to a level; those of the whole run where it never got there."""
    return curve.games_to(level) or curve.games[-1]
