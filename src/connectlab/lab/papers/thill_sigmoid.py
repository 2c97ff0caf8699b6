"""Where epsilon's sigmoid of Thill 2012 turns, measured by when the curves reach 80 %.

The paper gives its ends, 0.95 and 0.1, and neither slope nor inflection. The authors' framework has
a slope of 10 and, unless told otherwise, the inflection after 2 million games: 0.2 of a run. The
presets have the inflection that fits Figure 2b here.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TypeAlias

from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import Compared, Picture
from connectlab.lab.papers.panels import Panel, draw_panels
from connectlab.lab.papers.sentences import joined, paragraphs, share_of_run
from connectlab.lab.papers.thill_runs import (
    NOTHING,
    PUBLISHED,
    SILENT,
    PublishedCurve,
    line,
    shorter,
)

SLOPE = 10
INFLECTIONS = (0.1, 0.2, 0.3)
LEVEL = 0.8
ONE_ALPHA = PUBLISHED[:2]
"""The curves of Figure 2b, with the standard alpha."""

Onsets: TypeAlias = Mapping[str, float | None]
"""After which share of the run the mean of each curve reaches the level; None if it never does."""


def variant(inflection: float) -> str:
    """Return what stands in the names of lines."""
    return f"inflection {inflection:g}"


def sigmoid_lines(size: Size) -> Sequence[Line]:
    """Return every curve with every inflection; one of these is that of the presets."""
    return [_line(each, inflection, size) for each in PUBLISHED for inflection in INFLECTIONS]


def _line(each: PublishedCurve, inflection: float, size: Size) -> Line:
    epsilon = f"0.95->0.1:sigmoid({SLOPE}@{inflection:g})"
    return line(each.named(variant(inflection)), each.preset, size, epsilon=epsilon)


def draw_sigmoids(curves: Curves) -> Sequence[Picture]:
    """Draw a panel for each curve of the paper."""
    panels = [
        Panel(
            each.label,
            [each.named(variant(inflection)) for inflection in INFLECTIONS],
            late=each.late,
            onset=(each.onset * curves.size.games, LEVEL),
        )
        for each in PUBLISHED
    ]
    caption = f"{curves.caption}. Cross: when the paper's reaches 80 %; dashes: its late mean"
    return [Picture("curves.png", draw_panels(curves.comparison, panels), caption)]


def tell_sigmoids(curves: Curves) -> Told:
    """Put the onsets with each inflection beside the published ones, and say which is nearest."""
    compared = [
        row for each in PUBLISHED for inflection in INFLECTIONS
        for row in _compared(curves, each, inflection)
    ]  # fmt: skip
    why = f"{SILENT} {_COUNTED}"
    onsets = {inflection: _onsets(curves, inflection) for inflection in INFLECTIONS}
    if not all(onsets.values()):
        return compared, why, NOTHING
    told = [_tell_nearest(onsets), _tell_ratios(onsets), shorter(curves)]
    return compared, paragraphs(told, why), _summary(onsets)


_COUNTED = (
    "Where a mean never gets to 80 %, all of the run counts as its onset. Slopes other than the "
    "framework's 10 were not tried."
)


def _compared(curves: Curves, each: PublishedCurve, inflection: float) -> Sequence[Compared]:
    name = each.named(variant(inflection))
    return (
        curves.compared_onset(name, LEVEL, f"{name}, 80 %", share_of_run(each.onset)),
        curves.compared_late(name, f"{name}, mean of the last 40 %", f"{each.late:.2f}"),
    )


def _onsets(curves: Curves, inflection: float) -> Onsets:
    """Return the onset of every curve with an inflection; nothing if one is missing."""
    found = {each.label: curves[each.named(variant(inflection))].onset(LEVEL) for each in PUBLISHED}
    known = {label: onset.games for label, onset in found.items() if onset is not None}
    if len(known) < len(found):
        return {}
    total = curves.size.games
    return {label: None if games is None else games / total for label, games in known.items()}


def _off(onsets: Onsets, chosen: Sequence[PublishedCurve]) -> float:
    """Return how far onsets are from the published ones, in the mean, as a share of the run."""
    return fmean(abs((onsets[each.label] or 1.0) - each.onset) for each in chosen)


def _tell_nearest(onsets: Mapping[float, Onsets]) -> str:
    """Say which inflection fits Figure 2b, and which the three curves."""
    both = joined([each.label for each in ONE_ALPHA])
    return (
        f"The onsets of {both} (Figure 2b) are off by {_all_off(onsets, ONE_ALPHA)}, in the mean; "
        f"with the tuned alpha (Figure 3b) all three by {_all_off(onsets, PUBLISHED)}."
    )


def _all_off(onsets: Mapping[float, Onsets], chosen: Sequence[PublishedCurve]) -> str:
    off = {inflection: _off(each, chosen) for inflection, each in onsets.items()}
    order = sorted(off, key=lambda inflection: off[inflection])
    return joined(
        [f"{100 * off[each]:.1f} % of the run with the {variant(each)}" for each in order]
    )


def _tell_ratios(onsets: Mapping[float, Onsets]) -> str:
    """Say whether any inflection has the tuned alpha as much sooner as published."""
    plain, tuned = PUBLISHED[1], PUBLISHED[2]
    ratios = {
        inflection: standard / sooner
        for inflection, each in onsets.items()
        if (standard := each[plain.label]) and (sooner := each[tuned.label])
    }
    if not ratios:
        return ""
    told = joined([f"{ratio:.1f}" for ratio in ratios.values()])
    where = joined([variant(inflection) for inflection in ratios])
    return (
        f"The standard alpha takes {told} times the games of the tuned one to 80 % with the "
        f"{where}; published is {plain.onset / tuned.onset:.0f} times."
    )


def _summary(onsets: Mapping[float, Onsets]) -> str:
    """Name the inflection that fits Figure 2b, and its three onsets."""
    nearest = min(onsets, key=lambda inflection: _off(onsets[inflection], ONE_ALPHA))
    found = [onsets[nearest][each.label] for each in PUBLISHED]
    shares = joined(["never" if each is None else f"{100 * each:.0f} %" for each in found])
    published = joined([f"{100 * each.onset:.0f}" for each in PUBLISHED])
    return (
        f"nearest for Figure 2b is the {variant(nearest)}: 80 % after {shares} of the run; "
        f"{published} % published"
    )
