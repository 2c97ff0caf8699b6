"""Figure 3 of the poster: the eligibility of a weight over a game, by the learner's trace kernels.

The game is laid out so that the weight is active early, and again late::

    tuple  b1 and b2; mirrored, f1 and f2
    state  a stone of the first player below, the cell above it reachable; the first to move
    active at plies 2 and 4 (seen in b), and at 12 and 14 (seen in f)

The move of ply 7 counts as random. All weights are 0, so every gradient is 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from connectlab.game.geometry import Geometry
from connectlab.lab.papers.cells import Cell
from connectlab.lab.papers.experiment import Experiment, Size
from connectlab.lab.papers.page import Compared, Picture, Report, Table
from connectlab.lab.papers.results import Found

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from connectlab.agents.ntuple.kernels import UInt32s, Views
    from connectlab.agents.ntuple.traces import Trace

TUPLE = ((1, 0), (1, 1))
MOVES = "24442173356444611771"
FIRST_ACTIVE = 2
"""The ply at which the weight is active for the first time."""
RANDOM_PLY = 7
LAMBDA = 0.8
KINDS = ("none", "et", "res", "rep", "rr")
"""Without traces (lambda = 0), and the four kinds of them."""
PANELS = {
    "none": "a) without traces",
    "res": "b) resetting traces [res]",
    "rep": "c) replacing traces [rep]",
}
"""The panels of the poster's figure."""


@dataclass(frozen=True)
class Course:
    """The eligibility of the weight over the game, ply by ply."""

    reached: tuple[float, ...]
    """e_i once the position of the ply was added."""
    left: tuple[float, ...]
    """e_i once the move was made: 0 if that ended all traces."""
    decay: float
    """gamma * lambda."""

    @property
    def outline(self) -> tuple[list[float], list[float]]:
        """Plies and values of a line that shows fading, jumps and resets."""
        plies: list[float] = []
        values: list[float] = []
        for ply, (reached, left) in enumerate(zip(self.reached, self.left, strict=True)):
            plies += [ply, ply, ply + 1]
            values += [reached, left, left * self.decay]
        return plies, values

    @property
    def jumps(self) -> tuple[int, ...]:
        """Plies at which it did more than fade: where the weight is active."""
        before = (0.0, *(each * self.decay for each in self.left))
        moved = zip(before, self.reached, strict=False)
        return tuple(ply for ply, (old, new) in enumerate(moved) if abs(new - old) > 1e-6)


def follow(kind: str, trace_lambda: float = LAMBDA) -> Course:
    """Let the kernels of the learner keep the trace along the game; ``kind`` is one of KINDS."""
    from connectlab.agents.ntuple.kernels import make_views
    from connectlab.agents.ntuple.layout import Layout
    from connectlab.agents.ntuple.traces import Memory, activate, clear, fade, make_trace

    geometry = Geometry()
    views = make_views(Layout(geometry, (TUPLE,), 4, True), 2)
    trace = make_trace(views, 2, geometry.cells, np.zeros(1, dtype=np.float32))
    memory = Memory.create(2 * views.size, 0)
    lasting, replace, resets = kind != "none", kind in ("rep", "rr"), kind in ("res", "rr")
    weight = int(_indices(MOVES[:FIRST_ACTIVE], views)[0])
    reached, left = [], []
    for ply in range(len(MOVES)):
        here = views.second_table if ply % 2 else 0
        index = _indices(MOVES[:ply], views)
        activate(trace, memory, index, here, np.float32(1), replace, True, lasting)
        reached.append(_eligibility(trace, weight))
        if (resets and ply == RANDOM_PLY) or not lasting:
            clear(trace, memory, lasting)
        left.append(_eligibility(trace, weight))
        fade(trace, np.float32(trace_lambda))
    return Course(tuple(reached), tuple(left), trace_lambda if lasting else 0.0)


def _indices(moves: str, views: "Views") -> "UInt32s":
    """Return the weight that each slot sees after some moves, uint32[slots]."""
    from connectlab.agents.ntuple.kernels import read_indices
    from connectlab.game.position import Position

    position = Position.from_moves(moves)
    opponent = position.occupied ^ position.mover
    first = opponent if len(moves) % 2 else position.mover
    index = np.zeros(views.slots, dtype=np.uint32)
    occupied = np.uint64(position.occupied)
    read_indices(index, np.uint64(first), occupied, views, position.geometry.shape)
    return index


def _eligibility(trace: "Trace", weight: int) -> float:
    """Return the eligibility of a weight; 0 if it is not in the list."""
    listed = trace.weight[: trace.used[0]] == weight
    return float(trace.e[: trace.used[0]][listed].sum())


@dataclass(frozen=True, kw_only=True)
class EligibilityExperiment(Experiment):
    """Draws how eligible the weight is, with each kind of traces."""

    def cells(self, size: Size) -> tuple[Cell, ...]:
        """Nothing takes time."""
        del size
        return ()

    def report(self, found: Found, size: Size) -> Report:
        """Follow the weight once for each kind."""
        del found, size
        courses = {kind: follow(kind) for kind in KINDS}
        return Report(
            settings=f"One weight in the game {MOVES}, whose move at ply {RANDOM_PLY} (counted "
            f"from 0) counts as random; lambda {LAMBDA}, gamma 1, all weights 0, so each gradient "
            "is 1. The tuple is b1, b2 and by mirroring f1, f2; the weight is that of a stone of "
            "the first player with a reachable cell above it, the first player to move. The list "
            "of eligible weights is kept by the compiled kernels that learn.",
            compared=_compared(courses),
            differences="The poster's figure is a sketch of an unnamed game, so values do not "
            "compare, shapes do. A weight of a two-table network is active at every other ply at "
            "most, and a state of a tuple does not come back once a stone has changed it, except "
            "in the mirror image; hence two pairs of activations. Random moves are not learned "
            "from; where traces are not reset they fade across one.",
            tables=[_table(courses)],
            pictures=[Picture("eligibility.png", _draw(courses), CAPTION)],
            data={kind: {"e": course.reached} for kind, course in courses.items()},
            summary=_summary(courses),
        )


CAPTION = (
    "The eligibility of one weight over a game. Dotted: the random move. Thin grey line in b) and "
    "c): plain traces [et]. Ticks below: plies at which the weight is active"
)


def isolated(course: Course) -> bool:
    """Whether the weight is eligible nowhere but where it is active."""
    return all(not e or ply in course.jumps for ply, e in enumerate(course.reached))


def greatest(course: Course) -> float:
    """Return the greatest eligibility of the game."""
    return max(course.reached)


def _compared(courses: Mapping[str, Course]) -> list[Compared]:
    after = courses["res"].reached[RANDOM_PLY + 1]
    plain = courses["et"].reached[RANDOM_PLY + 1]
    only = "only there" if isolated(courses["none"]) else "elsewhere too"
    plies = ", ".join(map(str, courses["none"].jumps))
    return [
        Compared("a) without traces", "active at isolated points", f"plies {plies}, {only}"),
        Compared(
            "b) [res], after the random move",
            "reset",
            f"{after:.3f} ([et]: {plain:.3f})",
            after,
        ),
        Compared(
            "c) [rep], greatest value",
            "a new activation replaces the old one",
            f"{greatest(courses['rep']):.3f} ([et]: {greatest(courses['et']):.3f})",
            greatest(courses["rep"]),
        ),
    ]


def _summary(courses: Mapping[str, Course]) -> str:
    reset = courses["res"].reached[RANDOM_PLY + 1] == 0 < courses["et"].reached[RANDOM_PLY + 1]
    replaced = greatest(courses["rep"]) == 1 < greatest(courses["et"])
    same = reset and replaced and isolated(courses["none"])
    return f"the shapes are {'those' if same else 'not those'} of the poster"


def _table(courses: Mapping[str, Course]) -> Table:
    rows = [
        (
            f"{ply}{' (random)' if ply == RANDOM_PLY else ''}",
            *(f"{course.reached[ply]:.3f}" for course in courses.values()),
        )
        for ply in range(len(MOVES))
    ]
    note = "When the position of a ply has been added; a reset by its move comes after that."
    return Table("Eligibility at each ply", ("ply", "none", *map(_tag, KINDS[1:])), rows, note)


def _tag(kind: str) -> str:
    return f"[{kind}]"


def _draw(courses: Mapping[str, Course]) -> "Drawing":
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(7.2, 6.4), layout="constrained")
    panels = drawing.subplots(len(PANELS), 1, sharex=True, sharey=True)
    for axes, (kind, title) in zip(panels, PANELS.items(), strict=True):
        axes.set_title(title, fontsize=10, loc="left")
        if kind == "none":
            axes.vlines(courses[kind].jumps, 0, 1, color="#2166ac", linewidth=2.2)
        else:
            axes.plot(*courses["et"].outline, color="#999999", linewidth=1)
            axes.plot(*courses[kind].outline, color="#2166ac", linewidth=2.2)
        _frame(axes, courses["none"].jumps)
    panels[-1].set_xlabel("ply")
    return drawing


def _frame(axes: "Axes", active: tuple[int, ...]) -> None:
    axes.axvline(RANDOM_PLY, color="#b2182b", linestyle=":", linewidth=1.6)
    axes.plot(active, [0] * len(active), "|", color="#333333", markersize=10)
    axes.set(xlim=(0, len(MOVES)), ylim=(0, 1.85), ylabel="e_i")
    axes.set_xticks(range(0, len(MOVES) + 1, 2))
    axes.spines[["top", "right"]].set_visible(False)
