"""Opening book: the exact score of every position of Connect Four with twelve stones.

The data are those of the package bitbully-databases (MIT licence). The key of a position is a
prefix code over its columns from left to right, each from the bottom up: a stone of the side to
move is 10, one of the other side 11, and 0 ends the column. There is one entry for each pair of
mirror images. Keys ascend, so they are kept as the steps from each to the next, the four bytes of
the steps apart from one another: that packs well.
"""

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from connectlab.integrations.kaggle.runtime.board import Board

BOOK_PLY = 12
"""Stones on the board of every position in the book."""
TOP_BIT = 1 << 31


class OpeningBook:
    """Looks up positions with ``BOOK_PLY`` stones."""

    def __init__(self, board: Board, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        steps = np.ascontiguousarray(arrays["book_steps"].T).view("<u4").ravel()
        self._keys = memoryview(np.cumsum(steps, dtype=np.uint32).data)
        self._scores = arrays["book_scores"]
        self._bits, self._bottom = board.bits, board.bottom
        self._columns = [(column * board.bits) for column in range(board.columns)]
        self._codes = column_codes(board.rows)

    def score(self, mover: int, occupied: int) -> int | None:
        """Return the score for the side to move; None if the book does not know it."""
        contents, mask = mover + occupied + self._bottom, (1 << self._bits) - 1
        codes = [self._codes[contents >> shift & mask] for shift in self._columns]
        for ordered in (codes, codes[::-1]):
            key = int("".join(ordered) + "0", 2) ^ TOP_BIT
            place = bisect_left(self._keys, key)
            if place < len(self._keys) and self._keys[place] == key:
                return int(self._scores[place])
        return None


def column_codes(rows: int) -> list[str]:
    """Return the code of every content of a column: stones of the side to move under a marker."""
    codes = [""]
    for content in range(1, 2 << rows):
        stones = bin(content)[3:]
        codes.append("".join("10" if stone == "1" else "11" for stone in reversed(stones)) + "0")
    return codes
