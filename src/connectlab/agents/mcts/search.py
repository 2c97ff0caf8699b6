"""The search: simulations on one tree after the other, or on many trees in lock step.

With rollouts nothing leaves the kernel. Where another player judges the leaves or gives the priors,
all trees of a batch go down to a leaf together, the player is asked for all these leaves at once,
and the values go up. Either way a tree draws only from its own random state, so it does not depend
on the batch it is searched in.
"""

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel
from connectlab.agents.choice import Chances, share_equally
from connectlab.agents.mcts.backup import back_up
from connectlab.agents.mcts.rollout import heuristic_rollout, random_rollout
from connectlab.agents.mcts.selection import descend
from connectlab.agents.mcts.tree import FOREST, NONE, OPEN, PLAN, Forest, Plan, plant
from connectlab.game.bitboard import (
    WORDS,
    ZERO,
    column_cells,
    landing_cells,
    popcount,
    winning_cells,
)
from connectlab.game.streams import GAMMA, at_ply, mix

U64 = NDArray[np.uint64]

_u8, _i8 = types.uint64, types.int64
_words = types.uint64[::1]
_flags = types.boolean[::1]
_numbers = types.float64[::1]


@kernel(types.boolean(_i8, FOREST), borrows=True)
def goes_on(tree: int, forest: Forest) -> bool:
    """Say whether a tree has room and its root is not yet proven."""
    root = tree * forest.capacity
    return bool(forest.result[root] == OPEN and forest.sizes[tree] < forest.capacity)


@kernel(_u8(_i8, _u8, FOREST, PLAN), borrows=True)
def _play_out(tree: int, state: Word, forest: Forest, plan: Plan) -> Word:
    """Judge the leaf of the latest descent, by its result or a rollout, and carry it up."""
    leaf = forest.path[tree, forest.lengths[tree], 0]
    value = float(forest.result[leaf])
    if forest.result[leaf] == OPEN:
        mover, occupied = forest.mover[leaf], forest.occupied[leaf]
        if plan.heuristic:
            value, state = heuristic_rollout(mover, occupied, state, plan.shape)
        else:
            value, state = random_rollout(mover, occupied, state, plan.shape)
    back_up(tree, value, forest, plan)
    return state


@kernel(_u8(_i8, _i8, _u8, FOREST, PLAN), borrows=True)
def simulate(tree: int, iterations: int, state: Word, forest: Forest, plan: Plan) -> Word:
    """Run simulations with rollouts on one tree; return the random state after them."""
    for _ in range(iterations):
        if not goes_on(tree, forest):
            break
        state = descend(tree, state, forest, plan)
        state = _play_out(tree, state, forest, plan)
    return state


@kernel(_u8(_i8, FOREST, PLAN), borrows=True)
def _eligible(tree: int, forest: Forest, plan: Plan) -> Word:
    """Return the cells of the moves that may be played: by what is proven, none that is worse."""
    root = tree * forest.capacity
    mover, occupied, result = forest.mover[root], forest.occupied[root], forest.result[root]
    landing = landing_cells(occupied, plan.shape)
    if plan.stop_at_win:
        wins = winning_cells(mover, occupied, plan.shape) & landing
        if wins != ZERO:
            return wins
    cells = forest.untried[root] if result == OPEN else ZERO
    for column in range(plan.shape.columns):
        child = forest.children[root, column]
        if child == NONE:
            continue
        worth = -forest.result[child]
        if not plan.solver or (worth == result if result != OPEN else worth != -1):
            cells |= landing & column_cells(column, plan.shape)
    return cells


@kernel(types.void(_i8, types.float64, FOREST, PLAN, _numbers), borrows=True)
def read_chances(
    tree: int, temperature: float, forest: Forest, plan: Plan, chances: Chances
) -> None:
    """Write how likely each column is played after a search, by the visits of the root."""
    cells, root = _eligible(tree, forest, plan), tree * forest.capacity
    visits = forest.visits[root]
    most = 0
    for column in range(plan.shape.columns):
        if cells & column_cells(column, plan.shape) != ZERO:
            most = max(most, visits[column])
    total = 0.0
    for column in range(plan.shape.columns):
        chances[column] = 0.0
        if most > 0 and cells & column_cells(column, plan.shape) != ZERO:
            if temperature > 0.0:
                chances[column] = math.pow(visits[column] / most, 1.0 / temperature)
            elif visits[column] == most:
                chances[column] = 1.0
        total += chances[column]
    if most == 0:
        share_equally(cells, plan.shape, chances)
        return
    for column in range(plan.shape.columns):
        chances[column] /= total


@kernel(
    types.void(WORDS, WORDS, WORDS, _i8, types.float64, FOREST, PLAN, types.float64[:, ::1]),
    borrows=True,
)
def search_all(
    mover: U64,
    occupied: U64,
    streams: U64,
    iterations: int,
    temperature: float,
    forest: Forest,
    plan: Plan,
    chances: Chances,
) -> None:
    """Search positions with rollouts, one after the other in the first tree of a forest."""
    for i in range(mover.shape[0]):
        plant(0, mover[i], occupied[i], forest, plan)
        simulate(0, iterations, at_ply(streams[i], popcount(occupied[i])), forest, plan)
        read_chances(0, temperature, forest, plan, chances[i])


@kernel(types.void(WORDS, WORDS, WORDS, FOREST, PLAN, _words), borrows=True)
def plant_all(
    mover: U64, occupied: U64, streams: U64, forest: Forest, plan: Plan, states: U64
) -> None:
    """Begin a tree for each position, and write the random state each begins with."""
    for i in range(mover.shape[0]):
        plant(i, mover[i], occupied[i], forest, plan)
        states[i] = at_ply(streams[i], popcount(occupied[i]))


@kernel(_i8(_words, FOREST, PLAN, _flags, types.int64[::1], _words), borrows=True)
def descend_all(
    states: U64,
    forest: Forest,
    plan: Plan,
    active: NDArray[np.bool_],
    leaves: NDArray[np.int64],
    streams: U64,
) -> int:
    """Go down every tree that goes on (``active``); list the leaves to be judged by a player.

    Returns how many there are; each has a random stream for whoever is asked.
    """
    n = 0
    for tree in range(states.shape[0]):
        active[tree] = goes_on(tree, forest)
        if not active[tree]:
            continue
        states[tree] = descend(tree, states[tree], forest, plan)
        leaf = forest.path[tree, forest.lengths[tree], 0]
        if forest.result[leaf] == OPEN:
            states[tree] += GAMMA
            leaves[n], streams[n] = leaf, mix(states[tree])
            n += 1
    return n


@kernel(types.void(_words, FOREST, PLAN, _flags, types.boolean, _numbers), borrows=True)
def back_up_all(
    states: U64,
    forest: Forest,
    plan: Plan,
    active: NDArray[np.bool_],
    play_out: bool,
    values: NDArray[np.float64],
) -> None:
    """Carry the values of the leaves, listed as by ``descend_all``, up every active tree.

    With ``play_out`` they are found by rollouts instead.
    """
    n = 0
    for tree in range(states.shape[0]):
        if not active[tree]:
            continue
        leaf = forest.path[tree, forest.lengths[tree], 0]
        if play_out or forest.result[leaf] != OPEN:
            states[tree] = _play_out(tree, states[tree], forest, plan)
        else:
            back_up(tree, values[n], forest, plan)
            n += 1
