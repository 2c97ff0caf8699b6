"""The simplest players: random, and one that extends its longest streak."""

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock


class RandomPlayer:
    """Every column with room is equally likely."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Give every column with room the same chance."""
        del mover, clock
        return self.board.share(self.board.landing(occupied))


class ExtendPlayer:
    """Adds a stone to the longest streak it can add to."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Share among the columns that extend the longest streak; all if there is none."""
        del clock
        best = extending = self.board.landing(occupied)
        length = 1
        while extending:
            best = extending
            extending = self._extending(mover, best, length)
            length += 1
        return self.board.share(best)

    def _extending(self, stones: int, cells: int, length: int) -> int:
        """Return those of ``cells`` at an end of a streak of ``length`` or more."""
        found = 0
        for step in self.board.steps:
            before = after = cells
            for i in range(1, length + 1):
                before &= stones << (step * i)
                after &= stones >> (step * i)
            found |= before | after
        return found
