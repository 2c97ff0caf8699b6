"""Step-size rules: how far each weight moves for what it is told.

A rule is a kernel over the weights that are eligible now. It gets the temporal difference
``delta`` and, side by side in contiguous arrays, the eligibility ``e`` of each weight and up to
three numbers of memory that the rule keeps for it; it writes the change of each weight and updates
the memory. All rules share one signature, so the learning loop knows none of them.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel
from connectlab.agents.ntuple.kernels import REASSOCIATE
from connectlab.agents.ntuple.traces import TRACE, Trace

Floats = NDArray[np.float32]

FIXED, TCL, TCL_LINEAR, TCL_EXP = range(4)
ZERO = np.float32(0)
HALF = np.float32(0.5)
ONE = np.float32(1)


class Rule(NamedTuple):
    """What the trainer must know of a rule."""

    code: int
    numbers: int
    """Numbers of memory for each weight."""
    parameter: str | None
    """The name of the setting that the kernel gets as ``parameter``."""


RULES = {
    "fixed": Rule(FIXED, 0, None),
    "tcl": Rule(TCL, 2, None),
    "tcl-linear": Rule(TCL_LINEAR, 2, "slope"),
    "tcl-exp": Rule(TCL_EXP, 2, "beta"),
}

_f4 = types.float32
_floats = types.float32[::1]


@kernel(_f4(_f4), fastmath=REASSOCIATE)
def exp(z: Real) -> Real:
    """Return e**z for -8 <= z <= 0 to about 1e-6, without a branch.

    (1 + y + y^2/2 + … + y^5/120)**32 with y = z / 32: plain arithmetic that vector units can do.
    """
    y = z * np.float32(1 / 32)
    p = np.float32(1 / 24) + y * np.float32(1 / 120)
    p = HALF + y * (np.float32(1 / 6) + y * p)
    p = ONE + y * (ONE + y * p)
    p *= p
    p *= p
    p *= p
    p *= p
    return p * p


@kernel(types.void(types.int64, _f4, _floats, _floats), fastmath=REASSOCIATE)
def fixed(n: int, step: Real, e: Floats, change: Floats) -> None:
    """Move every weight by alpha * delta * e (``step`` is alpha * delta)."""
    for k in range(np.uint64(n)):
        change[k] = step * e[k]


@kernel(
    types.void(types.int64, types.int64, _f4, _f4, _f4, _floats, _floats, _floats, _floats),
    fastmath=REASSOCIATE,
)
def coherence(
    code: int,
    n: int,
    alpha: Real,
    delta: Real,
    parameter: Real,
    e: Floats,
    net: Floats,
    size: Floats,
    change: Floats,
) -> None:
    """Temporal coherence (Beal and Smith 1999; Algorithm 2 of the poster of Konen et al. 2015).

    Memory: N (``net``), the sum of the recommended changes r = delta * e, and A (``size``), the sum
    of their absolute values. The step size is alpha * g(|N| / A), or alpha while A is 0, with g the
    identity, piecewise linear (slope ``parameter`` around 1/2, cut to [0, 1]) or exponential:
    exp(``parameter`` * (x - 1)).
    """
    if code == TCL_EXP:
        for k in range(np.uint64(n)):
            fresh = size[k] <= ZERO
            x = ONE if fresh else abs(net[k]) / size[k]
            r = delta * e[k]
            change[k] = alpha * exp(parameter * (x - ONE)) * r
            net[k] += r
            size[k] += abs(r)
        return
    slope = parameter if code == TCL_LINEAR else ONE
    for k in range(np.uint64(n)):
        fresh = size[k] <= ZERO
        x = ONE if fresh else abs(net[k]) / size[k]
        g = min(ONE, max(ZERO, HALF + slope * (x - HALF)))
        r = delta * e[k]
        change[k] = alpha * (ONE if fresh else g) * r
        net[k] += r
        size[k] += abs(r)


@kernel(types.void(types.int64, TRACE, _f4, _f4, _f4))
def compute(code: int, trace: Trace, alpha: Real, delta: Real, parameter: Real) -> None:
    """Write the change of every eligible weight, by the rule with this code."""
    n, e, change = trace.used[0], trace.e, trace.change
    if code == FIXED:
        fixed(n, alpha * delta, e, change)
    else:
        net, size = trace.first_number, trace.second_number
        coherence(code, n, alpha, delta, parameter, e, net, size, change)
