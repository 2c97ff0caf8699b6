"""The success curve of a run as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from connectlab.storage.files import replacing
from connectlab.training.metrics import Evaluation, best_of

LINE_COLOUR = "#2166ac"
BEST_COLOUR = "#b2182b"
QUIET_COLOUR = "#777777"


def save_curve(evaluations: Sequence[Evaluation], title: str, path: Path) -> None:
    """Draw success over games with the band of its 95 % intervals into a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _draw_limit(axes, evaluations[-1])
    _draw_curve(axes, evaluations)
    _draw_best(axes, evaluations)
    _draw_frame(axes, evaluations[-1].games, title)
    with replacing(path) as beside:
        canvas.print_figure(beside, format="png", dpi=150)


def _draw_limit(axes: Any, evaluation: Evaluation) -> None:
    """Show what a perfect player would have, where that is not success in every game."""
    limit = evaluation.measures.get("perfect_success_rate", 1)
    if limit < 1:
        axes.axhline(limit, color=QUIET_COLOUR, linestyle="--", linewidth=1, label="perfect play")


def _draw_curve(axes: Any, evaluations: Sequence[Evaluation]) -> None:
    games = [evaluation.games for evaluation in evaluations]
    rates = [evaluation.success_rate for evaluation in evaluations]
    lows, highs = zip(*(evaluation.interval for evaluation in evaluations), strict=True)
    matches = evaluations[-1].measures.get("evaluation_games")
    label = f"mean score of {matches:,} games" if matches else "mean score"
    axes.fill_between(
        games, lows, highs, color=LINE_COLOUR, alpha=0.18, linewidth=0, label="95 % interval"
    )
    axes.plot(
        games, rates, color=LINE_COLOUR, linewidth=1.8, marker="o", markersize=3.5, label=label
    )


def _draw_best(axes: Any, evaluations: Sequence[Evaluation]) -> None:
    best = best_of(list(evaluations))
    if best is not None:
        label = f"best: {best.success_rate:.3f} after {best.games:,} games"
        axes.plot(
            [best.games], [best.success_rate], "o", color=BEST_COLOUR, markersize=6, label=label
        )


def _draw_frame(axes: Any, games: int, title: str) -> None:
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("success against perfect play")
    axes.set_ylim(-0.02, 1.04)
    axes.set_xlim(0, 1.02 * games)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="best", fontsize=8.5, framealpha=0.9, edgecolor="none")
