"""Step-size rules that learn ln(alpha_i) of every weight by gradient descent.

Their papers speak of a linear unit with inputs x_i. Two things can stand for the input here, and
``step_sizes.takes_inputs`` says which: the gradient of V = tanh(w . x), which is x_i V' with the
slope V' = 1 - V^2, or x_i itself (where the output is linear, V' is 1 and both are the same). e_i
is that for lambda = 0, and its fading sum for lambda > 0. A weight moves by alpha_i delta e_i, or
by a gain in place of alpha_i e_i.

Step sizes are kept relative to alpha: alpha_i = alpha * exp(b_i), where b_i begins at 0, so alpha
is the first step size (beta_init of the papers is ln(alpha)) and a schedule of it scales them all.
Sutton's lower bound holds for beta_i = ln(alpha_i) = ln(alpha) + b_i itself, whatever alpha is now:
when a schedule lowers alpha, b_i at its bound rises, and alpha_i stays at exp(-10).

h_i is the derivative of w_i by beta_i: how w_i would differ had its step size been larger. For an
error E the step sizes follow -dE/dbeta_i = delta e_i h_i, and h_i follows the derivative of
w_i <- w_i + alpha_i delta e_i, without what other weights feel of beta_i:

    h_i <- h_i + alpha_i delta e_i + alpha_i (e_i d delta/dw_i + delta de_i/dw_i) h_i,
    d delta/dw_i = -V' x_i     (the target stands still),
    de_i/dw_i    = -2 V V' x_i^2 if e_i holds the gradient, 0 if it holds the input

(the older part of a trace is taken as given). So h_i of a weight that is not active in the position
just left, x_i = 0, does not decay, however eligible it is. That holds for idbd in all its forms; k1
and autostep keep their papers' decay with e_i in place of the input, 1 - k_i e_i and
1 - alpha_i e_i^2, so there h_i of every eligible weight decays, active or not (the framework's ELK1
does the same).
"""

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel
from connectlab.agents.ntuple.kernels import REASSOCIATE

Floats = NDArray[np.float32]

ZERO = np.float32(0)
ONE = np.float32(1)

LOWEST = np.float32(-10)
"""Least beta_i = ln(alpha_i): Sutton (1992) bounds it there against underflow."""
LEAP = np.float32(2)
"""Greatest change of beta_i in one step, as Sutton (1992) advises."""
MEMORY_OF_AUTOSTEP = np.float32(1e4)
"""tau of Autostep, in steps; Mahmood et al. (2012) find that it hardly matters."""

_f4 = types.float32
_floats = types.float32[::1]


@kernel(_f4(_f4))
def least_ratio(alpha: Real) -> Real:
    """Return the least b_i for this alpha; without any step size (alpha 0) it does not matter."""
    return LOWEST - np.float32(math.log(alpha)) if alpha > ZERO else LOWEST


@kernel(_f4(_f4, _f4, _f4), fastmath=REASSOCIATE)
def _adapted(b: Real, by: Real, least: Real) -> Real:
    """Return the logarithm of a step size after a change, both within their bounds."""
    return max(least, b + min(LEAP, max(-LEAP, by)))


@kernel(types.void(types.int64, _f4, _f4, _f4, _f4, _f4, _floats, _floats, _floats, _floats))
def idbd(
    n: int,
    alpha: Real,
    delta: Real,
    theta: Real,
    slope: Real,
    bend: Real,
    e: Floats,
    active: Floats,
    numbers: Floats,
    change: Floats,
) -> None:
    """Incremental delta-bar-delta, in three forms that differ in e and in how h decays.

    Memory: b and h. A change in the direction of the recent ones makes the step size grow
    geometrically, one against them makes it shrink. ``active`` is what the position just left
    added to e, 0 for a weight that it has not; h decays by the factor
    1 - alpha_i (slope e_i active_i + bend active_i^2), at least 0.

    IDBD (Sutton 1992, "Adapting Bias by Gradient Descent", Fig. 2) with the gradient for the input:
    slope 1, bend 0. It takes the tanh for straight near its value.

    IDBD-MSE: E = delta^2 / 2 of the tanh unit. e holds gradients, and the slope of the tanh changes
    with w: slope 1 and bend = 2 V delta / V' (active_i is x_i V', so this is alpha_i 2 V delta V'
    x_i^2 of the derivation above).

    nl-IDBD: cross entropy, which Koop (2007, "Investigating Experience") has for a logistic unit.
    p = (1 + V) / 2 is logistic in 2 w . x, and with the target's t = (1 + T) / 2 the derivative of
    -t ln p - (1 - t) ln(1 - p) by w_i is -(T - V) x_i = -delta x_i: the slope cancels. e holds
    inputs; slope V', bend 0.
    """
    least = least_ratio(alpha)
    for k in range(np.uint64(n)):
        h = numbers[2 * k + 1]
        b = _adapted(numbers[2 * k], theta * delta * e[k] * h, least)
        step = alpha * np.float32(math.exp(b))
        change[k] = step * delta * e[k]
        lost = step * e[k] * active[k] * slope + step * bend * active[k] * active[k]
        numbers[2 * k] = b
        numbers[2 * k + 1] = h * max(ZERO, ONE - lost) + change[k]


@kernel(types.void(types.int64, _f4, _f4, _f4, _floats, _floats, _floats))
def k1(
    n: int,
    alpha: Real,
    delta: Real,
    theta: Real,
    e: Floats,
    numbers: Floats,
    change: Floats,
) -> None:
    """Sutton's K1, and Schraudolph's extension ELK1 of it to units that are not linear.

    K1 (Sutton 1992, "Gain Adaptation Beats Least Squares?"): p_i = exp(beta_i) stands for the
    variance of w_i in a Kalman filter, with observation noise 1, so its gain is
    k_i = p_i e_i / (1 + sum over j of p_j e_j^2) and no update goes beyond its target. K1 takes the
    unit for linear: e holds inputs, the tanh is in delta only, and where V is near 1 or -1 it
    learns as fast as elsewhere. ELK1 (Schraudolph 1998, "Online Local Gain Adaptation for
    Multi-layer Perceptrons") puts the gradient in place of the input, in the gain, in its
    denominator and in the change of beta_i. It also takes the exponential for straight, which is
    not done here. Memory: b and h as in IDBD, with the same bounds.
    """
    total = ONE
    least = least_ratio(alpha)
    for k in range(np.uint64(n)):
        b = _adapted(numbers[2 * k], theta * delta * e[k] * numbers[2 * k + 1], least)
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
    its target. Memory: b, h, v. Step sizes of weights that are not eligible are left alone. What is
    remembered of ln(alpha_i) has the lower bound of IDBD (the paper has none); a division may take
    the step of this once below it.
    """
    total = ZERO
    least = least_ratio(alpha)
    for k in range(np.uint64(n)):
        b = numbers[2 * k]
        meta = delta * e[k] * numbers[2 * k + 1]
        step = alpha * np.float32(math.exp(b))
        v[k] += step * e[k] * e[k] / MEMORY_OF_AUTOSTEP * (abs(meta) - v[k])
        v[k] = max(v[k], abs(meta))
        if v[k] > ZERO:
            b = max(least, b + mu * meta / v[k])
            step = alpha * np.float32(math.exp(b))
        numbers[2 * k] = b
        change[k] = step
        total += step * e[k] * e[k]
    excess = max(ONE, total)
    log_excess = np.float32(math.log(excess))
    for k in range(np.uint64(n)):
        numbers[2 * k] = max(least, numbers[2 * k] - log_excess)
        step = change[k] / excess
        change[k] = step * delta * e[k]
        h = numbers[2 * k + 1]
        numbers[2 * k + 1] = h * (ONE - step * e[k] * e[k]) + change[k]
