"""Minimax with the streak heuristic of Cheng et al., "Connect-N"; values are in sixths."""

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock
from connectlab.integrations.kaggle.runtime.deepening import deepen

OWN_WIN = 6 * 2_000_000
OTHER_WIN = 6 * 1_000_000
ANY_VALUE = 1 << 62


class MinimaxPlayer:
    """Looks ``depth`` plies ahead and counts streaks; a win at once is always played."""

    def __init__(self, board: Board, depth: int, force_center: bool) -> None:
        self.board, self.depth, self.force_center = board, depth, force_center
        lengths = range(min(board.connect, max(board.columns, board.rows)) + 1)
        self._own = self._gains([self._worth(x, 3, OWN_WIN) for x in lengths])
        self._other = self._gains([self._worth(x, 1, OTHER_WIN) for x in lengths])

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Share among the columns of the highest value."""
        board = self.board
        landing = board.landing(occupied)
        if self.force_center and occupied == 0:
            middle = board.masks[(board.columns - 1) // 2] | board.masks[board.columns // 2]
            return board.share(landing & middle)
        wins = board.winning(mover, occupied) & landing
        if wins:
            return board.share(wins)

        def search(level: int) -> tuple[int, bool]:
            return self._best_cells(mover, occupied, level, clock), False

        return board.share(deepen(search, self.depth, self.depth, clock) or landing)

    def _best_cells(self, mover: int, occupied: int, depth: int, clock: Clock) -> int:
        """Return the cells of the highest value; a value below the best so far may be a bound."""
        best, cells = -ANY_VALUE, 0
        landing = self.board.landing(occupied)
        for mask in self.board.middle_out:
            cell = landing & mask
            if cell:
                after = occupied | cell
                value = self._search(
                    mover | cell, after, False, depth - 1, best - 1, ANY_VALUE, clock
                )
                if value > best:
                    best, cells = value, cell
                elif value == best:
                    cells |= cell
        return cells

    def _search(
        self,
        own: int,
        occupied: int,
        own_next: bool,
        depth: int,
        low: int,
        high: int,
        clock: Clock,
    ) -> int:
        """Return the value for ``own``, whoever is to move: exact between ``low`` and ``high``."""
        board = self.board
        last_moved = own ^ occupied if own_next else own
        if depth == 0 or occupied == board.cells or board.has_line(last_moved):
            return self.evaluate(own, own ^ occupied)
        clock.check()
        landing = board.landing(occupied)
        best = -ANY_VALUE if own_next else ANY_VALUE
        for mask in board.middle_out:
            cell = landing & mask
            if not cell:
                continue
            stones = own | cell if own_next else own
            value = self._search(stones, occupied | cell, not own_next, depth - 1, low, high, clock)
            if own_next:
                best, low = max(best, value), max(low, value)
            else:
                best, high = min(best, value), min(high, value)
            if low >= high:
                break
        return best

    def evaluate(self, own: int, other: int) -> int:
        """Return the worth of all streaks for the side that owns ``own``, in sixths."""
        return self._total(own, self._own) - self._total(other, self._other)

    def _total(self, stones: int, gains: list[int]) -> int:
        total = 0
        if self.board.columns == 1:  # stones alternate in a single column
            return 0
        for step in self.board.steps:
            following = stones >> step
            heads = stones & ~(stones << step) & following
            length = 2
            while heads and length < len(gains):
                total += bin(heads).count("1") * gains[length]
                length += 1
                following >>= step
                heads &= following
        return total

    def _worth(self, length: int, factor: int, win: int) -> int:
        if length >= self.board.connect:
            return win
        return factor * length * 2**length if length > 1 else 0

    @staticmethod
    def _gains(worth: list[int]) -> list[int]:
        """Return what a streak gains when it grows to each length."""
        return [after - before for before, after in zip([0, *worth], worth, strict=False)]
