"""Beyond the papers: which learner is best for its games, for its time and for its size.

Every learner is trained by its own preset and judged by the same measures on the way: moves in
solved positions, and games against perfect play and against chance. The trained players that come
along are put on the same bench, and so is one that plays at random. ``learners_told`` puts into
words what came out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from connectlab.lab.papers.cells import (
    Cell,
    MeasuringCell,
    TrainingCell,
    measuring_cell,
    training_cell,
)
from connectlab.lab.papers.dangel_runs import shrunk_settings
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.index import GLANCE
from connectlab.lab.papers.learners_plot import pictures
from connectlab.lab.papers.learners_told import (
    KEYS,
    Runs,
    end_table,
    mark_tables,
    sentences,
    shipped_table,
    value_of,
)
from connectlab.lab.papers.lines import Line, by_repeat, trained_of
from connectlab.lab.papers.page import Report
from connectlab.lab.papers.results import Found, Trained, measured_of
from connectlab.lab.wording import count
from connectlab.training.measurement import Measurement

WHOLE = 1_000
"""``Size.games`` here counts thousandths of each learner's own number of games."""
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=1, repeats=1, tests=4, points=2),
    "quick": Size(games=50, repeats=2, tests=50, points=10),
    "full": Size(games=WHOLE, repeats=3, tests=100, points=20),
}
TIME = (
    "Time is that of the fastest run of a learner, in one process, by the clock on the wall of a "
    "machine that had other work, judging left out"
)
SHIPPED = (
    "ntuple:champion",
    "ntuple:hardened",
    "dqn:best",
    "mlp:best",
    "qtable:cheng-known",
    "random",
)
"""Trained players that come along, and one that knows nothing."""


@dataclass(frozen=True)
class Pupil:
    """A learner as it is trained here."""

    name: str
    learner: str
    preset: str
    games: int
    """Of the whole run."""
    changes: Mapping[str, object] = field(default_factory=dict)
    shorter: Callable[[int], Mapping[str, object]] = lambda games: {}
    """What else changes in a run of so many games."""


PUPILS = (
    Pupil("ntuple, quick", "ntuple", "quick", 750_000),
    Pupil("ntuple, champion's recipe", "ntuple", "champion", 4_000_000),
    Pupil("mlp, Faußer's fifth", "mlp", "mlp-5", 14_000_000),
    Pupil("mlp, best", "mlp", "best", 14_000_000),
    Pupil("qtable, known states", "qtable", "quick", 2_000_000),
    Pupil("dqn, Dangel's 0.7", "dqn", "table3-0.7", 20_000, {"device": "cpu"}, shrunk_settings),
)


def measures(size: Size) -> tuple[str, ...]:
    """Return what judges everybody."""
    return (
        f"accuracy:per_class={size.tests}",
        f"success:games={size.tests}",
        f"quota:games={10 * size.tests}",
    )


def lines(size: Size) -> list[Line]:
    """Return the runs of every learner."""
    return [Line(each.name, _cells(each, size)) for each in PUPILS]


def _cells(pupil: Pupil, size: Size) -> tuple[TrainingCell, ...]:
    games = max(size.points, pupil.games * size.games // WHOLE)
    return tuple(
        training_cell(
            pupil.learner,
            pupil.preset,
            {**pupil.changes, **pupil.shorter(games), "games": games, "seed": seed},
            measures=measures(size),
            evaluation_every=max(1, games // size.points),
        )
        for seed in range(1, size.repeats + 1)
    )


def benches(size: Size) -> tuple[MeasuringCell, ...]:
    """Return the measurements of those who learn no more."""
    return tuple(measuring_cell(player, measures(size)) for player in SHIPPED)


@dataclass(frozen=True, kw_only=True)
class LearnersExperiment(Experiment):
    """All learners side by side, over games and over time."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return those who learn no more, a run of every learner, then a second of each."""
        return (*benches(size), *by_repeat(lines(size)))

    def report(self, found: Found, size: Size) -> Report:
        """Say who is best for what."""
        runs = {line.name: [run for _, run in trained_of(line, found)] for line in lines(size)}
        there = Runs({name: each for name, each in runs.items() if each}, _positions(size))
        shipped = _shipped(found, size)
        told, ends = sentences(there, shipped), end_table(there)
        return Report(
            settings=_settings(size),
            compared=(),
            differences="No paper compares these learners with each other. Each learns by the "
            "settings that its paper, or our search, found for it; a learner that is best for its "
            "games here may not be so with other settings. The players that come along were chosen "
            "among several runs; dqn:best learned on a graphics processor.",
            tables=[ends, shipped_table(shipped), *mark_tables(there)],
            pictures=pictures(there.by_name),
            data={
                **{name: [_plain(run) for run in each] for name, each in there.by_name.items()},
                "shipped": {
                    name: [each.to_json() for each in measured]
                    for name, measured in shipped.items()
                },
                GLANCE: {
                    "title": "Which learner is best",
                    "sentences": told,
                    "headings": ends.headings,
                    "rows": ends.rows,
                    "picture": "over-time.png",
                    "note": f"{TIME}.",
                },
            },
            summary=told[0] if told else "not computed",
        )


def _positions(size: Size) -> int:
    from connectlab.arena.positions import CLASSES

    return size.tests * len(CLASSES)


def _settings(size: Size) -> str:
    share = "all" if size.games == WHOLE else f"{100 * size.games / WHOLE:g} % of the"
    return (
        f"{len(PUPILS)} learners by their own presets, {count(size.repeats, 'run')} of each "
        f"({size.seeds}) with {share} games of its preset, judged {size.points} times on the way "
        f"by their moves in {_positions(size)} solved positions of six classes, the same for all, "
        f"by {size.tests} games first against perfect play and {10 * size.tests:,} against chance. "
        f"{TIME}: on a busy machine it is too long. Size is that of the player in a file."
    )


def _shipped(found: Found, size: Size) -> dict[str, tuple[Measurement, ...]]:
    results = {cell.player: found.get(cell) for cell in benches(size)}
    return {name: measured_of(each) for name, each in results.items() if each is not None}


def _plain(run: Trained) -> dict[str, object]:
    return {
        "games": run.games,
        "seconds": run.seconds,
        "checkpoint_bytes": run.checkpoint_bytes,
        "points": [
            [row.games, row.seconds, *(value_of(row, key) for key in KEYS)]
            for row in run.evaluations
        ],
    }


EXPERIMENTS: list[Experiment] = [
    LearnersExperiment(
        name="learners",
        paper="Beyond the papers",
        title="Every learner, for its games, its time and its size",
        published="nothing of the kind",
        sizes=SIZES,
        core_minutes={"mini": 0.5, "quick": 6, "full": 110},
    ),
]
