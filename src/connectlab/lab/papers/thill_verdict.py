"""Which claims of Thill 2012 ours agree with: what the verdicts of its pages count.

Fewer than five runs of a line decide nothing.
"""

from collections.abc import Mapping, Sequence

from connectlab.arena.statistics import fisher_exact
from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import spread_text
from connectlab.lab.papers.sentences import (
    ABOUT,
    LEARNED,
    apart,
    chance_text,
    late_and_end,
    onset_agrees,
    share_of_run,
)
from connectlab.lab.papers.thill_rates import EPSILONS, FINAL_ALPHAS, LITTLE, TUNED, alpha_name
from connectlab.lab.papers.thill_runs import PAPERS_RUNS, STANDARD
from connectlab.lab.papers.thill_sets import AGAIN, BAD, LOWER, SETS, late_by_set, widest_gap
from connectlab.lab.papers.thill_tables import (
    MEDIOCRE,
    THREE,
    best_end,
    best_late,
    best_text,
    two_tables,
)
from connectlab.lab.papers.thill_weights import LABELS, learned_percent, range_text
from connectlab.lab.papers.thill_weights import LEARNED as SHARES
from connectlab.lab.papers.verdict import TOO_FEW, Agrees, Claim
from connectlab.lab.statistics import (
    FEWEST,
    SIGNIFICANT,
    Spread,
    correlation_test,
    f_test,
    t_test,
)

PLAIN = "the standard line"


def weight_claims(curves: Curves) -> Sequence[Claim]:
    """Table 1: 98 to 100 % of the realisable weights are learned, with either coding."""
    return [_learned(curves, line) for line in two_tables(curves.size)]


def _learned(curves: Curves, line: Line) -> Claim:
    """Judge shares that were published in whole percents, so ours are rounded to such."""
    low, high = SHARES
    what = f"{LABELS[line.name]}: {low:.0f} to {high:.0f} % of the realisable weights are learned"
    shares = learned_percent(line, curves.found)
    if not shares:
        return Claim(what, None, "not computed")
    agrees = low <= round(min(shares)) and round(max(shares)) <= high
    return Claim(what, agrees, f"{range_text(shares)}, rounded to whole percents as published")


def one_table_claims(curves: Curves) -> Sequence[Claim]:
    """Figure 2a: not even the best run gets to 0.58, neither by its late mean nor at its end.

    One judgement is too few games to tell, so where only an end is higher nothing is decided; nor
    is it by fewer runs than the paper's, since the best of many gets higher than that of few.
    """
    what = f"even the best run stays under {MEDIOCRE}"
    late, end = best_late(curves), best_end(curves)
    fewest = min(len(group.measured) for group in curves.comparison.groups)
    if late is None or end is None or fewest < FEWEST:
        return [Claim(what, None, TOO_FEW)]
    how = f"highest late mean {best_text(late)}, highest end {best_text(end)}"
    if late[0] >= MEDIOCRE:
        return [Claim(what, False, how)]
    if fewest < PAPERS_RUNS:
        return [Claim(what, None, f"{how}; it takes ten runs of each to say that none gets there")]
    return [Claim(what, True if end[0] < MEDIOCRE else None, how)]


def two_table_claims(curves: Curves) -> Sequence[Claim]:
    """Figure 2b: onsets, late means, and less spread with four states."""
    return [
        _onset(curves, THREE, 0.5),
        _onset(curves, STANDARD, 0.4),
        _mean(curves, THREE, 0.84),
        _mean(curves, STANDARD, 0.90),
        _deviates_more("P = 3 deviates more than P = 4", curves, THREE, STANDARD),
    ]


def set_claims(curves: Curves) -> Sequence[Claim]:
    """Figure 3a: other sets are 0.10 lower than the standard one and spread more; one of ten fails.

    And bad sets stay bad with other games: those that fail do so again; where none does, both late
    means of a set go together (Pearson's test of correlation).
    """
    first, second = late_by_set(curves, SETS), late_by_set(curves, AGAIN)
    enough = _late(curves, STANDARD) is not None and _late(curves, SETS) is not None
    return [
        _lower(curves),
        _deviates_more("other sets deviate more than the standard one", curves, SETS, STANDARD),
        _one_fails(first if enough else {}),
        _stay_bad(first, second) if enough else Claim(STAY_BAD, None, TOO_FEW),
    ]


STAY_BAD = "bad sets stay bad, and good ones good"


def _lower(curves: Curves) -> Claim:
    """Say whether other sets are lower; where they may be, the published gap decides."""
    what = f"other sets are {LOWER:.2f} lower than the standard one"
    plain, sets = _late(curves, STANDARD), _late(curves, SETS)
    if plain is None or sets is None:
        return Claim(what, None, TOO_FEW)
    if apart(sets, plain):
        lower = sets.mean < plain.mean
        return Claim(what, lower, f"{'lower' if lower else 'higher'}: their intervals do not meet")
    widest = widest_gap(plain, sets)
    how = f"their intervals meet; at most {widest:.3f} lower by these"
    return Claim(what, False if widest < LOWER else None, how)


def _one_fails(first: Mapping[int, float]) -> Claim:
    what = f"one set of ten fails (under {BAD})"
    if not first:
        return Claim(what, None, TOO_FEW)
    failing = sum(mean < BAD for mean in first.values())
    chance = fisher_exact((failing, len(first)), (1, 10))
    how = f"{failing} of {len(first)}, Fisher's exact test, {chance_text(chance)}"
    alike = True if failing else None
    return Claim(what, alike if chance >= SIGNIFICANT else False, how)


def _stay_bad(first: Mapping[int, float], second: Mapping[int, float]) -> Claim:
    """Say whether sets that were good once are again; None where the test cannot tell."""
    failing = [each for each, mean in first.items() if mean < BAD]
    again = [second[each] < BAD for each in failing if each in second]
    if again:
        return Claim(STAY_BAD, all(again), f"{sum(again)} of {len(again)} that fail do so again")
    common = sorted(first.keys() & second.keys())
    if len(common) < FEWEST:
        return Claim(STAY_BAD, None, f"fewer than {FEWEST} sets ran twice")
    chance = correlation_test([first[each] for each in common], [second[each] for each in common])
    how = f"both late means of a set go together, Pearson's test, {chance_text(chance)}"
    return Claim(STAY_BAD, True if chance < SIGNIFICANT else None, how)


def tuned_claims(curves: Curves) -> Sequence[Claim]:
    """Figure 3b: onsets and late means of both learning rates."""
    return [
        _onset(curves, STANDARD, 0.4),
        _onset(curves, TUNED, 0.2),
        _mean(curves, STANDARD, 0.90),
        _mean(curves, TUNED, 0.92),
    ]


def alpha_claims(curves: Curves) -> Sequence[Claim]:
    """Section 4: final alphas of 0.004 and more learn nothing."""
    return [_learns_nothing(curves, alpha_name(final)) for final in FINAL_ALPHAS]


def _learns_nothing(curves: Curves, name: str) -> Claim:
    what = f"{name} learns nothing"
    late, end = _late(curves, name), curves.end(name)
    if late is None or end is None:
        return Claim(what, None, TOO_FEW)
    how = f"{late_and_end(curves, name)}; nothing is both under {LEARNED}"
    return Claim(what, max(late.mean, end.mean) < LEARNED, how)


def epsilon_claims(curves: Curves) -> Sequence[Claim]:
    """Section 4: other schedules of exploration change little."""
    return [_changes_little(curves, name) for name in EPSILONS]


def _changes_little(curves: Curves, name: str) -> Claim:
    what = f"{name} changes little"
    plain, other = _late(curves, STANDARD), _late(curves, name)
    if plain is None or other is None:
        return Claim(what, None, TOO_FEW)
    gap = other.mean - plain.mean
    how = f"late mean {gap:+.3f} from {PLAIN}; little is at most {LITTLE}"
    return Claim(what, abs(gap) <= LITTLE, how)


def _deviates_more(what: str, curves: Curves, name: str, other_name: str) -> Claim:
    """Say whether late means of runs deviate more than others, where a test of variances tells.

    It is the F test, to both sides.
    """
    spread, other = _late(curves, name), _late(curves, other_name)
    if spread is None or other is None:
        return Claim(what, None, TOO_FEW)
    more = spread.standard_deviation > other.standard_deviation
    wide, narrow = (spread, other) if more else (other, spread)
    chance = f_test(wide.standard_deviation, wide.n, narrow.standard_deviation, narrow.n)
    numbers = f"{spread.standard_deviation:.3f} and {other.standard_deviation:.3f}"
    how = f"late means deviate by {numbers}, F test, {chance_text(chance)}"
    return Claim(what, more if chance < SIGNIFICANT else None, how)


def _late(curves: Curves, name: str) -> Spread | None:
    """Return the late mean of a line that has enough runs to decide anything."""
    spread = curves.late_mean(name)
    return None if spread is None or spread.n < FEWEST else spread


def _mean(curves: Curves, name: str, published: float) -> Claim:
    """Say whether a published late mean, of ten runs, may be that of runs like ours."""
    what = f"{name}: late mean {published:.2f}"
    spread = _late(curves, name)
    if spread is None:
        return Claim(what, None, TOO_FEW)
    chance = t_test(spread, published, PAPERS_RUNS)
    how = f"{spread_text(spread)}, Student's t, {chance_text(chance)}"
    return Claim(what, chance >= SIGNIFICANT, how)


def _onset(curves: Curves, name: str, published: float) -> Claim:
    """Say whether the mean reaches 80 % at about the published share of the run."""
    what = f"{name}: 80 % after {share_of_run(published)}"
    onset = curves[name].onset(0.8)
    if onset is None or _late(curves, name) is None:
        return Claim(what, None, TOO_FEW)
    agrees: Agrees = onset_agrees(curves, onset, published)
    ours = "never" if onset.games is None else f"after {onset.games:,.0f}{onset.interval_text}"
    limit = f"agrees within {100 * ABOUT:.0f} % of the run, differs if its interval lies outside"
    return Claim(what, agrees, f"{ours}; {limit}")
