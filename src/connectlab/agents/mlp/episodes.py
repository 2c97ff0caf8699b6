"""Algorithm 1 of Faußer 2008: what one finished game teaches, as a compiled batch step.

An episode is a game in the view of one player, the agent: its states are those that the agent's own
moves led to. The step is eta times minus the gradient of E, the sum over these states of
(T_s - V(s))^2, all taken with the weights from before the step.

The paper adds delta times input to every weight for every state. Stones stay where they are, so an
input that becomes active with some state is active in all later ones, and what its weights gain is
eta times the sum of delta over the states from there on. Going back through the game with one
running sum, each input costs one row: the same sum in another order. An input that ends (stones may
be taken away in variants of the game) gives back the sum from there on.
"""

import numpy as np
from numba import types

from connectlab._jit import Real, Word, kernel
from connectlab.agents.mlp.layers import (
    EXTRA_ROWS,
    FLOATS,
    INTS,
    TABLE,
    Floats,
    Ints,
    add_to_row,
    f4,
    feed_forward,
    i8,
    input_of,
    move_stones,
    rest,
    u8,
    value_of,
)
from connectlab.agents.mlp.network import BRAIN, Brain
from connectlab.agents.mlp.observation import read_inputs, teach_inputs
from connectlab.agents.mlp.records import SCRATCH, Scratch
from connectlab.game.bitboard import ONE, ZERO

FROZEN = 1e-7
"""Where the output has a slope below this, V is 0 or 1 for good: no step moves it any more."""

_f8 = types.float64


@kernel(types.void(FLOATS, FLOATS, FLOATS, TABLE, f4), fastmath=True)
def _add_errors(
    outputs: Floats, later: Floats, rises: Floats, parameters: Floats, error: Real
) -> None:
    """Add delta of the hidden neurons to ``later``, and what the output weights gain to ``rises``.

    delta_i = delta * w_i * f'(u_i), where f' = y (1 - y), Eq. (10).
    """
    row = parameters.shape[0] - 2
    for i in range(outputs.shape[0]):
        gain = error * outputs[i]
        rises[i] += gain
        later[i] += gain * (np.float32(1.0) - outputs[i]) * parameters[row, i]


@kernel(types.void(TABLE, FLOATS, u8, u8, INTS, i8, f4))
def _teach_stones(
    target: Floats, later: Floats, before: Word, after: Word, places: Ints, own: int, eta: Real
) -> None:
    """Let the inputs that change with one state learn from it and all later ones."""
    changed = before ^ after
    while changed != ZERO:
        cell = changed & (~changed + ONE)
        changed ^= cell
        step = eta if after & cell != ZERO else -eta
        add_to_row(target, input_of(cell, places, own), later, step)


@kernel(i8(i8, i8, _f8, _f8, INTS, BRAIN, SCRATCH), borrows=True)
def _value_states(
    side: int, plies: int, result: Real, gamma: Real, places: Ints, brain: Brain, scratch: Scratch
) -> int:
    """Feed the states of the episode forward; note delta of the output neuron in each.

    T_s is ``result`` discounted for every own state after s, explored ones too: TC counts all
    visited states. Returns how many states are learned from, or -1 if a value is no number.
    """
    parameters, stones, chosen = brain.parameters, scratch.stones, scratch.chosen
    hidden, tally = scratch.vectors[0], scratch.tally
    rest(hidden, parameters)
    own = other = ZERO
    left, states = (plies - side + 1) // 2, 0
    for ply in range(plies):
        if brain.counted:
            read_inputs(scratch.inputs[ply], parameters, hidden)
        else:
            move_stones(hidden, parameters, own, stones[side, ply], places, 1)
            move_stones(hidden, parameters, other, stones[1 - side, ply], places, 0)
        own, other = stones[side, ply], stones[1 - side, ply]
        if ply % 2 != side:
            continue
        left -= 1
        if not chosen[ply]:
            continue
        value = value_of(feed_forward(hidden, parameters, scratch.outputs[ply]))
        difference = result * gamma**left - value
        slope = value * (1 - value)
        if not slope >= 0:
            return -1
        scratch.errors[ply] = 2 * difference * slope
        tally[2] += difference * difference
        tally[4] += slope < FROZEN
        states += 1
    tally[1] += states
    return states


@kernel(
    types.boolean(i8, i8, _f8, _f8, f4, types.boolean, INTS, TABLE, BRAIN, SCRATCH), borrows=True
)
def learn_episode(
    side: int,
    plies: int,
    result: Real,
    gamma: Real,
    eta: Real,
    mean: bool,
    places: Ints,
    target: Floats,
    brain: Brain,
    scratch: Scratch,
) -> bool:
    """Add eta times minus the gradient of E to ``target``: the parameters, or an array like them.

    ``side`` is the agent, 0 if it began the game of so many ``plies`` in ``scratch``; ``result`` is
    its Return. With ``mean`` E is the mean over the states in place of their sum. Returns False,
    and adds nothing, where a value is no number.
    """
    states = _value_states(side, plies, result, gamma, places, brain, scratch)
    if states <= 0:
        return states == 0
    if mean:
        eta /= np.float32(states)
    stones, errors = scratch.stones, scratch.errors
    now, later, rises = scratch.vectors[0], scratch.vectors[1], scratch.vectors[2]
    later[:] = 0
    rises[:] = 0
    total = np.float32(0.0)
    for back in range(plies):
        ply = plies - 1 - back
        learned = ply % 2 == side and scratch.chosen[ply]
        total += errors[ply] if learned else np.float32(0.0)
        if brain.counted:
            if learned:
                now[:] = 0
                _add_errors(scratch.outputs[ply], now, rises, brain.parameters, errors[ply])
                teach_inputs(target, scratch.inputs[ply], now, eta)
                later += now
            continue
        if learned:
            _add_errors(scratch.outputs[ply], later, rises, brain.parameters, errors[ply])
        own = stones[side, ply - 1] if ply else ZERO
        other = stones[1 - side, ply - 1] if ply else ZERO
        _teach_stones(target, later, own, stones[side, ply], places, 1, eta)
        _teach_stones(target, later, other, stones[1 - side, ply], places, 0, eta)
    inputs = target.shape[0] - EXTRA_ROWS
    add_to_row(target, inputs, later, -eta)
    for i in range(brain.hidden):  # the neurons that fill up the width must keep their 0
        target[inputs + 1, i] += eta * rises[i]
    target[inputs + 2, 0] -= eta * total
    return True
