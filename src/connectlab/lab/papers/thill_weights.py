"""Table 1 of Thill 2012: weights of three and of four states, those learned, and time."""

from collections.abc import Sequence
from statistics import fmean

from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.lines import Line, trained_of
from connectlab.lab.papers.page import Compared, Table
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.sentences import paragraphs
from connectlab.lab.papers.thill_runs import NOTHING, STANDARD, shorter
from connectlab.lab.papers.thill_tables import THREE, two_tables

COUNTS = {THREE: (918_540, 304_444), STANDARD: (9_175_040, 646_693)}
"""Weights, and those that are not 0, as published."""
HOURS = {THREE: 6.75, STANDARD: 7 + 50 / 60}
"""Of ten runs on a quad-core of 2.83 GHz, as published."""
LABELS = {THREE: "P = 3", STANDARD: "P = 4"}
LEARNED = (98.0, 100.0)
"""Percent of the realisable weights that are not 0 in the end, as published."""
SILENT = (
    "Ours stores only states that can occur, so the counts of all weights are computed as the "
    "paper counts them (tables times tuples times P to the power of n). Sets of tuples differ by "
    "some 20 % in their realisable states, so the ratio is what compares. Our times are those of "
    "one core, for learning and judging together, whatever else the machine did (of a run that "
    "was killed and went on, only what came after); the paper says neither how many of its four "
    "cores worked nor whether judging is in its time."
)


def tell_weights(curves: Curves) -> Told:
    """Put shares of learned weights and times beside the published ones."""
    lines = two_tables(curves.size)
    compared = [
        *(_compared_share(each, curves.found) for each in lines),
        *(_compared_time(each, curves) for each in lines),
    ]
    told = [sentence for each in lines if (sentence := _tell_share(each, curves.found))]
    more = [sentence for each in lines if (sentence := _tell_count(each, curves.found))]
    why = paragraphs([*told, *more, shorter(curves)], SILENT)
    shares = [share for each in lines for share in learned_percent(each, curves.found)]
    summary = f"{range_text(shares)} of the realisable weights are learned" if shares else NOTHING
    return compared, why, summary


def _compared_share(each: Line, found: Found) -> Compared:
    """Return how many of the realisable weights are learned; which these are, sets decide."""
    low, high = LEARNED
    what = f"{LABELS[each.name]}, share of the realisable weights that is learned"
    shares = learned_percent(each, found)
    ours = range_text(shares) if shares else NOTHING
    return Compared(what, f"{low:.0f} to {high:.0f} %", ours, fmean(shares) if shares else None)


def _compared_time(each: Line, curves: Curves) -> Compared:
    """Return the core time of a run, judging included, beside the published time."""
    results = [result for cell in each.cells if (result := curves.found.get(cell)) is not None]
    what, published = (
        f"{LABELS[each.name]}, time",
        f"{HOURS[each.name]:.2f} h for ten runs, four cores",
    )
    if not results:
        return Compared(what, published, NOTHING)
    minutes = sum(result.seconds for result in results) / len(results) / 60
    ours = (
        f"{minutes:.1f} minutes of one core for a run of {curves.size.games:,} games, judging "
        "included"
    )
    return Compared(what, published, ours, minutes)


def learned_percent(line: Line, found: Found) -> list[float]:
    """Return how many percent of its realisable weights each run has learned, to a tenth."""
    return [round(100 * n["non_zero"] / n["realisable"], 1) for n in _counts(line, found)]


def _counts(line: Line, found: Found) -> list[dict[str, int]]:
    return [dict(trained.weights) for _, trained in trained_of(line, found) if trained.weights]


def _tell_share(line: Line, found: Found) -> str:
    shares = learned_percent(line, found)
    if not shares:
        return ""
    low, high = LEARNED
    stands = "within" if min(shares) >= low else "rounded within"
    if round(min(shares)) < low:
        stands = "less than" if round(max(shares)) < low else "in some runs less than"
    return (
        f"Of its realisable weights {LABELS[line.name]} has learned {range_text(shares)}, "
        f"{stands} the published {low:.0f} to {high:.0f} %."
    )


def _tell_count(line: Line, found: Found) -> str:
    """Say how many weights are learned beside the published number, of one set each."""
    counts = _counts(line, found)
    if not counts:
        return ""
    ours, theirs = counts[0]["non_zero"], COUNTS[line.name][1]
    return (
        f"The {ours:,} learned weights of {LABELS[line.name]} are {ours / theirs:.2f} times the "
        f"published {theirs:,}."
    )


def range_text(shares: Sequence[float]) -> str:
    """Write percentages, such as "98.5 %" or "97.7 to 98.5 %"."""
    ends = dict.fromkeys(f"{end:.1f}" for end in (min(shares), max(shares)))
    return f"{' to '.join(ends)} %"


def weight_table(curves: Curves, found: Found) -> Sequence[Table]:
    """Return the weights of each coding, ours beside theirs."""
    rows = []
    for each in two_tables(curves.size):
        published, non_zero = COUNTS[each.name]
        counts = _counts(each, found)
        if counts:
            first = counts[0]
            rows.append(
                (
                    each.name,
                    f"{published:,}",
                    f"{first['all']:,}",
                    f"{non_zero:,}",
                    f"{first['non_zero']:,}",
                    f"{first['realisable']:,}",
                    range_text(learned_percent(each, found)),
                )
            )
    headings = (
        "coding",
        "weights, published",
        "ours",
        "non-zero, published",
        "ours (seed 1)",
        "realisable",
        "learned (published 98 to 100 %)",
    )
    return [Table("Weights", headings, rows)]
