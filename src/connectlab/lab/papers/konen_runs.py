"""What the curves of the poster of Konen 2015 have in common.

70 random walks of 8 cells, P = 4, two tables, epsilon 0.1, gamma 1, weights uniform in +-0.0005,
200 games against perfect play a judgement. Games and runs are not stated: 2 million, judged every
20,000, and ten. Nor are rewards: see ``REWARDS``. Run r of every line has tuple set r and seed r,
so lines compare pairwise.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from connectlab.agents.ntuple.config import FRAMEWORKS_HASTE
from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.experiment import Scale, Size
from connectlab.lab.papers.lines import Line, make_line, trained_of
from connectlab.lab.papers.page import Table
from connectlab.lab.papers.results import Found

SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=300, repeats=1, tests=2, points=2),
    "quick": Size(games=200_000, repeats=3, tests=100, points=10),
    "full": Size(games=2_000_000, repeats=10, tests=200, points=100),
}
SECONDS_A_TEST = 0.003
"""A game against perfect play, measured over a run: some 8 ms for a strong player at first, less
when its positions come again, and 1 ms for one that loses soon."""
SECONDS_A_CELL = 0.5
"""To make a network and a folder."""
SILENT = (
    "The poster states neither the number of games nor of runs, nor its tuple sets, and lists one "
    "alpha for all, 0.004 -> 0.002. Ours: each run has a tuple set and a seed of its own, the same "
    "ones in every line; that alpha for TDL, but 0.1 for TCL, and 0.05 with beta 2.7 for TCL-EXP, "
    "both constant. Updates are those of its Algorithm 3, by which [et] and [rep] learn from a "
    "random move that ends a game and [res] and [rr] do not: at lambda 0 nothing else tells them "
    "apart. Random walks are those of the authors' "
    "framework, no cell twice and no tuple twice; the perfect opponent draws among the best moves, "
    "in a lost opening among all that do not lose at once (the framework's also sees losses that "
    "can be forced: thill-opponents). A run that breaks down (values that are no numbers or beyond "
    "all bounds or, with a tanh, stuck at -1 or 1) counts as 0 from there on."
)
REWARDED = "framework's rewards"
"""How lines are named in which a win is worth less the later it comes."""
REWARDS = (
    "Nor does the poster state its rewards. Ours are 1, 0 and -1, as the text of 2012 has them; in "
    f"the authors' framework a win after n stones is worth 1 - {FRAMEWORKS_HASTE:g} n, as in the "
    f'lines named "{REWARDED}".'
)


BrokenTables: TypeAlias = Callable[[Curves, Found], Sequence[Table]]
"""Lists the runs that broke down."""


def line(name: str, preset: str, size: Size, **changes: object) -> Line:
    """Return runs that differ in their tuple sets and seeds."""
    measures = (f"success:games={size.tests},objective=framework",)
    vary = ("seed", "tuple_seed")
    return make_line(name, "ntuple", preset, size, changes, measures=measures, vary=vary)


def settings(what: str) -> Callable[[Size], str]:
    """Return what says what was done, in the numbers of a size."""

    def tell(size: Size) -> str:
        shorter = " Where alpha falls it does so over the whole run, so faster in a shorter one."
        return (
            f"{what}: {size.games:,} games of self-play, runs of each line: {size.repeats} "
            f"({size.seeds}, and tuple sets of the same numbers), judged by {size.tests} games "
            f"against perfect play every {size.evaluation_every:,} games."
            f"{shorter if size.games < SIZES['full'].games else ''}"
        )

    return tell


def broken_table(lines: Callable[[Size], Sequence[Line]]) -> BrokenTables:
    """Return what lists the runs that broke down; no table where none did."""

    def tables(curves: Curves, found: Found) -> Sequence[Table]:
        rows = [
            (each.name, str(cell.config["seed"]), f"{trained.games:,}")
            for each in lines(curves.size)
            for cell, trained in trained_of(each, found)
            if trained.broke_down
        ]
        heading = ("line", "seed", "games before it")
        return [Table("Runs that broke down", heading, rows)] if rows else []

    return tables


def core_minutes(lines: int, games_a_second: float) -> dict[Scale, float]:
    """Return about how long some lines take at the speed of their rules, if none is there yet."""
    return {
        scale: lines * size.repeats * _seconds(size, games_a_second) / 60
        for scale, size in SIZES.items()
    }


def _seconds(size: Size, games_a_second: float) -> float:
    judging = size.points * size.tests * SECONDS_A_TEST
    return size.games / games_a_second + judging + SECONDS_A_CELL
