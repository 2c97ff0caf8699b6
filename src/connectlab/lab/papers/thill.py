"""Thill, Koch and Konen 2012, "Reinforcement Learning with N-tuples on the Game Connect-4".

Common to all: 70 random walks of 8 cells, two tables, P = 4, weights that begin at 0, no traces,
alpha 0.01 -> 0.001, epsilon 0.95 -> 0.1 along a sigmoid, 10 million games of self-play, 50 games
against perfect play every 100,000, ten runs.
"""

from collections.abc import Callable, Mapping, Sequence

from connectlab.lab.papers.curves import Curves, CurvesExperiment, Told
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.lines import Line, make_line, trained_of
from connectlab.lab.papers.page import Compared, Table
from connectlab.lab.papers.results import Found
from connectlab.lab.papers.thill_index import IndexExperiment
from connectlab.lab.papers.thill_sets import again, other_sets, tell_sets, tuple_set_table
from connectlab.lab.statistics import Spread

PAPER = "Thill 2012"
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=1_000, repeats=2, tests=4, points=4),
    "quick": Size(games=500_000, repeats=3, tests=50, points=25),
    "full": Size(games=10_000_000, repeats=10, tests=50, points=100),
}
GAMES_A_MINUTE = 1_500_000
"""What one core learns and judges at the full scale."""
STANDARD = "standard: P = 4"
TUNED = "alpha 0.004 -> 0.002"
NOTHING = "not computed"
SILENT = (
    "The paper gives neither the shape of epsilon's sigmoid (docs/ntuple.md tells how ours was "
    "chosen) nor its tuple sets: ours are walks that never meet themselves, as the authors' "
    "framework draws them, by our seeds, and sets differ more than runs do (Figure 3a). Its "
    "perfect player draws among equally good moves; how it defends lost positions is not said, and "
    "ours does as that of the framework. No random move is learned from, as the text says."
)
CREATIONS = ("walk", "snake", "sample")
FINAL_ALPHAS = ("0.004", "0.006", "0.01")
EPSILONS = {
    "epsilon 0.1": "constant",
    "epsilon 0.95 -> 0.1, linear": "linear",
    "epsilon 0.95 -> 0.1, exponential": "exponential",
    "epsilon 0.5 -> 0.1, linear": "half",
}
"""Lines by the ends of their presets' names."""


def judged_by(size: Size) -> tuple[str, ...]:
    """Return the measure of the paper, with the games of a size."""
    return (f"success:games={size.tests},objective=framework",)


def line(name: str, preset: str, size: Size) -> Line:
    """Return runs on one tuple set that differ in the seed of their games."""
    return make_line(name, "ntuple", preset, size, measures=judged_by(size), counts_weights=True)


def standard(size: Size) -> Line:
    """Return the runs that most figures have in common."""
    return line(STANDARD, "thill-p4", size)


def settings(what: str) -> Callable[[Size], str]:
    """Return what says what was done, in the numbers of a size."""

    def tell(size: Size) -> str:
        shorter = " Alpha and epsilon fall over the whole run, so a shorter run has faster ones."
        return (
            f"{what}: {size.games:,} games of self-play, {size.repeats} runs of each line, judged "
            f"by {size.tests} games against perfect play every {size.evaluation_every:,} games."
            f"{shorter if size.games < SIZES['full'].games else ''}"
        )

    return tell


def core_minutes(lines: int, *, shared: int = 0) -> dict[Scale, float]:
    """Return about how long an experiment takes whose lines are not all its own."""
    return {
        scale: (lines - shared) * size.games * size.repeats / GAMES_A_MINUTE + 0.1 * lines
        for scale, size in SIZES.items()
    }


# Figure 2a: one table


def _one_table(size: Size) -> Sequence[Line]:
    return [
        line(f"{creation}, P = {states}", f"thill-one-table-{creation}-p{states}", size)
        for creation in CREATIONS
        for states in (3, 4)
    ]


def _tell_one_table(curves: Curves) -> Told:
    late = {
        group.name: curves.late_mean(group.name)
        for group in curves.comparison.groups
        if group.measured
    }
    best = max((each.highest for each in late.values() if each is not None), default=None)
    ours = NOTHING if best is None else f"{best:.2f}"
    compared = [
        Compared("best run, mean of its last 40 %", "under 0.58", ours, best),
        *(
            curves.compared_late(name, f"{name}, late mean", "rarely wins (no number)")
            for name in late
        ),
    ]
    summary = NOTHING if best is None else f"with one table the best run ends at {ours}"
    return compared, f"{SILENT} The paper tells of this figure only that nothing wins.", summary


# Table 1 and Figure 2b: two tables


def _two_tables(size: Size) -> Sequence[Line]:
    return [line("P = 3", "thill-p3", size), standard(size)]


def _tell_two_tables(curves: Curves) -> Told:
    compared = [
        curves.compared_onset("P = 3", 0.8, "P = 3 reaches 80 %", "5 million games (50 %)"),
        curves.compared_onset(STANDARD, 0.8, "P = 4 reaches 80 %", "4 million games (40 %)"),
        curves.compared_late("P = 3", "P = 3, mean of the last 40 %", "0.84"),
        curves.compared_late(STANDARD, "P = 4, mean of the last 40 %", "0.90, less spread"),
    ]
    three, four = curves.late_mean("P = 3"), curves.late_mean(STANDARD)
    return compared, SILENT, which_is_higher("P = 4", four, "P = 3", three)


def which_is_higher(name: str, spread: Spread | None, other: str, than: Spread | None) -> str:
    """Say in a line which of two late means is higher, and by how much."""
    if spread is None or than is None:
        return NOTHING
    gap = spread.mean - than.mean
    word = "above" if gap >= 0 else "below"
    return f"{name} ends at {spread.mean:.2f}, {abs(gap):.2f} {word} {other}"


COUNTS = {"P = 3": (918_540, 304_444), STANDARD: (9_175_040, 646_693)}
"""Weights, and those that are not 0, as published."""
HOURS = {"P = 3": 6.75, STANDARD: 7 + 50 / 60}
"""Of ten runs on a quad-core of 2.83 GHz, as published."""


def _tell_counts(curves: Curves) -> Told:
    compared = []
    for name, hours in HOURS.items():
        seconds = [curve.seconds for curve in curves[name].curves]
        ours = NOTHING
        if seconds:
            mean = sum(seconds) / len(seconds)
            ours = f"{mean / 60:.1f} minutes a run of {curves.size.games:,} games in one process"
        compared.append(Compared(f"{name}, time", f"{hours:.2f} h for ten runs, four cores", ours))
    why = (
        "Ours stores only states that can occur, so the counts of all weights are computed as the "
        "paper counts them (tables times tuples times P to the power of n). Sets of tuples differ "
        "by some 20 % in their realisable states, so the ratio is what compares. Times are those "
        "of learning alone, by the clock on the wall: on a busy machine they are too long."
    )
    shares = [share for each in _two_tables(curves.size) for share in _learned(each, curves.found)]
    told = f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %" if shares else ""
    return compared, why, f"{told} of the realisable weights are learned" if told else NOTHING


def _learned(line: Line, found: Found) -> list[float]:
    """Return the share of its realisable weights that each run has learned."""
    counts = [trained.weights for _, trained in trained_of(line, found) if trained.weights]
    return [count["non_zero"] / count["realisable"] for count in counts]


def _count_table(curves: Curves, found: Found) -> Sequence[Table]:
    """Return the weights of each coding, ours beside theirs."""
    rows = []
    for each in _two_tables(curves.size):
        published, non_zero = COUNTS[each.name]
        counts = [trained.weights for _, trained in trained_of(each, found) if trained.weights]
        if counts:
            learned = _learned(each, found)
            first = counts[0]
            rows.append(
                (
                    each.name,
                    f"{published:,}",
                    f"{first['all']:,}",
                    f"{non_zero:,}",
                    f"{first['non_zero']:,}",
                    f"{first['realisable']:,}",
                    f"{100 * min(learned):.1f} to {100 * max(learned):.1f} %",
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


# Figure 3b, and what the text says of alpha and epsilon


def _tuned(size: Size) -> Sequence[Line]:
    return [standard(size), line(TUNED, "thill-tuned", size)]


def _tell_tuned(curves: Curves) -> Told:
    compared = [
        curves.compared_onset(STANDARD, 0.8, "standard reaches 80 %", "4 million games (40 %)"),
        curves.compared_onset(TUNED, 0.8, "tuned reaches 80 %", "2 million games (20 %)"),
        curves.compared_late(STANDARD, "standard, mean of the last 40 %", "0.90"),
        curves.compared_late(TUNED, "tuned, mean of the last 40 %", "0.92"),
    ]
    tuned, plain = curves.late_mean(TUNED), curves.late_mean(STANDARD)
    return compared, SILENT, which_is_higher("tuned alpha", tuned, "standard", plain)


def _alpha_name(final: str) -> str:
    return f"alpha 0.01 -> {final}"


def _alphas(size: Size) -> Sequence[Line]:
    lines = [line(_alpha_name(final), f"thill-alpha-{final}", size) for final in FINAL_ALPHAS]
    return [standard(size), *lines]


def _tell_alphas(curves: Curves) -> Told:
    compared = [
        curves.compared_late(
            _alpha_name(final), f"{_alpha_name(final)}, late mean", "learns nothing"
        )
        for final in FINAL_ALPHAS
    ]
    onset = curves.compared_onset(
        STANDARD, 0.8, "standard reaches 80 %", "4 million games, where alpha falls below 0.004"
    )
    ends = [each.value for each in compared if each.value is not None]
    why = (
        f"{SILENT} Alpha falls exponentially from 0.01 to 0.001, so it passes 0.004 after 40 % of "
        "the run; whether learning sets in there, or where epsilon has fallen, is seen "
        "by comparing with `thill-epsilon`."
    )
    told = f"final alphas of 0.004 and more end at {max(ends):.2f} at best" if ends else ""
    return [*compared, onset], why, told or NOTHING


def _epsilons(size: Size) -> Sequence[Line]:
    lines = [line(name, f"thill-epsilon-{end}", size) for name, end in EPSILONS.items()]
    return [standard(size), *lines]


def _tell_epsilons(curves: Curves) -> Told:
    names = [STANDARD, *EPSILONS]
    compared = [
        curves.compared_late(
            name, f"{name}, late mean", "0.90" if name == STANDARD else "little change (no number)"
        )
        for name in names
    ]
    values = [each.value for each in compared if each.value is not None]
    told = f"late means from {min(values):.2f} to {max(values):.2f}" if values else NOTHING
    return compared, f"{SILENT} Which schedules were tried is not said; these are ours.", told


EXPERIMENTS: list[Experiment] = [
    CurvesExperiment(
        name="thill-table1",
        paper=PAPER,
        title="Weights and time, three or four states of a cell (Table 1)",
        published="918,540 and 9,175,040 weights, 304,444 and 646,693 of them learned",
        sizes=SIZES,
        core_minutes=core_minutes(2),
        lines=_two_tables,
        settings=settings("One tuple set, two tables"),
        tell=_tell_counts,
        tables=_count_table,
    ),
    IndexExperiment(
        name="thill-fig1",
        paper="Thill 2012 and Konen 2015",
        title="The index of a tuple (Figure 1 and the poster)",
        published="k = 91; xi = 99 and 102",
        sizes={scale: Size() for scale in SIZES},
        core_minutes=dict.fromkeys(SIZES, 0.0),
    ),
    CurvesExperiment(
        name="thill-fig2a",
        paper=PAPER,
        title="One table for both players learns little (Figure 2a)",
        published="rarely wins; the best run stays under 0.58",
        sizes=SIZES,
        core_minutes=core_minutes(6),
        lines=_one_table,
        settings=settings("One table; walks, snakes and samples of 70 tuples"),
        tell=_tell_one_table,
        levels={"0.58 published as never reached": 0.58},
    ),
    CurvesExperiment(
        name="thill-fig2b",
        paper=PAPER,
        title="Two tables, three or four states of a cell (Figure 2b)",
        published="P = 3: 80 % after 5 million games, 0.84 late; P = 4: 4 million, 0.90",
        sizes=SIZES,
        core_minutes=core_minutes(2),
        lines=_two_tables,
        settings=settings("One tuple set, two tables"),
        tell=_tell_two_tables,
        levels={"0.84 published, P = 3": 0.84, "0.90 published, P = 4": 0.90},
    ),
    CurvesExperiment(
        name="thill-fig3a",
        paper=PAPER,
        title="Ten tuple sets (Figure 3a)",
        published="10 % lower than the standard set and more spread; one set fails (under 0.1)",
        sizes=SIZES,
        core_minutes=core_minutes(3, shared=1),
        lines=lambda size: [standard(size), other_sets(size), again(size)],
        settings=settings("The standard set, other sets, and these again with other games"),
        tell=lambda curves: tell_sets(curves, STANDARD, SILENT),
        tables=tuple_set_table,
    ),
    CurvesExperiment(
        name="thill-fig3b",
        paper=PAPER,
        title="A tuned learning rate (Figure 3b)",
        published="80 % after 2 instead of 4 million games, 0.92 instead of 0.90",
        sizes=SIZES,
        core_minutes=core_minutes(2, shared=1),
        lines=_tuned,
        settings=settings("One tuple set"),
        tell=_tell_tuned,
        levels={"0.90 published, standard": 0.90, "0.92 published, tuned": 0.92},
    ),
    CurvesExperiment(
        name="thill-alpha",
        paper=PAPER,
        title="Final learning rates of 0.004 and more (Section 4)",
        published="learns nothing; learning sets in where alpha falls below 0.004",
        sizes=SIZES,
        core_minutes=core_minutes(1 + len(FINAL_ALPHAS), shared=1),
        lines=_alphas,
        settings=settings("One tuple set"),
        tell=_tell_alphas,
    ),
    CurvesExperiment(
        name="thill-epsilon",
        paper=PAPER,
        title="Other schedules of exploration (Section 4)",
        published="little change",
        sizes=SIZES,
        core_minutes=core_minutes(1 + len(EPSILONS), shared=1),
        lines=_epsilons,
        settings=settings("One tuple set"),
        tell=_tell_epsilons,
    ),
]
