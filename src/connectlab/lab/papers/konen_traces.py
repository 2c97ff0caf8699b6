"""The poster's curves: TDL, TCL and TCL-EXP with four kinds of eligibility traces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from connectlab.agents.ntuple.config import FRAMEWORKS_HASTE, Traces
from connectlab.lab.papers.curves import Curves, Told
from connectlab.lab.papers.experiment import Size
from connectlab.lab.papers.konen_runs import REWARDED, REWARDS, SILENT, line
from connectlab.lab.papers.konen_tell import led, tell_failures
from connectlab.lab.papers.lines import Line, time_text
from connectlab.lab.papers.page import Compared, Picture, interval_text
from connectlab.lab.papers.panels import Panel, draw_panels
from connectlab.lab.papers.ranking import SPANS, overlap_line, span_of_mean
from connectlab.lab.papers.sentences import joined, paragraphs
from connectlab.lab.papers.sooner import Sooner
from connectlab.lab.statistics import FEWEST, Spread

LEARNERS = {"TDL": "konen-tdl", "TCL": "konen-tcl", "TCL-EXP": "konen-tcl-exp"}
"""The learners of the poster, and how the names of their presets begin."""
TRACES: tuple[str, ...] = get_args(Traces)
BEST = "rr"
"""The traces that learn once more as the framework rewards games: those of the rules."""
UNTRACED = ("TDL", "TCL-EXP")
"""Learners that learn without traces, too."""
LEVEL = 0.8
"""The share of the success of perfect play that is asked for."""
SOONER = 2
"""How many times sooner than TDL related papers say that TCL-EXP reaches 80 %, at least."""
NO_NUMBER = "curve without numbers"
CLAIM = "2 to 4 times (related papers; no number on the poster)"
TWICE = "2 times (Thill 2014, of traces; no number on the poster)"
BASELINE = (
    "The related papers, by their abstracts: traces learn twice as fast (Thill, Bagheri, Koch and "
    "Konen 2014), and step-size rules such as TCL-EXP four times as fast as what had been "
    "published before (Bagheri, Thill, Koch and Konen 2014), which was learned without traces. So "
    "the verdict holds TCL-EXP, with and without traces, against TDL without them. That rule was "
    "set when runs had been seen: before, it held TCL-EXP against TDL with the same traces, by "
    "medians without intervals, whose factors are 0.9 to 1.6, and said that this differs."
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
    claims = claimed(curves)
    traced = {f"[{kind}]": _against_plain(curves, trace_name("TDL", kind)) for kind in TRACES}
    same = {kind: _pair(curves, *lines) for kind, lines in _same_traces().items()}
    names = [group.name for group in curves.comparison.groups]
    compared = [
        *(_compared(curves, each, CLAIM) for each in claims.values()),
        *(_compared(curves, each, TWICE) for each in traced.values()),
        *(_compared(curves, each, NO_NUMBER) for each in same.values()),
        *(
            curves.compared_late(name, f"{name}, mean of the last 40 %", NO_NUMBER)
            for name in names
        ),
    ]
    told = [
        _tell("TDL without traces", "TCL-EXP", claims, "2 to 4"),
        _tell("TDL without traces", "TDL with traces", traced, "2"),
        _tell("TDL", "TCL-EXP with the same traces", same, ""),
        _tell_reached(curves),
        *tell_failures(curves, trace_lines(curves.size)),
    ]
    silent = f"{BASELINE} {SILENT} {REWARDS}"
    if few := led(curves):
        return compared, paragraphs(told, silent), _summary(claims) or few
    late = {name: spread for name in names if (spread := curves.late_mean(name)) is not None}
    spans = f" {SPANS}" if any(spread.n < FEWEST for spread in late.values()) else ""
    order = f"Late means in order: {_order(late)}.{spans}"
    highest = _highest(late)
    return compared, paragraphs([*told, order, highest], silent), _summary(claims) or highest


@dataclass(frozen=True)
class Pair:
    """Two lines, and how many times sooner the second one reaches 80 %."""

    slow: str
    fast: str
    sooner: Sooner


def claimed(curves: Curves) -> dict[str, Pair]:
    """Return what the related papers speak of: TCL-EXP beside TDL without traces."""
    plain = _against_plain(curves, untraced_name("TCL-EXP"))
    return {"without traces": plain} | {
        f"[{kind}]": _against_plain(curves, trace_name("TCL-EXP", kind)) for kind in TRACES
    }


def _against_plain(curves: Curves, fast: str) -> Pair:
    return _pair(curves, untraced_name("TDL"), fast)


def _pair(curves: Curves, slow: str, fast: str) -> Pair:
    return Pair(slow, fast, Sooner.of(curves[slow], curves[fast], LEVEL))


def _same_traces() -> dict[str, tuple[str, str]]:
    """Return the lines of TDL and TCL-EXP with the same traces and rewards."""
    plain = {f"[{kind}]": (trace_name("TDL", kind), trace_name("TCL-EXP", kind)) for kind in TRACES}
    return plain | {f"[{BEST}], {REWARDED}": (rewarded_name("TDL"), rewarded_name("TCL-EXP"))}


def _compared(curves: Curves, pair: Pair, published: str) -> Compared:
    """Put a factor and the medians of both lines beside what was published."""
    what = f"80 % with {pair.fast} sooner than with {pair.slow}"
    slow, fast = curves[pair.slow].games_to(LEVEL), curves[pair.fast].games_to(LEVEL)
    if slow is None or fast is None:
        return Compared(what, published, "not computed")
    factor, interval = pair.sooner.factor, pair.sooner.interval
    times = "" if interval is None else f" {interval_text(interval, 1)}"
    told = "" if factor is None else f"{factor:.1f}{times} times, run by run; medians "
    ours = f"{told}{time_text(fast)} against {time_text(slow)}"
    return Compared(what, published, ours, factor, interval)


def _tell(slow: str, fast: str, pairs: Mapping[str, Pair], published: str) -> str:
    """Put the factors that are known beside those of the related papers."""
    told = factors_text(pairs)
    if not told:
        return ""
    theirs = f"; {published} in related papers" * bool(published)
    return (
        f"To 80 % {slow} takes so many times the games of {fast}, run by run: {joined(told)}"
        f"{theirs}."
    )


def _summary(claims: Mapping[str, Pair]) -> str:
    """Say in a line how many times sooner TCL-EXP is than TDL without traces."""
    known = factors_text(claims)
    if not known:
        return ""
    return (
        f"80 % sooner than TDL without traces: TCL-EXP by factors of {joined(known)}; 2 to 4 "
        "in related papers"
    )


def factors_text(pairs: Mapping[str, Pair]) -> list[str]:
    """Write the factors that are known, such as "1.6 [res]"."""
    known = {kind: each.sooner.factor for kind, each in pairs.items()}
    return [f"{factor:.1f} {kind}" for kind, factor in known.items() if factor is not None]


def _highest(late: Mapping[str, Spread]) -> str:
    """Name the line with the highest late mean, and say how many others may be as good."""
    best = max(late, key=lambda name: late[name].mean)
    near = overlap_line(best, {name: span_of_mean(spread) for name, spread in late.items()})
    return f"{best} has the highest late mean, {late[best].mean:.2f}; {near}."


def _tell_reached(curves: Curves) -> str:
    """Say in how many runs both learners reached 80 % at all."""
    told = []
    for learner in ("TCL-EXP", "TDL"):
        times = {traces: curves[trace_name(learner, traces)].games_to(LEVEL) for traces in TRACES}
        known = {traces: time for traces, time in times.items() if time is not None}
        each = [f"{time.reached} of {time.runs} with [{kind}]" for kind, time in known.items()]
        told += [f"{learner} {joined(each)}"] if each else []
    return f"Runs that reached 80 %: {'; '.join(told)}." if told else ""


def _order(late: Mapping[str, Spread]) -> str:
    names = sorted(late, key=lambda name: -late[name].mean)
    return ", ".join(f"{name} {late[name].mean:.2f}" for name in names)
