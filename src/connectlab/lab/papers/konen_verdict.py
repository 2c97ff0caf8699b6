"""Which claims of Konen 2015 ours agree with: what the verdicts of its pages count.

Fewer than five runs of a line decide nothing.
"""

from collections.abc import Sequence

from connectlab.lab.papers.curves import Curves
from connectlab.lab.papers.konen_lambda import (
    ET,
    ET_REWARDED,
    TOO_LONG,
    Kind,
    Late,
    breaks_down,
    late_by_lambda,
    limit_of,
)
from connectlab.lab.papers.konen_traces import SOONER, Pair, claimed
from connectlab.lab.papers.page import interval_text, spread_text
from connectlab.lab.papers.verdict import TOO_FEW, Agrees, Claim
from connectlab.lab.statistics import Spread


def lambda_claims(curves: Curves) -> Sequence[Claim]:
    """Figure 1: plain traces break down from lambda = 0.9 on, and not before.

    The poster does not tell its rewards, so this is asked of both: 1 and -1, and the framework's.
    """
    plain, rewarded = late_by_lambda(curves, ET), late_by_lambda(curves, ET_REWARDED)
    return [*_break_down(ET, plain, {}), *_break_down(ET_REWARDED, rewarded, plain)]


def _break_down(kind: Kind, late: Late, others: Late) -> Sequence[Claim]:
    """Say of every long lambda whether it breaks down, and no shorter one does.

    ``others`` are those of other rewards, as for ``limit_of``.
    """
    limit = limit_of(late, others)
    broken = {value: _surely_breaks_down(spread, limit) for value, spread in late.items()}
    early = [value for value in late if value < TOO_LONG and broken[value] is True]
    return [
        Claim(
            f"{kind.line(value)}: breaks down, and not before {TOO_LONG:g}",
            False if early else each,
            _how(late[value], limit, early),
        )
        for value, each in broken.items()
        if value >= TOO_LONG
    ]


def _surely_breaks_down(spread: Spread | None, limit: float) -> Agrees:
    """Say whether a line breaks down; None where that is not sure."""
    if spread is None or spread.mean_interval is None:
        return None
    return breaks_down(spread, limit)


def _how(spread: Spread | None, limit: float, early: Sequence[float]) -> str:
    if early:
        return f"breaks down at {min(early):g} already"
    if spread is None or spread.mean_interval is None:
        return TOO_FEW
    return f"late mean {spread_text(spread)}; broken down is below {limit:.3f}"


def trace_claims(curves: Curves) -> Sequence[Claim]:
    """Related papers: TCL-EXP reaches 80 % two to four times sooner than TDL without traces.

    Here at least twice as soon. The poster itself gives no number.
    """
    return [_sooner(traces, pair) for traces, pair in claimed(curves).items()]


def _sooner(traces: str, pair: Pair) -> Claim:
    factor, interval = pair.sooner.factor, pair.sooner.interval
    agrees = pair.sooner.is_at_least(SOONER)
    if factor is None:
        how = "some runs never reach 80 %" if agrees is not None else "not known"
    else:
        how = f"{factor:.1f} times" + ("" if interval is None else f" {interval_text(interval, 1)}")
    what = f"TCL-EXP {traces}: 80 % {SOONER:g} times as soon as TDL without traces, or sooner"
    return Claim(what, agrees, how)
