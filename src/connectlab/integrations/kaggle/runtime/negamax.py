"""The negamax player that comes with Kaggle's ConnectX environment; values are doubled here."""

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock, OutOfTime

UNKNOWN = 1 << 30
"""Beyond any value."""


class NegamaxPlayer:
    """Looks ``depth`` plies ahead; the last of them is judged by its neighbours."""

    def __init__(self, board: Board, depth: int) -> None:
        self.board, self.depth = board, depth

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Give the leftmost win, or the chances of Kaggle's way to break ties."""
        board = self.board
        landing = board.landing(occupied)
        wins = board.winning(mover, occupied) & landing
        if wins:
            return board.share(wins & -wins)
        best = [cell for mask in board.masks if (cell := landing & mask)]
        try:
            for depth in range(1 - self.depth % 2, self.depth, 2):
                best = self._best(mover, occupied, depth, clock)
        except OutOfTime:
            pass
        return self._halving(best)

    def _halving(self, best: list[int]) -> list[float]:
        """Let each later column that ties take half of what those before it had."""
        chances, rest = [0.0] * self.board.columns, 1.0
        for cell in reversed(best[1:]):
            rest /= 2.0
            chances[self.board.column_of(cell)] = rest
        chances[self.board.column_of(best[0])] = rest
        return chances

    def _best(self, mover: int, occupied: int, depth: int, clock: Clock) -> list[int]:
        """Return the cells of the highest value, from left to right, ``depth`` plies deep."""
        board, best, cells = self.board, -UNKNOWN, []
        landing = board.landing(occupied)
        for mask in board.middle_out:
            cell = landing & mask
            if not cell:
                continue
            if depth <= 0:
                value = self._at_horizon(mover, occupied, cell)
            else:
                after, other = occupied | cell, mover ^ occupied
                value = -self._search(other, after, depth - 1, -UNKNOWN, 1 - best, clock)
            if value > best:
                best, cells = value, [cell]
            elif value == best:
                cells.append(cell)
        return sorted(cells)

    def _search(
        self, mover: int, occupied: int, depth: int, alpha: int, beta: int, clock: Clock
    ) -> int:
        """Return twice the value for the side to move, exact between ``alpha`` and ``beta``."""
        board = self.board
        landing = board.landing(occupied)
        if not landing:
            return 0
        if board.winning(mover, occupied) & landing:
            return board.n_cells + 1 - bin(occupied).count("1")
        if depth <= 0:
            return self._at_horizon(mover, occupied, landing)
        clock.check()
        best = -UNKNOWN
        for mask in board.middle_out:
            cell = landing & mask
            if cell:
                other, after = mover ^ occupied, occupied | cell
                value = -self._search(other, after, depth - 1, -beta, -max(alpha, best), clock)
                best = max(best, value)
                if best >= beta:
                    break
        return best

    def _at_horizon(self, mover: int, occupied: int, cells: int) -> int:
        """Return twice the value of the best of some cells where no further ply is played."""
        board = self.board
        at_once = board.n_cells + 1 - bin(occupied).count("1")
        below = cells & (mover << 1) & ~(board.bottom << 1)
        left, right = cells & (mover << board.bits), cells & (mover >> board.bits)
        if left & right & below:
            return at_once + 6
        if (left & right) | (left & below) | (right & below):
            return at_once + 4
        return at_once + 2 if left | right | below else at_once
