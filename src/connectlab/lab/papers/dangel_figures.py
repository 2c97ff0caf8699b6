"""Figures 3 and 4 of Dangel 2021: reward and win percentage while training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from connectlab.arena.statistics import fisher_exact
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.dangel_runs import (
    EPISODES,
    PAPER,
    REWARD,
    SILENT,
    SIZES,
    Row,
    core_minutes,
    settings_text,
    win_curve,
)
from connectlab.lab.papers.dangel_tables import BUG, DEFAULT, STREAK
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found, Trained
from connectlab.lab.papers.verdict import verdict_of
from connectlab.lab.statistics import SIGNIFICANT
from connectlab.lab.wording import signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SMOOTHING = 0.8
"""Of Figure 3: the share that a point keeps of the smoothed line before it."""
Points: TypeAlias = Sequence[tuple[float, float]]
"""Games, and a number."""
Steps: TypeAlias = tuple[int, int] | None
"""How often something happened, and how often it might have: steps that fall, games won."""


@dataclass(frozen=True)
class Drawn:
    """A run in a figure, and its colour there."""

    row: Row
    label: str
    colour: str


def _at(rows: Sequence[Row], preset: str) -> Row:
    return next(row for row in rows if row.preset == preset)


FIXED = (
    Drawn(_at(DEFAULT, "table3-0.7"), "default rewards", "#7b3294"),
    Drawn(_at(STREAK, "table4-0.7"), "streak rewards", "#e66101"),
)
"""Purple and orange."""
BUGGY = (
    Drawn(BUG[0], "default rewards, replay bug", "#777777"),
    Drawn(BUG[1], "streak rewards, replay bug", "#2166ac"),
)
"""Grey and blue; which is which the paper does not say."""


@dataclass(frozen=True, kw_only=True)
class FigureExperiment(Experiment):
    """Runs whose training is watched."""

    drawn: Sequence[Drawn]

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the runs, which are rows of the tables."""
        return tuple(each.row.cell(size) for each in self.drawn)

    def lines(self, found: Found, size: Size) -> list[tuple[Drawn, Points]]:
        """Return what is drawn of each run that was made."""
        trained = [(each, each.row.trained(found, size)) for each in self.drawn]
        return [(each, self.points(run)) for each, run in trained if run is not None]

    def points(self, run: Trained) -> Points:
        """Return the line of a run."""
        raise NotImplementedError


class RewardFigure(FigureExperiment):
    """Figure 3."""

    def points(self, run: Trained) -> Points:
        """Return the mean reward of the batches."""
        return run.kept.get(REWARD, ())

    def report(self, found: Found, size: Size) -> Report:
        """Draw the smoothed rewards, and count how often they fall."""
        lines = self.lines(found, size)
        falls = {each.label: _falls(points) for each, points in lines}
        compared = [
            Compared(
                f"{each.label}: how often the mean reward falls",
                _PLATEAUS[each.label],
                _share_text(falls.get(each.label)),
            )
            for each in self.drawn
        ]
        return Report(
            settings=settings_text("Discount 0.7, both reward systems", size, found),
            compared=compared,
            differences=f"{_fall_summary(falls).capitalize()}.\n\n{_REWARD}\n\n{SILENT}",
            tables=[_line_table(lines, "reward", 3)],
            pictures=[Picture("reward.png", _draw_rewards(lines), _REWARD_CAPTION)],
            data={"reward": {each.row.preset: list(map(list, line)) for each, line in lines}},
            summary=_fall_summary(falls),
            verdict=verdict_of([_falls_more(falls)]),
        )


_PLATEAUS = {
    "default rewards": "more plateaus, more stable (no number)",
    "streak rewards": "drops very often (no number)",
}
_REWARD = (
    "The paper shows the curve without a number in its text, and does not say what a plateau is: "
    "what is compared is how often the "
    "mean reward of the batches between two judgements is lower than in the stretch before; "
    f"Fisher's exact test (p < {SIGNIFICANT:g}) decides whether one falls more often. The "
    "rewards themselves differ by their systems: a won game is worth 10 or 20, and a streak 3. "
    "The paper draws the reward of single batches; ours are means over the games between two "
    "judgements, which smooths them before the smoothing."
)
_REWARD_CAPTION = (
    f"Mean reward of the batches learned, smoothed by {SMOOTHING:g} as in the paper; thin lines as "
    "they were"
)


class WinFigure(FigureExperiment):
    """Figure 4."""

    def points(self, run: Trained) -> Points:
        """Return the share of games won against random at each judgement."""
        return win_curve(run)

    def report(self, found: Found, size: Size) -> Report:
        """Draw the win percentages, and compare what the paper says of them."""
        lines = self.lines(found, size)
        means = {each.label: _late_mean(points, size) for each, points in lines}
        return Report(
            settings=settings_text("Discount 0.7, with and without the replay bug", size, found),
            compared=[
                _compared_lead(means, FIXED, "replay buffer as it should be"),
                _compared_lead(means, BUGGY, "with the replay bug"),
                *(_compared_peak(each, points) for each, points in lines),
            ],
            differences=f"{_WINS}\n\n{SILENT}",
            tables=[_line_table(lines, "won against random", 2)],
            pictures=[Picture("wins.png", _draw_wins(lines, size), _WIN_CAPTION)],
            data={"win_rate": {each.row.preset: list(map(list, line)) for each, line in lines}},
            summary=_lead_summary(means),
            verdict=verdict_of([_leads(lines, pair, size) for pair in (FIXED, BUGGY)]),
        )


_WINS = (
    "A point is a hundred games at the full scale, so it is uncertain by up to ten percent, and "
    "the highest of forty points is one that was lucky too: that a run peaks before its end is "
    "what chance alone would do in most runs. Until the replay buffer is full the bug changes "
    "nothing, so runs with and without it begin as one. Whether one leads the other is decided by "
    "Fisher's exact test of all games of the last three quarters; each line is a single run, here "
    "as there, and another seed may lead otherwise. The verdict counts these two leads, and not "
    "the four peaks."
)
_WIN_CAPTION = "Games won against random while training"


def smoothed(points: Points) -> list[float]:
    """Return an exponential average of the values, begun with the first."""
    found: list[float] = []
    for _, value in points:
        found.append(value if not found else SMOOTHING * found[-1] + (1 - SMOOTHING) * value)
    return found


def _falls(points: Points) -> Steps:
    """Return how often a value is lower than the one before it, and of how many; None of none."""
    steps = [after < before for (_, before), (_, after) in pairwise(points)]
    return (sum(steps), len(steps)) if steps else None


def _share_text(steps: Steps) -> str:
    return "not computed" if steps is None else f"{steps[0]} of {steps[1]} steps"


def _fall_summary(falls: Mapping[str, Steps]) -> str:
    """Say whether one reward falls more often than the other, beyond what chance may do."""
    default, streak = falls.get("default rewards"), falls.get("streak rewards")
    if not default or not streak:
        return "not computed"
    verdict = {
        None: "too near to tell which falls more often",
        True: "more often, as published",
        False: "less often, other than published",
    }[_falls_more(falls)]
    return (
        f"the mean reward falls in {_share_text(streak)} with streak rewards and in "
        f"{_share_text(default)} with the default ones: {verdict}"
    )


def _falls_more(falls: Mapping[str, Steps]) -> bool | None:
    """Say whether streak rewards fall more often than default ones; None if that is not sure."""
    return _is_more(falls.get("streak rewards"), falls.get("default rewards"))


def _is_more(first: Steps, second: Steps) -> bool | None:
    """Say whether one share is greater than another; None where chance may have done it."""
    if not first or not second or fisher_exact(first, second) >= SIGNIFICANT:
        return None
    return first[0] * second[1] > second[0] * first[1]


def _leads(lines: Sequence[tuple[Drawn, Points]], pair: Sequence[Drawn], size: Size) -> bool | None:
    """Say whether streak rewards win more of the games in the last three quarters."""
    won = {each.label: _late_wins(points, size) for each, points in lines}
    default, streak = (won.get(each.label) for each in pair)
    return _is_more(streak, default)


def _late_wins(points: Points, size: Size) -> Steps:
    """Return games won and played in the judgements of the last three quarters of a run."""
    late = [round(value * size.tests) for games, value in points if games > size.games / 4]
    return (sum(late), size.tests * len(late)) if late else None


def _late_mean(points: Points, size: Size) -> float | None:
    """Return the mean over the last three quarters of a run."""
    late = [value for games, value in points if games > size.games / 4]
    return fmean(late) if late else None


def _shown(share: float) -> float:
    """Return a percentage as it is printed, so that differences are those of what is read."""
    return round(100 * share, 1)


def _compared_lead(means: dict[str, float | None], pair: Sequence[Drawn], words: str) -> Compared:
    default, streak = (means.get(each.label) for each in pair)
    what = f"{words}: streak rewards before default ones, mean of the last three quarters"
    if default is None or streak is None:
        return Compared(what, "better (no number)", "not computed")
    ours = f"{_shown(streak):.1f} % against {_shown(default):.1f} %"
    return Compared(what, "better (no number)", ours, streak - default)


def _compared_peak(each: Drawn, points: Points) -> Compared:
    what = f"{each.label}: highest while training"
    published = f"before {EPISODES:,} games"
    if not points:
        return Compared(what, published, "not computed")
    best = max(value for _, value in points)
    at = next(games for games, value in points if value == best)
    return Compared(what, published, f"{100 * best:.0f} % at {at:,.0f} games", at)


def _lead_summary(means: dict[str, float | None]) -> str:
    leads = []
    for pair, words in ((FIXED, ""), (BUGGY, " with the bug")):
        default, streak = (means.get(each.label) for each in pair)
        if default is None or streak is None:
            return "not computed"
        leads.append(f"{signed(_shown(streak) - _shown(default), 1)} points{words}")
    return f"streak rewards against default ones while training: {', '.join(leads)}"


def _line_table(lines: Sequence[tuple[Drawn, Points]], what: str, digits: int) -> Table:
    """Return a few points of each line."""
    games = sorted({at for _, points in lines for at, _ in points})
    shown = games[:: max(1, len(games) // 8)]
    rows = [
        (each.label, *(f"{dict(points).get(at, float('nan')):.{digits}f}" for at in shown))
        for each, points in lines
    ]
    headings = [f"{what} after", *(f"{at:,.0f}" for at in shown)]
    return Table("Some points of the curves", headings, rows)


def _draw_rewards(lines: Sequence[tuple[Drawn, Points]]) -> "Drawing":
    from connectlab.training.curve import new_axes

    drawing, axes = new_axes()
    for each, points in lines:
        games = [at for at, _ in points]
        axes.plot(games, [value for _, value in points], color=each.colour, alpha=0.25, linewidth=1)
        axes.plot(games, smoothed(points), color=each.colour, linewidth=2, label=each.label)
    axes.set_xlabel("games of training")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylabel("mean reward of the batches")
    axes.set_title(f"{PAPER}: reward during training (Figure 3)")
    axes.grid(alpha=0.25)
    if lines:
        axes.legend(fontsize=8)
    return drawing


def _draw_wins(lines: Sequence[tuple[Drawn, Points]], size: Size) -> "Drawing":
    from connectlab.training.curve import new_axes

    drawing, axes = new_axes()
    for each, points in lines:
        games, wins = [at for at, _ in points], [100 * value for _, value in points]
        axes.plot(games, wins, color=each.colour, linewidth=1.5, label=each.label)
    axes.set_xlim(0, size.games)
    axes.set_xlabel("games of training")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylabel("games won against random, %")
    axes.set_title(f"{PAPER}: win percentage during training (Figure 4)")
    axes.grid(alpha=0.25)
    if lines:
        axes.legend(fontsize=8)
    return drawing


FIGURE3 = RewardFigure(
    name="dangel-fig3",
    paper=PAPER,
    title="Reward while training, discount 0.7 (Figure 3)",
    published="the default rewards have more plateaus, the streak rewards drop very often",
    sizes=SIZES,
    core_minutes=core_minutes(len(FIXED)),
    drawn=FIXED,
)
FIGURE4 = WinFigure(
    name="dangel-fig4",
    paper=PAPER,
    title="Win percentage while training, four runs (Figure 4)",
    published="streak rewards win more against random while training; the peak is before the end",
    sizes=SIZES,
    core_minutes=core_minutes(len(FIXED) + len(BUGGY)),
    drawn=(*FIXED, *BUGGY),
)
