"""Figure 2 of Thill 2012: one table for both players or two, three or four states of a cell."""

from collections.abc import Sequence
from operator import attrgetter

from connectlab.lab.compare import Curve
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import Compared
from connectlab.lab.papers.sentences import paragraphs, tell_late, tell_onset, which_is_higher
from connectlab.lab.papers.thill_runs import (
    NOTHING,
    PAPERS_RUNS,
    SILENT,
    STANDARD,
    line,
    shorter,
    standard,
)

CREATIONS = ("walk", "snake", "sample")
MEDIOCRE = 0.58
"""No run with one table reached this, says the paper."""
THREE = "P = 3"


# Figure 2a: one table


def one_table(size: Size) -> Sequence[Line]:
    """Return runs with one table, by how tuples are made and by the states of a cell."""
    return [
        line(f"{creation}, P = {states}", f"thill-one-table-{creation}-p{states}", size)
        for creation in CREATIONS
        for states in (3, 4)
    ]


def tell_one_table(curves: Curves) -> Told:
    """Say how far the best runs came: late, at the end, and at any judgement."""
    late, end, best = best_late(curves), best_end(curves), _best(curves, "best")
    compared = [
        _compared("best run, mean of its last 40 %", late),
        _compared("best run at the end", end),
        _compared("highest judgement of any run", best),
        *(
            curves.compared_late(group.name, f"{group.name}, late mean", "rarely wins (no number)")
            for group in curves.comparison.groups
            if group.measured
        ),
    ]
    if late is None or end is None or best is None:
        return compared, SILENT, NOTHING
    told = [
        f"The paper says that even its best run stays under {MEDIOCRE}, and not whether that is "
        f"a mean or a judgement. Here the best late mean of a run is {best_text(late)}, "
        f"{_side(late)}; the best end is {best_text(end)}, {_side(end)}; and the highest of all "
        f"judgements, each of {curves.size.tests} games, is {best_text(best)}, {_side(best)}. The "
        "verdict takes it as under that if none of ten runs of every line is above by its late "
        "mean or at its end, and as not decided if only an end is, or if there are fewer runs. "
        f"That the agent wins rarely is not counted; here {_tell_lines(curves)}.",
        shorter(curves),
    ]
    summary = (
        f"{_tell_lines(curves)}; that of the best run is {late[0]:.2f}, and the best end "
        f"{end[0]:.2f}"
    )
    return compared, paragraphs(told, SILENT), summary


def _tell_lines(curves: Curves) -> str:
    """Say from where to where the late means of the lines go."""
    late = {group.name: curves.late_mean(group.name) for group in curves.comparison.groups}
    known = {name: spread.mean for name, spread in late.items() if spread is not None}
    low, high = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    return f"late means go from {known[low]:.3f} ({low}) to {known[high]:.3f} ({high})"


Best = tuple[float, str]
"""How high, and with which line."""


def _best(curves: Curves, what: str) -> Best | None:
    """Return the highest ``last`` or ``best`` of all runs."""
    read = attrgetter(what)
    runs: list[tuple[str, Curve]] = [
        (group.name, curve) for group in curves.comparison.groups for curve in group.measured
    ]
    return max(((float(read(curve)), name) for name, curve in runs), default=None)


def best_end(curves: Curves) -> Best | None:
    """Return the highest last judgement of all runs."""
    return _best(curves, "last")


def best_late(curves: Curves) -> Best | None:
    """Return the highest late mean of all runs."""
    late = [(group.name, curves.late_mean(group.name)) for group in curves.comparison.groups]
    return max(((each.highest, name) for name, each in late if each is not None), default=None)


def _compared(what: str, best: Best | None) -> Compared:
    ours = NOTHING if best is None else best_text(best)
    return Compared(what, f"under {MEDIOCRE}", ours, None if best is None else best[0])


def best_text(best: Best) -> str:
    """Write how high, and with which line."""
    return f"{best[0]:.3f} ({best[1]})"


def _side(best: Best) -> str:
    return "under it too" if best[0] < MEDIOCRE else "not under it"


# Figure 2b: two tables


def two_tables(size: Size) -> Sequence[Line]:
    """Return runs with three and with four states of a cell."""
    return [line(THREE, "thill-p3", size), standard(size)]


def tell_two_tables(curves: Curves) -> Told:
    """Put onset, late mean and spread of both codings beside the published ones."""
    compared = [
        curves.compared_onset(THREE, 0.8, "P = 3 reaches 80 %", "5 million games (50 %)"),
        curves.compared_onset(STANDARD, 0.8, "P = 4 reaches 80 %", "4 million games (40 %)"),
        curves.compared_late(THREE, "P = 3, mean of the last 40 %", "0.84"),
        curves.compared_late(STANDARD, "P = 4, mean of the last 40 %", "0.90"),
        _compared_deviation(curves, THREE, "P = 3", "error bars (no number)"),
        _compared_deviation(curves, STANDARD, "P = 4", "less than P = 3 (no number)"),
    ]
    told = [
        tell_onset(curves, THREE, "P = 3", 0.5),
        tell_onset(curves, STANDARD, "P = 4", 0.4),
        tell_late(curves, THREE, "P = 3", 0.84, PAPERS_RUNS),
        tell_late(curves, STANDARD, "P = 4", 0.90, PAPERS_RUNS),
        _tell_deviations(curves),
        shorter(curves),
    ]
    three, four = curves.late_mean(THREE), curves.late_mean(STANDARD)
    higher = which_is_higher("P = 4", four, "P = 3", three)
    return compared, paragraphs(told, SILENT), higher


def _compared_deviation(curves: Curves, name: str, label: str, published: str) -> Compared:
    found = curves.deviation_at_points(name)
    what = f"{label}, standard deviation of the runs at a point, mean of the last 40 %"
    return Compared(what, published, NOTHING if found is None else f"{found:.3f}", found)


def _tell_deviations(curves: Curves) -> str:
    """Say whether four states spread less, point by point as the error bars of the paper."""
    three, four = curves.deviation_at_points(THREE), curves.deviation_at_points(STANDARD)
    if three is None or four is None:
        return ""
    agrees = "less, as published" if four < three else "not less, as it is in the paper"
    return (
        f"The runs deviate at a point, as error bars show it, by {three:.3f} with P = 3 and by "
        f"{four:.3f} with P = 4 (mean of the last 40 %): {agrees}. The verdict tests how much "
        "the late means of the runs deviate."
    )
