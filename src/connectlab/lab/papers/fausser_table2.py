"""Table 2 of Faußer 2008: games won for each game lost against random."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

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
    made_text,
    median_quota,
    quota_text,
    quota_value,
    runs_of,
    seeds_text,
)
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found, unknown_version
from connectlab.lab.papers.verdict import verdict_of
from connectlab.lab.wording import count
from connectlab.training.measurement import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SMALL_LEGEND: Mapping[str, Any] = {"fontsize": 8.5, "edgecolor": "none"}
FAR = 2.0
"""Rows that differ by more than this factor are told one by one."""

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
        agrees = [_agrees(network, row, runs, size) for network, row in rows]
        curves = {network.name: _curves(runs[network]) for network in NETWORKS}
        return Report(
            settings=f"{_settings(size)}{made_text(runs, size)}{unknown_version(found)}",
            compared=compared,
            differences="\n\n".join(filter(None, _differences(runs, size))),
            tables=[_table(runs, size)],
            pictures=[Picture("quotas.png", _draw(runs, size), _CAPTION)],
            data={"networks": curves},
            summary=_summary(compared, agrees, runs),
            verdict=verdict_of(agrees),
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
        f"({NETWORKS[3].games(size):,} of network 4), {seeds_text(size)}, judged by "
        f"{size.tests:,} games against random with alternating sides every "
        f"{size.evaluation_every:,} games.{shorter if size.games < MOST_EPISODES else ''}"
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


def _agrees(
    network: Network, row: Published, runs: Mapping[Network, Sequence[Run]], size: Size
) -> bool | None:
    """Say whether our runs reach around a published quota; None of too few."""
    games = _games(row, size)
    return row.agrees([run.quota(games) for run in runs[network]])


def _table(runs: dict[Network, list[Run]], size: Size) -> Table:
    headings = ("network", "seed", "h", "eta", "games", "quota", "won", "drawn", "lost", "games/s")
    rows = [_row(network, run, size) for network in NETWORKS for run in runs[network]]
    note = (
        "The quota at the end of each run with the 95 % interval of its games: that of the share "
        "of decided games that were won. *games/s* are those of the clock on the wall, while other "
        "runs shared the cores; the time of the page is that of a core."
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


def _breakdowns(runs: Mapping[Network, Sequence[Run]]) -> str:
    """Tell of the runs that broke down."""
    lost = [(n, run) for n in NETWORKS for run in runs[n] if run.trained.broke_down]
    if not lost:
        return ""
    names = ", ".join(f"{network.name} with seed {run.seed}" for network, run in lost)
    return (
        f"{count(len(lost), 'run')} stood still before the end and count as the lowest of their "
        f"network: {names}."
    )


def _differences(runs: Mapping[Network, Sequence[Run]], size: Size) -> list[str]:
    """Return the paragraphs on where and why we differ; some are empty."""
    return [_far_rows(runs, size), _rises(runs, size), DIFFERENCES, _breakdowns(runs)]


def _far_rows(runs: Mapping[Network, Sequence[Run]], size: Size) -> str:
    """Tell of each row whose quota is far from the published one."""
    told = [
        sentence
        for network in NETWORKS
        for row in network.rows
        if (sentence := _far_row(network, row, runs[network], size))
    ]
    return " ".join(told)


def _far_row(network: Network, row: Published, runs: Sequence[Run], size: Size) -> str:
    games = _games(row, size)
    middle = median_quota([run.quota(games) for run in runs])
    if middle is None or row.quota / FAR <= middle <= row.quota * FAR:
        return ""
    far = "" if math.isinf(middle) else f", {middle / row.quota:.2f} times as much"
    rests = "one run" if len(runs) == 1 else f"the median of {len(runs)} runs"
    return (
        f"{network.name.capitalize()} after {games:,} games has {quota_text(middle)} where the "
        f"paper's row of {row.episodes:,} has {quota_text(row.quota)}{far} ({rests})."
    )


def _rises(runs: Mapping[Network, Sequence[Run]], size: Size) -> str:
    """Tell which runs do not rise with their games where the paper's rows do."""
    return " ".join(
        _fall(network, run, size)
        for network in NETWORKS
        for run in runs[network]
        if not run.trained.broke_down and _falls(_on_the_way(network, run, size))
    )


def _falls(quotas: Sequence[float]) -> bool:
    """Say whether one is no higher than the one before; none is higher than nothing lost."""
    return any(after <= before and math.isfinite(after) for before, after in pairwise(quotas))


def _on_the_way(network: Network, run: Run, size: Size) -> list[float]:
    """Return the quotas of a run where the paper has rows."""
    return [quota_value(run.quota(_games(row, size))) for row in network.rows]


def _fall(network: Network, run: Run, size: Size) -> str:
    games = ", ".join(f"{_games(row, size):,}" for row in network.rows)
    ours = ", ".join(quota_text(quota) for quota in _on_the_way(network, run, size))
    theirs = ", ".join(quota_text(row.quota) for row in network.rows)
    return (
        f"{network.name.capitalize()} with seed {run.seed} does not rise with its games as the "
        f"paper's does: {ours} after {games} games, against {theirs}."
    )


def _summary(
    compared: Sequence[Compared],
    agrees: Sequence[bool | None],
    runs: Mapping[Network, Sequence[Run]],
) -> str:
    """Say in a line how our quotas stand to the published ones, and how many rows agree."""
    ratios = [
        each.value / float(each.published.replace(",", ""))
        for each in compared
        if each.value is not None
    ]
    if not ratios:
        return "not computed"
    decided = [each for each in agrees if each is not None]
    rows = count(len(decided), "row")
    some = f" in {len(ratios)} of {len(compared)} rows" if len(ratios) < len(compared) else ""
    verdict = f"{sum(decided)} of {rows} agree" if decided else "too few runs to decide"
    return (
        f"{_rests_on(runs)} {min(ratios):.2f} to {max(ratios):.2f} times the published quotas"
        f"{some}; {verdict}"
    )


def _rests_on(runs: Mapping[Network, Sequence[Run]]) -> str:
    """Say what is held against the published quotas: "medians of 5 runs are"."""
    made = [len(each) for each in runs.values() if each]
    if max(made) == 1:
        return "quotas of one run are"
    several = f"{min(made)} to {max(made)}" if min(made) < max(made) else f"{max(made)}"
    return f"medians of {several} runs are"


def _draw(runs: dict[Network, list[Run]], size: Size) -> "Drawing":
    from connectlab.lab.compare_plot import COLOURS
    from connectlab.training.curve import curve_label, draw_frame, new_axes

    drawing, axes = new_axes()
    drawing.set_size_inches(7.2, 5.6)  # the names of ten things stand below
    for network, colour in zip(NETWORKS, COLOURS, strict=False):
        name = f"{network.name} (h = {network.hidden})"
        made = count(len(runs[network]), "run")
        for run in runs[network]:
            label = f"{name}, {made}" if run is runs[network][0] else "_"
            axes.plot(*_points(run), color=colour, linewidth=1.2, alpha=0.8, label=label)
        games = [_games(row, size) for row in network.rows]
        quotas = [row.quota for row in network.rows]
        axes.plot(games, quotas, "x", markersize=9, color=colour, label=f"{name}, published")
    axes.set_yscale("log")
    published = [Figure(QUOTA, row.quota) for network in NETWORKS for row in network.rows]
    title = f"{PAPER}: winning quota, crosses as published"
    draw_frame(axes, size.games, title, curve_label(QUOTA, "random"), published)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, **SMALL_LEGEND)
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
