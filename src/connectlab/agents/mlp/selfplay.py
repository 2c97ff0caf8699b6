"""Self-play as in section 3.3 and 4.1 of Faußer 2008: the compiled loop over games.

Agent and opponent use the same network, each in its own view, and both explore. The agent begins
every other game, which the paper leaves open. Nothing but the network chooses a move: not even a
win at once is taken unless its state has the highest value.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, Word, kernel, tuple_type
from connectlab.agents.mlp.episodes import learn_episode
from connectlab.agents.mlp.layers import (
    FLOATS,
    INTS,
    TABLE,
    Floats,
    Ints,
    f4,
    i8,
    input_of,
    move_stones,
    potential_with,
    rest,
    u8,
)
from connectlab.agents.mlp.network import BRAIN, Brain
from connectlab.agents.mlp.observation import observe, read_inputs
from connectlab.agents.mlp.optimisers import take_step
from connectlab.agents.mlp.records import LEARNING, SCRATCH, SGD, Learning, Scratch
from connectlab.game.bitboard import (
    DRAW,
    FIRST_WINS,
    ONE,
    ONGOING,
    ZERO,
    column_of,
    landing_cells,
    pick_cell,
    popcount,
)
from connectlab.game.chance import WON, chance_step
from connectlab.game.streams import GAMMA, below, mix, uniform

FINISHED = -1
"""What ``learn_games`` returns when all went well."""
STUCK = -1
"""What stands for the result of a game in which a value was no number."""

_f8 = types.float64


@kernel(u8(FLOATS, u8, BRAIN), borrows=True)
def best_cell(hidden: Floats, landing: Word, brain: Brain) -> Word:
    """Return the cell whose state has the highest value, the leftmost of equals; 0 for NaN."""
    best, highest = ZERO, np.float32(-np.inf)
    while landing != ZERO:
        cell = landing & (~landing + ONE)
        landing ^= cell
        row = input_of(cell, brain.places, 1)
        potential = potential_with(hidden, brain.parameters, row)
        if potential > highest:
            best, highest = cell, potential
    return best


@kernel(tuple_type(i8, i8)(u8, _f8, BRAIN, SCRATCH), borrows=True)
def play_game(state: Word, exploit: Real, brain: Brain, scratch: Scratch) -> tuple[int, int]:
    """Play a game and keep its states in ``scratch``; return its plies and its outcome.

    ``state`` is the random stream of the game. Where stones slip or rows fall, the state that a
    move leads to is the one that chance has left; moves are chosen as if it had no say.
    """
    parameters, places, shape, odds = brain.parameters, brain.places, brain.shape, brain.odds
    stones, views, longest = scratch.stones, scratch.potentials, scratch.chosen.shape[0]
    rest(views[0], parameters)
    rest(views[1], parameters)
    mover, occupied, ply, stands = ZERO, ZERO, 0, ONGOING
    while stands == ONGOING:
        side = ply % 2
        landing = landing_cells(occupied, shape)
        if brain.counted:
            observe(mover, occupied, shape, scratch.inputs[ply])
            read_inputs(scratch.inputs[ply], parameters, views[side])
        state += GAMMA
        chosen = uniform(state) <= exploit
        if chosen:
            cell = best_cell(views[side], landing, brain)
            if cell == ZERO:
                return ply, STUCK
        else:
            state += GAMMA
            cell = pick_cell(landing, below(state, popcount(landing)))
        if brain.counted:
            scratch.inputs[ply, input_of(cell, places, 1)] = 1
        own, other, column = mover, mover ^ occupied, column_of(cell, shape)
        mover, occupied, state, stands = chance_step(mover, occupied, column, state, shape, odds)
        stones[side, ply], stones[1 - side, ply] = mover ^ occupied, mover
        scratch.chosen[ply] = chosen
        for own_view in range(0 if brain.counted else 2):
            view = views[side if own_view else 1 - side]
            move_stones(view, parameters, own, mover ^ occupied, places, own_view)
            move_stones(view, parameters, other, mover, places, 1 - own_view)
        ply += 1
        if stands == WON:
            stands = FIRST_WINS + side
        elif ply == longest:
            stands = DRAW
    return ply, stands


@kernel(types.boolean(i8, i8, i8, f4, INTS, TABLE, BRAIN, LEARNING, SCRATCH), borrows=True)
def _learn_view(
    side: int,
    plies: int,
    outcome: int,
    eta: Real,
    places: Ints,
    memory: Floats,
    brain: Brain,
    learning: Learning,
    scratch: Scratch,
) -> bool:
    """Learn the game in ``scratch`` as one player saw it; return whether values stayed numbers."""
    won = 1.0 if outcome == FIRST_WINS + side else 0.0
    result = learning.draw_return if outcome == DRAW else won
    scratch.tally[3] += result
    gamma, mean, parameters = learning.gamma, learning.mean, brain.parameters
    plain, unit = learning.optimiser == SGD, np.float32(1.0)
    target, rate = (parameters, eta) if plain else (scratch.gradient, unit)
    if not learn_episode(side, plies, result, gamma, rate, mean, places, target, brain, scratch):
        return False
    if plain:
        return True
    decay = np.float32(learning.decay)
    take_step(learning.optimiser, parameters, memory, target, eta, decay)
    return True


@kernel(
    types.boolean(i8, i8, i8, _f8, types.boolean, TABLE, BRAIN, LEARNING, SCRATCH), borrows=True
)
def learn_recorded(
    agent: int,
    plies: int,
    outcome: int,
    eta: Real,
    both_sides: bool,
    memory: Floats,
    brain: Brain,
    learning: Learning,
    scratch: Scratch,
) -> bool:
    """Learn the game in ``scratch``: the agent's view, then the opponent's and mirrored ones."""
    rate = np.float32(eta)
    scratch.tally[0] += plies
    for view in range(2 if both_sides else 1):
        side = agent if view == 0 else 1 - agent
        for image in range(2 if learning.mirror else 1):
            places = brain.mirrored if image else brain.places
            if not _learn_view(
                side, plies, outcome, rate, places, memory, brain, learning, scratch
            ):
                return False
    return True


@kernel(i8(i8, i8, i8, u8, types.float64[:], TABLE, BRAIN, LEARNING, SCRATCH), borrows=True)
def learn_games(
    first: int,
    games: int,
    stride: int,
    seed: Word,
    etas: NDArray[np.float64],
    memory: Floats,
    brain: Brain,
    learning: Learning,
    scratch: Scratch,
) -> int:
    """Play and learn games ``first``, ``first + stride``, …; the agent begins those of even number.

    ``etas`` is float64[games * stride]: eta of game ``first`` + index. Each game takes its random
    stream from the seed and its number. Returns ``FINISHED``, or the number of the game in which a
    value was no number.
    """
    for i in range(games):
        number = first + i * stride
        state = mix(seed ^ mix(np.uint64(number)))
        plies, outcome = play_game(state, learning.exploit, brain, scratch)
        eta, both = etas[i * stride], learning.both_sides
        if outcome == STUCK or not learn_recorded(
            number % 2, plies, outcome, eta, both, memory, brain, learning, scratch
        ):
            return number
    return FINISHED
