"""The records that the learning kernels take, in place of a dozen loose arrays."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import record_type
from connectlab.agents.mlp.layers import FLOATS, TABLE, Floats
from connectlab.agents.mlp.network import Network
from connectlab.game.variants import LONGEST_GAME

SGD, MOMENTUM, RMSPROP = range(3)
"""The optimisers, in the order of the settings."""


class Learning(NamedTuple):
    """The numbers of the learning rule, as the kernel takes them."""

    gamma: float
    exploit: float
    """epsilon of the paper: the share of moves by value."""
    draw_return: float
    mean: bool
    """E is the mean over the states of an episode, not their sum."""
    both_sides: bool
    mirror: bool
    optimiser: int
    decay: float


class Scratch(NamedTuple):
    """The working memory of one thread; the record of a game is of its after-states."""

    stones: NDArray[np.uint64]
    """uint64[2, plies]: the stones of the first and the second player after each ply."""
    chosen: NDArray[np.bool_]
    """bool[plies]: whether the move was chosen by value; the others were explored."""
    potentials: Floats
    """float32[2, width]: the hidden potentials in the view of either player."""
    inputs: Floats
    """float32[plies, inputs]: what was seen and chosen, where counts are read; else one row."""
    outputs: Floats
    """float32[plies, width]: the hidden outputs in each state that is learned."""
    errors: Floats
    """float32[plies]: delta of the output neuron in each state that is learned."""
    vectors: Floats
    """float32[3, width]: potentials, and sums over states, of the episode that is learned."""
    gradient: Floats
    """As the parameters: minus the gradient of E; one row for plain steps, which need none."""
    tally: NDArray[np.float64]
    """float64[5]: plies, states learned, the sum of their squared errors, the sum of Returns, and
    the states whose value cannot change any more."""


LEARNING = record_type(
    (
        types.float64,
        types.float64,
        types.float64,
        types.boolean,
        types.boolean,
        types.boolean,
        types.int64,
        types.float64,
    ),
    Learning,
)
SCRATCH = record_type(
    (
        types.uint64[:, ::1],
        types.boolean[::1],
        TABLE,
        TABLE,
        TABLE,
        FLOATS,
        TABLE,
        TABLE,
        types.float64[::1],
    ),
    Scratch,
)


def make_scratch(network: Network, optimiser: int) -> Scratch:
    """Return working memory for one thread."""
    falling = network.geometry.variant.drop_row > 0
    plies = LONGEST_GAME if falling else network.geometry.cells
    width = network.parameters.shape[1]
    rows = 1 if optimiser == SGD else len(network.parameters)
    return Scratch(
        np.zeros((2, plies), dtype=np.uint64),
        np.zeros(plies, dtype=np.bool_),
        np.zeros((2, width), dtype=np.float32),
        np.zeros((plies if network.brain.counted else 1, network.inputs), dtype=np.float32),
        np.zeros((plies, width), dtype=np.float32),
        np.zeros(plies, dtype=np.float32),
        np.zeros((3, width), dtype=np.float32),
        np.zeros((rows, width), dtype=np.float32),
        np.zeros(5, dtype=np.float64),
    )
