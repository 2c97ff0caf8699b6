"""What the perfect opponent of the evaluations has to do with the curves of Thill 2012.

The paper's opponent draws among its optimal moves. In a lost position, and against a good first
player it is in no other, that can mean many things, and players who are all perfect, who never give
away a win or a draw, are not equally hard to beat.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from connectlab.agents.settings import Objective
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line, make_line
from connectlab.lab.papers.page import Compared, Picture
from connectlab.lab.papers.panels import Panel, draw_panels
from connectlab.lab.papers.sentences import joined, paragraphs, share_of_run
from connectlab.lab.papers.thill_runs import NOTHING, PUBLISHED, PublishedCurve, shorter
from connectlab.lab.statistics import Spread
from connectlab.lab.wording import count

OPPONENTS: Mapping[Objective, str] = {
    "framework-books": "in a lost opening any move but those whose loss its search would see",
    "framework": "in a lost opening any move that does not lose at once",
    "distance": "always the most distant loss",
    "outcome": "any move of a lost position, at any time",
}
"""Who judges, and how each of them defends what is lost. The first one is the authors' framework's;
the second one judges on the other pages."""
FRAMEWORKS, USUAL, *_ = OPPONENTS
FRAMEWORKS_EPSILON = "0.95->0.1:sigmoid(10@0.2)"
"""Here epsilon turns where it does in the framework unless told otherwise; on the other pages it
turns later, and so do the curves, whose late means are alike (thill-sigmoid)."""


def opponent_lines(size: Size) -> Sequence[Line]:
    """Return every curve with every opponent: the same runs, judged by all four."""
    measures = tuple(f"success:games={size.tests},objective={each}" for each in OPPONENTS)
    changes = {"epsilon": FRAMEWORKS_EPSILON}
    made = [
        make_line(each.label, "ntuple", each.preset, size, changes, measures=measures)
        for each in PUBLISHED
    ]
    return [
        replace(line, name=curve.named(opponent), judge=number)
        for curve, line in zip(PUBLISHED, made, strict=True)
        for number, opponent in enumerate(OPPONENTS)
    ]


def draw_opponents(curves: Curves) -> Sequence[Picture]:
    """Draw a panel for each curve of the paper."""
    panels = [
        Panel(each.label, [each.named(opponent) for opponent in OPPONENTS], late=each.late)
        for each in PUBLISHED
    ]
    return [Picture("curves.png", draw_panels(curves.comparison, panels), curves.caption)]


def tell_opponents(curves: Curves) -> Told:
    """Put late means and onsets with each opponent beside the published ones."""
    compared = [row for each in PUBLISHED for row in _compared(curves, each)]
    who = "; ".join(f"{name}: {how}" for name, how in OPPONENTS.items())
    silent = (
        f"All four never give away a win or a draw, and in lost positions differ: {who}. The text "
        "of 2012 says that the opponent draws among optimal moves, and not which moves of a lost "
        "position are optimal; by outcome it is the text taken literally. The authors' framework, "
        "as its code stands today, plays as framework-books does: in lost openings its search sees "
        "wins of the first player that can be forced before a book of 8 or 12 stones is asked, and "
        "avoids them. Which of them played in 2012 is not known. Here epsilon's sigmoid turns "
        "after 0.2 of the run, as in the framework unless told otherwise; on the other pages of "
        "Thill 2012 it turns after 0.3, so curves rise later, to late means that are alike "
        "(thill-sigmoid)."
    )
    late = {opponent: _late_means(curves, opponent) for opponent in OPPONENTS}
    if not all(late.values()):
        return compared, silent, NOTHING
    told = [_tell_late(late), _tell_nearest(late), _tell_gap(curves), shorter(curves)]
    return compared, paragraphs(told, silent), _summary(late)


def _compared(curves: Curves, each: PublishedCurve) -> Iterator[Compared]:
    for opponent in OPPONENTS:
        name = each.named(opponent)
        yield curves.compared_late(name, f"{name}, mean of the last 40 %", f"{each.late:.2f}")
    for opponent in OPPONENTS:
        name = each.named(opponent)
        yield curves.compared_onset(name, 0.8, f"{name}, 80 %", share_of_run(each.onset))


def _late_means(curves: Curves, opponent: str) -> list[Spread]:
    """Return the late mean of every curve with an opponent; nothing if one is missing."""
    found = [curves.late_mean(each.named(opponent)) for each in PUBLISHED]
    return [spread for spread in found if spread is not None] if None not in found else []


def _tell_late(late: Mapping[Objective, Sequence[Spread]]) -> str:
    """Put the late means of all curves side by side, opponent by opponent."""
    labels = joined([each.label for each in PUBLISHED])
    published = joined([f"{each.late:.2f}" for each in PUBLISHED])
    told = [
        f"{joined([f'{each.mean:.3f}' for each in means])} against {opponent}"
        for opponent, means in late.items()
    ]
    return f"Late means of {labels}: {'; '.join(told)}. Published are {published}."


def _tell_nearest(late: Mapping[Objective, Sequence[Spread]]) -> str:
    """Say with which opponent ours are nearest to the published ones."""
    off = {opponent: _distance(means) for opponent, means in late.items()}
    order = sorted(off, key=lambda opponent: off[opponent])
    all_off = joined([f"{off[opponent]:.3f} with {opponent}" for opponent in order])
    return f"The three are off by {all_off}, in the mean."


def _distance(late: Sequence[Spread]) -> float:
    return fmean(abs(each.mean - curve.late) for each, curve in zip(late, PUBLISHED, strict=True))


def _tell_gap(curves: Curves) -> str:
    """Say how much the opponent of the other pages is easier than the framework's, run by run."""
    gaps = [gap for each in PUBLISHED for gap in _gaps(curves, each)]
    spread = Spread.of(gaps)
    if spread is None:
        return ""
    more = "less" if spread.mean < 0 else "more"
    return (
        f"The other pages of Thill and Konen have {USUAL} as their judge. Late in a run the same "
        f"player scores {abs(spread.mean):.3f} {more} against it than against {FRAMEWORKS}, in the "
        f"mean of {count(spread.n, 'run')} of these lines (from {spread.lowest:+.3f} to "
        f"{spread.highest:+.3f})."
    )


def _gaps(curves: Curves, each: PublishedCurve) -> list[float]:
    """Return by how much the late means of every run differ between the two."""
    low, high = curves.late
    means = []
    for opponent in (USUAL, FRAMEWORKS):
        games, rows = curves[each.named(opponent)].rows()
        means.append(rows[:, (games >= low) & (games <= high)].mean(axis=1))
    usual, frameworks = means
    return [float(gap) for gap in usual - frameworks]


def _summary(late: Mapping[Objective, Sequence[Spread]]) -> str:
    """Name the late mean of the standard runs with each opponent."""
    standard = next(number for number, each in enumerate(PUBLISHED) if each.label == "P = 4")
    means = {opponent: spreads[standard].mean for opponent, spreads in late.items()}
    told = ", ".join(f"{mean:.2f} ({opponent})" for opponent, mean in means.items())
    return f"late mean with P = 4 by opponent: {told}; {PUBLISHED[standard].late:.2f} was published"
