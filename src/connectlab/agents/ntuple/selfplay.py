"""Learning by self-play: the compiled loop over games.

Incremental TD(lambda) for board games, Algorithm 3 of the poster of Konen, Bagheri and Thill
(2015), which for lambda = 0 is the TDL of Thill, Koch and Konen (2012). States are after-states;
the value is that of the first player; a game ends with +1, 0 or -1 for a win, draw or loss of the
first player. A winning move is taken at once, as no after-state can be worth more.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel
from connectlab.agents.ntuple import rules
from connectlab.agents.ntuple.kernels import VIEWS, Views, best_move, move_indices, move_key, total
from connectlab.agents.ntuple.traces import (
    MEMORY,
    TRACE,
    Trace,
    activate,
    apply,
    clear,
    eligibility,
    fade,
)
from connectlab.game import Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    ZERO,
    landing_cells,
    pick_cell,
    popcount,
    winning_cells,
)
from connectlab.game.streams import GAMMA, below, mix, uniform

UInt32s = NDArray[np.uint32]
Floats = NDArray[np.float32]

EXPLODED = 1e6
"""A total beyond this, or NaN, is no value any more."""

FROZEN = 19.1
"""Beyond this total tanh is 1 to the last bit: the gradient is 0, the value can never change."""
FROZEN_PLIES = 5_000
"""So many frozen positions, and a tenth of all, are no accident: a healthy run has none."""

FINISHED = -1
"""What ``learn_games`` returns when all went well."""


class Learning(NamedTuple):
    """The numbers of the learning rule, as the kernel takes them."""

    rule: int
    parameter: float
    """The parameter of the step-size rule: beta of TCL-EXP, for example."""
    gamma: float
    trace_decay: float
    """gamma * lambda."""
    replace: bool
    """A weight that is active again gets its gradient in place of its old eligibility."""
    reset: bool
    """A random move ends all eligibility."""
    mirrored: bool
    """The second half of the slots are mirror images of the first."""
    bounded: bool
    """No step goes beyond its target."""


LEARNING: Any = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        types.int64,
        types.float64,
        types.float64,
        types.float64,
        types.boolean,
        types.boolean,
        types.boolean,
        types.boolean,
    ),
    Learning,
)
_floats = types.float32[::1]
_indices = types.uint32[::1]


@kernel(types.boolean(LEARNING))
def _is_lasting(learning: Learning) -> bool:
    """Whether the trace must know where each weight lies: it fades, or the rule asks."""
    return learning.trace_decay > 0 or learning.rule == rules.ALPHA_BOUNDS


@kernel(types.void(_floats, TRACE, types.float64, types.float64, types.float64, LEARNING))
def _learn_from(
    weights: Floats, trace: Trace, alpha: Real, delta: Real, pull: Real, learning: Learning
) -> None:
    """Move all eligible weights by the step-size rule."""
    rules.compute(learning.rule, trace, alpha, delta, pull, learning.parameter)
    if learning.bounded:
        rules.limit(trace, delta)
    apply(trace, weights)


@kernel(types.void(_floats, types.int64, _indices, types.float32))
def _learn_directly(weights: Floats, table: int, index: UInt32s, step: Real) -> None:
    """Move the weights of one position by the same step: TD(0) with a fixed step size."""
    origin = np.uint64(table)
    for slot in range(np.uint64(len(index))):
        weights[origin + index[slot]] += step


@kernel(
    types.int64(
        types.uint64,
        types.float64,
        types.float64,
        _floats,
        MEMORY,
        TRACE,
        LEARNING,
        VIEWS,
        SHAPE,
        _indices,
        _indices,
        _floats,
        types.int64[::1],
    )
)
def _learn_game(  # noqa: PLR0912, PLR0915
    state: Word,
    alpha: Real,
    epsilon: Real,
    weights: Floats,
    memory: Floats,
    trace: Trace,
    learning: Learning,
    views: Views,
    shape: Shape,
    index: UInt32s,
    before: UInt32s,
    active: Floats,
    frozen: NDArray[np.int64],
) -> int:
    """Play and learn one game; return its number of plies, or -1 if a value is no number.

    ``state`` is the random stream of the game; ``index``, ``before`` and ``active`` are scratch;
    ``frozen[0]`` counts positions whose value cannot change.
    """
    lasting = _is_lasting(learning)
    bounds = learning.rule == rules.ALPHA_BOUNDS
    direct = learning.rule == rules.FIXED and not lasting and not learning.bounded
    recompute = lasting or views.second_table == 0
    occupied, mover, key = ZERO, ZERO, shape.bottom
    index[:] = views.start
    player, ply, here, after = 0, 0, 0, views.second_table
    f = total(weights, here, index, views)
    while True:
        value = math.tanh(f)
        if not direct:
            slope = np.float32(1 - value * value)
            activate(
                trace, memory, index, here, slope, learning.replace, learning.mirrored, lasting
            )
        landing = landing_cells(occupied, shape)
        wins = winning_cells(mover, occupied, shape) & landing
        state += GAMMA
        explore = uniform(state) < epsilon
        if explore:
            state += GAMMA
            cell = pick_cell(landing, below(state, popcount(landing)))
            if learning.reset:
                clear(trace, memory, lasting)
        elif wins != ZERO:
            cell = wins & (~wins + ONE)
        else:
            cell, state, f = best_move(
                weights, after, index, active, player, key, landing, state, views, shape
            )
        pull = 0.0
        if direct:
            before[:] = index
        elif bounds:
            pull = (1 - value * value) * eligibility(trace, index, here)
        move_indices(index, player, cell, key, views, shape)
        key = move_key(key, cell, player)
        mover, occupied = mover ^ occupied, occupied | cell
        ply += 1
        won = (cell & wins) != ZERO
        over = won or occupied == shape.board
        if over:
            target = float(1 - 2 * player) if won else 0.0
        else:
            if explore:
                f = total(weights, after, index, views)
            if not abs(f) < EXPLODED:
                return -1
            if abs(f) > FROZEN:
                frozen[0] += 1
            following = math.tanh(f)
            target = learning.gamma * following
            if bounds:
                ahead = (1 - following * following) * eligibility(trace, index, after)
                pull -= learning.gamma * ahead
        if over or not explore:
            if direct and not (explore and learning.reset):
                step = np.float32(alpha * (target - value) * (1 - value * value))
                _learn_directly(weights, here, before, step)
            elif not direct:
                _learn_from(weights, trace, alpha, target - value, pull, learning)
            if recompute:
                f = total(weights, after, index, views)
        if over:
            return ply
        if lasting:
            fade(trace, learning.trace_decay)
        elif not direct:
            clear(trace, memory, lasting)
        player, here, after = 1 - player, after, here


@kernel(
    types.int64(
        types.int64,
        types.int64,
        types.int64,
        types.uint64,
        types.float64[:, ::1],
        _floats,
        MEMORY,
        TRACE,
        LEARNING,
        VIEWS,
        SHAPE,
        types.int64[::1],
    )
)
def learn_games(
    first: int,
    games: int,
    stride: int,
    seed: Word,
    rates: NDArray[np.float64],
    weights: Floats,
    memory: Floats,
    trace: Trace,
    learning: Learning,
    views: Views,
    shape: Shape,
    plies: NDArray[np.int64],
) -> int:
    """Play and learn games ``first``, ``first + stride``, …; add their plies to ``plies[0]``.

    ``rates`` is float64[games * stride, 2]: alpha and epsilon of game ``first`` + row. Each game
    takes its random stream from the seed and its number. Returns ``FINISHED``, or the number of
    the game in which a value was no number or too many were frozen.
    """
    index = np.empty(views.slots, np.uint32)
    before = np.empty(views.slots, np.uint32)
    active = np.empty(views.slots, np.float32)
    frozen, all_plies = np.zeros(1, np.int64), 0
    for i in range(games):
        row = i * stride
        state = mix(seed ^ mix(np.uint64(first + row)))
        played = _learn_game(
            state,
            rates[row, 0],
            rates[row, 1],
            weights,
            memory,
            trace,
            learning,
            views,
            shape,
            index,
            before,
            active,
            frozen,
        )
        clear(trace, memory, _is_lasting(learning))
        all_plies += played
        if played < 0 or (frozen[0] > FROZEN_PLIES and 10 * frozen[0] > all_plies):
            return first + row
        plies[0] += played
    return FINISHED
