"""Step-size rules: how far each weight moves for what it is told.

A rule is a kernel over the weights that are eligible now. It gets the temporal difference
``delta`` and, side by side in contiguous arrays, the eligibility ``e`` of each weight and up to
three numbers of memory that the rule keeps for it (the first two interleaved in ``numbers``); it
writes the change of each weight and updates the memory. All rules share one signature, so the
learning loop knows none of them.

All memory begins at 0. The papers of IDBD, Autostep and ELK1 speak of a linear unit with inputs
x_i; here the eligibility takes the place of the input: e_i = x_i (1 - V^2) for lambda = 0, the
gradient of the tanh unit, and its fading sum for lambda > 0. So does the comparison of the same
rules on this game by Bagheri, Thill, Koch and Konen ("Online Adaptable Learning Rates for the Game
Connect-4", 2014; below Bagheri 2014). Their step sizes are kept relative to alpha:
alpha_i = alpha * exp(b_i), where b_i begins at 0, so alpha is the first step size (beta_init of the
papers is ln(alpha)) and a schedule of it still scales them all.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel
from connectlab.agents.ntuple.kernels import REASSOCIATE
from connectlab.agents.ntuple.traces import TRACE, Trace

Floats = NDArray[np.float32]

FIXED, TCL, TCL_LINEAR, TCL_EXP, IDBD, AUTOSTEP, ELK1, ALPHA_BOUNDS = range(8)
ZERO = np.float32(0)
HALF = np.float32(0.5)
ONE = np.float32(1)

LOWEST = np.float32(-10)
"""Least b_i: Sutton (1992) bounds beta_i = ln(alpha_i) there against underflow."""
LEAP = np.float32(2)
"""Greatest change of b_i in one step, as Sutton (1992) advises."""
MEMORY_OF_AUTOSTEP = np.float32(1e4)
"""tau of Autostep, in steps; Mahmood et al. (2012) find that it hardly matters."""


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
    "tcl-linear": Rule(TCL_LINEAR, 2, "beta"),
    "tcl-exp": Rule(TCL_EXP, 2, "beta"),
    "idbd": Rule(IDBD, 2, "theta"),
    "autostep": Rule(AUTOSTEP, 3, "mu"),
    "elk1": Rule(ELK1, 2, "theta"),
    "alpha-bounds": Rule(ALPHA_BOUNDS, 0, None),
}

_f4 = types.float32
_floats = types.float32[::1]


@kernel(types.boolean(types.int64))
def is_coherence(code: int) -> bool:
    """Whether a rule is one of temporal coherence."""
    return code in (TCL, TCL_LINEAR, TCL_EXP)


@kernel(_f4(_f4), fastmath=REASSOCIATE)
def exp(z: Real) -> Real:
    """Return e**z for -8 <= z <= 0 to 2e-6 (2e-5 of itself), without a branch.

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
    types.void(types.int64, types.int64, _f4, _f4, _f4, _floats, _floats, _floats),
    fastmath=REASSOCIATE,
)
def coherence(
    code: int,
    n: int,
    alpha: Real,
    delta: Real,
    parameter: Real,
    e: Floats,
    numbers: Floats,
    change: Floats,
) -> None:
    """Temporal coherence (Beal and Smith 1999; Algorithm 2 of the poster of Konen et al. 2015).

    Memory: N (``net``), the sum of the recommended changes r = delta * e, and A (``size``), the sum
    of their absolute values. The step size is alpha * g(|N| / A), or alpha while A is 0, with g the
    identity; exponential, exp(beta (x - 1)); or its tangent at 1 down to the same least value,
    max(exp(-beta), 1 + beta (x - 1)), the piecewise linear form of Bagheri 2014. ``parameter`` is
    beta.
    """
    if code == TCL_EXP:
        for k in range(np.uint64(n)):
            net, size = numbers[2 * k], numbers[2 * k + 1]
            x = ONE if size <= ZERO else abs(net) / size
            r = delta * e[k]
            change[k] = alpha * exp(parameter * (x - ONE)) * r
            numbers[2 * k] = net + r
            numbers[2 * k + 1] = size + abs(r)
        return
    least = exp(-parameter)
    for k in range(np.uint64(n)):
        net, size = numbers[2 * k], numbers[2 * k + 1]
        x = ONE if size <= ZERO else abs(net) / size
        g = x if code == TCL else max(least, ONE + parameter * (x - ONE))
        r = delta * e[k]
        change[k] = alpha * g * r
        numbers[2 * k] = net + r
        numbers[2 * k + 1] = size + abs(r)


@kernel(_f4(_f4, _f4), fastmath=REASSOCIATE)
def _adapted(b: Real, by: Real) -> Real:
    """Return the logarithm of a step size after a change, both within their bounds."""
    return max(LOWEST, b + min(LEAP, max(-LEAP, by)))


@kernel(types.void(types.int64, _f4, _f4, _f4, _floats, _floats, _floats, _floats))
def idbd(
    n: int,
    alpha: Real,
    delta: Real,
    theta: Real,
    e: Floats,
    gradient: Floats,
    numbers: Floats,
    change: Floats,
) -> None:
    """Incremental delta-bar-delta (Sutton 1992, "Adapting Bias by Gradient Descent", Fig. 2).

    Memory: b, and h, a trace of the recent changes. A change in the direction of the recent ones
    makes the step size grow geometrically, one against them makes it shrink. With traces h decays
    by 1 - alpha_i e_i times the ``gradient`` of the position just left: a weight that is eligible
    but was not active there keeps its h.
    """
    for k in range(np.uint64(n)):
        h = numbers[2 * k + 1]
        b = _adapted(numbers[2 * k], theta * delta * e[k] * h)
        step = alpha * np.float32(math.exp(b))
        change[k] = step * delta * e[k]
        numbers[2 * k] = b
        numbers[2 * k + 1] = h * max(ZERO, ONE - step * e[k] * gradient[k]) + change[k]


@kernel(types.void(types.int64, _f4, _f4, _f4, _floats, _floats, _floats))
def elk1(
    n: int,
    alpha: Real,
    delta: Real,
    theta: Real,
    e: Floats,
    numbers: Floats,
    change: Floats,
) -> None:
    """Schraudolph's extension ELK1 of Sutton's K1 to units that are not linear.

    K1 (Sutton 1992, "Gain Adaptation Beats Least Squares?"): p_i = exp(beta_i) stands for the
    variance of w_i in a Kalman filter, with observation noise 1, so its gain is
    k_i = p_i x_i / (1 + sum over j of p_j x_j^2) and no update goes beyond its target. ELK1
    (Schraudolph 1998, "Online Local Gain Adaptation for Multi-layer Perceptrons") puts the gradient
    in place of the input; on a linear output they are the same, and this network has no other
    output than tanh. Memory: b and h as in IDBD. The bounds of b are those of IDBD.
    """
    total = ONE
    for k in range(np.uint64(n)):
        b = _adapted(numbers[2 * k], theta * delta * e[k] * numbers[2 * k + 1])
        numbers[2 * k] = b
        change[k] = alpha * np.float32(math.exp(b)) * e[k]
        total += change[k] * e[k]
    for k in range(np.uint64(n)):
        gain = change[k] / total
        change[k] = gain * delta
        h = numbers[2 * k + 1]
        numbers[2 * k + 1] = (h + change[k]) * max(ZERO, ONE - gain * e[k])


@kernel(types.void(types.int64, _f4, _f4, _f4, _floats, _floats, _floats, _floats))
def autostep(
    n: int,
    alpha: Real,
    delta: Real,
    mu: Real,
    e: Floats,
    numbers: Floats,
    v: Floats,
    change: Floats,
) -> None:
    """Autostep (Mahmood, Sutton, Degris and Pilarski 2012, "Tuning-free Step-size Adaptation").

    IDBD whose meta-step is divided by v, a slowly forgotten maximum of its size, and whose step
    sizes are divided by the sum of alpha_i e_i^2 when that exceeds 1, so that no update goes beyond
    its target. Memory: b, h, v. Step sizes of weights that are not eligible are left alone.
    """
    total = ZERO
    for k in range(np.uint64(n)):
        b = numbers[2 * k]
        meta = delta * e[k] * numbers[2 * k + 1]
        step = alpha * np.float32(math.exp(b))
        v[k] += step * e[k] * e[k] / MEMORY_OF_AUTOSTEP * (abs(meta) - v[k])
        v[k] = max(v[k], abs(meta))
        if v[k] > ZERO:
            b += mu * meta / v[k]
            step = alpha * np.float32(math.exp(b))
        numbers[2 * k] = b
        change[k] = step
        total += step * e[k] * e[k]
    excess = max(ONE, total)
    log_excess = np.float32(math.log(excess))
    for k in range(np.uint64(n)):
        numbers[2 * k] = max(LOWEST, numbers[2 * k] - log_excess)
        step = change[k] / excess
        change[k] = step * delta * e[k]
        h = numbers[2 * k + 1]
        numbers[2 * k + 1] = h * (ONE - step * e[k] * e[k]) + change[k]


@kernel(_f4(_f4, _f4, _floats))
def bounded(alpha: Real, pull: Real, largest: Floats) -> Real:
    """Return the step size of alpha-bounds.

    Dabney and Barto 2012, "Adaptive Step-Size for Online Temporal Difference Learning": an update
    of size alpha changes delta by the factor 1 - alpha * ``pull``, with
    pull = e . (grad V(s) - gamma grad V(s')); for alpha = 1 / pull nothing of it is left. The step
    size is the least such bound of all steps so far, and at most alpha. ``largest``, float32[1],
    keeps the greatest pull. Gradients take the place of the paper's linear features.
    """
    largest[0] = max(largest[0], pull)
    return min(alpha, ONE / largest[0]) if largest[0] > ZERO else alpha


@kernel(types.void(types.int64, TRACE, _f4, _f4, _f4, _f4))
def compute(code: int, trace: Trace, alpha: Real, delta: Real, pull: Real, parameter: Real) -> None:
    """Write the change of every eligible weight, by the rule with this code.

    ``pull`` is what :func:`bounded` says, and needed for alpha-bounds only.
    """
    n, e, change, numbers = trace.used[0], trace.e, trace.change, trace.numbers
    if code == FIXED:
        fixed(n, alpha * delta, e, change)
    elif code == IDBD:
        idbd(n, alpha, delta, parameter, e, trace.gradient, numbers, change)
    elif code == AUTOSTEP:
        autostep(n, alpha, delta, parameter, e, numbers, trace.third_number, change)
    elif code == ELK1:
        elk1(n, alpha, delta, parameter, e, numbers, change)
    elif code == ALPHA_BOUNDS:
        fixed(n, bounded(alpha, pull, trace.shared) * delta, e, change)
    else:
        coherence(code, n, alpha, delta, parameter, e, numbers, change)


@kernel(types.void(TRACE, _f4), fastmath=REASSOCIATE)
def limit(trace: Trace, delta: Real) -> None:
    """Shrink the changes together if they would carry the value beyond its target.

    Changes alpha_i * delta * e_i move the value by about delta times the sum of alpha_i * e_i^2; no
    step should be more than the whole way, so a sum above 1 divides them (the M of Autostep, here
    for any rule). Without it a TCL step of alpha = 0.05 through 140 fresh weights goes 7 times too
    far: tanh is flat there, so what was learned wrong cannot be unlearned. With 2 of 96 tuple sets
    that spread until most positions were frozen.
    """
    if delta == ZERO:
        return
    e, change = trace.e, trace.change
    n = np.uint64(trace.used[0])
    way = ZERO
    for k in range(n):
        way += change[k] * e[k]
    way /= delta
    if way > ONE:
        scale = ONE / way
        for k in range(n):
            change[k] *= scale
