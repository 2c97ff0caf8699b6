"""Figure 3a of Thill 2012: what a tuple set makes of a learner, and whether a bad one stays bad."""

from collections.abc import Mapping, Sequence

import numpy as np

from connectlab.lab.papers.cells import TrainingCell, training_cell
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import Compared, Table
from connectlab.lab.papers.results import Found
from connectlab.lab.statistics import Spread

SETS = "other sets"
AGAIN = "the same sets, other games"
SHIFT = 100
"""Between the seeds of games of the first and the second run on a set."""
BAD = 0.1
"""A set whose runs end below is one that fails."""


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
            measures=(f"success:games={size.tests},objective=framework",),
            evaluation_every=size.evaluation_every,
            counts_weights=True,
        )
        for number in numbers
    )


def tell_sets(curves: Curves, standard: str, silent: str) -> Told:
    """Say how much lower other sets end, how they spread, and whether bad ones stay bad."""
    plain, sets = curves.late_mean(standard), curves.late_mean(SETS)
    ends = _ends(curves, SETS)
    bad = [end for end in ends.values() if end < BAD]
    good = Spread.of([end for end in ends.values() if end >= BAD])
    compared = [
        _gap("other sets below the standard one, late mean", "0.10", plain, sets),
        Compared(
            "standard deviation, standard and other sets",
            "larger for the sets",
            _deviations(plain, sets),
        ),
        Compared(
            f"sets that end under {BAD}",
            "1 of 10",
            f"{len(bad)} of {len(ends)}" if ends else "not computed",
        ),
        Compared("variance that the worst set makes", "half of it", _share_of_worst(ends)),
        _gap("the sets that do not fail below the standard one", "0.045", plain, good)
        if bad
        else Compared(
            "the sets that do not fail below the standard one",
            "0.045",
            "no set fails" if ends else "not computed",
        ),
        Compared("a bad set stays bad with other games", "always", _correlation(curves)),
    ]
    summary = f"{compared[0].what}: {compared[0].ours}" if ends else "not computed"
    return compared, silent, summary


def _share_of_worst(ends: Mapping[int, float]) -> str:
    """Say how much of the variance over sets goes when the worst one is left out."""
    values = sorted(ends.values())
    if len(values) < 4 or np.var(values, ddof=1) == 0:
        return "not computed: it takes four sets that differ"
    share = 1 - np.var(values[1:], ddof=1) / np.var(values, ddof=1)
    return f"{100 * share:.0f} %"


def _ends(curves: Curves, name: str) -> dict[int, float]:
    """Return the late mean of each run, by its place among the sets."""
    games, rows = curves[name].rows()
    low, high = curves.late
    late = (games >= low) & (games <= high)
    seeds = [curve.seed % SHIFT for curve in curves[name].measured]
    means = rows[:, late].mean(axis=1) if late.any() else np.zeros(0)
    return dict(zip(seeds, means.tolist(), strict=False))


def _gap(what: str, published: str, plain: Spread | None, other: Spread | None) -> Compared:
    if plain is None or other is None:
        return Compared(what, published, "not computed")
    gap = plain.mean - other.mean
    return Compared(what, published, f"{gap:+.3f} ({plain.mean:.3f} and {other.mean:.3f})", gap)


def _deviations(plain: Spread | None, sets: Spread | None) -> str:
    if plain is None or sets is None:
        return "not computed"
    return f"{plain.standard_deviation:.3f} and {sets.standard_deviation:.3f}"


def _correlation(curves: Curves) -> str:
    """Say how much the first run on a set tells of the second."""
    first, second = _ends(curves, SETS), _ends(curves, AGAIN)
    common = sorted(first.keys() & second.keys())
    if len(common) < 3:
        return "not computed: it takes three sets"
    pairs = np.array([[first[seed], second[seed]] for seed in common])
    worst = min(common, key=lambda seed: first[seed])
    told = f"the worst set ends at {first[worst]:.2f} and again at {second[worst]:.2f}"
    if (pairs.std(axis=0) == 0).any():
        return told
    return f"correlation {np.corrcoef(pairs.T)[0, 1]:+.2f} over {len(common)} sets; {told}"


def tuple_set_table(curves: Curves, found: Found) -> Sequence[Table]:
    """Return the late mean of both runs on each set."""
    del found
    first, second = _ends(curves, SETS), _ends(curves, AGAIN)
    rows = [
        (f"set {seed}", f"{end:.3f}", "-" if seed not in second else f"{second[seed]:.3f}")
        for seed, end in sorted(first.items(), key=lambda item: item[1])
    ]
    headings = ("tuple set", "late mean", "again, other games")
    return [Table("Set by set, the worst first", headings, rows)]
