"""What the runs of Thill, Koch and Konen 2012 have in common.

70 random walks of 8 cells, two tables, P = 4, weights that begin at 0, no traces, alpha 0.01 ->
0.001, epsilon 0.95 -> 0.1 along a sigmoid, 10 million games of self-play, 50 games against perfect
play every 100,000, ten runs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.experiment import Scale, Size
from connectlab.lab.papers.lines import Line, make_line
from connectlab.lab.statistics import FEWEST

PAPER = "Thill 2012"
PAPERS_RUNS = 10
"""What the paper's means are means of."""
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=1_000, repeats=2, tests=4, points=4),
    "quick": Size(games=500_000, repeats=3, tests=50, points=25),
    "full": Size(games=10_000_000, repeats=PAPERS_RUNS, tests=50, points=100),
}
FEWER_RUNS: Mapping[Scale, Size] = {**SIZES, "full": replace(SIZES["full"], repeats=FEWEST)}
"""For what was measured for these pages and not published, so that no number of runs is given."""
GAMES_A_MINUTE = 3_200_000
"""What one core learns and judges at the full scale."""
STANDARD = "standard: P = 4"
NOTHING = "not computed"
SILENT = (
    "The paper gives neither the shape of epsilon's sigmoid (docs/ntuple.md tells how ours was "
    "chosen) nor its tuple sets: ours are walks that never meet themselves, as the authors' "
    "framework draws them, by our seeds; the paper finds that sets differ more than runs do "
    "(Figure 3a). Its perfect player draws among equally good moves; which moves of a lost "
    "position are equally good is not said. Ours draws in the opening among all that do not lose "
    "at once, and takes the most distant loss later; that of the framework, as its code "
    "stands today, also sees losses that can be forced, and against it late means are some 0.05 "
    "lower (thill-opponents): what agrees here agrees by our judge. No random move is learned "
    "from, as the text says."
)


@dataclass(frozen=True)
class PublishedCurve:
    """A curve of Figure 2b or 3b."""

    label: str
    preset: str
    late: float
    """Its mean from 6 to 10 million games."""
    onset: float
    """When it reaches 80 %, as a share of the run."""

    def named(self, variant: str) -> str:
        """Return the name of a line that is this curve in some way."""
        return f"{self.label}, {variant}"


PUBLISHED = (
    PublishedCurve("P = 3", "thill-p3", 0.84, 0.5),
    PublishedCurve("P = 4", "thill-p4", 0.90, 0.4),
    PublishedCurve("tuned", "thill-tuned", 0.92, 0.2),
)


def judged_by(size: Size) -> tuple[str, ...]:
    """Return the measure of the paper, with the games of a size."""
    return (f"success:games={size.tests},objective=framework",)


def line(name: str, preset: str, size: Size, **changes: object) -> Line:
    """Return runs on one tuple set that differ in the seed of their games."""
    measures = judged_by(size)
    return make_line(name, "ntuple", preset, size, changes, measures=measures, counts_weights=True)


def standard(size: Size) -> Line:
    """Return the runs that most figures have in common."""
    return line(STANDARD, "thill-p4", size)


def settings(what: str, seeds: Callable[[Size], str] | None = None) -> Callable[[Size], str]:
    """Return what says what was done, in the numbers of a size.

    ``seeds`` tells the seeds where they are not the same ones in every line.
    """

    def tell(size: Size) -> str:
        which = size.seeds if seeds is None else seeds(size)
        faster = " Alpha and epsilon fall over the whole run, so a shorter run has faster ones."
        return (
            f"{what}: {size.games:,} games of self-play, runs of each line: {size.repeats} "
            f"({which}), judged by {size.tests} games against perfect play every "
            f"{size.evaluation_every:,} games.{faster if is_short(size) else ''}"
        )

    return tell


def is_short(size: Size) -> bool:
    """Say whether runs are shorter than those of the paper."""
    return size.games < SIZES["full"].games


def shorter(curves: Curves) -> str:
    """Say what runs shorter than the paper's may have to do with a difference."""
    size = curves.size
    if not is_short(size) or not any(group.measured for group in curves.comparison.groups):
        return ""
    return (
        f"Runs are shorter here than the paper's, {size.games:,} games instead of "
        f"{SIZES['full'].games:,}, and alpha and epsilon fall as much faster: any difference may "
        "be that."
    )


def core_minutes(lines: int, sizes: Mapping[Scale, Size] = SIZES) -> dict[Scale, float]:
    """Return about how long an experiment takes where none of its runs is there yet."""
    return {
        scale: lines * (size.games * size.repeats / GAMES_A_MINUTE + 0.1)
        for scale, size in sizes.items()
    }
