"""Which claims of Konen 2015 ours agree with: what the verdicts of its pages count.

None stands for what is not decided, as fewer than five runs of a line never do.
"""

from collections.abc import Sequence

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.konen_lambda import (
    ET,
    ET_REWARDED,
    TOO_LONG,
    Late,
    late_by_lambda,
    limit_of,
)
from connectlab.lab.papers.konen_traces import SOONER, claimed
from connectlab.lab.papers.verdict import Agrees
from connectlab.lab.statistics import Spread


def lambdas_agree(curves: Curves) -> Sequence[Agrees]:
    """Figure 1: plain traces break down from lambda = 0.9 on, and not before.

    The poster does not tell its rewards, so this is asked of both: 1 and -1, and the framework's.
    """
    plain, rewarded = late_by_lambda(curves, ET), late_by_lambda(curves, ET_REWARDED)
    return [*_break_down(plain, {}), *_break_down(rewarded, plain)]


def _break_down(late: Late, others: Late) -> Sequence[Agrees]:
    """Say of every long lambda whether it breaks down, and no shorter one does.

    ``others`` are those of other rewards, as for ``limit_of``.
    """
    limit = limit_of(late, others)
    broken = {value: _is_below(spread, limit) for value, spread in late.items()}
    none_below = [broken[value] is not True for value in late if value < TOO_LONG]
    return [
        each if all(none_below) else False for value, each in broken.items() if value >= TOO_LONG
    ]


def _is_below(spread: Spread | None, limit: float) -> Agrees:
    """Say whether a mean is below a limit; None where its interval holds it, or there is none."""
    if spread is None or spread.mean_interval is None:
        return None
    low, high = spread.mean_interval
    if low <= limit <= high and low < high:
        return None
    return spread.mean < limit or limit == 0


def traces_agree(curves: Curves) -> Sequence[Agrees]:
    """Related papers: TCL-EXP reaches 80 % two to four times sooner than TDL without traces.

    Here at least twice as soon. The poster itself gives no number.
    """
    return [each.sooner.is_at_least(SOONER) for each in claimed(curves).values()]
