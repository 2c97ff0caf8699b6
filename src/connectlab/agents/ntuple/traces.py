"""Eligibility traces as a list of the weights that are eligible now.

Only a few hundred of the millions of weights are eligible at a time. They lie side by side in
contiguous arrays, with the memory of the step-size rule beside them, which goes back to the large
arrays when the trace is cleared. Every weight is in the list at most once.

A rule keeps up to three numbers for a weight. The first two lie side by side and travel as one word
of 64 bits; the third, which only Autostep has, is in an array of its own.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Real, kernel, record_type
from connectlab.agents.ntuple.kernels import Views

UInt32s = NDArray[np.uint32]
Words = NDArray[np.uint64]
Floats = NDArray[np.float32]

NOWHERE = np.int32(-1)
ONE = np.uint64(1)


class Trace(NamedTuple):
    """The eligible weights, side by side."""

    used: NDArray[np.int64]
    """int64[2]: how many of the places are in use, and how many weights are in ``fresh``."""
    weight: UInt32s
    """Which weight lies in each place."""
    e: Floats
    """Its eligibility."""
    words: Words
    """The first two numbers of the step-size rule for it, as one word."""
    numbers: Floats
    """The same words as numbers: two of one place, then two of the next."""
    third_number: Floats
    change: Floats
    """What the rule adds to the weight now."""
    gradient: Floats
    """Its gradient in the position added last, 0 if it is not active there; see ``mark_active``."""
    fresh: UInt32s
    """The weights of the position added last, uint32[slots]."""
    share: Floats
    """Their gradients."""
    place: NDArray[np.int32]
    """Where each weight of the network lies in the list, or -1: int32[weights]."""
    shared: Floats
    """float32[1]: the number that the step-size rule keeps for all weights together."""


TRACE = record_type(
    (
        types.int64[::1],
        types.uint32[::1],
        types.float32[::1],
        types.uint64[::1],
        types.float32[::1],
        types.float32[::1],
        types.float32[::1],
        types.float32[::1],
        types.uint32[::1],
        types.float32[::1],
        types.int32[::1],
        types.float32[::1],
    ),
    Trace,
)


class Memory(NamedTuple):
    """What the step-size rule keeps for every weight of the network, if it keeps anything."""

    words: Words
    """The first two numbers of each, uint64[weights]."""
    third_number: Floats
    """float32[weights]."""

    @classmethod
    def create(cls, weights: int, numbers: int) -> "Memory":
        """Return memory of 0 for so many numbers (0 to 3) of each weight."""
        return cls(
            np.zeros(weights if numbers else 0, dtype=np.uint64),
            np.zeros(weights if numbers > 2 else 0, dtype=np.float32),
        )

    @property
    def pairs(self) -> Floats:
        """The first two numbers of each weight, float32[weights, 2]; the same memory."""
        return self.words.view(np.float32).reshape(-1, 2)


MEMORY = record_type((types.uint64[::1], types.float32[::1]), Memory)


def make_trace(views: Views, tables: int, plies: int, shared: Floats) -> Trace:
    """Return an empty trace with room for all that one game can make eligible.

    ``shared`` is float32[1] and belongs to the caller: threads on the same weights share it.
    """
    places = views.slots * (plies + 1)
    words = np.zeros(places, dtype=np.uint64)
    return Trace(
        np.zeros(2, dtype=np.int64),
        np.zeros(places, dtype=np.uint32),
        np.zeros(places, dtype=np.float32),
        words,
        words.view(np.float32),
        np.zeros(places, dtype=np.float32),
        np.zeros(places, dtype=np.float32),
        np.zeros(places, dtype=np.float32),
        np.zeros(views.slots, dtype=np.uint32),
        np.zeros(views.slots, dtype=np.float32),
        np.full(tables * views.size, NOWHERE, dtype=np.int32),
        shared,
    )


@kernel(types.int64(types.uint32[::1], types.int64, types.float32, types.boolean, TRACE))
def _gather(index: UInt32s, table: int, gradient: Real, mirrored: bool, trace: Trace) -> int:
    """List the weights of a position and their gradients; return how many there are.

    A tuple whose mirror image shows the same state has one weight that counts twice.
    """
    fresh, share = trace.fresh, trace.share
    origin = np.uint64(table)
    n = np.uint64(0)
    tuples = np.uint64(len(index) // 2 if mirrored else len(index))
    for i in range(tuples):
        fresh[n] = origin + index[i]
        share[n] = gradient
        n += ONE
        if mirrored:
            if index[i] == index[i + tuples]:
                share[n - ONE] += gradient
            else:
                fresh[n] = origin + index[i + tuples]
                share[n] = gradient
                n += ONE
    return int(n)


@kernel(
    types.void(
        TRACE,
        MEMORY,
        types.uint32[::1],
        types.int64,
        types.float32,
        types.boolean,
        types.boolean,
        types.boolean,
    )
)
def activate(
    trace: Trace,
    memory: Memory,
    index: UInt32s,
    table: int,
    gradient: Real,
    replace: bool,
    mirrored: bool,
    lasting: bool,
) -> None:
    """Make the weights of a position eligible: add their gradient, or put it in place of the old.

    ``lasting`` is false when lambda is 0: the list is then cleared before every call, and nobody
    needs to know where a weight lies.
    """
    n_fresh = np.uint64(_gather(index, table, gradient, mirrored, trace))
    place, weights, e = trace.place, trace.weight, trace.e
    fresh, share = trace.fresh, trace.share
    words, third = trace.words, trace.third_number
    all_words, all_third = memory.words, memory.third_number
    remembers, three = len(all_words) > 0, len(all_third) > 0
    n = np.uint64(trace.used[0])
    for k in range(n_fresh):
        weight = np.uint64(fresh[k])
        if lasting:
            here = place[weight]
            if here != NOWHERE:
                old = np.uint64(here)
                e[old] = share[k] if replace else e[old] + share[k]
                continue
            place[weight] = np.int32(n)
        weights[n] = weight
        e[n] = share[k]
        if remembers:
            words[n] = all_words[weight]
            if three:
                third[n] = all_third[weight]
        n += ONE
    trace.used[0] = n
    trace.used[1] = n_fresh


@kernel(types.void(TRACE, types.boolean))
def mark_active(trace: Trace, lasting: bool) -> None:
    """Write the gradients of the position added last beside the eligibilities."""
    gradient, e, place = trace.gradient, trace.e, trace.place
    fresh, share = trace.fresh, trace.share
    for k in range(np.uint64(trace.used[0])):
        gradient[k] = np.float32(0) if lasting else e[k]
    if lasting:
        for k in range(np.uint64(trace.used[1])):
            gradient[np.uint64(place[fresh[k]])] = share[k]


@kernel(types.void(TRACE, types.float32))
def fade(trace: Trace, decay: Real) -> None:
    """Multiply all eligibilities by gamma * lambda."""
    e = trace.e
    for k in range(np.uint64(trace.used[0])):
        e[k] *= decay


@kernel(types.void(TRACE, types.float32[::1]))
def apply(trace: Trace, weights: Floats) -> None:
    """Add the changes to the weights."""
    which, change = trace.weight, trace.change
    for k in range(np.uint64(trace.used[0])):
        weights[which[k]] += change[k]


@kernel(types.void(TRACE, MEMORY, types.boolean))
def clear(trace: Trace, memory: Memory, lasting: bool) -> None:
    """Forget all eligibilities; the rule's memory goes back to where it is kept."""
    place, weights = trace.place, trace.weight
    words, third = trace.words, trace.third_number
    all_words, all_third = memory.words, memory.third_number
    remembers, three = len(all_words) > 0, len(all_third) > 0
    for k in range(np.uint64(trace.used[0])):
        weight = np.uint64(weights[k])
        if lasting:
            place[weight] = NOWHERE
        if remembers:
            all_words[weight] = words[k]
            if three:
                all_third[weight] = third[k]
    trace.used[0] = 0


@kernel(types.float32(TRACE, types.uint32[::1], types.int64))
def eligibility(trace: Trace, index: UInt32s, table: int) -> Real:
    """Return the sum of the eligibilities of a position's weights, each slot counted.

    Only a lasting trace knows where its weights lie.
    """
    place, e = trace.place, trace.e
    origin = np.uint64(table)
    sum_e = np.float32(0)
    for slot in range(np.uint64(len(index))):
        here = place[origin + index[slot]]
        if here != NOWHERE:
            sum_e += e[np.uint64(here)]
    return sum_e
