"""The runs of Faußer 2008: five networks, which both of its tables are about.

So both have the same cells: the winning quota is measured while they learn, the games of Table 3
are played at the end.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from connectlab.arena.statistics import Interval, wilson
from connectlab.lab.papers.cells import TrainingCell, training_cell
from connectlab.lab.papers.experiment import Scale, Size
from connectlab.lab.papers.results import Found, Trained
from connectlab.lab.statistics import FEWEST
from connectlab.training.measurement import Figure, Measurement

PAPER = "Faußer 2008"
QUOTA = "winning_quota"
MOST_EPISODES = 14_000_000
"""Of networks 1, 2, 3 and 5: what the games of a size stand for."""
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=1_400, repeats=1, tests=200, points=7),
    "quick": Size(games=700_000, repeats=2, tests=20_000, points=7),
    "full": Size(games=MOST_EPISODES, repeats=5, tests=500_000, points=7),
}
CORE_MINUTES: Mapping[Scale, float] = {"mini": 0.2, "quick": 3, "full": 60}
"""One run of each network learns for 606 s of one core at the scale of the paper (119, 105, 134, 55
and 193 s); judgements and matches are a fifth of it on top."""
PUBLISHED_TESTS = 500_000
"""Games that the paper judges a network by."""
TESTS_A_MATCH = 1_000
"""Games of a quota for each game of a match: the paper has 500,000 and 500."""
FEWEST_MATCH_GAMES = 2


class Published(NamedTuple):
    """A row of Table 2."""

    episodes: int
    quota: float

    @property
    def interval(self) -> Interval:
        """95 % by the games that judged it: Wilson's of the share that was won, as a quota.

        Drawn games are left out; of the paper's nothing is told, and ours are one in ten thousand.
        """
        won = round(PUBLISHED_TESTS * self.quota / (self.quota + 1))
        low, high = wilson(won, PUBLISHED_TESTS)
        return Interval(low / (1 - low), high / (1 - high))

    def agrees(self, quotas: "Sequence[Figure | None]") -> bool | None:
        """Say whether our runs reach around it; None of too few."""
        if len(quotas) < FEWEST:
            return None
        ours = [quota_value(each) for each in quotas]
        low, high = self.interval
        return min(ours) <= high and low <= max(ours)


@dataclass(frozen=True)
class Network:
    """One of the five networks, as Table 2 describes it."""

    number: int
    hidden: int
    eta: str
    rows: tuple[Published, ...]
    levels: str = "ab"
    """The difficulties of Velena that Table 3 has games against."""

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"network {self.number}"

    @property
    def preset(self) -> str:
        """Its settings."""
        return f"mlp-{self.number}"

    def games(self, size: Size) -> int:
        """Return the games of its training: in the proportion of the paper's."""
        return size.games * self.rows[-1].episodes // MOST_EPISODES

    def cells(self, size: Size) -> tuple[TrainingCell, ...]:
        """Return its runs, which differ in their seeds."""
        return tuple(self._cell(size, seed) for seed in range(1, size.repeats + 1))

    def _cell(self, size: Size, seed: int) -> TrainingCell:
        return training_cell(
            "mlp",
            self.preset,
            {"games": self.games(size), "seed": seed},
            measures=(f"quota:games={size.tests}",),
            evaluation_every=size.evaluation_every,
            final=tuple(match_measure(level, side, size) for level, side in self.matches),
        )

    @property
    def matches(self) -> tuple[tuple[str, str], ...]:
        """Level and side of its matches."""
        return tuple((level, side) for level in self.levels for side in ("first", "second"))


NETWORKS = (
    Network(
        1,
        40,
        "0.1, 0.05, 0.025",
        (
            Published(2_000_000, 146.00),
            Published(6_000_000, 246.63),
            Published(14_000_000, 317.66),
        ),
    ),
    Network(2, 60, "0.1 to 0.025", (Published(14_000_000, 722.56),)),
    Network(3, 100, "0.1 to 0.025", (Published(14_000_000, 1245.86),)),
    Network(4, 120, "0.5 to 0.03125", (Published(6_000_000, 1514.14),)),
    Network(5, 250, "0.5 to 0.0625", (Published(14_000_000, 5049.42),), levels="abc"),
)


def match_games(size: Size) -> int:
    """Return the games of a match of Table 3: 500 at the scale of the paper."""
    return max(FEWEST_MATCH_GAMES, size.tests // TESTS_A_MATCH)


def match_measure(level: str, side: str, size: Size) -> str:
    """Return the measure of the games from one side against a level of allis."""
    return f'score:"allis:level={level}",games={match_games(size)},sides={side}'


def all_cells(size: Size) -> tuple[TrainingCell, ...]:
    """Return the runs of all networks, the first of each before the second of any."""
    return tuple(
        cell
        for repeat in zip(*(network.cells(size) for network in NETWORKS), strict=True)
        for cell in repeat
    )


class Run(NamedTuple):
    """A run that was made, and its seed."""

    seed: int
    trained: Trained

    def measurement(self, games: int) -> Measurement | None:
        """Return how it was judged at a number of games, or at the first judgement after it."""
        rows = (row for row in self.trained.evaluations if row.games >= games)
        return next((row.first for row in rows), None)

    def quota(self, games: int) -> Figure | None:
        """Return its winning quota then."""
        found = self.measurement(games)
        return None if found is None else found.find(QUOTA)


def runs_of(network: Network, found: Found, size: Size) -> list[Run]:
    """Return the runs of a network that were computed."""
    return list(_runs(network, found, size))


def _runs(network: Network, found: Found, size: Size) -> Iterator[Run]:
    for cell in network.cells(size):
        result = found.get(cell)
        if result is not None:
            yield Run(cell.learner_config.seed, Trained.of(result))


def seeds_text(size: Size) -> str:
    """Say how many runs a network has and which seeds they have."""
    if size.repeats == 1:
        return "one run of each with seed 1"
    return f"{size.repeats} runs of each with seeds 1 to {size.repeats}"


def made_text(runs: Mapping[Network, Sequence[Run]], size: Size) -> str:
    """Say which runs were made, where that is not all of them."""
    made = {network.name: [str(run.seed) for run in runs[network]] for network in NETWORKS}
    if all(len(seeds) == size.repeats for seeds in made.values()):
        return ""
    known = [f"{name} with seed {', '.join(seeds)}" for name, seeds in made.items() if seeds]
    return f" Made so far: {'; '.join(known) or 'none'}."


def quota_value(figure: Figure | None) -> float:
    """Return a quota as a number: none where a run broke down, endless where nothing was lost."""
    if figure is None:
        return 0.0
    return math.inf if figure.value is None else figure.value


def median_quota(figures: Sequence[Figure | None]) -> float | None:
    """Return the median quota; a run that broke down counts as the lowest."""
    return median(quota_value(figure) for figure in figures) if figures else None


def quota_text(value: float) -> str:
    """Write a quota."""
    return "nothing lost" if math.isinf(value) else f"{value:,.0f}"


def figure_text(figure: Figure | None) -> str:
    """Write a measured quota with its interval."""
    if figure is None:
        return "broke down"
    low, high = figure.interval or (0.0, None)
    return (
        f"{quota_text(quota_value(figure))} [{low:,.0f}, {'…' if high is None else f'{high:,.0f}'}]"
    )
