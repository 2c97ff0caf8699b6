"""Konen, Bagheri and Thill 2015, the poster on n-tuple systems, eligibility traces and TCL.

Common to all: 70 random walks of 8 cells, P = 4, two tables, epsilon 0.1, gamma 1, weights uniform
in +-0.0005, 200 games against perfect play a judgement. Games and runs are not stated: 2 million,
and ten. Run r of every line has the r-th tuple set and the r-th seed, so lines compare pairwise.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from connectlab.agents.ntuple.config import Rule, Traces
from connectlab.lab.compare import RunGroup
from connectlab.lab.papers.curves import CAPTION, Curves, CurvesExperiment, Told
from connectlab.lab.papers.experiment import Experiment, Scale, Size
from connectlab.lab.papers.konen_eligibility import EligibilityExperiment
from connectlab.lab.papers.konen_transfer import TransferExperiment
from connectlab.lab.papers.lines import Line, make_line, time_text, trained_of
from connectlab.lab.papers.page import Compared, Picture, Table, spread_text
from connectlab.lab.papers.panels import Panel, draw_against, draw_panels, draw_times, new_panels
from connectlab.lab.papers.results import Found
from connectlab.lab.statistics import Spread

PAPER = "Konen 2015"
SIZES: Mapping[Scale, Size] = {
    "mini": Size(games=300, repeats=1, tests=2, points=2),
    "quick": Size(games=200_000, repeats=3, tests=100, points=10),
    "full": Size(games=2_000_000, repeats=10, tests=200, points=80),
}
LEARNERS = {"TDL": "konen-tdl", "TCL": "konen-tcl", "TCL-EXP": "konen-tcl-exp"}
"""The learners of the poster, and how the names of their presets begin."""
TRACES: tuple[str, ...] = get_args(Traces)
LAMBDAS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
LAMBDA_TRACES = ("et", "rr")
TOO_LONG = 0.9
"""From this lambda on, the poster says, the system breaks down."""
BROKEN = 0.5
"""A line counts as broken down if it ends below this share of the best line of its traces."""
FIXED = "fixed"
RULES_A_PANEL = 4
LEVELS = {0.8: "#2166ac", 0.9: "#b2182b"}
SILENT = (
    "The poster states neither the number of games nor of runs, nor its tuple sets, nor a step "
    "size for TCL. Assumed: each run has a tuple set and a seed of its own, the same ones in every "
    "line; TCL with alpha 0.1, TCL-EXP with alpha 0.05 and beta 2.7, both constant. Updates are "
    "those of its Algorithm 3. Its perfect player is a minimax agent; ours draws among the best "
    "moves, wins as soon and loses as late as it can. A run that breaks down (values that are no "
    "numbers, or stuck at -1 or 1) counts as 0 from there on."
)


def line(name: str, preset: str, size: Size, **changes: object) -> Line:
    """Return runs that differ in their tuple sets and seeds."""
    measures = (f"success:games={size.tests}",)
    vary = ("seed", "tuple_seed")
    return make_line(name, "ntuple", preset, size, changes, measures=measures, vary=vary)


def settings(what: str) -> Callable[[Size], str]:
    """Return what says what was done, in the numbers of a size."""

    def tell(size: Size) -> str:
        shorter = " Where alpha falls it does so over the whole run, so faster in a shorter one."
        return (
            f"{what}: {size.games:,} games of self-play, runs of each line: {size.repeats}, judged "
            f"by {size.tests} games against perfect play every {size.evaluation_every:,} games."
            f"{shorter if size.games < SIZES['full'].games else ''}"
        )

    return tell


def broken_table(lines: Callable[[Size], Sequence[Line]]) -> Callable[..., Sequence[Table]]:
    """Return what lists the runs that broke down; no table where none did."""

    def tables(curves: Curves, found: Found) -> Sequence[Table]:
        rows = [
            (each.name, str(cell.config["seed"]), f"{trained.games:,}")
            for each in lines(curves.size)
            for cell, trained in trained_of(each, found)
            if trained.broke_down
        ]
        heading = ("line", "seed", "games before it")
        return [Table("Runs that broke down", heading, rows)] if rows else []

    return tables


# Traces


def trace_name(learner: str, traces: str) -> str:
    """Return the name of a line, such as "TDL [rr]"."""
    return f"{learner} [{traces}]"


def trace_lines(size: Size) -> Sequence[Line]:
    """Return every learner of the poster with every kind of traces, lambda 0.8."""
    return [
        line(trace_name(learner, traces), f"{preset}-{traces}", size)
        for learner, preset in LEARNERS.items()
        for traces in TRACES
    ]


def _trace_pictures(curves: Curves) -> Sequence[Picture]:
    panels = [
        Panel(f"{learner}, lambda 0.8", [trace_name(learner, traces) for traces in TRACES])
        for learner in LEARNERS
    ]
    return [Picture("curves.png", draw_panels(curves.comparison, panels), CAPTION)]


def tell_traces(curves: Curves) -> Told:
    """Compare TCL-EXP with TDL, traces by traces."""
    compared = [_sooner(curves, traces) for traces in TRACES]
    names = [group.name for group in curves.comparison.groups]
    compared += [
        curves.compared_late(name, f"{name}, mean of the last 40 %", "curve without numbers")
        for name in names
    ]
    late = {name: spread for name in names if (spread := curves.late_mean(name)) is not None}
    best = max(late, key=lambda name: late[name].mean, default=None)
    summary = "not computed" if best is None else f"{best} ends highest, at {late[best].mean:.2f}"
    ranks = _order(late)
    return compared, f"{SILENT}{f' Late means in order: {ranks}.' if ranks else ''}", summary


def _sooner(curves: Curves, traces: str) -> Compared:
    """Say how much sooner TCL-EXP reaches 80 % than TDL does, by the medians over runs."""
    what = f"80 % with TCL-EXP [{traces}] sooner than with TDL [{traces}]"
    published = "2 to 4 times (related papers; no number on the poster)"
    slow, fast = (curves[trace_name(each, traces)].games_to(0.8) for each in ("TDL", "TCL-EXP"))
    texts = f"{time_text(fast)} against {time_text(slow)}"
    if slow is None or fast is None or slow.median is None or fast.median is None:
        return Compared(what, published, "not computed" if slow is fast is None else texts)
    ratio = slow.median / fast.median
    return Compared(what, published, f"{ratio:.1f} times: {texts}", ratio)


def _order(late: Mapping[str, Spread]) -> str:
    names = sorted(late, key=lambda name: -late[name].mean)
    return ", ".join(f"{name} {late[name].mean:.2f}" for name in names)


# Lambda


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


def _lambda_pictures(curves: Curves) -> Sequence[Picture]:
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    steps = [to_hex(colormaps["viridis"](i / len(LAMBDAS))) for i in range(len(LAMBDAS))]
    colours = [
        "#b2182b" if value >= TOO_LONG else colour
        for value, colour in zip(LAMBDAS, steps, strict=True)
    ]
    colours[-1] = "#e08214"
    panels = [
        Panel(f"TCL-EXP [{traces}]", [lambda_name(traces, v) for v in LAMBDAS], colours)
        for traces in LAMBDA_TRACES
    ]
    drawing, (axes,) = new_panels(1)
    axes.axvspan(TOO_LONG - 0.02, 1, color="#f4e3e3", label="published: breaks down with [et]")
    for traces, colour in zip(LAMBDA_TRACES, ("#b2182b", "#2166ac"), strict=True):
        draw_against(axes, f"[{traces}]", late_by_lambda(curves, traces), colour)
    axes.set(xlim=(-0.02, 1), ylim=(-0.02, 1.04), xlabel="lambda")
    axes.set_ylabel("success, mean of the last 40 %")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.legend(loc="lower left", fontsize=8.5, edgecolor="none")
    caption = "Success late in the runs against lambda, mean and 95 % interval over the runs"
    return [
        Picture("lambda.png", drawing, caption),
        Picture("curves.png", draw_panels(curves.comparison, panels), CAPTION),
    ]


def tell_lambda(curves: Curves) -> Told:
    """Say at which lambdas plain traces break down, and whether the other ones do."""
    late = {traces: late_by_lambda(curves, traces) for traces in LAMBDA_TRACES}
    broken = {traces: broken_lambdas(late[traces]) for traces in LAMBDA_TRACES}
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
    told = "; ".join(f"[{traces}] {_breakdown(broken[traces])}" for traces in LAMBDA_TRACES)
    why = (
        f"{SILENT} A line counts as broken down here if its late mean is less than half of the "
        f"best lambda's with the same traces: {told}."
    )
    return compared, why, told


def _breakdown(broken: Sequence[float]) -> str:
    if not broken:
        return "breaks down at no lambda"
    return f"breaks down at lambda {', '.join(f'{value:g}' for value in broken)}"


# Step-size rules


def rule_presets() -> dict[str, str]:
    """Return the preset of every step-size rule that the learner has, in its order."""
    return {rule: f"konen-rules-{rule}" for rule in get_args(Rule)}


def rule_lines(size: Size) -> Sequence[Line]:
    """Return every step-size rule with its best settings, lambda 0.8 [rr]."""
    return [line(rule, preset, size) for rule, preset in rule_presets().items()]


def _rule_pictures(curves: Curves) -> Sequence[Picture]:
    others = [rule for rule in rule_presets() if rule != FIXED]
    chunks = [others[i : i + RULES_A_PANEL] for i in range(0, len(others), RULES_A_PANEL)]
    panels = [Panel(", ".join(chunk), [FIXED, *chunk]) for chunk in chunks]
    groups = curves.comparison.groups
    times = draw_times(groups, LEVELS, float(curves.size.games))
    caption = (
        "Games to 80 % and 90 % of perfect play: median over the runs and 95 % interval; an arrow "
        "where it is longer than the runs were watched"
    )
    return [
        Picture("times.png", times, caption),
        Picture("curves.png", draw_panels(curves.comparison, panels), CAPTION),
    ]


def tell_rules(curves: Curves) -> Told:
    """Put the games that each rule takes side by side; the poster gives no numbers."""
    groups = curves.comparison.groups
    compared = [_compared_time(group, level) for level in LEVELS for group in groups]
    why = (
        f"{SILENT} Settings are the best that the authors' framework loads for each rule "
        "(docs/ntuple.md lists them; it tells where the framework has none, too). "
        "Games to a level are those of the first judgement that reached it: a curve that jumps "
        "reaches it sooner than one that is calm."
    )
    return compared, why, _fastest(groups)


def _compared_time(group: RunGroup, level: float) -> Compared:
    time = group.games_to(level)
    return Compared(
        f"{group.name}, games to {100 * level:.0f} %",
        "curve without numbers",
        time_text(time),
        None if time is None else time.median,
    )


def _fastest(groups: Sequence[RunGroup]) -> str:
    """Name the rule that reaches 80 % soonest."""
    times = [(group.games_to(0.8), group.name) for group in groups]
    known = [(time.median, name) for time, name in times if time and time.median is not None]
    if not known:
        return "no rule is known to reach 80 % in most runs"
    games, name = min(known)
    return f"{name} reaches 80 % first, after {games:,.0f} games in the median"


EXPERIMENTS: list[Experiment] = [
    CurvesExperiment(
        name="konen-traces",
        paper=PAPER,
        title="TDL, TCL and TCL-EXP with four kinds of eligibility traces",
        published="curves without numbers; in related papers 80 % 2 to 4 times sooner than TDL",
        sizes=SIZES,
        lines=trace_lines,
        settings=settings("Lambda 0.8; plain traces [et], resetting, replacing, and both [rr]"),
        tell=tell_traces,
        pictures=_trace_pictures,
        tables=broken_table(trace_lines),
    ),
    CurvesExperiment(
        name="konen-lambda",
        paper=PAPER,
        title="TCL-EXP from lambda 0 to 0.95 (Figure 1)",
        published="breaks down for lambda of 0.9 and more without replacing and resetting traces",
        sizes=SIZES,
        lines=lambda_lines,
        settings=settings("TCL-EXP, alpha 0.05, beta 2.7; [et] and [rr]"),
        tell=tell_lambda,
        pictures=_lambda_pictures,
        tables=broken_table(lambda_lines),
    ),
    TransferExperiment(
        name="konen-transfer",
        paper=PAPER,
        title="Transfer functions of temporal coherence",
        published="a plot of g(x): identity, piecewise linear, exponential",
        sizes={scale: Size() for scale in SIZES},
        core_minutes=dict.fromkeys(SIZES, 0.0),
    ),
    EligibilityExperiment(
        name="konen-eligibility",
        paper=PAPER,
        title="Eligibility of a weight over a game (Figure 3)",
        published="a sketch: isolated points without traces, resets, replaced activations",
        sizes={scale: Size() for scale in SIZES},
        core_minutes=dict.fromkeys(SIZES, 0.0),
    ),
    CurvesExperiment(
        name="konen-rules",
        paper=PAPER,
        title="Step-size rules with their best settings",
        published="curves without numbers; games to 80 % and 90 % are what compares",
        sizes=SIZES,
        lines=rule_lines,
        settings=settings("Lambda 0.8 [rr]; every step-size rule"),
        tell=tell_rules,
        pictures=_rule_pictures,
        tables=broken_table(rule_lines),
    ),
]
