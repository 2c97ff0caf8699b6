"""The records that the learning kernels take, in place of a dozen loose arrays."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import record_type
from connectlab.agents.ntuple.direct import ROW, Row, make_row
from connectlab.agents.ntuple.kernels import VIEWS, Views
from connectlab.agents.ntuple.starts import STARTS, Starts
from connectlab.agents.ntuple.traces import MEMORY, TRACE, Memory, Trace
from connectlab.game.bitboard import SHAPE
from connectlab.game.geometry import Shape

UInt32s = NDArray[np.uint32]
Floats = NDArray[np.float32]
Words = NDArray[np.uint64]


class Learned(NamedTuple):
    """What learning changes, and the board it is about."""

    weights: Floats
    memory: Memory
    starts: Starts
    views: Views
    shape: Shape


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
    random_end: bool
    """A random move that ends the game is learned from, before any eligibility ends."""
    mirrored: bool
    """The second half of the slots are mirror images of the first."""
    bounded: bool
    """No step goes beyond its target."""
    safe_second: bool
    """Random moves of the second player are none that lose at once, if there are others."""
    restarts: float
    """The share of games that begin where the network was surprised."""
    surprise: float
    """The least |delta| that is a surprise."""
    linear: bool
    """V is the sum of the weights, not its tanh."""
    haste: float
    """What a win is worth less for every stone that lay on the board before it."""


class Scratch(NamedTuple):
    """The working memory of one thread."""

    indices: UInt32s
    """The weight index of each slot in the position, uint32[slots]."""
    before: UInt32s
    """The same before the last move."""
    active: Floats
    """The weight of each slot, float32[slots]."""
    path: Words
    """The keys of the positions of this game by their stones, uint64[cells + 1]."""
    trace: Trace
    row: Row
    watch: NDArray[np.int64]
    """int64[2]: frozen positions and all positions since somebody set them to 0."""
    tally: NDArray[np.float64]
    """float64[3]: plies, moves learned from and the sum of their |delta|, added up likewise."""


LEARNED = record_type((types.float32[::1], MEMORY, STARTS, VIEWS, SHAPE), Learned)
LEARNING = record_type(
    (
        types.int64,
        types.float64,
        types.float64,
        types.float64,
        types.boolean,
        types.boolean,
        types.boolean,
        types.boolean,
        types.boolean,
        types.boolean,
        types.float64,
        types.float64,
        types.boolean,
        types.float64,
    ),
    Learning,
)
SCRATCH = record_type(
    (
        types.uint32[::1],
        types.uint32[::1],
        types.float32[::1],
        types.uint64[::1],
        TRACE,
        ROW,
        types.int64[::1],
        types.float64[::1],
    ),
    Scratch,
)


def make_scratch(views: Views, trace: Trace, cells: int) -> Scratch:
    """Return working memory for one thread, on a board of so many cells."""
    return Scratch(
        np.empty(views.slots, dtype=np.uint32),
        np.empty(views.slots, dtype=np.uint32),
        np.empty(views.slots, dtype=np.float32),
        np.zeros(cells + 1, dtype=np.uint64),
        trace,
        make_row(views.slots),
        np.zeros(2, dtype=np.int64),
        np.zeros(3, dtype=np.float64),
    )
