"""The best moves of many positions, with fewer questions than the scores of all moves take.

Once the score of a position is known, each move is among the best or is not, and one search tells.
Whoever plays many games against one opponent comes to the same positions again, and to their mirror
images, when the table has forgotten most of what was found: what took long is remembered here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import kernel
from connectlab.game.bitboard import SHAPE, mirror
from connectlab.game.geometry import Shape
from connectlab.solver.bisection import Answers, Questions
from connectlab.solver.moves import spread_children
from connectlab.solver.table import WORDS

WORTH_KEEPING = 1000
"""Nodes of a search that is not made twice."""
MOST_KEPT = 200_000
"""Positions, some 50 MB; then all are forgotten."""

Ask: TypeAlias = Callable[[Questions], Answers]


@dataclass(frozen=True, eq=False)
class BestMoves:
    """The best moves of many positions, and what they lead to; one row or entry a position."""

    moves: NDArray[np.bool_]
    """bool[n, columns]: whether a column is one of the best; none is where the game is over."""
    scores: NDArray[np.int8]
    """For the side to move, if only the outcome was asked for 1, 0 or -1."""
    known: NDArray[np.bool_]
    """Where it is not, since a limit was hit, neither moves nor score tell anything."""


class _Images(NamedTuple):
    """Positions, each as the one of its two mirror images that has the lower key, and each once."""

    mover: NDArray[np.uint64]
    occupied: NDArray[np.uint64]
    keys: list[int]
    number: NDArray[np.intp]
    """[n] which image each position is."""
    mirrored: NDArray[np.bool_]
    """[n] whether it is that the other way round."""


class _Kept(NamedTuple):
    score: np.int8
    moves: NDArray[np.bool_]


class Memory:
    """Best moves that took long to find, by the keys of positions; threads may share it."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def recall(self, keys: list[int], best: BestMoves) -> None:
        """Fill in what is known of the positions with these keys."""
        for i, key in enumerate(keys):
            if (kept := self._kept.get(key)) is not None:
                best.scores[i], best.moves[i] = kept
                best.known[i] = True

    def keep(self, keys: list[int], best: BestMoves, numbers: NDArray[np.intp]) -> None:
        """Remember some of the positions with these keys."""
        for i in numbers.tolist():
            if len(self._kept) >= MOST_KEPT:
                self._kept = {}
            self._kept[keys[i]] = _Kept(best.scores[i], best.moves[i].copy())


def find_best_moves(
    ask: Ask,
    stones: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    most: int,
    shape: Shape,
    memory: Memory,
) -> BestMoves:
    """Find the best moves of positions, given as mover and occupied, by scores up to ``most``.

    With 1 these are the moves that keep the outcome.
    """
    images = _images_of(*stones, shape)
    n = len(images.keys)
    best = BestMoves(
        np.zeros((n, shape.columns), np.bool_), np.zeros(n, np.int8), np.zeros(n, np.bool_)
    )
    memory.recall(images.keys, best)
    nodes = _search(ask, images, most, shape, best)
    memory.keep(images.keys, best, np.flatnonzero(best.known & (nodes >= WORTH_KEEPING)))
    moves = best.moves[images.number]
    moves[images.mirrored] = moves[images.mirrored, ::-1]
    return BestMoves(moves, best.scores[images.number], best.known[images.number])


def _search(
    ask: Ask, images: _Images, most: int, shape: Shape, best: BestMoves
) -> NDArray[np.int64]:
    """Find what is not known yet; return the nodes that each position took."""
    nodes = np.zeros(len(images.keys), dtype=np.int64)
    asked = np.flatnonzero(~best.known)
    found = ask(Questions.about(images.mover[asked], images.occupied[asked], most))
    best.scores[asked], best.known[asked], nodes[asked] = found
    solved = asked[found.known]
    rows, columns, children = spread_children(images.mover[solved], images.occupied[solved], shape)
    rows = solved[rows]
    # Seen by the opponent, to whom any other move gives more.
    at_best = -best.scores[rows]
    more = np.minimum(at_best + 1, most).astype(np.int8)
    answers = ask(Questions(*children, at_best, more))
    best.moves[rows, columns] = answers.scores == at_best
    best.known[rows[~answers.known]] = False
    np.add.at(nodes, rows, answers.nodes)
    return nodes


@kernel(types.void(WORDS, WORDS, SHAPE, types.boolean[::1]))
def _mirror_some(
    mover: NDArray[np.uint64],
    occupied: NDArray[np.uint64],
    shape: Shape,
    mirrored: NDArray[np.bool_],
) -> None:
    """Mirror the positions whose mirror image has the lower key, in place."""
    for i in range(len(mover)):
        other_mover, other_occupied = mirror(mover[i], shape), mirror(occupied[i], shape)
        mirrored[i] = other_mover + other_occupied < mover[i] + occupied[i]
        if mirrored[i]:
            mover[i], occupied[i] = other_mover, other_occupied


def _images_of(mover: NDArray[np.uint64], occupied: NDArray[np.uint64], shape: Shape) -> _Images:
    mover, occupied = mover.copy(), occupied.copy()
    mirrored = np.empty(len(mover), dtype=np.bool_)
    _mirror_some(mover, occupied, shape, mirrored)
    keys, first, number = np.unique(
        mover + occupied + shape.bottom, return_index=True, return_inverse=True
    )
    return _Images(mover[first], occupied[first], keys.tolist(), number, mirrored)
