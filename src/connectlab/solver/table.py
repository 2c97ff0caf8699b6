"""Transposition table: what is known of positions already searched, one 64-bit word each.

A position is known by its key, ``mover + occupied + bottom``, a different number for every
position of a board. Multiplying it by an odd constant scatters the keys without merging any two, so
the leading bits of the product can name a bucket and the others, kept in the word, tell exactly
which position the word is about:

```
word      tag (other bits of the product) | MAX_SCORE - upper (7 bits) | lower + MAX_SCORE (7 bits)
bucket    two words: the newest entry, and the one it drove out
```

A word is read and written whole and says all there is to know, so threads may share a table without
locks: a race can lose an entry, never spoil one. A zero word says that nothing is known.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from connectlab._jit import JIT_ENABLED, Word, kernel
from connectlab.errors import UserError
from connectlab.game.geometry import Geometry

MAX_SCORE = 40
"""Beyond any score; as a bound, it says nothing."""
BOUND_BITS = 7
TAG_SHIFT = np.uint64(2 * BOUND_BITS)
UPPER_SHIFT = np.uint64(BOUND_BITS)
BOUND_MASK = np.uint64((1 << BOUND_BITS) - 1)
MAX_TAG_BITS = 64 - 2 * BOUND_BITS
SLOTS = 2
WORD_BYTES = 8
FIRST_MB = 1
"""A table begins with so much."""
WORDS_PER_NODE = 4
"""The first store is given up when there are fewer words for each node searched."""
NEVER = 2**62
MAX_MB = 2**16
"""More is a slip of the finger."""

ONE = np.uint64(1)
SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""Odd, so multiplication by it is one-to-one; the golden ratio spreads consecutive keys evenly."""

u8 = types.uint64
i8 = types.int64
WORDS = types.uint64[::1]
Words: TypeAlias = NDArray[np.uint64]


class Store(NamedTuple):
    """The words of a table, and how many bits of a scattered key are left to tell them apart."""

    words: Words
    tag_bits: int


class Table:
    """A transposition table of at most ``megabytes`` MB for one board.

    The number of words is a power of two. Small boards get no more words than they have keys, the
    largest at least as many as their keys need to be told apart.

    It starts with a store of ``FIRST_MB``, which fits into the caches of a processor: most
    questions are answered within it, and sooner. A long search calls :meth:`grow`. The two stores
    never share memory, so a thread may go on with the first one meanwhile: what it finds is lost,
    not wrong.
    """

    def __init__(self, geometry: Geometry, megabytes: int) -> None:
        if not 1 <= megabytes <= MAX_MB:  # nan is neither
            raise UserError(f"a table takes 1 to {MAX_MB:,} MB, not {megabytes}")
        key_bits = geometry.columns * (geometry.rows + 1)
        try:
            # The memory is only promised until somebody writes into it.
            self.stores = tuple(
                _make_store(key_bits, size) for size in (min(FIRST_MB, megabytes), megabytes)
            )
        except MemoryError:
            raise UserError(f"there is no memory for a table of {megabytes:,} MB") from None
        self.store = self.stores[0]
        self.nodes_before_growth = self._nodes_before_growth()

    def _nodes_before_growth(self) -> int:
        """Return after how many nodes a larger store pays; ``NEVER`` if there is none."""
        n_words = len(self.store.words)
        return n_words // WORDS_PER_NODE if n_words < len(self.stores[-1].words) else NEVER

    def grow(self) -> None:
        """Move everything to the largest store."""
        if self.store is not self.stores[-1]:
            move(*self.store, *self.stores[-1])
            self.store = self.stores[-1]
            self.nodes_before_growth = NEVER

    def clear(self) -> None:
        """Forget everything."""
        self.store.words.fill(0)
        if self.store is not self.stores[0]:
            self.stores[0].words.fill(0)
            self.store = self.stores[0]
        self.nodes_before_growth = self._nodes_before_growth()


def _make_store(key_bits: int, megabytes: int) -> Store:
    n_words = int(megabytes) * 2**20 // WORD_BYTES
    bucket_bits = (n_words // SLOTS).bit_length() - 1
    bucket_bits = min(max(bucket_bits, key_bits - MAX_TAG_BITS), key_bits)
    return Store(np.zeros(SLOTS << bucket_bits, dtype=np.uint64), key_bits - bucket_bits)


@intrinsic
def _prefetch(_typing_context: Any, array: Any, index: Any) -> Any:
    """Emit LLVM's prefetch: read, into all levels of the data cache."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [pointer],
            ir.FunctionType(ir.VoidType(), [pointer, number, number, number]),
        )
        address = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
        builder.call(function, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


if JIT_ENABLED:

    @kernel(types.void(WORDS, u8))
    def prefetch(words: Words, index: Word) -> None:
        """Ask for the cache line of ``words[index]`` without waiting for it."""
        _prefetch(words, index)  # type: ignore[call-arg]

    @kernel(u8(u8, u8))
    def scatter(key: Word, key_bits: Word) -> Word:
        """Return another number of ``key_bits`` bits for each key, spread evenly."""
        return (key * SCATTER) & ((ONE << (key_bits - ONE) << ONE) - ONE)

else:

    def prefetch(words: Words, index: Word) -> None:
        """Do nothing: plain Python has no cache to warm."""

    def scatter(key: Word, key_bits: Word) -> Word:
        """Return another number of ``key_bits`` bits for each key, spread evenly."""
        return np.uint64((int(key) * int(SCATTER)) & ((1 << int(key_bits)) - 1))


@kernel(u8(u8, u8))
def bucket_of(scattered: Word, tag_bits: Word) -> Word:
    """Return the index of the first word of a position's bucket."""
    return (scattered >> tag_bits) << ONE


@kernel(u8(WORDS, u8, u8))
def find(words: Words, scattered: Word, tag_bits: Word) -> Word:
    """Return the word of a position, or 0."""
    bucket = bucket_of(scattered, tag_bits)
    tag = scattered & ((ONE << tag_bits) - ONE)
    word = words[bucket]
    if word >> TAG_SHIFT == tag:
        return word
    word = words[bucket + ONE]
    return word if word >> TAG_SHIFT == tag else np.uint64(0)


@kernel(i8(u8))
def lower_of(word: Word) -> int:
    """Return the lower bound of the score that a word holds."""
    return int(np.int64(word & BOUND_MASK)) - MAX_SCORE


@kernel(i8(u8))
def upper_of(word: Word) -> int:
    """Return the upper bound of the score that a word holds."""
    return MAX_SCORE - int(np.int64((word >> UPPER_SHIFT) & BOUND_MASK))


@kernel(types.void(WORDS, u8, u8, i8, i8))
def remember(words: Words, scattered: Word, tag_bits: Word, lower: int, upper: int) -> None:
    """Keep bounds of a position's score, together with those known before."""
    at = bucket_of(scattered, tag_bits)
    tag = scattered & ((ONE << tag_bits) - ONE)
    known: Word = words[at]
    if known >> TAG_SHIFT != tag:
        newest = known
        known = words[at + ONE]
        if known >> TAG_SHIFT == tag:
            at += ONE
        else:
            words[at + ONE] = newest
            known = np.uint64(0)
    lower = max(lower, lower_of(known))
    upper = min(upper, upper_of(known))
    bounds = np.uint64(MAX_SCORE - upper) << UPPER_SHIFT | np.uint64(lower + MAX_SCORE)
    words[at] = tag << TAG_SHIFT | bounds


@kernel(types.void(WORDS, i8, WORDS, i8))
def move(words: Words, tag_bits: int, larger: Words, larger_tag_bits: int) -> None:
    """Enter all words of a store into another one, the newest of a bucket last."""
    for at in range(len(words) - 1, -1, -1):
        word: Word = words[at]
        if word != np.uint64(0):
            bucket = np.uint64(at) >> ONE
            scattered = bucket << np.uint64(tag_bits) | word >> TAG_SHIFT
            remember(larger, scattered, np.uint64(larger_tag_bits), lower_of(word), upper_of(word))
