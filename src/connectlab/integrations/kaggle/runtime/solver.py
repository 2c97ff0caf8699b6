"""Perfect play: is the score of a position above a threshold?

A score is half the number of stones still to place when the game ends, for the side to move: higher
is sooner won, 0 a draw, less is lost. When a position is opened, all its moves are looked at before
any is searched: forced replies are played, and what the rules, the table, a bound or the opening
book settle is left out; of the rest the most threatening move goes first.
"""

from collections.abc import Callable
from typing import NamedTuple

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock

MAX_SCORE = 64
"""Beyond any score."""
NO_BOUND = 99
TABLE_MOST = 1_500_000
"""Positions that are remembered, some 300 MB of them; then the table begins anew."""
TABLE_EMPTY = 8
"""Positions with fewer empty cells are not remembered."""
PAIRS_BEFORE = 24
"""Open pairs help to order moves while there are fewer stones."""

Book = Callable[[int, int], "int | None"]
"""Returns the score of a position for the side to move, or None."""


class TooHard(Exception):  # noqa: N818
    """Raised in a search that has taken as many nodes as it may."""


class Quiet(NamedTuple):
    """Where a move has led: a position in which the side to move has a choice, or a score."""

    mover: int
    occupied: int
    threats: int
    """Empty cells where the other side would win."""
    n_stones: int
    turned: bool
    """Whether the side to move is the other one than before the move."""
    score: int | None
    """The exact score for the side to move, if the rules tell it."""
    rank: int
    """How promising the move was for the side that made it."""


class Prover:
    """Answers questions about scores; it remembers what it has found."""

    def __init__(self, board: Board, book: Book | None = None, book_ply: int = -1) -> None:
        self.board, self.book, self.book_ply = board, book, book_ply
        self.clock = Clock()
        self.nodes = self.limit = 0
        self._lower: dict[int, int] = {}
        self._upper: dict[int, int] = {}
        """Bounds of scores by position."""

    def begin(self, clock: Clock) -> None:
        """Take the clock of another move."""
        self.clock = clock
        if len(self._lower) + len(self._upper) > TABLE_MOST:
            self._lower.clear()
            self._upper.clear()

    def learn(self, keys: list[int], scores: list[int]) -> "Prover":
        """Take the exact scores of some positions, named by mover + occupied + bottom."""
        self._lower.update(zip(keys, scores, strict=True))
        self._upper.update(zip(keys, scores, strict=True))
        return self

    def highest(self, mover: int, occupied: int) -> int:
        """Return a bound of the score of a position that it takes no search to know."""
        if self.book is not None and bin(occupied).count("1") == self.book_ply:
            known = self.book(mover, occupied)
            if known is not None:
                return known
        return self._upper.get(mover + occupied + self.board.bottom, self.board.n_cells // 2)

    def safe(self, occupied: int, threats: int) -> int:
        """Return the cells that do not let the other side win with its next stone."""
        landing = self.board.landing(occupied)
        urgent = threats & landing
        if urgent & (urgent - 1):
            return 0
        safe = landing & ~(threats >> 1)
        return safe & urgent if urgent else safe

    def follow(self, mover: int, occupied: int, cell: int, column_rank: int) -> Quiet:
        """Play a safe cell and all forced replies, though none beyond the positions of the book."""
        board = self.board
        last, mover, occupied = mover | cell, mover ^ occupied, occupied | cell
        n_stones, turned = bin(occupied).count("1"), True
        threats = board.winning(last, occupied)
        moved = last, occupied, threats
        while True:
            safe = self.safe(occupied, threats)
            if not safe or n_stones >= board.n_cells - 2:
                lost = not safe and occupied != board.cells
                score = -((board.n_cells - n_stones) // 2) if lost else 0
                return Quiet(mover, occupied, threats, n_stones, turned, score, 0)
            if safe & (safe - 1) or n_stones == self.book_ply:
                rank = column_rank - 8 * bin(safe).count("1") + self._promise(*moved)
                return Quiet(mover, occupied, threats, n_stones, turned, None, rank)
            last, mover, occupied = mover | safe, last, occupied | safe
            n_stones, turned = n_stones + 1, not turned
            threats = board.winning(last, occupied)

    def _promise(self, stones: int, occupied: int, threats: int) -> int:
        """Say how promising a move was by what it leaves: threats, and open pairs early on."""
        above_another = bin(threats & (threats << 1)).count("1")
        promise = 64 * bin(threats).count("1") + 32 * above_another
        if bin(occupied).count("1") < PAIRS_BEFORE:
            promise += 4 * self._open_pairs(stones, occupied)
        return promise

    def question(self, child: Quiet, alpha: int, nodes: int) -> int | None:
        """Return a score of a child for the side that moved there: a bound as in ``search``.

        None if that takes more than some nodes; what they found is remembered.
        """
        if child.score is not None:
            return -child.score if child.turned else child.score
        below = -1 - alpha if child.turned else alpha
        value = self._settled(child, below)
        self.limit = self.nodes + nodes
        try:
            if value is None:
                value = self.search(child.mover, child.occupied, child.threats, below)
        except TooHard:
            return None
        return -value if child.turned else value

    def search(self, mover: int, occupied: int, threats: int, alpha: int) -> int:
        """Say whether the score is above ``alpha``, for a side that cannot win at once.

        The result is a bound: above ``alpha`` the score is at least that, else at most.
        """
        self.clock.check()
        self.nodes += 1
        if self.nodes > self.limit:
            raise TooHard
        cells = self.safe(occupied, threats)
        if not cells:
            return -((self.board.n_cells - bin(occupied).count("1")) // 2)
        best, waiting = -MAX_SCORE, []
        for place, mask in enumerate(self.board.middle_out):
            cell = cells & mask
            if cell:
                child = self.follow(mover, occupied, cell, -place)
                low, high = self._limits(child)
                if low > alpha:
                    return low
                if high <= alpha:
                    best = max(best, high)
                else:
                    waiting.append(child)
        left = []
        for child in waiting:
            value = self._settled(child, -1 - alpha if child.turned else alpha)
            if value is None:
                left.append(child)
                continue
            value = -value if child.turned else value
            if value > alpha:
                return self._remember(mover, occupied, value, alpha)
            best = max(best, value)
        left.sort(key=_by_rank)
        for child in left:
            below = -1 - alpha if child.turned else alpha
            value = self.search(child.mover, child.occupied, child.threats, below)
            value = -value if child.turned else value
            best = max(best, value)
            if value > alpha:
                break
        return self._remember(mover, occupied, best, alpha)

    def _limits(self, child: Quiet) -> tuple[int, int]:
        """Return the lowest and highest score the rules allow, for the side that moved there."""
        n_empty = self.board.n_cells - child.n_stones
        low = -((n_empty - 2) // 2) if child.score is None else child.score
        high = (n_empty - 1) // 2 if child.score is None else child.score
        return (-high, -low) if child.turned else (low, high)

    def _settled(self, child: Quiet, alpha: int) -> int | None:
        """Return a bound of a child's score that answers the question, if it takes no search."""
        key = child.mover + child.occupied + self.board.bottom
        lower = self._lower.get(key)
        if lower is not None and lower > alpha:
            return lower
        upper = self._upper.get(key)
        if upper is not None and upper <= alpha:
            return upper
        if child.n_stones == self.book_ply and self.book is not None:
            known = self.book(child.mover, child.occupied)
            if known is not None:
                self._lower[key] = self._upper[key] = known
                return known
        upper = self._upper_bound(child.mover, child.occupied, child.threats)
        return upper if upper <= alpha else None

    def _remember(self, mover: int, occupied: int, value: int, alpha: int) -> int:
        if bin(occupied).count("1") <= self.board.n_cells - TABLE_EMPTY:
            key = mover + occupied + self.board.bottom
            (self._lower if value > alpha else self._upper)[key] = value
        return value

    def _upper_bound(self, mover: int, occupied: int, threats: int) -> int:
        """Return a score that the side to move cannot exceed; ``NO_BOUND`` if none is found.

        The other side answers above each stone, up to the lowest cell that must not be taken in a
        column because it would win right above: what it then gets, and what is left.
        """
        board = self.board
        empty = board.cells ^ occupied
        landing = (occupied + board.bottom) & board.cells
        if threats & landing:
            return NO_BOUND
        free = empty & ~(threats >> 1)
        carried = free + landing
        tops = carried & ~free
        opened = free & ~carried
        cells = share = (tops >> 1) & opened
        for _ in range((board.rows - 1) // 2):
            cells = (((cells >> 1) & opened) >> 1) & opened
            share |= cells
        odd = landing & share
        if bin(odd).count("1") & 1:
            return NO_BOUND if board.has_line(mover | empty) else 0
        poison = tops & board.cells
        if board.has_line(mover | (opened & ~share) | odd | poison):
            return NO_BOUND
        if poison:
            return -(bin(empty & ~opened).count("1") // 2)
        return -1 if board.has_line((mover ^ occupied) | (share & ~odd)) else 0

    def _open_pairs(self, stones: int, occupied: int) -> int:
        """Count the fours, free of the other side, that hold two of these stones or more."""
        usable = stones | (self.board.cells ^ occupied)
        count = 0
        for step in self.board.steps[1:]:
            fours = usable & (usable >> step)
            fours &= fours >> (2 * step)
            one, two = stones ^ (stones >> step), stones & (stones >> step)
            far = 2 * step
            count += bin(fours & (two | two >> far | (one & one >> far))).count("1")
        return count


def _by_rank(child: Quiet) -> int:
    return -child.rank
