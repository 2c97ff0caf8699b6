"""The poster's curves: TDL, TCL and TCL-EXP with four kinds of eligibility traces."""

from collections.abc import Mapping, Sequence
from typing import get_args

from connectlab.agents.ntuple.config import FRAMEWORKS_HASTE, Traces
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.konen_runs import REWARDED, REWARDS, SILENT, line
from connectlab.lab.papers.konen_tell import led, tell_failures
from connectlab.lab.papers.lines import Line, time_text
from connectlab.lab.papers.page import Compared, Picture
from connectlab.lab.papers.panels import Panel, draw_panels
from connectlab.lab.papers.ranking import (
    FEWEST_TO_RANK,
    SPANS,
    overlap_line,
    span_of_mean,
)
from connectlab.lab.papers.sentences import joined, paragraphs
from connectlab.lab.statistics import Spread

LEARNERS = {"TDL": "konen-tdl", "TCL": "konen-tcl", "TCL-EXP": "konen-tcl-exp"}
"""The learners of the poster, and how the names of their presets begin."""
TRACES: tuple[str, ...] = get_args(Traces)
BEST = "rr"
"""The traces that learn once more as the framework rewards games: those of the rules."""
SOONER = 2
"""How many times sooner than TDL related papers say that TCL-EXP reaches 80 %, at least."""


def trace_name(learner: str, traces: str) -> str:
    """Return the name of a line, such as "TDL [rr]"."""
    return f"{learner} [{traces}]"


def rewarded_name(learner: str) -> str:
    """Return the name of a line with the framework's rewards."""
    return f"{trace_name(learner, BEST)}, {REWARDED}"


def trace_lines(size: Size) -> Sequence[Line]:
    """Return every learner of the poster with every kind of traces, lambda 0.8."""
    rewarded = [
        line(rewarded_name(learner), f"{preset}-{BEST}", size, haste=FRAMEWORKS_HASTE)
        for learner, preset in LEARNERS.items()
    ]
    return [
        line(trace_name(learner, traces), f"{preset}-{traces}", size)
        for learner, preset in LEARNERS.items()
        for traces in TRACES
    ] + rewarded


def draw_traces(curves: Curves) -> Sequence[Picture]:
    """Draw a panel for each learner, as the poster does."""
    panels = [
        Panel(
            f"{learner}, lambda 0.8",
            [*(trace_name(learner, traces) for traces in TRACES), rewarded_name(learner)],
        )
        for learner in LEARNERS
    ]
    return [Picture("curves.png", draw_panels(curves.comparison, panels), curves.caption)]


def tell_traces(curves: Curves) -> Told:
    """Compare TCL-EXP with TDL, traces by traces."""
    pairs = {f"[{traces}]": _pair(traces) for traces in TRACES}
    pairs[f"[{BEST}], {REWARDED}"] = rewarded_name("TDL"), rewarded_name("TCL-EXP")
    sooner = {kind: _sooner(curves, kind, *pair) for kind, pair in pairs.items()}
    compared = list(sooner.values())
    names = [group.name for group in curves.comparison.groups]
    compared += [
        curves.compared_late(name, f"{name}, mean of the last 40 %", "curve without numbers")
        for name in names
    ]
    told = [
        _tell_sooner(sooner),
        _tell_reached(curves),
        *tell_failures(curves, trace_lines(curves.size)),
    ]
    silent = f"{SILENT} {REWARDS}"
    if few := led(curves):
        return compared, paragraphs(told, silent), _ratios(sooner) or few
    late = {name: spread for name in names if (spread := curves.late_mean(name)) is not None}
    order = f"Late means in order: {_order(late)}. {SPANS}"
    highest = _highest(late)
    return compared, paragraphs([*told, order, highest], silent), _ratios(sooner) or highest


def _ratios(compared: Mapping[str, Compared]) -> str:
    """Say in a line how many times sooner TCL-EXP is, with the rewards of the text."""
    known = [
        f"{each.value:.1f} {kind}"
        for kind, each in compared.items()
        if each.value is not None and REWARDED not in kind
    ]
    if not known:
        return ""
    return (
        f"TCL-EXP reaches 80 % sooner than TDL by factors of {joined(known)}; 2 to 4 "
        "in related papers"
    )


def _highest(late: Mapping[str, Spread]) -> str:
    """Name the line with the highest late mean, and say how many others may be as good."""
    best = max(late, key=lambda name: late[name].mean)
    near = overlap_line(best, {name: span_of_mean(spread) for name, spread in late.items()})
    return f"{best} has the highest late mean, {late[best].mean:.2f}; {near}."


def _pair(traces: str) -> tuple[str, str]:
    """Return the lines of TDL and TCL-EXP with some traces."""
    return trace_name("TDL", traces), trace_name("TCL-EXP", traces)


def _sooner(curves: Curves, kind: str, tdl: str, tcl_exp: str) -> Compared:
    """Say how much sooner TCL-EXP reaches 80 % than TDL does, by the medians over runs."""
    what = f"80 % with TCL-EXP {kind} sooner than with TDL {kind}"
    published = "2 to 4 times (related papers; no number on the poster)"
    slow, fast = curves[tdl].games_to(0.8), curves[tcl_exp].games_to(0.8)
    if slow is None or fast is None:
        return Compared(what, published, "not computed")
    texts = f"{time_text(fast)} against {time_text(slow)}"
    if slow.median is None or fast.median is None or min(slow.runs, fast.runs) < FEWEST_TO_RANK:
        return Compared(what, published, texts)
    ratio = slow.median / fast.median
    return Compared(what, published, f"{ratio:.1f} times: {texts}", ratio)


def _tell_sooner(compared: Mapping[str, Compared]) -> str:
    """Put the ratios that are known beside those of the related papers."""
    told = [
        f"{each.value:.1f} with {kind}" for kind, each in compared.items() if each.value is not None
    ]
    if not told:
        return ""
    return (
        "How many times sooner TCL-EXP reaches 80 % than TDL, by the medians: "
        f"{joined(told)}; 2 to 4 in related papers."
    )


def _tell_reached(curves: Curves) -> str:
    """Say in how many runs both learners reached 80 % at all."""
    told = []
    for learner in ("TCL-EXP", "TDL"):
        times = {traces: curves[trace_name(learner, traces)].games_to(0.8) for traces in TRACES}
        known = {traces: time for traces, time in times.items() if time is not None}
        each = [f"{time.reached} of {time.runs} with [{kind}]" for kind, time in known.items()]
        told += [f"{learner} {joined(each)}"] if each else []
    return f"Runs that reached 80 %: {'; '.join(told)}." if told else ""


def _order(late: Mapping[str, Spread]) -> str:
    names = sorted(late, key=lambda name: -late[name].mean)
    return ", ".join(f"{name} {late[name].mean:.2f}" for name in names)
