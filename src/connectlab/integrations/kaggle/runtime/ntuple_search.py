"""Looking ahead with an n-tuple network: alpha-beta with the network's values at the leaves.

A position is won if a stone wins at once, lost if the other side threatens two cells, and a forced
reply costs no depth; at depth 0 it is worth what the network says. Values are whole numbers for the
side to move; a win with stone number n of the game is ``SURE_WIN`` - n.
"""

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock
from connectlab.integrations.kaggle.runtime.deepening import deepen
from connectlab.integrations.kaggle.runtime.ntuple import Indices, NTupleNetwork

SURE_WIN = 1 << 31
DECIDED = SURE_WIN - 64
"""A value of at least this is a win."""
NO_VALUE = 1 << 32
"""Beyond any value."""
MOST_REMEMBERED = 400_000
"""Positions that are kept from move to move, some 100 MB of them."""
EXACT, AT_LEAST, AT_MOST = range(3)


class NTuplePlayer:
    """Plays the move that the network, or a search on top of it, values most.

    With ``deepens`` a search goes on beyond ``depth`` plies while there is time.
    """

    def __init__(self, network: NTupleNetwork, depth: int, deepens: bool) -> None:
        self.board: Board = network.board
        self.network, self.depth, self.deepens = network, depth, deepens
        self._known: dict[tuple[int, int], tuple[int, int, int]] = {}
        """Value, kind of bound and best cell by position and depth."""
        self._good: dict[int, int] = {}
        """The best cell of a position when it was last searched."""
        self._clock = Clock()

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Share among the columns of the highest value."""
        board, network = self.board, self.network
        landing = board.landing(occupied)
        wins = board.winning(mover, occupied) & landing
        if wins:
            return board.share(wins)
        index = network.read(mover, occupied)
        listed, values, after = network.moves(mover, occupied, index, landing)
        if self.depth == 1:
            return board.share(self._greedy(occupied, listed, values))
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
            self._good.clear()
        self._clock = clock
        moves = list(zip(values, listed, after, strict=True))

        def search(level: int) -> tuple[int, bool]:
            return self._root(mover, occupied, moves, level - 1)

        deepest = board.n_cells if self.deepens else self.depth
        return board.share(deepen(search, self.depth, deepest, clock) or landing)

    def _greedy(self, occupied: int, listed: list[int], values: list[int]) -> int:
        """Return the cells whose after-state has the highest value; a full board is worth 0."""
        if occupied | listed[0] == self.board.cells:
            return listed[0]
        best = max(values)
        return sum(cell for cell, value in zip(listed, values, strict=True) if value == best)

    def _root(
        self, mover: int, occupied: int, moves: list[tuple[int, int, Indices]], depth: int
    ) -> tuple[int, bool]:
        """Return the cells of highest value, ``depth`` plies beyond the move, and if it is sure.

        Writes the values found into ``moves``, the best first, for the next search to begin with.
        """
        best, cells = -NO_VALUE, 0
        found = []
        for _, cell, index in sorted(moves, key=lambda move: -move[0]):
            value = self._value_move(mover, occupied, cell, index, depth, best - 1)
            found.append((value, cell, index))
            if value > best:
                best, cells = value, cell
            elif value == best:
                cells |= cell
        moves[:] = found
        left = bin(self.board.cells ^ occupied).count("1")
        return cells, abs(best) >= DECIDED or depth >= left or len(moves) == 1

    def _value_move(
        self, mover: int, occupied: int, cell: int, index: Indices, depth: int, low: int
    ) -> int:
        """Return the value of a move that does not win at once: exact if above ``low``."""
        after, other = occupied | cell, mover ^ occupied
        if after == self.board.cells:
            return 0
        if low > -NO_VALUE:
            value = -self._search(other, after, index, depth, -low - 1, -low)
            if value <= low:
                return value
        return -self._search(other, after, index, depth, -NO_VALUE, -low)

    def _search(  # noqa: PLR0912
        self, mover: int, occupied: int, index: Indices, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value of a position by fail-soft negamax.

        Between ``alpha`` and ``beta`` it is exact; up to ``alpha`` an upper bound, from ``beta``
        a lower bound.
        """
        board = self.board
        if occupied == board.cells:
            return 0
        stones, landing, other = bin(occupied).count("1"), board.landing(occupied), mover ^ occupied
        if board.winning(mover, occupied) & landing:
            return SURE_WIN - (stones + 1)
        dangers = board.winning(other, occupied)
        forced = dangers & landing
        if forced & (forced - 1):
            return stones + 2 - SURE_WIN
        if forced:
            index = self.network.move(mover, occupied, index, forced)
            return -self._search(other, occupied | forced, index, depth, -beta, -alpha)
        if depth == 0:
            return self.network.value(index, occupied)
        cells = landing & ~(dangers >> 1)  # below a danger a stone would help the other side
        if not cells:
            return stones + 2 - SURE_WIN
        if alpha >= SURE_WIN - (stones + 3):
            return SURE_WIN - (stones + 3)
        self._clock.check()
        key = mover + occupied + board.bottom
        known = self._known.get((key, depth))
        if known is not None:
            value, kind, _ = known
            if kind == EXACT or (value >= beta if kind == AT_LEAST else value <= alpha):
                return value
        threatening = self._threatening(mover, occupied, cells)
        if threatening < 0:
            return SURE_WIN - (stones + 3)
        best, best_cell = -NO_VALUE, 0
        if cells != landing:
            best = stones + 2 - SURE_WIN
        low = alpha
        first = self._good.get(key, 0)
        listed, values, indices = self.network.moves(mover, occupied, index, cells)
        order = sorted(range(len(listed)), key=lambda i: (listed[i] != first, -values[i]))
        for number, i in enumerate(order):
            cell, value = listed[i], values[i]
            after = occupied | cell
            if depth > 1 or cell & threatening or after == board.cells:
                high = low + 1 if number and depth > 1 else beta
                value = -self._search(other, after, indices[i], depth - 1, -high, -low)
                if high <= value < beta:
                    value = -self._search(other, after, indices[i], depth - 1, -beta, -value)
            if value > best:
                best, best_cell = value, cell
                low = max(low, value)
                if value >= beta:
                    break
        kind = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        self._known[key, depth] = best, kind, best_cell
        self._good[key] = best_cell
        return best

    def _threatening(self, mover: int, occupied: int, cells: int) -> int:
        """Return the cells where a stone makes a threat to win; -1 if one makes two."""
        board, found = self.board, 0
        while cells:
            cell = cells & -cells
            cells ^= cell
            after = occupied | cell
            threats = board.winning(mover | cell, after) & board.landing(after)
            if threats & (threats - 1):
                return -1
            if threats:
                found |= cell
        return found
