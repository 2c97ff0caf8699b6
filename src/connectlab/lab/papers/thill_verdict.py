"""Which figures of Thill 2012 ours agree with: what the verdicts of its pages count.

None stands for what is not decided: fewer than five runs of a line.
"""

from collections.abc import Sequence
from typing import TypeAlias

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.sentences import ABOUT, LEARNED, apart
from connectlab.lab.papers.thill_rates import EPSILONS, FINAL_ALPHAS, TUNED, alpha_name
from connectlab.lab.papers.thill_runs import STANDARD
from connectlab.lab.papers.thill_sets import SETS
from connectlab.lab.papers.thill_tables import MEDIOCRE, THREE, two_tables
from connectlab.lab.papers.thill_weights import LEARNED as SHARES
from connectlab.lab.papers.thill_weights import learned_percent
from connectlab.lab.statistics import FEWEST, Spread

Agrees: TypeAlias = bool | None


def weights_agree(curves: Curves) -> Sequence[Agrees]:
    """Table 1: 98 to 100 % of the realisable weights are learned, with either coding."""
    low, high = SHARES
    found = [learned_percent(line, curves.found) for line in two_tables(curves.size)]
    return [low <= min(each) <= max(each) <= high if each else None for each in found]


def one_table_agrees(curves: Curves) -> Sequence[Agrees]:
    """Figure 2a: no run gets to 0.58, by its late mean."""
    late = [_late(curves, group.name) for group in curves.comparison.groups]
    return [None if each is None else each.highest < MEDIOCRE for each in late]


def two_tables_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 2b: onsets, late means, and less spread with four states."""
    three, four = curves.deviation_at_points(THREE), curves.deviation_at_points(STANDARD)
    few = _late(curves, THREE) is None or _late(curves, STANDARD) is None
    return [
        _onset(curves, THREE, 0.5),
        _onset(curves, STANDARD, 0.4),
        _holds(curves, THREE, 0.84),
        _holds(curves, STANDARD, 0.90),
        None if few or three is None or four is None else four < three,
    ]


def sets_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 3a: other sets are lower than the standard one, and spread more."""
    plain, sets = _late(curves, STANDARD), _late(curves, SETS)
    if plain is None or sets is None:
        return [None, None]
    lower = apart(plain, sets) and sets.mean < plain.mean
    return [lower, sets.standard_deviation > plain.standard_deviation]


def tuned_agrees(curves: Curves) -> Sequence[Agrees]:
    """Figure 3b: onsets and late means of both learning rates."""
    return [
        _onset(curves, STANDARD, 0.4),
        _onset(curves, TUNED, 0.2),
        _holds(curves, STANDARD, 0.90),
        _holds(curves, TUNED, 0.92),
    ]


def alphas_agree(curves: Curves) -> Sequence[Agrees]:
    """Section 4: final alphas of 0.004 and more learn nothing."""
    return [_learns_nothing(curves, alpha_name(final)) for final in FINAL_ALPHAS]


def epsilons_agree(curves: Curves) -> Sequence[Agrees]:
    """Section 4: other schedules of exploration change little: no more than runs differ."""
    plain = _late(curves, STANDARD)
    others = [_late(curves, name) for name in EPSILONS]
    return [None if plain is None or each is None else not apart(each, plain) for each in others]


def _late(curves: Curves, name: str) -> Spread | None:
    """Return the late mean of a line that has enough runs to decide anything."""
    spread = curves.late_mean(name)
    return None if spread is None or spread.n < FEWEST else spread


def _holds(curves: Curves, name: str, published: float) -> Agrees:
    """Say whether a published late mean lies among our runs."""
    spread = _late(curves, name)
    return None if spread is None else spread.lowest <= published <= spread.highest


def _onset(curves: Curves, name: str, published: float) -> Agrees:
    """Say whether the mean reaches 80 % at about the published share of the run."""
    if _late(curves, name) is None:
        return None
    games = curves[name].mean_reaches(0.8)
    return games is not None and abs(games / curves.size.games - published) <= ABOUT + 1e-9


def _learns_nothing(curves: Curves, name: str) -> Agrees:
    late, end = _late(curves, name), curves.end(name)
    return None if late is None or end is None else max(late.mean, end.mean) < LEARNED
