"""What may turn a gradient into a step in place of the paper's plain one."""

import numpy as np
from numba import types

from connectlab._jit import Real, kernel
from connectlab.agents.mlp.layers import TABLE, Floats, f4, i8
from connectlab.agents.mlp.records import MOMENTUM

_TINY = np.float32(1e-8)
_UNIT = np.float32(1.0)


@kernel(types.void(TABLE, TABLE, TABLE, f4, f4), fastmath=True)
def _step_with_momentum(
    parameters: Floats, memory: Floats, gradient: Floats, eta: Real, decay: Real
) -> None:
    """Step along a running sum of gradients that fades by ``decay``."""
    for row in range(parameters.shape[0]):
        for i in range(parameters.shape[1]):
            memory[row, i] = decay * memory[row, i] + gradient[row, i]
            parameters[row, i] += eta * memory[row, i]


@kernel(types.void(TABLE, TABLE, TABLE, f4, f4), fastmath=True)
def _step_by_size(
    parameters: Floats, memory: Floats, gradient: Floats, eta: Real, decay: Real
) -> None:
    """Divide each step by the root of a running mean of the squared gradient (RMSprop)."""
    for row in range(parameters.shape[0]):
        for i in range(parameters.shape[1]):
            rise = gradient[row, i]
            memory[row, i] = decay * memory[row, i] + (_UNIT - decay) * rise * rise
            parameters[row, i] += eta * rise / (np.sqrt(memory[row, i]) + _TINY)


@kernel(types.void(i8, TABLE, TABLE, TABLE, f4, f4))
def take_step(
    optimiser: int, parameters: Floats, memory: Floats, gradient: Floats, eta: Real, decay: Real
) -> None:
    """Step by one of the optimisers that have a memory; the gradient is 0 after that."""
    if optimiser == MOMENTUM:
        _step_with_momentum(parameters, memory, gradient, eta, decay)
    else:
        _step_by_size(parameters, memory, gradient, eta, decay)
    gradient[:] = 0
