"""The perfect player, as far as time allows: the outcome first, then how soon or how late."""

from connectlab.integrations.kaggle.runtime.board import Board
from connectlab.integrations.kaggle.runtime.clock import Clock, OutOfTime
from connectlab.integrations.kaggle.runtime.solver import MAX_SCORE, Prover, Quiet

Candidate = tuple[int, Quiet]
"""A cell, and where a stone there leads."""
FIRST_NODES = 200
"""Nodes that each move gets in the first round of a question."""
MORE_NODES = 6
"""How many times as many it gets in every further round."""


class PerfectPlayer:
    """Plays a move that keeps the outcome, by ``distance`` the best one that there is time for.

    The questions whether the position is won, and if not whether it is drawn, may take from the
    purse; how soon or how late is asked only while there is time in the move itself. If even the
    first of them cannot be answered, the most threatening move is played that does not lose as far
    as is known.
    """

    def __init__(self, prover: Prover, distance: bool) -> None:
        self.board: Board = prover.board
        self.prover, self.distance = prover, distance
        self.solved = True
        """Whether the outcome of the latest position was found."""

    def policy(self, mover: int, occupied: int, clock: Clock) -> list[float]:
        """Choose one of the best columns."""
        board, prover = self.board, self.prover
        landing = board.landing(occupied)
        wins = board.winning(mover, occupied) & landing
        self.solved = True
        if wins:
            return board.share(wins)
        threats = board.winning(mover ^ occupied, occupied)
        safe = prover.safe(occupied, threats)
        if not safe & (safe - 1):
            return board.share(safe or landing)
        prover.begin(clock)
        candidates = self._candidates(mover, occupied, safe)
        return board.share(self._best(candidates, prover.highest(mover, occupied), clock))

    def _candidates(self, mover: int, occupied: int, safe: int) -> list[Candidate]:
        """Return the moves that do not lose at once, the most promising first."""
        found = []
        for place, mask in enumerate(self.board.middle_out):
            cell = safe & mask
            if cell:
                found.append((cell, self.prover.follow(mover, occupied, cell, -place)))
        return sorted(found, key=lambda candidate: -candidate[1].rank)

    def _best(self, candidates: list[Candidate], upper: int, clock: Clock) -> int:
        """Return the cell of the best move found; ``upper`` is a bound of the score."""
        view = View(candidates, upper)
        self.solved = False
        try:
            self._ask(view, 0)
            self._ask(view, -1)
            self.solved = True
            clock.hurry()
            view.lower = max(view.lower, -(self.board.n_cells // 2))
            while self.distance and view.lower < view.upper:
                self._ask(view, halfway(view.lower, view.upper))
        except OutOfTime:
            pass
        return view.chosen

    def _ask(self, view: "View", threshold: int) -> None:
        """Find a move whose score is above a threshold, or that there is none.

        Each move gets a few nodes first, and more in every round: the answer may be easy with one
        move and hard with another.
        """
        if not view.lower <= threshold < view.upper:
            return
        waiting, nodes = list(view.candidates), FIRST_NODES
        while waiting:
            rest = []
            for cell, child in waiting:
                value = self.prover.question(child, threshold, nodes)
                if value is None:
                    rest.append((cell, child))
                elif view.note(cell, value, threshold):
                    return
            waiting, nodes = rest, nodes * MORE_NODES
        view.upper = max(view.most.values())


class View:
    """What is known of a position: bounds of its score, and of each move the highest possible."""

    def __init__(self, candidates: list[Candidate], upper: int) -> None:
        self.candidates, self.lower, self.upper = candidates, -MAX_SCORE, upper
        self.most = {cell: upper for cell, _ in candidates}
        self.proven = 0
        """A cell whose score is ``lower`` or higher; 0 if there is none."""

    def note(self, cell: int, value: int, threshold: int) -> bool:
        """Take note of an answer about a move; say whether its score is above the threshold."""
        if value > threshold:
            self.lower, self.proven = value, cell
            return True
        self.most[cell] = min(self.most[cell], value)
        return False

    @property
    def chosen(self) -> int:
        """The best cell as far as is known: a proven one, or the first that may be best."""
        return self.proven or max(self.most, key=lambda cell: self.most[cell])


def halfway(lower: int, upper: int) -> int:
    """Return the next threshold for a score between two bounds, rather near to a quick end."""
    middle = (lower + upper) >> 1
    if middle <= 0 and -(-lower // 2) < middle:
        return -(-lower // 2)
    if middle >= 0 and upper // 2 > middle:
        return upper // 2
    return middle
