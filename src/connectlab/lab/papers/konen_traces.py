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
UNTRACED = ("TDL", "TCL-EXP")
"""Learners that learn without traces, too."""
SOONER = 2
"""How many times sooner than TDL related papers say that TCL-EXP reaches 80 %, at least."""
NO_NUMBER = "curve without numbers"
TIMES = "2 to 4 times (related papers; no number on the poster)"
TWICE = "2 times (Thill 2014, of traces; no number on the poster)"
BASELINE = (
    "The related papers, by their abstracts: traces learn twice as fast (Thill, Bagheri, Koch and "
    "Konen 2014), and step-size rules such as TCL-EXP four times as fast as what had been "
    "published before (Bagheri, Thill, Koch and Konen 2014), which is TDL without traces. So the "
    "verdict holds TCL-EXP against that. The poster's own curves have the same traces on both "
    "sides; those factors are told too, and earlier versions of this page took them for the "
    "verdict."
)


def trace_name(learner: str, traces: str) -> str:
    """Return the name of a line, such as "TDL [rr]"."""
    return f"{learner} [{traces}]"


def untraced_name(learner: str) -> str:
    """Return the name of a line without traces."""
    return f"{learner}, no traces"


def rewarded_name(learner: str) -> str:
    """Return the name of a line with the framework's rewards."""
    return f"{trace_name(learner, BEST)}, {REWARDED}"


def trace_lines(size: Size) -> Sequence[Line]:
    """Return every learner of the poster with every kind of traces, lambda 0.8, and without."""
    untraced = [
        line(untraced_name(learner), f"{LEARNERS[learner]}-et", size, trace_lambda=0.0)
        for learner in UNTRACED
    ]
    rewarded = [
        line(rewarded_name(learner), f"{preset}-{BEST}", size, haste=FRAMEWORKS_HASTE)
        for learner, preset in LEARNERS.items()
    ]
    return [
        line(trace_name(learner, traces), f"{preset}-{traces}", size)
        for learner, preset in LEARNERS.items()
        for traces in TRACES
    ] + [*rewarded, *untraced]


def draw_traces(curves: Curves) -> Sequence[Picture]:
    """Draw a panel for each learner, as the poster does."""
    panels = [
        Panel(
            learner,
            [
                *(trace_name(learner, traces) for traces in TRACES),
                rewarded_name(learner),
                *([untraced_name(learner)] if learner in UNTRACED else []),
            ],
        )
        for learner in LEARNERS
    ]
    return [Picture("curves.png", draw_panels(curves.comparison, panels), curves.caption)]


def tell_traces(curves: Curves) -> Told:
    """Compare TCL-EXP with TDL without traces and with the same ones, and TDL with and without."""
    plain = untraced_name("TDL")
    kinds = {f"[{traces}]": traces for traces in TRACES}
    sooner = {
        kind: _sooner(curves, plain, trace_name("TCL-EXP", traces), TIMES)
        for kind, traces in kinds.items()
    }
    rules = {"no traces": _sooner(curves, plain, untraced_name("TCL-EXP"), NO_NUMBER)} | {
        kind: _sooner(curves, *_pair(traces), NO_NUMBER) for kind, traces in kinds.items()
    }
    rewarded = rewarded_name("TDL"), rewarded_name("TCL-EXP")
    rules[f"[{BEST}], {REWARDED}"] = _sooner(curves, *rewarded, NO_NUMBER)
    traced = {
        kind: _sooner(curves, plain, trace_name("TDL", traces), TWICE)
        for kind, traces in kinds.items()
    }
    names = [group.name for group in curves.comparison.groups]
    compared = [*sooner.values(), *traced.values(), *rules.values()]
    compared += [
        curves.compared_late(name, f"{name}, mean of the last 40 %", NO_NUMBER) for name in names
    ]
    told = [
        _tell_factors("TCL-EXP reaches 80 % than TDL without traces", sooner, "2 to 4"),
        _tell_factors("TDL does with traces than without", traced, "2"),
        _tell_factors("TCL-EXP does than TDL with the same traces", rules, ""),
        _tell_reached(curves),
        *tell_failures(curves, trace_lines(curves.size)),
    ]
    silent = f"{BASELINE} {SILENT} {REWARDS}"
    if few := led(curves):
        return compared, paragraphs(told, silent), _ratios(sooner) or few
    late = {name: spread for name in names if (spread := curves.late_mean(name)) is not None}
    order = f"Late means in order: {_order(late)}. {SPANS}"
    highest = _highest(late)
    return compared, paragraphs([*told, order, highest], silent), _ratios(sooner) or highest


def _factors(compared: Mapping[str, Compared]) -> list[str]:
    """Write the factors that are known, such as "1.6 [res]"."""
    return [f"{each.value:.1f} {kind}" for kind, each in compared.items() if each.value is not None]


def _ratios(compared: Mapping[str, Compared]) -> str:
    """Say in a line how many times sooner TCL-EXP is than TDL without traces."""
    known = _factors(compared)
    if not known:
        return ""
    return (
        f"80 % sooner than TDL without traces: TCL-EXP by factors of {joined(known)}; 2 to 4 "
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


def _sooner(curves: Curves, slow_line: str, fast_line: str, published: str) -> Compared:
    """Say how much sooner one line reaches 80 % than another, by the medians over runs."""
    what = f"80 % with {fast_line} sooner than with {slow_line}"
    slow, fast = curves[slow_line].games_to(0.8), curves[fast_line].games_to(0.8)
    if slow is None or fast is None:
        return Compared(what, published, "not computed")
    texts = f"{time_text(fast)} against {time_text(slow)}"
    if slow.median is None or fast.median is None or min(slow.runs, fast.runs) < FEWEST_TO_RANK:
        return Compared(what, published, texts)
    ratio = slow.median / fast.median
    return Compared(what, published, f"{ratio:.1f} times: {texts}", ratio)


def _tell_factors(what: str, compared: Mapping[str, Compared], published: str) -> str:
    """Put the factors that are known beside those of the related papers."""
    told = _factors(compared)
    if not told:
        return ""
    theirs = f"; {published} in related papers" * bool(published)
    return f"How many times sooner {what}, by the medians: {joined(told)}{theirs}."


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
