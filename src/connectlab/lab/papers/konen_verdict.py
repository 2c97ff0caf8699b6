"""Which claims of Konen 2015 ours agree with: what the verdicts of its pages count.

None stands for what is not decided, as fewer than five runs of a line never do.
"""

from collections.abc import Mapping, Sequence

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.konen_lambda import (
    ET,
    ET_REWARDED,
    TOO_LONG,
    broken_lambdas,
    late_by_lambda,
)
from connectlab.lab.papers.konen_traces import SOONER, TRACES, trace_name
from connectlab.lab.papers.verdict import Agrees
from connectlab.lab.statistics import FEWEST, Spread


def lambdas_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 1: with plain traces every lambda of 0.9 and more breaks down, and none below.

    The poster does not tell its rewards, so this is asked of both: 1 and -1, and the framework's.
    """
    plain, rewarded = late_by_lambda(curves, ET), late_by_lambda(curves, ET_REWARDED)
    return [*_break_down(plain, {}), *_break_down(rewarded, plain)]


def _break_down(
    late: Mapping[float, Spread | None], others: Mapping[float, Spread | None]
) -> Sequence[Agrees]:
    """Say of every long lambda whether it breaks down, and whether no other one does."""
    long = [value for value in late if value >= TOO_LONG]
    known = [*late.values(), *others.values()]
    if any(each is None or each.n < FEWEST for each in known):
        return [None, *(None for _ in long)]
    broken = broken_lambdas(late, others)
    return [*(value in broken for value in long), all(value >= TOO_LONG for value in broken)]


def traces_agree(curves: Curves) -> Sequence[Agrees]:
    """Related papers: TCL-EXP reaches 80 % two to four times sooner than TDL; here at least two.

    The poster itself gives no number.
    """
    return [_times_sooner(curves, traces) for traces in TRACES]


def _times_sooner(curves: Curves, traces: str) -> Agrees:
    """Say whether one median is half of the other or less; a missing one is a longer one."""
    slow, fast = (curves[trace_name(each, traces)].games_to(0.8) for each in ("TDL", "TCL-EXP"))
    if slow is None or fast is None or min(slow.runs, fast.runs) < FEWEST:
        return None
    if fast.median is None:
        return None if slow.median is None else False
    if slow.median is None:
        return True if curves.size.games / fast.median >= SOONER else None
    return slow.median / fast.median >= SOONER
