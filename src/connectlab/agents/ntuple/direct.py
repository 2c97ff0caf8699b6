"""Learning without traces: the weights of one position move at once, where they lie.

With lambda = 0 only the weights of the position just left are eligible, so no list of them is
kept: TD(0) with a fixed step size is one addition a slot, and temporal coherence reads and writes
the two numbers it keeps for a weight once for each move that is learned from. Those lie side by
side and travel as one word of 64 bits.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel, record_type
from connectlab.agents.ntuple.step_sizes import ZERO, coherence

UInt32s = NDArray[np.uint32]
Words = NDArray[np.uint64]
Floats = NDArray[np.float32]

_floats = types.float32[::1]
_words = types.uint64[::1]
_indices = types.uint32[::1]
_f4, _i8 = types.float32, types.int64


class Row(NamedTuple):
    """The weights of one position, slot by slot."""

    e: Floats
    """The gradient of each slot's weight, float32[slots]."""
    change: Floats
    """What is added to it, float32[slots]."""
    words: Words
    """The memory of each, uint64[slots]."""
    numbers: Floats
    """The same memory as numbers, float32[2 * slots]: N and A of one slot, then of the next."""


ROW = record_type((_floats, _floats, _words, _floats), Row)


def make_row(slots: int) -> Row:
    """Return working memory for one position at a time."""
    words = np.zeros(slots, dtype=np.uint64)
    e, change = np.zeros(slots, dtype=np.float32), np.zeros(slots, dtype=np.float32)
    return Row(e, change, words, words.view(np.float32))


@kernel(types.void(_floats, _i8, _indices, _f4))
def move_all(weights: Floats, table: int, index: UInt32s, step: Real) -> None:
    """Move the weights of a position by the same step; one that counts twice moves twice."""
    origin = np.uint64(table)
    for slot in range(np.uint64(len(index))):
        weights[origin + index[slot]] += step


@kernel(types.void(_words, _i8, _indices, _words))
def _fetch(memory: Words, table: int, index: UInt32s, words: Words) -> None:
    origin = np.uint64(table)
    for slot in range(np.uint64(len(index))):
        words[slot] = memory[origin + index[slot]]


@kernel(types.void(_floats, _words, _i8, _indices, _floats, _words))
def _store(
    weights: Floats, memory: Words, table: int, index: UInt32s, change: Floats, words: Words
) -> None:
    origin = np.uint64(table)
    for slot in range(np.uint64(len(index))):
        weights[origin + index[slot]] += change[slot]
    for slot in range(np.uint64(len(index))):
        memory[origin + index[slot]] = words[slot]


@kernel(types.void(_i8, _floats, _words, _i8, _indices, types.boolean, _f4, _f4, _f4, _f4, ROW))
def move_coherently(
    rule: int,
    weights: Floats,
    memory: Words,
    table: int,
    index: UInt32s,
    mirrored: bool,
    gradient: Real,
    alpha: Real,
    delta: Real,
    beta: Real,
    row: Row,
) -> None:
    """Move the weights of a position by temporal coherence.

    A tuple that sees the same in the mirrored board has one weight with twice the gradient. Both
    of its slots find the same numbers and write the same memory; the change counts for one of them.
    """
    e, change, words, numbers = row.e, row.change, row.words, row.numbers
    _fetch(memory, table, index, words)
    tuples = np.uint64(len(index) // 2 if mirrored else 0)
    for slot in range(np.uint64(len(index))):
        e[slot] = gradient
    for i in range(tuples):
        share = gradient + gradient if index[i] == index[i + tuples] else gradient
        e[i] = share
        e[i + tuples] = share
    coherence(rule, len(index), alpha, delta, beta, e, numbers, change)
    for i in range(tuples):
        change[i + tuples] = ZERO if index[i] == index[i + tuples] else change[i + tuples]
    _store(weights, memory, table, index, change, words)
