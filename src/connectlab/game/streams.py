"""Random streams: one uint64 of state for each game, whatever batch it sits in.

A stream is SplitMix64 (Steele, Lea and Flood 2014): the state counts up by an odd constant and a
mixing function turns it into a draw. A game that takes its own stream along plays the same moves
alone, in a batch of thousands, or in another process.

The number that decides a player's move is a function of the stream and the ply alone, so that
asking uses up nothing: ``uniform(at_ply(stream, ply))``. Who needs many numbers for one ply
(self-play, rollouts) begins there and counts on::

    state = at_ply(stream, ply)
    state += GAMMA
    index = below(state, n)
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_S11 = np.uint64(11)
_ONE = np.uint64(1)
_UNIT = 2.0**-53

u8 = types.uint64


@kernel(u8(u8))
def mix(state: Word) -> Word:
    """Turn a counter into 64 well mixed bits (the finaliser of SplitMix64)."""
    state = (state ^ (state >> _S30)) * _MIX_1
    state = (state ^ (state >> _S27)) * _MIX_2
    return state ^ (state >> _S31)


@kernel(u8(u8, types.int64))
def at_ply(stream: Word, ply: int) -> Word:
    """Return the random state that belongs to one ply of a game; the stream stays as it is."""
    return mix(stream + GAMMA * np.uint64(ply + 1))


@kernel(types.int64(u8, types.int64))
def below(state: Word, n: int) -> int:
    """Draw an integer from 0 to n - 1 (n < 2**31; the bias is below n / 2**32)."""
    return int(((mix(state) >> _S32) * np.uint64(n)) >> _S32)


@kernel(types.float64(u8))
def uniform(state: Word) -> float:
    """Draw a number in [0, 1)."""
    return float(mix(state) >> _S11) * _UNIT


@kernel(types.void(u8, types.int64, types.uint64[::1]))
def _fill(seed: Word, first: int, streams: NDArray[np.uint64]) -> None:
    root = mix(seed + GAMMA)
    for i in range(streams.shape[0]):
        streams[i] = mix(root ^ mix(np.uint64(first + i) + _ONE))


@kernel(u8(u8, u8))
def _descend(state: Word, step: Word) -> Word:
    return mix(mix(state + GAMMA) ^ step)


def make_streams(seed: int, n: int, first: int = 0) -> NDArray[np.uint64]:
    """Return the streams of games number ``first`` to ``first + n - 1`` of a seed."""
    streams = np.empty(n, dtype=np.uint64)
    _fill(np.uint64(seed % 2**64), first, streams)
    return streams


def derive_seed(seed: int, *path: int) -> int:
    """Return a seed for a part of something seeded, for example for one pairing of a tournament."""
    state = seed % 2**64
    for step in path:
        state = int(_descend(np.uint64(state), np.uint64(step % 2**64)))
    return state
