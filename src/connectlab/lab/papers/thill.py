"""Thill, Koch and Konen 2012, "Reinforcement Learning with N-tuples on the Game Connect-4".

Common to all: 70 random walks of 8 cells, two tables, P = 4, weights that begin at 0, no traces,
alpha 0.01 -> 0.001, epsilon 0.95 -> 0.1 along a sigmoid, 10 million games of self-play, 50 games
against perfect play every 100,000, ten runs.
"""

from collections.abc import Mapping, Sequence

from connectlab.lab.papers.curves import Curves, CurvesExperiment, Told
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.lines import Line, make_line
from connectlab.lab.statistics import Spread

PAPER = "Thill 2012"
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=2_000, repeats=2, tests=4, points=4),
    "quick": Size(games=500_000, repeats=3, tests=50, points=50),
    "full": Size(games=10_000_000, repeats=10, tests=50, points=100),
}
STANDARD = "standard: P = 4"
SILENT = (
    "The paper gives neither the shape of epsilon's sigmoid nor its tuple sets: the sets are drawn "
    "by our seeds, and sets differ more than runs do (Figure 3a)."
)


def line(name: str, preset: str, size: Size, **changes: object) -> Line:
    """Return runs on one tuple set that differ in the seed of their games."""
    measures = (f"success:games={size.tests}",)
    return make_line(name, "ntuple", preset, size, changes, measures=measures, counts_weights=True)


def standard(size: Size) -> Line:
    """Return the runs that most figures have in common."""
    return line(STANDARD, "thill-p4", size)


def _settings(what: str) -> "_Settings":
    return _Settings(what)


class _Settings:
    """Says what was done, in the numbers of a size."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __call__(self, size: Size) -> str:
        every = size.evaluation_every
        return (
            f"{self.what}, {size.games:,} games of self-play, {size.repeats} runs of each line, "
            f"judged by {size.tests} games against perfect play every {every:,} games. Where the "
            "run is shorter than the paper's, alpha and epsilon fall accordingly faster."
        )


def _two_tables(size: Size) -> Sequence[Line]:
    return [line("P = 3", "thill-p3", size), standard(size)]


def _tell_two_tables(curves: Curves) -> Told:
    compared = [
        curves.compared_onset("P = 3", 0.8, "P = 3 reaches 80 %", "5 million games (50 %)"),
        curves.compared_onset(STANDARD, 0.8, "P = 4 reaches 80 %", "4 million games (40 %)"),
        curves.compared_late("P = 3", "P = 3, mean over 6 to 10 million", "0.84"),
        curves.compared_late(STANDARD, "P = 4, mean over 6 to 10 million", "0.90, less spread"),
    ]
    three, four = curves.late_mean("P = 3"), curves.late_mean(STANDARD)
    return compared, SILENT, _which_is_higher("P = 4", four, "P = 3", three)


def _which_is_higher(name: str, spread: Spread | None, other: str, than: Spread | None) -> str:
    """Say in a line which of two late means is higher, and by how much."""
    if spread is None or than is None:
        return "not computed"
    gap = spread.mean - than.mean
    word = "above" if gap >= 0 else "below"
    return f"{name} ends at {spread.mean:.2f}, {abs(gap):.2f} {word} {other}"


EXPERIMENTS: list[Experiment] = [
    CurvesExperiment(
        name="thill-fig2b",
        paper=PAPER,
        title="Two tables, three or four states of a cell (Figure 2b)",
        published="P = 3 reaches 80 % after 5 million games and 0.84 late; P = 4 after 4 million, 0.90",
        sizes=SIZES,
        lines=_two_tables,
        settings=_settings("One tuple set, two tables"),
        tell=_tell_two_tables,
        levels={"0.84 published, P = 3": 0.84, "0.90 published, P = 4": 0.90},
    ),
]
