"""The transfer functions g(x) of temporal coherence, as the learner's own kernel computes them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

BETA = 2.7
"""Best setting of the authors' framework, and that of all presets."""
NAMES = {"tcl": "Standard TCL", "tcl-linear": "PieceLinear", "tcl-exp": "TCL-EXP"}
"""The rules as the legend of the poster calls them."""
COLOURS = {"tcl": "#4d4d4d", "tcl-linear": "#2166ac", "tcl-exp": "#b2182b"}
SHOWN = (0.0, 0.25, 0.5, 0.65, 0.75, 0.9, 1.0)
"""Coherences in the table; at 1 - (1 - e^-beta) / beta, about 0.654, the linear piece begins."""


def transfer(rule: str, x: NDArray[np.float64], beta: float = BETA) -> NDArray[np.float64]:
    """Return g of each coherence x = |N| / A, float64[n], as a weight of the learner is moved.

    One weight a value, with memory N = x and A = 1, is told to change by r = 1 with alpha = 1: what
    the kernel adds to it then is g(x).
    """
    from connectlab.agents.ntuple.step_sizes import RULES, coherence

    told = np.ones(len(x), dtype=np.float32)
    memory = np.stack([x, np.ones(len(x))], axis=1).astype(np.float32).ravel()
    change = np.zeros(len(x), dtype=np.float32)
    one = np.float32(1)
    coherence(RULES[rule].code, len(x), one, one, np.float32(beta), told, memory, change)
    return change.astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class TransferExperiment(Experiment):
    """Draws the transfer functions."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Nothing takes time."""
        del size
        return ()

    def report(self, found: Found, size: Size) -> Report:
        """Draw the three functions, and put what the poster says of them beside our values."""
        del found, size
        x = np.linspace(0, 1, 201)
        values = {rule: transfer(rule, x) for rule in NAMES}
        gap = float(abs(values["tcl-exp"] - np.exp(BETA * (x - 1))).max())
        return Report(
            settings=f"g(x) for 201 values of the coherence x = |N| / A from 0 to 1, beta "
            f"{BETA}, each the change of a weight by the compiled kernel that learns.",
            compared=_compared(x, values),
            differences="The text of the poster names the functions and gives no formula but the "
            "identity, and no beta. The exponential is exp(beta (x - 1)) and the piecewise linear "
            "one max(exp(-beta), 1 + beta (x - 1)), as in the authors' framework, with its best "
            "beta. The kernel computes the exponential by a polynomial: it is off by at most "
            f"{gap:.1e} here.",
            tables=[_table()],
            pictures=[Picture("transfer.png", _draw(x, values), CAPTION)],
            data={"x": x.tolist(), "beta": BETA, **{k: v.tolist() for k, v in values.items()}},
            summary=_summary(x, values),
        )


CAPTION = (
    "The factor by which a step size shrinks as the changes of a weight contradict each other: "
    "x = 1 when all had the same sign, 0 when they cancel out"
)


def _compared(x: NDArray[np.float64], values: Mapping[str, NDArray[np.float64]]) -> list[Compared]:
    off = float(abs(values["tcl"] - x).max())
    ends = {rule: float(each[-1]) for rule, each in values.items()}
    least = {rule: float(values[rule][0]) for rule in ("tcl-linear", "tcl-exp")}
    return [
        Compared("Standard TCL", "g(x) = x", f"differs from x by at most {off:.1e}", off),
        Compared(
            "g(1), all changes of one sign",
            "the upper bound (no number)",
            ", ".join(f"{NAMES[rule]} {end:.4f}" for rule, end in ends.items()),
        ),
        Compared(
            "g(0), changes that cancel out",
            "largely reduced (no number)",
            ", ".join(f"{NAMES[rule]} {value:.4f}" for rule, value in least.items())
            + f" (e^-beta is {math.exp(-BETA):.4f})",
            least["tcl-exp"],
        ),
    ]


def _summary(x: NDArray[np.float64], values: Mapping[str, NDArray[np.float64]]) -> str:
    """Say whether the curves lie as they should: the linear one is a tangent of the exponential."""
    below = bool((values["tcl-linear"] <= values["tcl-exp"] + 1e-5).all())
    same = bool(np.allclose(values["tcl"], x, atol=1e-6))
    return (
        f"the identity is {'exact' if same else 'not exact'}; the piecewise linear function lies "
        f"{'nowhere' if below else 'in places'} above the exponential one"
    )


def _table() -> Table:
    x = np.array(SHOWN)
    columns = [transfer(rule, x) for rule in NAMES]
    rows = [(f"{at:g}", *(f"{column[i]:.4f}" for column in columns)) for i, at in enumerate(SHOWN)]
    return Table("Values", ("x", *NAMES.values()), rows)


def _draw(x: NDArray[np.float64], values: Mapping[str, NDArray[np.float64]]) -> "Drawing":
    from connectlab.training.curve import new_axes

    drawing, axes = new_axes()
    for rule, each in values.items():
        style = "--" if rule == "tcl-linear" else "-"
        axes.plot(x, each, style, color=COLOURS[rule], linewidth=2.2, label=NAMES[rule])
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="x = |N| / A", ylabel="g(x)")
    axes.set_title(f"Konen 2015: transfer functions, beta = {BETA}", fontsize=11, loc="left")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.legend(loc="upper left", fontsize=9, edgecolor="none")
    return drawing
