"""Sentences on where runs differ from what was published, made of the numbers of the runs alone.

Late means are those of the last part of a run, ends its last judgement. Of five runs or more the
bootstrap interval of the mean decides what may be said, of fewer the lowest and the highest run.
"""

from collections.abc import Iterable, Sequence

from connectlab.lab.onset import Onset
from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.page import interval_text
from connectlab.lab.papers.ranking import FEWEST_TO_RANK, span_of_mean
from connectlab.lab.statistics import FEWEST, SIGNIFICANT, Spread, t_test

LEARNED = 0.2
"""A line learned nothing if its late mean and its end are both below this."""
ABOUT = 0.05
"""Onsets are published to a million of ten million games: within half of that they agree."""
MEANT = f"A line counts as having learned nothing if late mean and end are both under {LEARNED}."


def paragraphs(sentences: Sequence[str], *others: str) -> str:
    """Return the sentences that have anything to say in one paragraph, and others after it."""
    told = " ".join(sentence for sentence in sentences if sentence)
    return "\n\n".join(filter(None, (told, *others)))


def joined(parts: Sequence[str]) -> str:
    """Write a list, such as "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def few_of(parts: Sequence[str], most: int = 3) -> str:
    """Write a list that stays short, such as "a, b and 4 others"."""
    return joined(
        parts if len(parts) <= most else [*parts[: most - 1], f"{len(parts) - most + 1} others"]
    )


def in_runs(number: int) -> str:
    """Say on how many runs something rests: "in the one run", "in 3 runs"."""
    return "in the one run" if number == 1 else f"in {number} runs"


def mean_text(spread: Spread) -> str:
    """Write a mean with what bounds it, such as "0.814 [0.803, 0.827] in 10 runs"."""
    mean = f"{spread.mean:.3f}"
    if spread.n == 1:
        return f"{mean} {in_runs(1)}"
    if spread.mean_interval is None:
        return f"{mean} ({spread.lowest:.3f} to {spread.highest:.3f} {in_runs(spread.n)})"
    return f"{mean} {interval_text(spread.mean_interval)} {in_runs(spread.n)}"


def beside(spread: Spread, published: float, runs: int) -> str:
    """Say how a mean stands to a published one of so many runs: "below the published 0.84 (…)".

    From five runs on Student's t decides, as in the verdicts.
    """
    number = f"{published:.2f}"
    if spread.n == 1:
        return f"where {number} was published"
    low, high = span_of_mean(spread)
    if spread.n >= FEWEST:
        chance = t_test(spread, published, runs)
        side = "below" if spread.mean < published else "above"
        how = side if chance < SIGNIFICANT else "not told apart from"
        return f"{how} the published {number} (Student's t, {chance_text(chance)})"
    if low <= published <= high:
        return f"runs on both sides of the published {number}"
    return f"every run {'below' if high < published else 'above'} the published {number}"


def chance_text(chance: float) -> str:
    """Write how likely something is by chance: "p = 0.12", "p < 0.001"."""
    return "p < 0.001" if chance < 0.001 else f"p = {chance:.2g}"


def apart(spread: Spread, other: Spread) -> bool:
    """Say whether two means differ: their intervals, or all of few runs, do not meet."""
    low, high = span_of_mean(spread)
    other_low, other_high = span_of_mean(other)
    return enough(spread, other) and (high < other_low or other_high < low)


def enough(spread: Spread, other: Spread) -> bool:
    """Say whether runs are enough to tell two means apart, or to say that they are not."""
    return min(spread.n, other.n) >= FEWEST_TO_RANK


def tell_late(curves: Curves, name: str, label: str, published: float, runs: int) -> str:
    """Put a late mean beside the published one, of so many runs; nothing if not computed."""
    spread = curves.late_mean(name)
    if spread is None:
        return ""
    return f"The late mean of {label} is {mean_text(spread)}, {beside(spread, published, runs)}."


def tell_onset(curves: Curves, name: str, label: str, published: float) -> str:
    """Put the share of the run after which a mean reaches 80 % beside the published one."""
    onset, when = curves[name].onset(0.8), share_of_run(published)
    if onset is None:
        return ""
    if onset.games is None:
        return f"The mean of {label} never reaches 80 %; published is after {when}."
    share = onset.games / curves.size.games
    agrees = onset_agrees(curves, onset, published)
    how = (
        "about" if agrees else "not told apart from" if agrees is None
        else "sooner than" if share < published else "later than"
    )  # fmt: skip
    return (
        f"The mean of {label} reaches 80 % after {onset.games:,.0f} games{onset.interval_text}, "
        f"{100 * share:.0f} % of the run, {how} the published {when}."
    )


def onset_agrees(curves: Curves, onset: Onset, published: float) -> bool | None:
    """Say whether an onset is about the published share of the run; None where it may be."""
    games = curves.size.games
    low, high = ((published + reach) * games for reach in (-ABOUT - 1e-9, ABOUT + 1e-9))
    if onset.games is not None and low <= onset.games <= high:
        return True
    return None if onset.may_be(low, high) else False


def share_of_run(published: float) -> str:
    """Write a share of the papers' runs of ten million games, such as "20 % (2 million games)"."""
    return f"{100 * published:.0f} % ({10 * published:g} million games)"


def which_is_higher(name: str, spread: Spread | None, other: str, than: Spread | None) -> str:
    """Say in a line which of two late means is higher, if any is, with both numbers."""
    if spread is None or than is None:
        return "not computed"
    means = f"{name} {spread.mean:.3f}, {other} {than.mean:.3f}"
    if not enough(spread, than):
        return f"late means {means}, of too few runs to tell them apart"
    if not apart(spread, than):
        return f"no difference seen in late means: {means}"
    gap = spread.mean - than.mean
    word = "above" if gap > 0 else "below"
    above = f"{abs(gap):.3f} {word} {other} ({than.mean:.3f})"
    return f"late mean of {spread.mean:.3f} with {name}, {above}"


def late_and_end(curves: Curves, name: str) -> str:
    """Write both, such as "late mean 0.515, 0.560 at the end"; nothing if not computed."""
    late, end = curves.late_mean(name), curves.end(name)
    if late is None or end is None:
        return ""
    return f"late mean {late.mean:.3f}, {end.mean:.3f} at the end"


def learned(curves: Curves, names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the computed lines that learned something, and those that did not."""
    some: list[str] = []
    none: list[str] = []
    for name in names:
        late, end = curves.late_mean(name), curves.end(name)
        if late is not None and end is not None:
            (some if max(late.mean, end.mean) >= LEARNED else none).append(name)
    return some, none
