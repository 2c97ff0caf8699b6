"""Which figures of Thill 2012 ours agree with: what the verdicts of its pages count.

None stands for what is not decided: fewer than five runs of a line.
"""

from collections.abc import Mapping, Sequence

from connectlab.arena.statistics import fisher_exact
from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.ranking import span_of_mean
from connectlab.lab.papers.sentences import LEARNED, apart, onset_agrees
from connectlab.lab.papers.thill_rates import EPSILONS, FINAL_ALPHAS, LITTLE, TUNED, alpha_name
from connectlab.lab.papers.thill_runs import PAPERS_RUNS, STANDARD
from connectlab.lab.papers.thill_sets import AGAIN, BAD, LOWER, SETS, late_by_set
from connectlab.lab.papers.thill_tables import MEDIOCRE, THREE, two_tables
from connectlab.lab.papers.thill_weights import LEARNED as SHARES
from connectlab.lab.papers.thill_weights import learned_percent
from connectlab.lab.papers.verdict import Agrees
from connectlab.lab.statistics import (
    FEWEST,
    SIGNIFICANT,
    Spread,
    correlation_test,
    f_test,
    t_test,
)


def weights_agree(curves: Curves) -> Sequence[Agrees]:
    """Table 1: 98 to 100 % of the realisable weights are learned, with either coding.

    That is published in whole percents, so ours are rounded to such.
    """
    low, high = SHARES
    found = [learned_percent(line, curves.found) for line in two_tables(curves.size)]
    return [
        low <= round(min(each)) and round(max(each)) <= high if each else None for each in found
    ]


def one_table_agrees(curves: Curves) -> Sequence[Agrees]:
    """Figure 2a: no run gets to 0.58, neither by its late mean nor at its end.

    One judgement is too few games to tell, so where only an end is higher nothing is decided; nor
    is it by fewer runs than the paper's, since the best of many gets higher than that of few.
    """
    return [_stays_mediocre(curves, group.name) for group in curves.comparison.groups]


def _stays_mediocre(curves: Curves, name: str) -> Agrees:
    late, end = _late(curves, name), curves.end(name)
    if late is None or end is None:
        return None
    if late.highest >= MEDIOCRE:
        return False
    return True if end.highest < MEDIOCRE and end.n >= PAPERS_RUNS else None


def two_tables_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 2b: onsets, late means, and less spread with four states."""
    three, four = _late(curves, THREE), _late(curves, STANDARD)
    return [
        _onset(curves, THREE, 0.5),
        _onset(curves, STANDARD, 0.4),
        _holds(curves, THREE, 0.84),
        _holds(curves, STANDARD, 0.90),
        _spreads_more(three, four),
    ]


def sets_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 3a: other sets are 0.10 lower than the standard one and spread more; one of ten fails.

    And bad sets stay bad with other games: those that fail do so again; where none does, both late
    means of a set go together (Pearson's test of correlation).
    """
    plain, sets = _late(curves, STANDARD), _late(curves, SETS)
    if plain is None or sets is None:
        return [None, None, None, None]
    first, second = late_by_set(curves, SETS), late_by_set(curves, AGAIN)
    failing = [each for each, mean in first.items() if mean < BAD]
    alike = fisher_exact((len(failing), sets.n), (1, 10)) >= SIGNIFICANT
    again = [second[each] < BAD for each in failing if each in second]
    return [
        _is_lower(sets, plain, LOWER),
        _spreads_more(sets, plain),
        (True if failing else None) if alike else False,
        all(again) if again else _go_together(first, second),
    ]


def _go_together(first: Mapping[int, float], second: Mapping[int, float]) -> Agrees:
    """Say whether sets that were good once are again; None where the test cannot tell."""
    common = sorted(first.keys() & second.keys())
    if len(common) < FEWEST:
        return None
    pairs = [first[each] for each in common], [second[each] for each in common]
    return True if correlation_test(*pairs) < SIGNIFICANT else None


def _is_lower(spread: Spread, other: Spread, published: float) -> Agrees:
    """Say whether a mean is lower than another; None where it may be, by the published gap."""
    if apart(spread, other):
        return spread.mean < other.mean
    widest = span_of_mean(other).high - span_of_mean(spread).low
    return False if widest < published else None


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
    """Section 4: other schedules of exploration change little."""
    plain = _late(curves, STANDARD)
    others = [_late(curves, name) for name in EPSILONS]
    return [
        None if plain is None or each is None else abs(each.mean - plain.mean) <= LITTLE
        for each in others
    ]


def _spreads_more(spread: Spread | None, other: Spread | None) -> Agrees:
    """Say whether late means of runs deviate more than others, where a test of variances tells.

    It is the F test, to both sides.
    """
    if spread is None or other is None:
        return None
    more = spread.standard_deviation > other.standard_deviation
    wide, narrow = (spread, other) if more else (other, spread)
    chance = f_test(wide.standard_deviation, wide.n, narrow.standard_deviation, narrow.n)
    return more if chance < SIGNIFICANT else None


def _late(curves: Curves, name: str) -> Spread | None:
    """Return the late mean of a line that has enough runs to decide anything."""
    spread = curves.late_mean(name)
    return None if spread is None or spread.n < FEWEST else spread


def _holds(curves: Curves, name: str, published: float) -> Agrees:
    """Say whether a published late mean, of ten runs, may be that of runs like ours."""
    spread = _late(curves, name)
    return None if spread is None else t_test(spread, published, PAPERS_RUNS) >= SIGNIFICANT


def _onset(curves: Curves, name: str, published: float) -> Agrees:
    """Say whether the mean reaches 80 % at about the published share of the run."""
    onset = curves[name].onset(0.8)
    if onset is None or _late(curves, name) is None:
        return None
    return onset_agrees(curves, onset, published)


def _learns_nothing(curves: Curves, name: str) -> Agrees:
    late, end = _late(curves, name), curves.end(name)
    return None if late is None or end is None else max(late.mean, end.mean) < LEARNED
