"""Table 2 of Faußer 2008: games won for each game lost against random."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.fausser_runs import (
    CORE_MINUTES,
    MOST_EPISODES,
    NETWORKS,
    PAPER,
    QUOTA,
    SIZES,
    Network,
    Published,
    Run,
    all_cells,
    figure_text,
    median_quota,
    quota_text,
    runs_of,
)
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found
from connectlab.lab.wording import count
from connectlab.training.measurement import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

DIFFERENCES = """The paper has one run a row, and runs differ by more than the games of a
judgement can tell apart: the interval of one network's games says nothing about the next run.

Where it is silent: who begins (the agent begins every other game), what a draw returns (0, as a
loss), how long the steps of eta last in networks 2 to 5 (each half as large and twice as long as
the one before, as in network 1). Networks 4 and 5 cannot have been trained as printed: with E as
the sum of Eq. (6) and eta = 0.5 every value is 0 or 1 within some thousand games, and nothing is
learned any more; they are trained with the mean over the states of an episode, which is ours.
Networks 1 to 3 have the sum, as printed."""


@dataclass(frozen=True, kw_only=True)
class QuotaExperiment(Experiment):
    """The five networks against random."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Return the runs of all networks."""
        return all_cells(size)

    def report(self, found: Found, size: Size) -> Report:
        """Put the quotas of all runs beside the published ones."""
        runs = {network: runs_of(network, found, size) for network in NETWORKS}
        rows = [(network, row) for network in NETWORKS for row in network.rows]
        compared = [_compared(network, row, runs[network], size) for network, row in rows]
        curves = {network.name: _curves(runs[network]) for network in NETWORKS}
        return Report(
            settings=_settings(size),
            compared=compared,
            differences=f"{DIFFERENCES}\n\n{_breakdowns(runs)}".strip(),
            tables=[_table(runs, size)],
            pictures=[Picture("quotas.png", _draw(runs, size), _CAPTION)],
            data={"networks": curves},
            summary=_summary(compared),
        )


_CAPTION = (
    "Games won for each game lost against random, by games of training; one line a run, "
    "crosses as published"
)


def _settings(size: Size) -> str:
    shorter = (
        " The paper's runs are longer: the steps of eta shrink with the run, and its rows are "
        "those at the same share of it."
    )
    return (
        f"Presets mlp-1 to mlp-5, {size.games:,} games of self-play "
        f"({NETWORKS[3].games(size):,} of network 4), {count(size.repeats, 'run')} of each with "
        f"seeds from 1 on, judged by {size.tests:,} games against random with alternating sides "
        f"every {size.evaluation_every:,} games.{shorter if size.games < MOST_EPISODES else ''}"
    )


def _games(row: Published, size: Size) -> int:
    """Return the games that a row of the paper stands for at a size."""
    return size.games * row.episodes // MOST_EPISODES


def _compared(network: Network, row: Published, runs: Sequence[Run], size: Size) -> Compared:
    games = _games(row, size)
    what = f"{network.name}, {network.hidden} hidden neurons, {games:,} games"
    quotas = [run.quota(games) for run in runs]
    middle = median_quota(quotas)
    if middle is None:
        return Compared(what, f"{row.quota:,.2f}", "not computed")
    if len(quotas) == 1:
        figure = quotas[0]
        bounds = None if figure is None else figure.interval
        ours = f"{figure_text(figure)} (one run)"
        return Compared(what, f"{row.quota:,.2f}", ours, None if figure is None else middle, bounds)
    each = ", ".join(
        "broke down" if q is None else quota_text(q.value or float("inf")) for q in quotas
    )
    ours = f"median {quota_text(middle)} of {len(quotas)} runs: {each}"
    return Compared(what, f"{row.quota:,.2f}", ours, middle if middle < float("inf") else None)


def _table(runs: dict[Network, list[Run]], size: Size) -> Table:
    headings = ("network", "seed", "h", "eta", "games", "quota", "won", "drawn", "lost", "games/s")
    rows = [_row(network, run, size) for network in NETWORKS for run in runs[network]]
    note = (
        "The quota at the end of each run with the 95 % interval of its games: that of the share "
        "of decided games that were won."
    )
    return Table("Runs", headings, rows, note)


def _row(network: Network, run: Run, size: Size) -> tuple[str, ...]:
    judged = run.measurement(network.games(size))
    counts = {} if judged is None else judged.counts
    return (
        network.name,
        str(run.seed),
        str(network.hidden),
        network.eta,
        f"{run.trained.games:,}",
        figure_text(run.quota(network.games(size))),
        *(f"{counts[key]:,}" if counts else "-" for key in ("wins", "draws", "losses")),
        f"{run.trained.games / run.trained.seconds:,.0f}" if run.trained.seconds else "-",
    )


def _curves(runs: Sequence[Run]) -> list[dict[str, object]]:
    """Return the runs as plain data."""
    return [
        {
            "seed": run.seed,
            "games": [row.games for row in run.trained.evaluations],
            "judgements": [row.first.to_json() for row in run.trained.evaluations],
            "seconds": run.trained.seconds,
            "broke_down": run.trained.broke_down or None,
        }
        for run in runs
    ]


def _breakdowns(runs: dict[Network, list[Run]]) -> str:
    """Tell of the runs that broke down."""
    lost = [(n, run) for n in NETWORKS for run in runs[n] if run.trained.broke_down]
    if not lost:
        return ""
    names = ", ".join(f"{network.name} with seed {run.seed}" for network, run in lost)
    return (
        f"{count(len(lost), 'run')} stood still before the end and count as the lowest of their "
        f"network: {names}."
    )


def _summary(compared: Sequence[Compared]) -> str:
    """Say of the last rows, in a line, how our medians stand to what was published."""
    pairs = [
        (each, float(each.published.replace(",", "")))
        for each in compared
        if each.value is not None
    ]
    if not pairs:
        return "not computed"
    ratios = [(each.value or 0.0) / published for each, published in pairs]
    return (
        f"our median quota is {min(ratios):.2f} to {max(ratios):.2f} times the published one "
        f"in {len(ratios)} of {len(compared)} rows"
    )


def _draw(runs: dict[Network, list[Run]], size: Size) -> "Drawing":
    from connectlab.lab.compare_plot import COLOURS
    from connectlab.training.curve import curve_label, draw_frame, new_axes

    drawing, axes = new_axes()
    for network, colour in zip(NETWORKS, COLOURS, strict=False):
        label = f"{network.name} (h = {network.hidden})"
        for run in runs[network]:
            axes.plot(*_points(run), color=colour, linewidth=1.2, alpha=0.8, label=label)
            label = "_"
        for row in network.rows:
            axes.plot(_games(row, size), row.quota, marker="x", markersize=9, color=colour)
    axes.set_yscale("log")
    published = [Figure(QUOTA, row.quota) for network in NETWORKS for row in network.rows]
    title = f"{PAPER}: winning quota, crosses as published"
    draw_frame(axes, size.games, title, curve_label(QUOTA, "random"), published)
    return drawing


def _points(run: Run) -> tuple[list[int], list[float]]:
    """Return games and quotas; where nothing was lost, what is surely reached."""
    figures = [(row.games, row.find(QUOTA)) for row in run.trained.evaluations]
    known = [(games, each) for games, each in figures if each is not None]
    lowest = [each.value or (each.interval[0] if each.interval else 0.0) for _, each in known]
    return [games for games, _ in known], lowest


TABLE2 = QuotaExperiment(
    name="fausser-table2",
    paper=PAPER,
    title="Winning quota of five networks against random (Table 2)",
    published="317.66, 722.56, 1245.86, 1514.14 and 5049.42 games won for each game lost",
    sizes=SIZES,
    core_minutes=CORE_MINUTES,
)
