"""Figure 3b and Section 4 of Thill 2012: other schedules of alpha and of epsilon."""

from collections.abc import Sequence

from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import Compared
from connectlab.lab.papers.sentences import (
    ABOUT,
    MEANT,
    apart,
    enough,
    joined,
    late_and_end,
    learned,
    mean_text,
    paragraphs,
    tell_late,
    tell_onset,
    which_is_higher,
)
from connectlab.lab.papers.thill_runs import (
    NOTHING,
    PAPERS_RUNS,
    SILENT,
    STANDARD,
    line,
    shorter,
    standard,
)

TUNED = "alpha 0.004 -> 0.002"
FINAL_ALPHAS = ("0.004", "0.006", "0.01")
LITTLE = 0.05
"""A change of the late mean that counts as little: the paper calls sets very similar that are some
4.5 % lower."""
EPSILONS = {
    "epsilon 0.1": "constant",
    "epsilon 0.95 -> 0.1, linear": "linear",
    "epsilon 0.95 -> 0.1, exponential": "exponential",
    "epsilon 0.5 -> 0.1, linear": "half",
}
"""Lines by the ends of their presets' names."""


# Figure 3b: a tuned alpha


def tuned_lines(size: Size) -> Sequence[Line]:
    """Return the standard runs and those with the alpha that the paper found better."""
    return [standard(size), line(TUNED, "thill-tuned", size)]


def tell_tuned(curves: Curves) -> Told:
    """Say whether the tuned alpha is as much faster and better as published."""
    compared = [
        curves.compared_onset(STANDARD, 0.8, "standard reaches 80 %", "4 million games (40 %)"),
        curves.compared_onset(TUNED, 0.8, "tuned reaches 80 %", "2 million games (20 %)"),
        curves.compared_late(STANDARD, "standard, mean of the last 40 %", "0.90"),
        curves.compared_late(TUNED, "tuned, mean of the last 40 %", "0.92"),
    ]
    told = [
        _tell_faster(curves),
        tell_onset(curves, STANDARD, "the standard alpha", 0.4),
        tell_onset(curves, TUNED, "the tuned one", 0.2),
        tell_late(curves, STANDARD, "the standard alpha", 0.90, PAPERS_RUNS),
        tell_late(curves, TUNED, "the tuned one", 0.92, PAPERS_RUNS),
        _tell_higher(curves),
        shorter(curves),
    ]
    why = paragraphs(
        told,
        f"{SILENT} What another inflection of epsilon's sigmoid changes, thill-sigmoid tells.",
    )
    tuned, plain = curves.late_mean(TUNED), curves.late_mean(STANDARD)
    return compared, why, _tuned_summary(curves, which_is_higher("tuned", tuned, "standard", plain))


def _onsets(curves: Curves) -> tuple[float, float] | None:
    """Return when the means of the standard and the tuned runs reach 80 %, if both do."""
    plain, tuned = (_games_to_80(curves, name) for name in (STANDARD, TUNED))
    return None if plain is None or tuned is None else (plain, tuned)


def _games_to_80(curves: Curves, name: str) -> float | None:
    onset = curves[name].onset(0.8)
    return None if onset is None else onset.games


def _tell_faster(curves: Curves) -> str:
    """Say which of both is faster, by the means of the runs."""
    onsets = _onsets(curves)
    if onsets is None:
        return ""
    plain, tuned = onsets
    if tuned <= plain - ABOUT * curves.size.games:
        ratio = plain / tuned
        return f"The tuned alpha is {ratio:.1f} times as fast here; the paper's was twice as fast."
    return "The tuned alpha is no faster here; the paper's was twice as fast as its standard one."


def _tell_higher(curves: Curves) -> str:
    """Say whether both late means can be told apart."""
    tuned, plain = curves.late_mean(TUNED), curves.late_mean(STANDARD)
    if tuned is None or plain is None or not enough(tuned, plain):
        return ""
    if not apart(tuned, plain):
        return "Between both late means no difference is seen; 0.02 was published."
    return f"The tuned alpha is {tuned.mean - plain.mean:+.3f} higher late; +0.02 was published."


def _tuned_summary(curves: Curves, higher: str) -> str:
    onsets = _onsets(curves)
    if onsets is None:
        return higher
    plain, tuned = onsets
    return f"{higher}; means at 80 % after {tuned:,.0f} and {plain:,.0f} games"


# Section 4: final alphas of 0.004 and more


def alpha_name(final: str) -> str:
    """Return the name of a line, such as "alpha 0.01 -> 0.004"."""
    return f"alpha 0.01 -> {final}"


def alpha_lines(size: Size) -> Sequence[Line]:
    """Return the standard runs and those whose alpha stays at 0.004 or above."""
    lines = [line(alpha_name(final), f"thill-alpha-{final}", size) for final in FINAL_ALPHAS]
    return [standard(size), *lines]


def tell_alphas(curves: Curves) -> Told:
    """Say which of the final alphas learned, and how far."""
    names = [alpha_name(final) for final in FINAL_ALPHAS]
    compared = [each for name in names for each in _late_then_end(curves, name, "learns nothing")]
    onset = curves.compared_onset(
        STANDARD, 0.8, "standard reaches 80 %", "4 million games, where alpha falls below 0.004"
    )
    told = [
        _tell_learned(curves, names),
        tell_onset(curves, STANDARD, "the standard alpha", 0.4),
        _tell_why(curves, names),
        shorter(curves),
    ]
    why = paragraphs(told, SILENT)
    ours = [f"{final}: {both}" for final in FINAL_ALPHAS if (both := _both(curves, final))]
    return [*compared, onset], why, f"final alpha {'; '.join(ours)}" if ours else NOTHING


def _both(curves: Curves, final: str) -> str:
    return late_and_end(curves, alpha_name(final))


def _late_then_end(curves: Curves, name: str, published: str) -> list[Compared]:
    """Put late mean and end of a line beside what was published of both."""
    return [
        curves.compared_late(name, f"{name}, late mean", published),
        curves.compared_end(name, f"{name}, at the end", published),
    ]


def _tell_learned(curves: Curves, names: Sequence[str]) -> str:
    """Say which lines learned, where the paper says that none does, and how far they came."""
    some, none = learned(curves, names)
    told = [f"{name} learned ({late_and_end(curves, name)}{_got(curves, name)})" for name in some]
    told += [f"{name} did not ({late_and_end(curves, name)})" for name in none]
    if not told:
        return ""
    agrees = "" if some else ", as published"
    return (
        f"Published is that final alphas of 0.004 and more learn nothing. Here {joined(told)}"
        f"{agrees}. {MEANT}"
    )


def _tell_why(curves: Curves, names: Sequence[str]) -> str:
    """Say what follows where a line gets far whose alpha never falls below 0.004."""
    if all(_games_to_80(curves, name) is None for name in names):
        return ""
    return (
        "The paper explains the onset by alpha, which falls from 0.01 to 0.001 and passes 0.004 "
        "after 40 % of the run. Lines that stay above it and get to 80 % all the same show that "
        "learning does not wait for that here; in these runs epsilon falls at the same time, and "
        "with an epsilon of 0.1 from the start (`thill-epsilon`) learning sets in sooner."
    )


def _got(curves: Curves, name: str) -> str:
    games = _games_to_80(curves, name)
    return "" if games is None else f", its mean first at 80 % after {games:,.0f} games"


# Section 4: other epsilons


def epsilon_lines(size: Size) -> Sequence[Line]:
    """Return the standard runs and those with other schedules of exploration."""
    lines = [line(name, f"thill-epsilon-{end}", size) for name, end in EPSILONS.items()]
    return [standard(size), *lines]


def tell_epsilons(curves: Curves) -> Told:
    """Say how far the schedules lie apart, late and at the end."""
    names = [STANDARD, *EPSILONS]
    compared = [
        curves.compared_late(
            name, f"{name}, late mean", "0.90" if name == STANDARD else "little change (no number)"
        )
        for name in names
    ]
    late = {name: each.mean for name in names if (each := curves.late_mean(name)) is not None}
    ends = {name: each.mean for name in names if (each := curves.end(name)) is not None}
    if not late:
        return compared, f"{SILENT} {_OURS}", NOTHING
    told = [
        "Published is little change.",
        f"Here late means range {_range(late)}, and means at the end {_range(ends)}.",
        _tell_apart(curves),
        shorter(curves),
    ]
    why = paragraphs(told, f"{SILENT} {_OURS}")
    summary = (
        f"late means from {min(late.values()):.2f} to {max(late.values()):.2f}, at the end from "
        f"{min(ends.values()):.2f} to {max(ends.values()):.2f}"
    )
    return compared, why, summary


_OURS = (
    "Which schedules were tried is not said; these are ours. The verdict takes a late mean within "
    f"{LITTLE} of the standard one for little change: the paper calls tuple sets very similar that "
    "are some 4.5 % lower (Figure 3a). With a schedule that is slow to fall, much of the late part "
    "of a run is still spent on random moves, and the end of the run compares better."
)


def _range(means: dict[str, float]) -> str:
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    return f"from {means[low]:.3f} ({low}) to {means[high]:.3f} ({high})"


def _tell_apart(curves: Curves) -> str:
    """Say which schedules change the late mean by more than runs differ."""
    plain = curves.late_mean(STANDARD)
    others = {name: each for name in EPSILONS if (each := curves.late_mean(name)) is not None}
    if plain is None or not any(enough(each, plain) for each in others.values()):
        return ""
    changed = [f"{name} ({each.mean:.3f})" for name, each in others.items() if apart(each, plain)]
    spans = "intervals" if plain.mean_interval is not None else "runs"
    if not changed:
        return f"None has {spans} apart from those of the standard one, {mean_text(plain)}."
    return (
        f"{spans.capitalize()} apart from those of the standard one, {mean_text(plain)}, have "
        f"{joined(changed)}."
    )
