"""Step-size rules: how far each weight moves for what it is told.

A rule is a kernel over the weights that are eligible now. It gets the temporal difference
``delta`` and, side by side in contiguous arrays, the eligibility ``e`` of each weight and up to
three numbers of memory that the rule keeps for it (the first two interleaved in ``numbers``); it
writes the change of each weight and updates the memory. All rules share one signature, so the
learning loop knows none of them.

All memory begins at 0. The eligibility is made of the gradients of the tanh unit,
e_i = x_i (1 - V^2) for lambda = 0 and their fading sum for lambda > 0; two rules take the inputs
x_i in place of them, which for a linear output are the gradients. The rules are those that Bagheri,
Thill, Koch and Konen compare on this game ("Online Adaptable Learning Rates for the Game
Connect-4", 2014; below Bagheri 2014) and those of their framework. Those that learn step sizes by
gradient descent are in :mod:`connectlab.agents.ntuple.meta_steps`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel
from connectlab.agents.ntuple.kernels import REASSOCIATE
from connectlab.agents.ntuple.meta_steps import autostep, idbd, k1
from connectlab.agents.ntuple.traces import TRACE, Trace

Floats = NDArray[np.float32]

FIXED, TCL, TCL_LINEAR, TCL_EXP, IDBD, NL_IDBD, IDBD_MSE = range(7)
AUTOSTEP, K1, ELK1, ALPHA_BOUNDS, RPROP = range(7, 12)
ZERO = np.float32(0)
HALF = np.float32(0.5)
ONE = np.float32(1)

RPROP_BOUNDS = 1e-7, 0.1
"""Least and greatest step of RProp, as the earlier of two forms in the authors' framework has them;
50, the greatest of 1993 and of the later form, is far beyond any weight of a tanh unit."""
LOG_LEAST_RPROP, LOG_MOST_RPROP = (np.float32(math.log(bound)) for bound in RPROP_BOUNDS)
LOG_GROWTH, LOG_CUT = np.float32(math.log(1.2)), np.float32(math.log(0.5))
"""ln of eta+ and eta- of Riedmiller and Braun."""


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
    "nl-idbd": Rule(NL_IDBD, 2, "theta"),
    "idbd-mse": Rule(IDBD_MSE, 2, "theta"),
    "autostep": Rule(AUTOSTEP, 3, "mu"),
    "k1": Rule(K1, 2, "theta"),
    "elk1": Rule(ELK1, 2, "theta"),
    "alpha-bounds": Rule(ALPHA_BOUNDS, 0, None),
    "rprop": Rule(RPROP, 2, None),
}

_f4, _f8 = types.float32, types.float64
_floats = types.float32[::1]


@kernel(types.boolean(types.int64))
def is_coherence(code: int) -> bool:
    """Whether a rule is one of temporal coherence."""
    return code in (TCL, TCL_LINEAR, TCL_EXP)


@kernel(types.boolean(types.int64))
def takes_inputs(code: int) -> bool:
    """Whether a rule's eligibilities are made of inputs x_i, not of gradients x_i (1 - V^2)."""
    return code in (K1, NL_IDBD)


@kernel(types.boolean(types.int64))
def looks_at_active(code: int) -> bool:
    """Whether a rule must know which weights are active now, by ``traces.mark_active``."""
    return code in (IDBD, NL_IDBD, IDBD_MSE)


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


@kernel(_f4(_f4, _f4, _f4))
def product(a: Real, b: Real, c: Real) -> Real:
    """Return a * b * c, multiplied in this order wherever it is compiled into.

    Free to divide last where b is a quotient, a process that compiles the caller would, and one
    that loads it would not: the same seed would not give the same weights.
    """
    return a * b * c


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
        change[k] = product(alpha, g, r)
        numbers[2 * k] = net + r
        numbers[2 * k + 1] = size + abs(r)


@kernel(types.void(types.int64, _f4, _f4, _floats, _floats, _floats))
def rprop(n: int, alpha: Real, delta: Real, e: Floats, numbers: Floats, change: Floats) -> None:
    """Resilient propagation (Riedmiller and Braun 1993) move by move, in the form iRPROP-.

    Only the sign of the gradient -delta e_i counts: the weight moves against it by the step size
    alpha * exp(b). The step size grows by 1.2 when the sign is that of the last time the weight was
    eligible, and is halved, for once without moving the weight, when it is not (Igel and Huesken
    2000). The papers sum gradients over all examples first; here each is one move. Memory: b and
    the last sign. Step sizes stay within ``RPROP_BOUNDS``, whatever alpha is now.
    """
    if alpha <= ZERO:
        change[:n] = ZERO
        return
    log_alpha = np.float32(math.log(alpha))
    least, most = LOG_LEAST_RPROP - log_alpha, LOG_MOST_RPROP - log_alpha
    for k in range(np.uint64(n)):
        sign = np.float32(np.sign(delta * e[k]))
        agreement = sign * numbers[2 * k + 1]
        b = numbers[2 * k]
        if agreement > ZERO:
            b += LOG_GROWTH
        elif agreement < ZERO:
            b += LOG_CUT
            sign = ZERO
        b = max(least, min(most, b))
        numbers[2 * k] = b
        numbers[2 * k + 1] = sign
        change[k] = sign * alpha * np.float32(math.exp(b))


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


@kernel(types.void(types.int64, TRACE, _f4, _f4, _f4, _f8, types.boolean, _f4))
def compute(
    code: int,
    trace: Trace,
    alpha: Real,
    delta: Real,
    pull: Real,
    value: Real,
    linear: bool,
    parameter: Real,
) -> None:
    """Write the change of every eligible weight, by the rule with this code.

    ``pull`` is what :func:`bounded` says, and needed for alpha-bounds only; ``value`` is V of the
    position just left, and needed for the forms of IDBD that are not linear; ``linear`` says that V
    is the sum of weights, not its tanh, so that its slope is 1 everywhere.
    """
    n, e, change, numbers = trace.used[0], trace.e, trace.change, trace.numbers
    if code == FIXED:
        fixed(n, alpha * delta, e, change)
    elif looks_at_active(code):
        slope = 1.0 if linear else 1 - value * value
        bends = code == IDBD_MSE and not linear and slope > 0  # a flat tanh has no gradient
        bend = 2 * value * delta / slope if bends else 0.0
        straight = slope if code == NL_IDBD else 1.0
        idbd(n, alpha, delta, parameter, straight, bend, e, trace.gradient, numbers, change)
    elif code == AUTOSTEP:
        autostep(n, alpha, delta, parameter, e, numbers, trace.third_number, change)
    elif code in (K1, ELK1):
        k1(n, alpha, delta, parameter, e, numbers, change)
    elif code == ALPHA_BOUNDS:
        fixed(n, bounded(alpha, pull, trace.shared) * delta, e, change)
    elif code == RPROP:
        rprop(n, alpha, delta, e, numbers, change)
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
