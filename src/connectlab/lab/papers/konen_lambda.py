"""Figure 1 of the poster: TCL-EXP from lambda 0 to 0.95, with and without [rr]."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from connectlab.lab.papers.curves import CAPTION, Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.konen_runs import SILENT, line
from connectlab.lab.papers.lines import Line
from connectlab.lab.papers.page import Compared, Picture, spread_text
from connectlab.lab.papers.panels import Panel, draw_against, draw_panels, new_panels
from connectlab.lab.papers.ranking import too_few_to_rank
from connectlab.lab.statistics import Spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

LAMBDAS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
COLOURS = ("#4d4d4d", "#440154", "#3b528b", "#21918c", "#5ec962", "#b2182b", "#e08214")
"""Of the curves of each lambda: those that should break down stand out."""
LAMBDA_TRACES = {"et": "#b2182b", "rr": "#2166ac"}
"""Kinds of traces, and their colours against lambda."""
TOO_LONG = 0.9
"""From this lambda on, the poster says, the system breaks down."""
BROKEN = 0.5
"""A line counts as broken down if it ends below this share of the best line of its traces."""


def lambda_name(traces: str, value: float) -> str:
    """Return the name of a line, such as "[rr], lambda 0.8"."""
    return f"[{traces}], lambda {value:g}"


def lambda_lines(size: Size) -> Sequence[Line]:
    """Return TCL-EXP with plain and with replacing and resetting traces, at every lambda."""
    return [
        line(lambda_name(traces, value), f"konen-tcl-exp-{traces}", size, trace_lambda=value)
        for traces in LAMBDA_TRACES
        for value in LAMBDAS
    ]


def late_by_lambda(curves: Curves, traces: str) -> dict[float, Spread | None]:
    """Return the late mean of every lambda."""
    return {value: curves.late_mean(lambda_name(traces, value)) for value in LAMBDAS}


def broken_lambdas(late: Mapping[float, Spread | None]) -> list[float]:
    """Return the lambdas that end below half of what the best one does."""
    found = {value: spread.mean for value, spread in late.items() if spread is not None}
    best = max(found.values(), default=0.0)
    return [value for value, mean in found.items() if mean < BROKEN * best]


def draw_lambda(curves: Curves) -> Sequence[Picture]:
    """Draw success against lambda, and the curves of both kinds of traces."""
    panels = [
        Panel(f"TCL-EXP [{traces}]", [lambda_name(traces, v) for v in LAMBDAS], COLOURS)
        for traces in LAMBDA_TRACES
    ]
    caption = "Success late in the runs against lambda, mean and 95 % interval over the runs"
    return [
        Picture("lambda.png", _draw_against_lambda(curves), caption),
        Picture("curves.png", draw_panels(curves.comparison, panels), CAPTION),
    ]


def _draw_against_lambda(curves: Curves) -> "Drawing":
    drawing, (axes,) = new_panels(1)
    axes.axvspan(TOO_LONG - 0.02, 1, color="#f4e3e3", label="published: breaks down with [et]")
    for traces, colour in LAMBDA_TRACES.items():
        draw_against(axes, f"[{traces}]", late_by_lambda(curves, traces), colour)
    axes.set(xlim=(-0.02, 1), ylim=(-0.02, 1.04), xlabel="lambda")
    axes.set_ylabel("success, mean of the last 40 %")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.legend(loc="lower left", fontsize=8.5, edgecolor="none")
    return drawing


def tell_lambda(curves: Curves) -> Told:
    """Say at which lambdas plain traces break down, and whether the other ones do."""
    late = {traces: late_by_lambda(curves, traces) for traces in LAMBDA_TRACES}
    compared = [
        Compared(
            f"[{traces}], late mean at lambda {value:g}",
            "breaks down" if traces == "et" and value >= TOO_LONG else "curve without numbers",
            spread_text(spread),
            None if spread is None else spread.mean,
            None if spread is None else spread.mean_interval,
        )
        for traces in LAMBDA_TRACES
        for value, spread in late[traces].items()
    ]
    if not any(spread for each in late.values() for spread in each.values()):
        return compared, SILENT, "not computed"
    told = "; ".join(f"[{traces}] {_breakdown(late[traces])}" for traces in LAMBDA_TRACES)
    if few := too_few_to_rank(curves.comparison.groups):
        told = f"{told}; {few}"
    why = (
        f"{SILENT} A line counts as broken down here if its late mean is less than half of the "
        f"best lambda's with the same traces: {told}."
    )
    return compared, why, told


def _breakdown(late: Mapping[float, Spread | None]) -> str:
    """Say where it breaks down, and of which lambdas nothing is known."""
    broken, missing = broken_lambdas(late), [v for v, spread in late.items() if spread is None]
    where = f"lambda {_numbers(broken)}" if broken else "no lambda"
    return f"breaks down at {where}" + f" (not computed: {_numbers(missing)})" * bool(missing)


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
