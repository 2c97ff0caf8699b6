"""From yes-or-no questions to scores: one position, or many in a row.

The score of a position is found by asking :func:`search` about thresholds that narrow down what is
still possible. Extreme thresholds come first, as in Pons's solver: a search for a quick win or loss
is shallow, and its answer makes the later, deeper ones cheaper. Late in the game that does not pay:
there the first question is who wins, and each further one whether the bound just found is exact.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from connectlab._jit import Word, kernel, record_type, tuple_type
from connectlab.game.bitboard import has_line, landing_cells, popcount, winning_cells
from connectlab.solver.book import BOOK, MISSING, BookArrays, probe
from connectlab.solver.bounds import upper_bound
from connectlab.solver.path import BOARD, NODES, PATH, Board, Path, begin
from connectlab.solver.replies import QUIET, Quiet, follow, safe_cells
from connectlab.solver.search import PAUSED, search
from connectlab.solver.table import MAX_SCORE, WORDS
from connectlab.solver.takebacks import lower_bound

ZERO = np.uint64(0)
ONE = np.uint64(1)

u8 = types.uint64
i8 = types.int64
boolean = types.boolean

POSITION, LOWER, UPPER, THRESHOLD, LATE, TURNED, ACTIVE, SPENT, PROGRESS_WORDS = range(9)
"""Where a row of positions is: the number of the one in work; of this one the bounds of its score,
the next question, whether it is late in the game, whether the search sees it from the other side,
and whether it is begun; then the nodes spent on the whole row."""
LATE_CELLS = 20
"""With fewer empty cells it is late."""


class Questions(NamedTuple):
    """Positions to solve, and between which scores to tell; one entry each.

    A score outside of what is told apart is answered by the nearer end: between -1 and 1 the
    answers are outcomes, and between two neighbours one search decides.
    """

    movers: NDArray[np.uint64]
    occupieds: NDArray[np.uint64]
    lowest: NDArray[np.int8]
    highest: NDArray[np.int8]

    @classmethod
    def about(
        cls, movers: NDArray[np.uint64], occupieds: NDArray[np.uint64], most: int
    ) -> "Questions":
        """Ask for the scores of positions, from -most to most."""
        ends = np.full(len(movers), most, dtype=np.int8)
        return cls(movers, occupieds, -ends, ends)

    def part(self, chunk: slice) -> "Questions":
        """Return views of some entries."""
        return Questions(
            self.movers[chunk], self.occupieds[chunk], self.lowest[chunk], self.highest[chunk]
        )


class Answers(NamedTuple):
    """Where the results of many positions go, one entry each."""

    scores: NDArray[np.int8]
    known: NDArray[np.bool_]
    nodes: NDArray[np.int64]

    def part(self, chunk: slice) -> "Answers":
        """Return views of some entries."""
        return Answers(self.scores[chunk], self.known[chunk], self.nodes[chunk])


QUESTIONS = record_type((WORDS, WORDS, types.int8[::1], types.int8[::1]), Questions)
ANSWERS = record_type((types.int8[::1], types.boolean[::1], types.int64[::1]), Answers)
SETTLED = tuple_type(boolean, i8, u8)


@kernel(SETTLED(u8, u8, BOOK, BOARD))
def settle(mover: Word, occupied: Word, book: BookArrays, board: Board) -> tuple[bool, int, Word]:
    """Return (known, score, threats): the score if it needs no search, the other side's threats.

    A lost game that is over scores one worse than one that the next stone will lose.
    """
    shape = board.shape
    n_left = board.n_cells - popcount(occupied)
    other = mover ^ occupied
    if has_line(other, shape):
        return True, -((n_left + 2) // 2), ZERO
    reachable = landing_cells(occupied, shape)
    if reachable == ZERO:
        return True, 0, ZERO
    if winning_cells(mover, occupied, shape) & reachable != ZERO:
        return True, (n_left + 1) // 2, ZERO
    threats = winning_cells(other, occupied, shape)
    urgent = threats & reachable
    if urgent & (urgent - ONE) != ZERO or safe_cells(occupied, threats, shape) == ZERO:
        return True, -(n_left // 2), threats
    if n_left <= 2:
        return True, 0, threats
    score = probe(mover, occupied, book.records, book.scores, book.spans)
    return score != MISSING, score, threats


@kernel(QUIET(u8, u8, BOOK, BOARD))
def enter(mover: Word, occupied: Word, book: BookArrays, board: Board) -> Quiet:
    """Settle a position, or play what is forced in it up to where a search has a choice."""
    shape = board.shape
    n_stones = popcount(occupied)
    known, score, threats = settle(mover, occupied, book, board)
    safe = safe_cells(occupied, threats, shape)
    if known or safe & (safe - ONE) != ZERO:
        return Quiet(mover, occupied, threats, n_stones, 0, known, score, popcount(safe), ZERO)
    quiet = follow(mover, occupied, safe, n_stones, board.book_ply, shape)
    if quiet.known or quiet.n_stones != board.book_ply:
        return quiet
    score = probe(quiet.mover, quiet.occupied, book.records, book.scores, book.spans)
    return Quiet(
        quiet.mover,
        quiet.occupied,
        quiet.threats,
        quiet.n_stones,
        quiet.turned,
        score != MISSING,
        score,
        quiet.n_replies,
        quiet.created,
    )


@kernel(i8(i8, i8))
def halve(lower: int, upper: int) -> int:
    """Return the next threshold for a score between two bounds: lower <= threshold < upper."""
    middle = (lower + upper) >> 1
    if middle <= 0 and -(-lower // 2) < middle:
        return -(-lower // 2)
    if middle >= 0 and upper // 2 > middle:
        return upper // 2
    return middle


@kernel(i8(i8, i8, i8))
def within(score: int, lowest: int, highest: int) -> int:
    """Return a score, or the nearer of two ends if it lies beyond."""
    return min(max(score, lowest), highest)


@kernel(types.void(QUIET, BOARD, i8, i8, i8, i8[::1]))
def expect(
    root: Quiet, board: Board, lowest: int, highest: int, least: int, progress: NDArray[np.int64]
) -> None:
    """Set the bounds of a score and the first question, to tell from ``lowest`` to ``highest``.

    The bounds are those of a position where nobody wins with the next stone. Earlier in the game
    they are kept a little wider, since that makes better questions. The score is ``least`` or more;
    if that says anything, the first question is whether it is more.
    """
    n_left = board.n_cells - root.n_stones
    late = n_left < LATE_CELLS
    lower = -((n_left - 2) // 2) if late else -(n_left // 2)
    upper = (n_left - 1) // 2 if late else (n_left + 1) // 2
    if late and landing_cells(root.occupied, board.shape) & root.threats == ZERO:
        upper = min(upper, upper_bound(root.mover, root.occupied, root.threats, board.shape))
    lowest = within(least, lowest, highest)
    if root.turned:
        lowest, highest = -highest, -lowest
    lower, upper = within(lower, lowest, highest), within(upper, lowest, highest)
    progress[LATE] = late
    progress[LOWER] = lower
    progress[UPPER] = upper
    if least > -MAX_SCORE:
        progress[THRESHOLD] = upper - 1 if root.turned else lower
    else:
        progress[THRESHOLD] = 0 if late and lower <= 0 < upper else halve(lower, upper)


@kernel(boolean(WORDS, BOOK, BOARD, PATH, i8[::1], i8))
def narrow(
    words: NDArray[np.uint64],
    book: BookArrays,
    board: Board,
    path: Path,
    progress: NDArray[np.int64],
    node_limit: int,
) -> bool:
    """Bring ``progress[LOWER]`` and ``progress[UPPER]`` together; False if the limit came first."""
    while progress[LOWER] < progress[UPPER]:
        value = search(
            words,
            book.records,
            book.scores,
            book.spans,
            board,
            path.columns,
            path.nodes,
            path.frames,
            path.state,
            progress[THRESHOLD],
            node_limit,
        )
        if value == PAUSED:
            return False
        if value > progress[THRESHOLD]:
            progress[LOWER] = min(value, progress[UPPER])
            guess = progress[LOWER]
        else:
            progress[UPPER] = max(value, progress[LOWER])
            guess = progress[UPPER] - 1
        late = progress[LATE] != 0
        progress[THRESHOLD] = guess if late else halve(progress[LOWER], progress[UPPER])
    return True


@kernel(i8(WORDS, BOOK, BOARD, PATH, i8[::1], QUESTIONS, ANSWERS, i8, i8))
def solve_row(
    words: NDArray[np.uint64],
    book: BookArrays,
    board: Board,
    path: Path,
    progress: NDArray[np.int64],
    questions: Questions,
    answers: Answers,
    max_nodes: int,
    pause_nodes: int,
) -> int:
    """Solve positions from ``progress[POSITION]`` on; return how many are done.

    Stops early after ``pause_nodes`` nodes: call again to go on. A position that takes more
    than ``max_nodes`` is left unknown.
    """
    while progress[POSITION] < len(questions.movers):
        i = progress[POSITION]
        lowest, highest = questions.lowest[i], questions.highest[i]
        if progress[ACTIVE] == 0:
            root = enter(questions.movers[i], questions.occupieds[i], book, board)
            progress[TURNED] = root.turned
            answers.nodes[i] = 0
            answers.known[i] = root.known
            if root.known:
                score = -root.score if root.turned else root.score
                answers.scores[i] = within(score, lowest, highest)
                progress[POSITION] += 1
                continue
            least = lower_bound(questions.movers[i], questions.occupieds[i], book, board)
            expect(root, board, lowest, highest, least, progress)
            progress[ACTIVE] = 1
            begin(
                root.mover,
                root.occupied,
                root.threats,
                board,
                path.columns,
                path.nodes,
                path.frames,
                path.state,
            )
        path.state[NODES] = 0
        limit = min(pause_nodes, max_nodes - answers.nodes[i])
        done = narrow(words, book, board, path, progress, limit)
        answers.nodes[i] += path.state[NODES]
        progress[SPENT] += path.state[NODES]
        pause_nodes -= path.state[NODES]
        if done or answers.nodes[i] >= max_nodes:
            answers.known[i] = done
            score = progress[LOWER] if done else 0
            answers.scores[i] = -score if progress[TURNED] else score
            progress[ACTIVE] = 0
            progress[POSITION] += 1
        elif pause_nodes <= 0:
            return int(progress[POSITION])
    return int(progress[POSITION])
