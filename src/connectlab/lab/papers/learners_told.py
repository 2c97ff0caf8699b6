"""What the runs of all learners show, in sentences and tables, and no more than they show.

Right moves are shares of the same solved positions for everybody. Two learners are told apart where
Fisher's exact test does so on the mean shares of their runs, as if each were one player on these
positions: runs of the same learner err in the same places, so more runs make no more positions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from connectlab.arena.statistics import fisher_exact, wilson
from connectlab.lab.papers.page import Table, spread_text
from connectlab.lab.papers.results import Trained
from connectlab.lab.statistics import SIGNIFICANT, Spread
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation

ACCURACY, SUCCESS, WINS = "outcome_accuracy", "success_rate", "win_rate"
KEYS = (ACCURACY, SUCCESS, WINS)
MARKS_GAMES = (1_000, 10_000, 100_000, 1_000_000)
MARKS_SECONDS = (10, 60, 300)
MEBIBYTE = 2**20
NEAR = 0.05
"""Shares of right moves that differ by less are near each other."""

Reached: TypeAlias = Callable[[Evaluation, float], float]
"""How far a run was at a judgement, in games or in seconds; these times the pace of the run."""
Shipped: TypeAlias = Mapping[str, Sequence[Measurement]]
"""What was measured of those who learn no more."""


@dataclass(frozen=True)
class Runs:
    """The runs of every learner, and the solved positions that judged them."""

    by_name: Mapping[str, Sequence[Trained]]
    positions: int

    def share(self, value: float) -> str:
        """Write a share of right moves with its interval, in percent."""
        low, high = wilson(round(value * self.positions), self.positions)
        return f"{100 * value:.1f} % right moves [{100 * low:.1f}, {100 * high:.1f}]"

    def not_told_from(self, best: str, values: Mapping[str, float]) -> str:
        """Name those whose shares may well be that of the best."""
        n = self.positions
        return _not_told_apart(best, {name: (round(v * n), n) for name, v in values.items()})


def _not_told_apart(best: str, counts: Mapping[str, tuple[int, int]]) -> str:
    """Name those whose successes, of so many, may well be those of the best."""
    alike = [
        name
        for name, each in counts.items()
        if name != best and fisher_exact(counts[best], each) >= SIGNIFICANT
    ]
    return f"; not told apart from it: {' and '.join(alike)}" if alike else ""


def value_of(row: Evaluation, key: str) -> float | None:
    """Return a figure of a judgement."""
    figure = row.find(key)
    return None if figure is None else figure.value


def _last(runs: Sequence[Trained], key: str) -> Spread | None:
    values = [value_of(run.evaluations[-1], key) for run in runs if run.evaluations]
    return Spread.of([value for value in values if value is not None])


def _mean(spread: Spread | None) -> float:
    return 0.0 if spread is None else spread.mean


def by_games(row: Evaluation, _pace: float) -> float:
    """Return the games of training before a judgement."""
    return row.games


def by_seconds(row: Evaluation, pace: float) -> float:
    """Return the seconds of learning before a judgement, had nothing else slowed the run."""
    return row.seconds * pace


def pace_of(run: Trained, runs: Sequence[Trained]) -> float:
    """Return the time of the fastest run by that of this one: other work only slows."""
    return fastest(runs).seconds / run.seconds if run.seconds else 1.0


# Tables


def end_table(runs: Runs) -> Table:
    """Return a row for each learner, the most accurate first."""
    by_name = runs.by_name
    order = sorted(by_name, key=lambda name: -_mean(_last(by_name[name], ACCURACY)))
    return Table(
        "At the end of the run",
        (
            "learner",
            "games",
            "time",
            "size",
            "right moves",
            "success v perfect play",
            "wins v chance",
        ),
        [
            (
                name,
                f"{by_name[name][0].games:,}",
                f"{fastest(by_name[name]).seconds / 60:.1f} min",
                f"{fmean(run.checkpoint_bytes for run in by_name[name]) / MEBIBYTE:.2f} MiB",
                *(spread_text(_last(by_name[name], key)) for key in KEYS),
            )
            for name in order
        ],
    )


def fastest(runs: Sequence[Trained]) -> Trained:
    """Return the run that took least time: other work on the machine only slows."""
    return min(runs, key=lambda run: run.seconds)


def shipped_table(shipped: Shipped) -> Table:
    """Return a row for each player that learns no more."""
    return Table(
        "Trained players that come along, and chance",
        ("player", "right moves", "success v perfect play", "wins v chance"),
        [
            (name, *(_figure_text(find_figure(measured, key)) for key in KEYS))
            for name, measured in shipped.items()
        ],
        "The same positions, games and opponents, and 95 % intervals. Without search.",
    )


def find_figure(measured: Sequence[Measurement], key: str) -> Figure | None:
    """Return the figure of a name, whichever measurement has it."""
    return next((figure for each in measured if (figure := each.find(key))), None)


def _figure_text(figure: Figure | None) -> str:
    return "-" if figure is None else str(figure)


def mark_tables(runs: Runs) -> list[Table]:
    """Return how accurate each learner is after so many games, and after so much time."""
    games = [(f"{mark:,} games", by_games, mark) for mark in MARKS_GAMES]
    times = [(f"{mark} s", by_seconds, mark) for mark in MARKS_SECONDS]
    pace = " Each run has the pace of its learner's fastest: other work on the machine only slows."
    return [
        _marks("Right moves after so many games", games, runs),
        _marks("Right moves after so much time", times, runs, pace),
    ]


def _marks(
    title: str, marks: Sequence[tuple[str, Reached, float]], runs: Runs, pace: str = ""
) -> Table:
    rows = [
        (name, *(_at(each, reached, mark) for _, reached, mark in marks))
        for name, each in runs.by_name.items()
    ]
    note = (
        "The last judgement up to there, mean of the runs; a dash where there was none yet, or "
        f"where a run was over before.{pace}"
    )
    return Table(title, ("learner", *(label for label, _, _ in marks)), rows, note)


def _at(runs: Sequence[Trained], reached: Reached, mark: float) -> str:
    value = accuracy_at(runs, reached, mark)
    return "-" if value is None else f"{value:.3f}"


def accuracy_at(runs: Sequence[Trained], reached: Reached, mark: float) -> float | None:
    """Return the mean share of right moves at the last judgements up to a mark.

    None unless every run was judged by then, and went on until there. Where time counts, all have
    the pace of the fastest.
    """
    values = []
    for run in runs:
        pace = pace_of(run, runs)
        rows = [row for row in run.evaluations if reached(row, pace) <= mark]
        if not rows or reached(run.evaluations[-1], pace) < mark:
            return None
        if (value := value_of(rows[-1], ACCURACY)) is None:
            return None
        values.append(value)
    return fmean(values) if values else None


# Sentences


def sentences(runs: Runs, shipped: Shipped) -> list[str]:
    """Answer: who is nearest to perfect play; best for its games, for its time, for its size."""
    if not runs.by_name:
        return []
    ends = {name: _mean(_last(each, ACCURACY)) for name, each in runs.by_name.items()}
    best = max(ends, key=lambda name: ends[name])
    told = [
        f"**Most right moves**, of the learners trained here: {best}, {runs.share(ends[best])}"
        f"{runs.not_told_from(best, ends)}.",
        *_success(runs),
        *_shipped_sentence(shipped),
    ]
    for mark in MARKS_GAMES:
        told += _winner(f"for {mark:,} games", runs, by_games, mark)
    for mark in MARKS_SECONDS:
        told += _winner(f"for {mark} seconds", runs, by_seconds, mark)
    return [*told, _smallest(runs, ends, best)]


def _success(runs: Runs) -> list[str]:
    """Name who scores most against perfect play, if anybody does."""
    ends = {name: _last(each, SUCCESS) for name, each in runs.by_name.items()}
    best = max(ends, key=lambda name: _mean(ends[name]))
    if _mean(ends[best]) == 0:
        return []
    nothing = [name for name, end in ends.items() if _mean(end) == 0]
    others = f"; {len(nothing)} of {len(ends)} learners score nothing at all" if nothing else ""
    return [
        f"**Nearest to perfect play**, moving first against it: {best}, success "
        f"{spread_text(ends[best])}{_as_near(runs, best)}{others}."
    ]


def _as_near(runs: Runs, best: str) -> str:
    """Name those whose games against perfect play may well be those of the best."""
    points = {name: _points(each) for name, each in runs.by_name.items()}
    counted = {name: found for name, found in points.items() if found[1]}
    return _not_told_apart(best, counted) if best in counted else ""


def _points(runs: Sequence[Trained]) -> tuple[int, int]:
    """Return the points that all runs of a learner scored at their ends, and of how many games.

    Half points of draws are rounded together.
    """
    ends = [run.evaluations[-1] for run in runs if run.evaluations]
    judged = [each for row in ends for each in row.measurements if each.find(SUCCESS) is not None]
    games = [each.counts.get("games", 0) for each in judged]
    shares = [_value(each.find(SUCCESS)) for each in judged]
    return round(sum(s * n for s, n in zip(shares, games, strict=True))), sum(games)


def _value(figure: Figure | None) -> float:
    return 0.0 if figure is None or figure.value is None else figure.value


def _shipped_sentence(shipped: Shipped) -> list[str]:
    """Say how the players that come along do, and what chance does."""
    told = []
    for name, measured in shipped.items():
        accuracy, success = (find_figure(measured, key) for key in (ACCURACY, SUCCESS))
        if accuracy is None or accuracy.value is None:
            continue
        scores = success is not None and success.value is not None
        score = f" and {success.value:.2f}" if success is not None and scores else ""
        told.append(f"{name} {100 * accuracy.value:.1f} %{score}")
    what = "right moves, and success moving first against perfect play"
    return [f"**Players that come along**, {what}: {', '.join(told)}."] if told else []


def _winner(what: str, runs: Runs, reached: Reached, mark: float) -> list[str]:
    """Name who is most accurate at a mark, if two or more were judged by then and went so far."""
    found = {name: accuracy_at(each, reached, mark) for name, each in runs.by_name.items()}
    values = {name: value for name, value in found.items() if value is not None}
    if len(values) < 2:
        return []
    best = max(values, key=lambda name: values[name])
    return [
        f"**Best {what}**, of the {len(values)} of {len(found)} learners that were trained so long "
        f"and judged by then: {best}, {runs.share(values[best])}{runs.not_told_from(best, values)}."
    ]


def _smallest(runs: Runs, ends: Mapping[str, float], best: str) -> str:
    """Name the smallest player that is nearly as accurate as the best."""
    sizes = {
        name: fmean(run.checkpoint_bytes for run in each) for name, each in runs.by_name.items()
    }
    near = [name for name in ends if ends[name] >= ends[best] - NEAR]
    lean = min(near, key=lambda name: sizes[name])
    return (
        f"**Best for its size**, the smallest file within {100 * NEAR:.0f} points of the best: "
        f"{lean}, {sizes[lean] / 1024:,.0f} KiB, {runs.share(ends[lean])}."
    )
