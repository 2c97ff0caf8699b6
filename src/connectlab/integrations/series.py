"""The games that an environment plays one after another: their streams, and who begins each.

An environment that is reset with a seed plays game 0 of that seed, at the next reset without one
game 1, and so on: streams as :func:`connectlab.game.streams.make_streams` counts them. So a seed
and the agent's actions give every game bit for bit, alone or beside thousands of others.
"""

import secrets
from typing import Literal, TypeAlias, get_args

import numpy as np
from numba import types

from connectlab._jit import Word, kernel
from connectlab.errors import UserError
from connectlab.game.streams import GAMMA, below, mix

First: TypeAlias = Literal["agent", "opponent", "alternate", "random"]
"""Who makes the first move: ``alternate`` is the agent in every other game, from game 0 on."""

FIRSTS: tuple[str, ...] = get_args(First)
AGENT, OPPONENT, ALTERNATE, RANDOM = range(4)

_SEAT = np.uint64(0x8E51C9F2A6B3D747)
_ONE = np.uint64(1)


class SeriesError(UserError):
    """An environment was asked for something that it does not have."""


def parse_first(first: str) -> int:
    """Return the number by which the kernels know who begins."""
    if first not in FIRSTS:
        raise SeriesError(f"first is one of {', '.join(FIRSTS)}, not {first!r}")
    return FIRSTS.index(first)


@kernel(types.uint64(types.uint64, types.int64))
def stream_of(seed: Word, number: int) -> Word:
    """Return the stream of one game of a seed: ``make_streams(seed, 1, number)`` in a kernel."""
    return mix(mix(seed + GAMMA) ^ mix(np.uint64(number) + _ONE))


@kernel(types.boolean(types.int64, types.int64, types.uint64))
def agent_begins(first: int, number: int, stream: Word) -> bool:
    """Say whether the agent makes the first move of a game.

    A lot for it is drawn apart from those for moves, which belong to the stream and a ply.
    """
    if first == ALTERNATE:
        return number % 2 == 0
    if first == RANDOM:
        return below(stream ^ _SEAT, 2) == 0
    return first == AGENT


class Series:
    """Where one environment stands in the games of a seed."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.number = 0

    def next_game(self, seed: int | None) -> None:
        """Go on to game 0 of a seed or, without one, to the next game of the seed there is.

        Who has never given a seed gets one from the operating system.
        """
        if seed is None and self.seed is not None:
            self.number += 1
            return
        self.seed = secrets.randbits(63) if seed is None else seed
        self.number = 0

    @property
    def stream(self) -> int:
        """The stream of the game."""
        return int(stream_of((self.seed or 0) % 2**64, self.number))
