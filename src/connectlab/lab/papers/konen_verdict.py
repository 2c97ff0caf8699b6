"""Which claims of Konen 2015 ours agree with: what the verdicts of its pages count.

None stands for what is not decided, as fewer than five runs of a line never do.
"""

from collections.abc import Sequence

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.konen_lambda import (
    ALL_KINDS,
    ET,
    ET_REWARDED,
    RR,
    RR_REWARDED,
    TOO_LONG,
    Late,
    broken_lambdas,
    late_by_lambda,
)
from connectlab.lab.papers.konen_traces import SOONER, TRACES, trace_name, untraced_name
from connectlab.lab.papers.verdict import Agrees
from connectlab.lab.statistics import FEWEST


def lambdas_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 1: plain traces break down from lambda = 0.9 on, and [rr] does not.

    The poster does not tell its rewards, so this is asked of both: 1 and -1, and the framework's.
    """
    late = {kind: late_by_lambda(curves, kind) for kind in ALL_KINDS}
    plain = _break_down(late[ET], late[RR], {}, {})
    return [*plain, *_break_down(late[ET_REWARDED], late[RR_REWARDED], late[ET], late[RR])]


def _break_down(late: Late, spared: Late, others: Late, spared_others: Late) -> Sequence[Agrees]:
    """Say of every long lambda whether plain traces break down, and neither shorter ones nor [rr].

    ``others`` are those of other rewards, as for ``broken_lambdas``.
    """
    long = [value for value in late if value >= TOO_LONG]
    known = [each for means in (late, spared, others, spared_others) for each in means.values()]
    if any(each is None or each.n < FEWEST for each in known):
        return [None for _ in long]
    broken, both = broken_lambdas(late, others), broken_lambdas(spared, spared_others)
    none_below = all(value >= TOO_LONG for value in broken)
    return [none_below and value in broken and value not in both for value in long]


def traces_agree(curves: Curves) -> Sequence[Agrees]:
    """Related papers: TCL-EXP reaches 80 % two to four times sooner than TDL; here at least two.

    Their TDL has no traces. The poster itself gives no number.
    """
    return [_times_sooner(curves, traces) for traces in TRACES]


def _times_sooner(curves: Curves, traces: str) -> Agrees:
    """Say whether one median is half of the other or less; a missing one is a longer one."""
    slow = curves[untraced_name("TDL")].games_to(0.8)
    fast = curves[trace_name("TCL-EXP", traces)].games_to(0.8)
    if slow is None or fast is None or min(slow.runs, fast.runs) < FEWEST:
        return None
    if fast.median is None:
        return None if slow.median is None else False
    if slow.median is None:
        return True if curves.size.games / fast.median >= SOONER else None
    return slow.median / fast.median >= SOONER
