"""A table of visited states, trained by Q-learning (Cheng et al., "Connect-N")."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock


class Beginning(NamedTuple):
    """What moves are worth in a state that was never met."""

    win: float
    block: float
    streak: float


class QTablePlayer:
    """Plays the move of the highest value; in a new state by what its moves do at once."""

    def __init__(
        self,
        board: Board,
        arrays: Mapping[str, NDArray[np.generic]],
        mirror: bool,
        first_tie: bool,
        beginning: Beginning | None,
    ) -> None:
        self.board, self.mirror, self.first_tie = board, mirror, first_tie
        self._beginning = beginning
        self._keys, self._values = arrays["keys"], arrays["values"]

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Share among the columns of the highest value, or take the first of them."""
        del clock
        values = self.values(mover, occupied)
        best = [column for column, value in values.items() if value == max(values.values())]
        chosen = best[:1] if self.first_tie else best
        return [float(c in chosen) / len(chosen) for c in range(self.board.columns)]

    def values(self, mover: int, occupied: int) -> dict[int, float]:
        """Return the value of each column with room."""
        board = self.board
        landing = board.landing(occupied)
        columns = board.columns_of(landing)
        key = mover + occupied + board.bottom
        flipped = self.mirror and self._mirrored(key) < key
        place = self._find(self._mirrored(key) if flipped else key)
        if place is None:
            return {c: self._first(mover, occupied, landing & board.masks[c]) for c in columns}
        last = board.columns - 1
        return {c: float(self._values[place, last - c if flipped else c]) for c in columns}

    def _find(self, key: int) -> int | None:
        place = int(np.searchsorted(self._keys, np.uint64(key)))
        found = place < len(self._keys) and int(self._keys[place]) == key
        return place if found else None

    def _mirrored(self, key: int) -> int:
        bits, columns = self.board.bits, self.board.columns
        column = (1 << bits) - 1
        return sum(
            (key >> (c * bits) & column) << ((columns - 1 - c) * bits) for c in range(columns)
        )

    def _first(self, mover: int, occupied: int, cell: int) -> float:
        """Return what a move is worth in a state that was never met."""
        if self._beginning is None:
            return 0.0
        if self.board.winning(mover, occupied) & cell:
            return self._beginning.win
        if self.board.winning(mover ^ occupied, occupied) & cell:
            return self._beginning.block
        long = self._longest(mover | cell, cell) >= self.board.connect - 1
        return self._beginning.streak if long else 0.0

    def _longest(self, stones: int, cell: int) -> int:
        """Return the length of the longest streak of these stones that a cell is part of."""
        longest = 1
        for step in self.board.steps if self.board.columns > 1 else (1,):
            length, up, down = 1, cell << step, cell >> step
            while up & stones:
                length, up = length + 1, up << step
            while down & stones:
                length, down = length + 1, down >> step
            longest = max(longest, length)
        return longest
