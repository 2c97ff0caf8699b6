"""Learning by self-play: the compiled loop over games.

Incremental TD(lambda) for board games, Algorithm 3 of the poster of Konen, Bagheri and Thill
(2015), which for lambda = 0 is the TDL of Thill, Koch and Konen (2012). States are after-states;
the value is that of the first player; a game ends with +1, 0 or -1 for a win, draw or loss of the
first player, or with less than 1 and more than -1 where ``haste`` takes something off for every
stone before the last. A winning move is taken at once, whatever the network says of others.

Random moves are never learned from while the game goes on; whether one that ends it is depends on
``updates`` of :class:`~connectlab.agents.ntuple.config.NTupleConfig`.

Games of others are learned from in the same loop: their moves are given, and none counts as random.
"""

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel
from connectlab.agents.ntuple import step_sizes
from connectlab.agents.ntuple.direct import move_all, move_coherently
from connectlab.agents.ntuple.kernels import best_move, move_indices, move_key, read_indices, total
from connectlab.agents.ntuple.records import (
    LEARNED,
    LEARNING,
    SCRATCH,
    Learned,
    Learning,
    Scratch,
)
from connectlab.agents.ntuple.starts import draw, note, stones_of
from connectlab.agents.ntuple.traces import (
    TRACE,
    Trace,
    activate,
    apply,
    clear,
    eligibility,
    fade,
    mark_active,
)
from connectlab.game import Shape
from connectlab.game.bitboard import (
    ONE,
    SHAPE,
    ZERO,
    landing_cell,
    landing_cells,
    pick_cell,
    popcount,
    winning_cells,
)
from connectlab.game.streams import GAMMA, below, mix, uniform

Floats = NDArray[np.float32]

EXPLODED = 1e6
"""A total beyond this, or NaN, is no value any more."""

FROZEN = 19.1
"""Beyond this total tanh is 1 to the last bit: the gradient is 0, the value can never change."""
FROZEN_PLIES = 5_000
"""So many frozen positions, and a tenth of all, are no accident: a healthy run has none."""

LOOK_BACK = 4
"""A game begins at a surprise, or up to so many plies before it: what led there may be at fault."""

FINISHED = -1
"""What ``learn_games`` returns when all went well."""


_f4, _f8, _i8, _u8 = types.float32, types.float64, types.int64, types.uint64
_columns = types.int64[::1]
_floats = types.float32[::1]


@kernel(types.boolean(LEARNING))
def _is_lasting(learning: Learning) -> bool:
    """Whether the trace must know where each weight lies: it fades, or the rule asks."""
    return learning.trace_decay > 0 or learning.rule == step_sizes.ALPHA_BOUNDS


@kernel(types.boolean(LEARNING))
def _is_direct(learning: Learning) -> bool:
    """Whether weights are moved where they lie: no step needs to know of the others."""
    alone = learning.rule == step_sizes.FIXED or step_sizes.is_coherence(learning.rule)
    return alone and not learning.bounded and not _is_lasting(learning)


@kernel(_u8(_u8, _u8, _u8, SHAPE))
def _safe_cells(mover: Word, occupied: Word, landing: Word, shape: Shape) -> Word:
    """Return the landing cells where a stone does not lose at once.

    A threat must be answered, and no stone may lie below a cell where the other side would win.
    Where each stone loses, these are the cells of the threats, or else all.
    """
    dangers = winning_cells(mover ^ occupied, occupied, shape)
    forced = dangers & landing
    if forced != ZERO:
        return forced
    safe = landing & ~(dangers >> ONE)
    return safe if safe != ZERO else landing


@kernel(_f4(_f4, LEARNING))
def _value(total: Real, learning: Learning) -> Real:
    """Return V of a position from the sum of its weights."""
    return total if learning.linear else math.tanh(total)


@kernel(_f8(_f4, LEARNING))
def _slope(value: Real, learning: Learning) -> Real:
    """Return V', the derivative of V by the sum of weights, where V is ``value``."""
    return 1.0 if learning.linear else 1 - value * value


@kernel(types.void(_floats, TRACE, LEARNING, _f8, _f8, _f8, _f8))
def _learn_by_trace(
    weights: Floats,
    trace: Trace,
    learning: Learning,
    alpha: Real,
    delta: Real,
    pull: Real,
    value: Real,
) -> None:
    """Move all eligible weights by the step-size rule."""
    rule, parameter, linear = learning.rule, learning.parameter, learning.linear
    step_sizes.compute(rule, trace, alpha, delta, pull, value, linear, parameter)
    if learning.bounded:
        step_sizes.limit(trace, delta)
    apply(trace, weights)


@kernel(_i8(_u8, _f8, _f8, _f8, _columns, LEARNED, LEARNING, SCRATCH))
def _learn_game(  # noqa: PLR0912, PLR0915
    state: Word,
    alpha: Real,
    epsilon_first: Real,
    epsilon_second: Real,
    given: NDArray[np.int64],
    learned: Learned,
    learning: Learning,
    scratch: Scratch,
) -> int:
    """Play and learn one game; return its number of plies, or -1 if a value is no number.

    ``state`` is the random stream of the game; ``given`` are its columns, or none for self-play.
    """
    weights, memory, views, shape = learned.weights, learned.memory, learned.views, learned.shape
    index, before, active, trace = scratch.indices, scratch.before, scratch.active, scratch.trace
    path, row, watch, tally = scratch.path, scratch.row, scratch.watch, scratch.tally
    lasting, direct = _is_lasting(learning), _is_direct(learning)
    bounds = learning.rule == step_sizes.ALPHA_BOUNDS
    by_inputs = step_sizes.takes_inputs(learning.rule)
    recompute = lasting or views.second_table == 0
    occupied, mover, key = ZERO, ZERO, shape.bottom
    index[:] = views.start
    restarts = learning.restarts > 0 and len(given) == 0
    if restarts and learned.starts.noted[0] > 0:
        state += GAMMA
        if uniform(state) < learning.restarts:
            state += GAMMA
            key = draw(learned.starts, state)
            mover, occupied = stones_of(key, shape)
            read_indices(index, mover, occupied, views, shape)
    ply = popcount(occupied)
    begin, player, here, after = ply, ply % 2, 0, views.second_table
    if player == 1:
        mover, here, after = mover ^ occupied, after, here
    f = total(weights, here, index, views)
    while True:
        value = _value(f, learning)
        gradient = _slope(value, learning)
        if not direct:
            replace, mirrored = learning.replace, learning.mirrored
            share = 1.0 if by_inputs else gradient
            activate(trace, memory, index, here, share, replace, mirrored, lasting)
            if step_sizes.looks_at_active(learning.rule):
                mark_active(trace, lasting)
        path[ply] = key
        landing = landing_cells(occupied, shape)
        wins = winning_cells(mover, occupied, shape) & landing
        explore, valued = False, False
        if len(given) > 0:
            cell = landing_cell(occupied, given[ply], shape)
        else:
            state += GAMMA
            explore = uniform(state) < (epsilon_second if player else epsilon_first)
            if explore:
                state += GAMMA
                cells = landing
                if learning.safe_second and player == 1 and wins == ZERO:
                    cells = _safe_cells(mover, occupied, landing, shape)
                    explore = cells & (cells - ONE) != ZERO  # the only safe move is no lot
                cell = pick_cell(cells, below(state, popcount(cells)))
            elif wins != ZERO:
                cell = wins & (~wins + ONE)
            else:
                cell, state, f = best_move(
                    weights, after, index, active, player, key, landing, state, views, shape
                )
                valued = True
        pull = 0.0
        if direct:
            before[:] = index
        elif bounds:
            pull = gradient * eligibility(trace, index, here)
        move_indices(index, player, cell, key, views, shape)
        key = move_key(key, cell, player)
        mover, occupied = mover ^ occupied, occupied | cell
        ply += 1
        won = (cell & wins) != ZERO
        over = won or occupied == shape.board
        if over:
            target = (1 - 2 * player) * (1 - learning.haste * (ply - 1)) if won else 0.0
        else:
            if not valued:
                f = total(weights, after, index, views)
            if not abs(f) < EXPLODED:
                return -1
            if abs(f) > FROZEN and not learning.linear:
                watch[0] += 1
            following = _value(f, learning)
            target = learning.gamma * following
            if bounds:
                ahead = _slope(following, learning) * eligibility(trace, index, after)
                pull -= learning.gamma * ahead
        learns = not explore or (over and learning.random_end)
        if explore and learning.reset and not learns:
            clear(trace, memory, lasting)
        if learns:
            delta = target - value
            tally[1] += 1
            tally[2] += abs(delta)
            if restarts and abs(delta) > learning.surprise:
                state += GAMMA
                note(learned.starts, path[max(begin, ply - 1 - below(state, LOOK_BACK + 1))])
            if not direct:
                _learn_by_trace(weights, trace, learning, alpha, delta, pull, value)
            elif learning.rule == step_sizes.FIXED:
                move_all(weights, here, before, np.float32(alpha * delta * gradient))
            else:
                move_coherently(
                    learning.rule,
                    weights,
                    memory.words,
                    here,
                    before,
                    learning.mirrored,
                    gradient,
                    alpha,
                    delta,
                    learning.parameter,
                    row,
                )
            if recompute:
                f = total(weights, after, index, views)
        if over:
            return ply - begin
        if lasting:
            fade(trace, learning.trace_decay)
        elif not direct:
            clear(trace, memory, lasting)
        player, here, after = 1 - player, after, here


@kernel(types.boolean(_i8, LEARNED, LEARNING, SCRATCH))
def _is_sound(plies: int, learned: Learned, learning: Learning, scratch: Scratch) -> bool:
    """Close a game of ``plies`` moves; return whether its values were still worth something."""
    clear(scratch.trace, learned.memory, _is_lasting(learning))
    watch = scratch.watch
    watch[1] += plies
    if plies < 0 or (watch[0] > FROZEN_PLIES and 10 * watch[0] > watch[1]):
        return False
    scratch.tally[0] += plies
    return True


@kernel(_i8(_i8, _i8, _i8, _u8, types.float64[:, ::1], LEARNED, LEARNING, SCRATCH))
def learn_games(
    first: int,
    games: int,
    stride: int,
    seed: Word,
    rates: NDArray[np.float64],
    learned: Learned,
    learning: Learning,
    scratch: Scratch,
) -> int:
    """Play and learn games ``first``, ``first + stride``, …

    ``rates`` is float64[games * stride, 3]: alpha and either player's epsilon of game ``first`` +
    row. Each game takes its random stream from the seed and its number. Returns ``FINISHED``, or
    the number of the game in which a value was no number or too many were frozen.
    """
    none = np.empty(0, np.int64)
    for i in range(games):
        row = i * stride
        state = mix(seed ^ mix(np.uint64(first + row)))
        alpha, first_epsilon, second_epsilon = rates[row, 0], rates[row, 1], rates[row, 2]
        plies = _learn_game(
            state, alpha, first_epsilon, second_epsilon, none, learned, learning, scratch
        )
        if not _is_sound(plies, learned, learning, scratch):
            return first + row
    return FINISHED


@kernel(types.boolean(_columns, _f8, LEARNED, LEARNING, SCRATCH))
def learn_given(
    columns: NDArray[np.int64],
    alpha: Real,
    learned: Learned,
    learning: Learning,
    scratch: Scratch,
) -> bool:
    """Learn from a finished game whose columns are given; return whether values stayed sound."""
    plies = _learn_game(ZERO, alpha, 0.0, 0.0, columns, learned, learning, scratch)
    return _is_sound(plies, learned, learning, scratch)
