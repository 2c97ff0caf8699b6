"""Beyond the papers: which learner is best for its games, for its time and for its memory.

Every learner is trained by its own preset and judged by the same measures on the way: moves in
solved positions, and games against perfect play and against chance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING

from connectlab.lab.compare_plot import COLOURS
from connectlab.lab.papers.cells import Cell, TrainingCell, training_cell
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.index import GLANCE
from connectlab.lab.papers.lines import Line, by_repeat, trained_of
from connectlab.lab.papers.page import Picture, Report, Table, spread_text
from connectlab.lab.papers.results import Found, Trained
from connectlab.lab.statistics import Spread
from connectlab.training.curve import new_axes
from connectlab.training.metrics import Evaluation

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

WHOLE = 1_000
"""``Size.games`` here counts thousandths of each learner's own number of games."""
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=1, repeats=1, tests=4, points=2),
    "quick": Size(games=50, repeats=2, tests=50, points=10),
    "full": Size(games=WHOLE, repeats=3, tests=100, points=20),
}
ACCURACY, SUCCESS, WINS = "outcome_accuracy", "success_rate", "win_rate"
MARKS_GAMES = (1_000, 10_000, 100_000, 1_000_000)
MARKS_SECONDS = (10, 60, 300)
MEBIBYTE = 2**20
NEAR = 0.05
"""Shares of right moves that differ by less are near each other."""


@dataclass(frozen=True)
class Pupil:
    """A learner as it is trained here."""

    name: str
    learner: str
    preset: str
    games: int
    """Of the whole run."""
    changes: Mapping[str, object] = field(default_factory=dict)


PUPILS = (
    Pupil("ntuple, quick", "ntuple", "quick", 750_000),
    Pupil("ntuple, champion's recipe", "ntuple", "champion", 5_000_000),
    Pupil("mlp, Faußer's fifth", "mlp", "mlp-5", 14_000_000),
    Pupil("mlp, best", "mlp", "best", 14_000_000),
    Pupil("qtable, known states", "qtable", "quick", 2_000_000),
    Pupil("dqn, Dangel's 0.7", "dqn", "table3-0.7", 20_000, {"device": "cpu"}),
)


def _lines(size: Size) -> list[Line]:
    return [Line(each.name, _cells(each, size)) for each in PUPILS]


def _cells(pupil: Pupil, size: Size) -> tuple[TrainingCell, ...]:
    games = max(size.points, pupil.games * size.games // WHOLE)
    measures = (
        f"accuracy:per_class={max(2, size.tests // 2)}",
        f"success:games={size.tests}",
        f"quota:games={10 * size.tests}",
    )
    return tuple(
        training_cell(
            pupil.learner,
            pupil.preset,
            {**pupil.changes, "games": games, "seed": seed},
            measures=measures,
            evaluation_every=max(1, games // size.points),
        )
        for seed in range(1, size.repeats + 1)
    )


@dataclass(frozen=True, kw_only=True)
class LearnersExperiment(Experiment):
    """All learners side by side, over games and over time."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return a run of every learner, then a second of each."""
        return by_repeat(_lines(size))

    def report(self, found: Found, size: Size) -> Report:
        """Say who is best for what."""
        runs = {line.name: [run for _, run in trained_of(line, found)] for line in _lines(size)}
        there = {name: each for name, each in runs.items() if each}
        headings, rows = _end_table(there)
        sentences = _sentences(there)
        return Report(
            settings=f"{len(PUPILS)} learners by their own presets, {size.repeats} runs of each, "
            f"judged {size.points} times on the way by moves in solved positions of six classes, "
            f"{size.tests} games first against perfect play and {10 * size.tests} against chance. "
            "Seeds count up from 1; the champion's recipe has the tuple set chosen for it. Time is "
            "that of learning in one process by the clock on the wall, judging left out: on a busy "
            "machine it is too long.",
            compared=(),
            differences="No paper compares these learners with each other. Each learns by the "
            "settings that its paper, or our search, found for it; a learner that is best for its "
            "games here may not be so with other settings.",
            tables=[
                Table("At the end of the run", headings, rows),
                *_mark_tables(there),
            ],
            pictures=_pictures(there),
            data={
                **{name: [_plain(run) for run in each] for name, each in there.items()},
                GLANCE: {
                    "title": "Which learner is best",
                    "sentences": sentences,
                    "headings": headings,
                    "rows": rows,
                    "picture": "over-time.png",
                },
            },
            summary=sentences[0] if sentences else "not computed",
        )


def _plain(run: Trained) -> dict[str, object]:
    return {
        "games": run.games,
        "seconds": run.seconds,
        "checkpoint_bytes": run.checkpoint_bytes,
        "points": [
            [row.games, row.seconds, *(_value(row, key) for key in (ACCURACY, SUCCESS, WINS))]
            for row in run.evaluations
        ],
    }


def _value(row: Evaluation, key: str) -> float | None:
    figure = row.find(key)
    return None if figure is None else figure.value


def _last(runs: Sequence[Trained], key: str) -> Spread | None:
    values = [_value(run.evaluations[-1], key) for run in runs if run.evaluations]
    return Spread.of([value for value in values if value is not None])


def _end_table(runs: Mapping[str, Sequence[Trained]]) -> tuple[list[str], list[list[str]]]:
    """Return headings and a row for each learner, the most accurate first."""
    headings = [
        "learner",
        "games",
        "time",
        "player",
        "right moves",
        "success v perfect play",
        "wins v chance",
    ]
    order = sorted(runs, key=lambda name: -_mean(_last(runs[name], ACCURACY)))
    return headings, [
        [
            name,
            f"{runs[name][0].games:,}",
            f"{fmean(run.seconds for run in runs[name]) / 60:.1f} min",
            f"{fmean(run.checkpoint_bytes for run in runs[name]) / MEBIBYTE:.2f} MiB",
            *(spread_text(_last(runs[name], key)) for key in (ACCURACY, SUCCESS, WINS)),
        ]
        for name in order
    ]


def _mean(spread: Spread | None) -> float:
    return 0.0 if spread is None else spread.mean


def _mark_tables(runs: Mapping[str, Sequence[Trained]]) -> list[Table]:
    """Return how accurate each learner is after so many games, and after so much time."""
    games = [(f"{mark:,} games", lambda row: row.games, mark) for mark in MARKS_GAMES]
    times = [(f"{mark} s", lambda row: row.seconds, mark) for mark in MARKS_SECONDS]
    return [
        _marks("Right moves after so many games", games, runs),
        _marks("Right moves after so much time", times, runs),
    ]


Reached = Callable[[Evaluation], float]


def _marks(
    title: str,
    marks: Sequence[tuple[str, Reached, float]],
    runs: Mapping[str, Sequence[Trained]],
) -> Table:
    rows = [
        (name, *(_at(each, reached, mark) for _, reached, mark in marks))
        for name, each in runs.items()
    ]
    note = "The last judgement up to there, mean of the runs; a dash where there was none yet."
    return Table(title, ("learner", *(label for label, _, _ in marks)), rows, note)


def _at(runs: Sequence[Trained], reached: Reached, mark: float) -> str:
    value = accuracy_at(runs, reached, mark)
    return "-" if value is None else f"{value:.3f}"


def accuracy_at(runs: Sequence[Trained], reached: Reached, mark: float) -> float | None:
    """Return the mean share of right moves at the last judgements up to a mark."""
    values = []
    for run in runs:
        rows = [row for row in run.evaluations if reached(row) <= mark]
        if rows and (value := _value(rows[-1], ACCURACY)) is not None:
            values.append(value)
    return fmean(values) if len(values) == len(runs) and values else None


def _sentences(runs: Mapping[str, Sequence[Trained]]) -> list[str]:
    """Answer: best at the end, for its games, for its time, for its memory."""
    if not runs:
        return []
    ends = {name: _mean(_last(each, ACCURACY)) for name, each in runs.items()}
    best = max(ends, key=lambda name: ends[name])
    told = [f"**Nearest to perfect play**: {best}, {_right(runs[best])}."]
    for mark in MARKS_GAMES:
        told += _winner(f"for {mark:,} games", runs, lambda row: row.games, mark)
    for mark in MARKS_SECONDS:
        told += _winner(f"for {mark} seconds", runs, lambda row: row.seconds, mark)
    sizes = {name: fmean(run.checkpoint_bytes for run in each) for name, each in runs.items()}
    near = [name for name in runs if ends[name] >= ends[best] - NEAR]
    lean = min(near, key=lambda name: sizes[name])
    told.append(
        f"**Best for its memory**, the smallest within {100 * NEAR:.0f} points of the best: "
        f"{lean}, {sizes[lean] / 1024:,.0f} KiB, {_right(runs[lean])}."
    )
    return told


def _right(runs: Sequence[Trained]) -> str:
    """Say how many moves are right at the end, and how far the runs are apart."""
    spread = _last(runs, ACCURACY)
    if spread is None:
        return "not judged"
    low, high = 100 * spread.lowest, 100 * spread.highest
    apart = f" (runs from {low:.1f} to {high:.1f})" if spread.n > 1 else " (one run)"
    return f"{100 * spread.mean:.1f} % right moves{apart}"


def _winner(
    what: str, runs: Mapping[str, Sequence[Trained]], reached: Reached, mark: float
) -> list[str]:
    """Name who is most accurate at a mark, if two or more were judged by then."""
    found = {name: accuracy_at(each, reached, mark) for name, each in runs.items()}
    values = {name: value for name, value in found.items() if value is not None}
    if len(values) < 2:
        return []
    best = max(values, key=lambda name: values[name])
    judged = f"of the {len(values)} of {len(runs)} that were judged by then"
    return [f"**Best {what}**, {judged}: {best}, {100 * values[best]:.1f} % right moves."]


def _pictures(runs: Mapping[str, Sequence[Trained]]) -> list[Picture]:
    over = {
        "over-games.png": ("games of training", lambda row: row.games),
        "over-time.png": ("seconds of learning", lambda row: row.seconds),
    }
    return [
        Picture(file, _draw(runs, label, reached), f"Right moves over {label}")
        for file, (label, reached) in over.items()
    ]


def _draw(runs: Mapping[str, Sequence[Trained]], label: str, reached: Reached) -> "Drawing":
    """Draw every run, in the colour of its learner."""
    drawing, axes = new_axes()
    for number, (name, each) in enumerate(runs.items()):
        for place, run in enumerate(each):
            points = [(reached(row), _value(row, ACCURACY)) for row in run.evaluations]
            known = [(x, y) for x, y in points if y is not None and x > 0]
            axes.plot(
                [x for x, _ in known],
                [y for _, y in known],
                color=COLOURS[number % len(COLOURS)],
                marker="o",
                markersize=3,
                linewidth=1.4,
                label=name if place == 0 else None,
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,g}")  # powers would be set in other fonts
    axes.xaxis.set_minor_formatter(lambda x, _: "")
    axes.set_xlabel(label)
    axes.set_ylabel("moves that keep the outcome")
    axes.set_title("Six learners, each by its own preset", fontsize=11, loc="left")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    if runs:
        axes.legend(loc="best", fontsize=8.5, framealpha=0.9, edgecolor="none")
    return drawing


EXPERIMENTS: list[Experiment] = [
    LearnersExperiment(
        name="learners",
        paper="Beyond the papers",
        title="Every learner, for its games, its time and its memory",
        published="nothing of the kind",
        sizes=SIZES,
        core_minutes={"mini": 0.5, "quick": 6, "full": 110},
    ),
]
