"""Figure 3a of Thill 2012: what a tuple set makes of a learner, and whether a bad one stays bad."""

from collections.abc import Mapping, Sequence

import numpy as np

from connectlab.lab.papers.cells import TrainingCell, training_cell
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import Compared, Table
from connectlab.lab.papers.ranking import span_of_mean
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.sentences import apart, enough, joined, paragraphs, which_is_higher
from connectlab.lab.papers.thill_runs import (
    NOTHING,
    SILENT,
    STANDARD,
    judged_by,
    shorter,
    standard,
)
from connectlab.lab.statistics import Spread
from connectlab.lab.wording import count

SETS = "other sets"
AGAIN = "the same sets, other games"
SHIFT = 100
"""Between the seeds of games of the first and the second run on a set."""
LOWER = 0.10
"""How much lower other sets are than the standard one, as published."""
BAD = 0.1
"""A set whose late mean is below is one that fails."""


def other_sets(size: Size) -> Line:
    """Return a run on each of several tuple sets, none of them that of the standard line."""
    return Line(SETS, _runs(size, shift=0))


def again(size: Size) -> Line:
    """Return another run on each of these sets."""
    return Line(AGAIN, _runs(size, shift=SHIFT))


def _runs(size: Size, shift: int) -> tuple[TrainingCell, ...]:
    numbers = range(2, size.repeats + 2)
    return tuple(
        training_cell(
            "ntuple",
            "thill-p4",
            {"games": size.games, "tuple_seed": number, "seed": number + shift},
            measures=judged_by(size),
            evaluation_every=size.evaluation_every,
            counts_weights=True,
        )
        for number in numbers
    )


def set_lines(size: Size) -> Sequence[Line]:
    """Return the standard runs, those on other sets, and these again."""
    return [standard(size), other_sets(size), again(size)]


def set_seeds(size: Size) -> str:
    """Tell the seeds of the runs of each line, and their tuple sets."""
    first, last = 2, size.repeats + 1
    return (
        f"{size.seeds} on tuple set 1; seeds {first} to {last} on the tuple sets of the same "
        f"numbers; these sets again with seeds {first + SHIFT} to {last + SHIFT}"
    )


def tell_sets(curves: Curves) -> Told:
    """Say how much lower other sets are late, how they spread, and whether bad ones stay bad."""
    plain, sets = curves.late_mean(STANDARD), curves.late_mean(SETS)
    late = late_by_set(curves, SETS)
    bad = [mean for mean in late.values() if mean < BAD]
    good = Spread.of([mean for mean in late.values() if mean >= BAD])
    fine = "the sets that do not fail below the standard one"
    compared = [
        _gap("other sets below the standard one, late mean", "0.10", plain, sets),
        Compared(
            "standard deviation of late means, standard and other sets",
            "larger for the sets",
            _deviations(plain, sets),
        ),
        Compared(
            f"sets whose first run has a late mean under {BAD}",
            "1 of 10",
            f"{len(bad)} of {len(late)}" if late else NOTHING,
        ),
        Compared("variance that the worst set makes", "half of it", _share_of_worst(late)),
        _gap(fine, "0.045", plain, good)
        if bad
        else Compared(fine, "0.045", "no set fails in its first run" if late else NOTHING),
        Compared("a bad set stays bad with other games", "always", _correlation(curves)),
    ]
    told = [
        _tell_gap(plain, sets),
        _tell_failures(late, late_by_set(curves, AGAIN)),
        _tell_again(curves),
        shorter(curves),
    ]
    return compared, paragraphs(told, SILENT), _summary(plain, sets)


def _summary(plain: Spread | None, sets: Spread | None) -> str:
    told = which_is_higher("other sets", sets, "the standard set", plain)
    return told if sets is None else f"{told}; {count(sets.n, 'other set')}"


def _tell_gap(plain: Spread | None, sets: Spread | None) -> str:
    """Say how the other sets stand to the standard one, in mean and spread."""
    if plain is None or sets is None:
        return ""
    gap = plain.mean - sets.mean
    unseen = enough(plain, sets) and not apart(plain, sets)
    seen = (
        ", which is no difference that can be told from chance; by both intervals it is at most "
        f"{widest_gap(plain, sets):.3f}"
    ) * unseen
    spread = (
        f" The late means deviate by {sets.standard_deviation:.3f} over the sets and by "
        f"{plain.standard_deviation:.3f} over runs on the standard one; the paper finds "
        "more over the sets."
    ) * (min(plain.n, sets.n) > 1)
    return (
        f"On {count(sets.n, 'other set')} the late mean is {sets.mean:.3f}, "
        f"{abs(gap):.3f} {'below' if gap >= 0 else 'above'} the {plain.mean:.3f} of the standard "
        f"one{seen}; published is 0.10 below, on ten sets.{spread}"
    )


def _tell_failures(first: Mapping[int, float], second: Mapping[int, float]) -> str:
    """Say which sets fail, in their first runs and in the others."""
    if not first:
        return ""
    failing = _failing(first)
    told = (
        f"A late mean under {BAD} has in the first runs "
        f"{joined(failing) if failing else 'none'} of the {count(len(first), 'set')}"
    )
    other = _failing(second)
    again = f", in the second runs {joined(other) if other else 'none'}" if second else ""
    return f"{told}{again}; published is one of ten."


def _failing(late: Mapping[int, float]) -> list[str]:
    return [f"set {seed} ({mean:.3f})" for seed, mean in sorted(late.items()) if mean < BAD]


def _tell_again(curves: Curves) -> str:
    """Say whether the worst set of the first runs is bad again."""
    first, second = late_by_set(curves, SETS), late_by_set(curves, AGAIN)
    common = sorted(first.keys() & second.keys())
    if len(common) < 2:
        return ""
    worst = min(common, key=first.__getitem__)
    below = sum(second[seed] < second[worst] for seed in common)
    told = (
        f"Published is that bad sets stay bad, and good ones good: the worst of the first runs, "
        f"set {worst} with {first[worst]:.3f}, has {second[worst]:.3f} in its second: "
        f"{below or 'none'} of the {count(len(common), 'set')} had less then."
    )
    changed = max(common, key=lambda seed: abs(first[seed] - second[seed]))
    gap = abs(first[changed] - second[changed])
    if gap <= max(first.values()) - min(first.values()):
        return told
    return (
        f"{told} With other games alone set {changed} goes from {first[changed]:.3f} to "
        f"{second[changed]:.3f}, further than the first runs of all sets lie apart."
    )


def _share_of_worst(late: Mapping[int, float]) -> str:
    """Say how much of the variance over sets goes when the worst one is left out."""
    values = sorted(late.values())
    if len(values) < 4 or np.var(values, ddof=1) == 0:
        return "not computed: it takes four sets that differ"
    share = 1 - np.var(values[1:], ddof=1) / np.var(values, ddof=1)
    return f"{100 * share:.0f} %"


def late_by_set(curves: Curves, name: str) -> dict[int, float]:
    """Return the late mean of each run, by its place among the sets."""
    games, rows = curves[name].rows()
    low, high = curves.late
    late = (games >= low) & (games <= high)
    seeds = [curve.seed % SHIFT for curve in curves[name].measured]
    means = rows[:, late].mean(axis=1) if late.any() else np.zeros(0)
    return dict(zip(seeds, means.tolist(), strict=False))


def widest_gap(plain: Spread, sets: Spread) -> float:
    """Return by how much other sets are lower at most, where the intervals of both end."""
    return span_of_mean(plain).high - span_of_mean(sets).low


def _gap(what: str, published: str, plain: Spread | None, other: Spread | None) -> Compared:
    if plain is None or other is None:
        return Compared(what, published, NOTHING)
    gap = plain.mean - other.mean
    return Compared(what, published, f"{gap:+.3f} ({plain.mean:.3f} and {other.mean:.3f})", gap)


def _deviations(plain: Spread | None, sets: Spread | None) -> str:
    if plain is None or sets is None:
        return NOTHING
    return f"{plain.standard_deviation:.3f} and {sets.standard_deviation:.3f}"


def _correlation(curves: Curves) -> str:
    """Say how much the first run on a set tells of the second."""
    first, second = late_by_set(curves, SETS), late_by_set(curves, AGAIN)
    common = sorted(first.keys() & second.keys())
    if len(common) < 3:
        return "not computed: it takes three sets"
    pairs = np.array([[first[seed], second[seed]] for seed in common])
    worst = min(common, key=first.__getitem__)
    told = f"the worst set has a late mean of {first[worst]:.2f} and again of {second[worst]:.2f}"
    if (pairs.std(axis=0) == 0).any():
        return told
    return f"correlation {np.corrcoef(pairs.T)[0, 1]:+.2f} over {len(common)} sets; {told}"


def tuple_set_table(curves: Curves, found: Found) -> Sequence[Table]:
    """Return the late mean of both runs on each set."""
    del found
    first, second = late_by_set(curves, SETS), late_by_set(curves, AGAIN)
    rows = [
        (f"set {seed}", f"{mean:.3f}", "-" if seed not in second else f"{second[seed]:.3f}")
        for seed, mean in sorted(first.items(), key=lambda item: item[1])
    ]
    headings = ("tuple set", "late mean, first run", "late mean again, other games")
    return [Table("Set by set, the worst first", headings, rows)]
