"""The perfect solver as people and agents use it."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from threading import Lock
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from connectlab.errors import UserError
from connectlab.game import STANDARD, Geometry, Position, PositionBatch
from connectlab.solver.best_moves import BestMoves, Memory, find_best_moves
from connectlab.solver.bisection import PROGRESS_WORDS, SPENT, Answers, Questions, solve_row
from connectlab.solver.book import NO_BOOK, Book
from connectlab.solver.moves import ILLEGAL, spread_children
from connectlab.solver.path import Path, make_board, make_path
from connectlab.solver.table import MAX_SCORE, Table

Objective: TypeAlias = Literal["distance", "outcome"]
Progress: TypeAlias = Callable[[int, int], None]
"""Told the number of finished items and of all items."""
Stones: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint64]]

NO_LIMIT = 2**62
MAX_SECONDS = 10**9
PAUSE_NODES = 400_000
"""A kernel comes back at least this often (some 0.1 s), to see the clock and a Ctrl-C."""
CHUNK = 64
"""Positions a thread takes at a time."""
ALL = slice(None)


class SolverError(UserError):
    """A question that the solver cannot answer as it was put."""


@dataclass(frozen=True)
class Solution:
    """What the solver found out about one position."""

    score: int | None
    """For the side to move; with ``outcome_only`` 1, 0 or -1; None: unknown, a limit was hit."""
    nodes: int
    seconds: float
    distance: int | None
    """Plies until the game ends if both sides play for the score; None if that is not known."""


@dataclass(frozen=True, eq=False)
class Solutions:
    """What the solver found out about many positions; every array has one entry a position."""

    scores: NDArray[np.int8]
    """As in ``Solution``; 0 where not ``known``."""
    known: NDArray[np.bool_]
    nodes: NDArray[np.int64]
    seconds: NDArray[np.float64]
    """Time of each; positions solved within the same tenth of a second share it by nodes."""


class Solver:
    """Perfect play on one board: exact scores, the best moves, and how far the end is.

    A score is half the number of stones still to place when the game ends, from the view of the
    side to move: 1 wins with the winner's very last stone, more is sooner, 0 is a draw, less than
    0 is lost. A game that is over has a score too: 0, or that of the side to move, which has lost.

    The table keeps what was found, so related positions cost less. A solver may be used from
    several threads at once; they share the table, and results do not depend on it.
    """

    def __init__(
        self, geometry: Geometry = STANDARD, *, table_mb: int = 64, book: bool | Book = True
    ) -> None:
        if not geometry.variant.is_plain:
            raise SolverError(
                f"the solver knows the plain game, not {geometry}: connectlab.solver.expectation "
                "has the values of games with chance on small boards"
            )
        if isinstance(book, Book) and geometry != STANDARD:
            raise SolverError(f"the book knows {STANDARD}, not {geometry}: solve without one")
        self.geometry = geometry
        self.table = Table(geometry, table_mb)
        self.book = Book.load(geometry) if book is True else (book or None)
        self._boards = {
            store.tag_bits: make_board(geometry, store.tag_bits, has_book=self.book is not None)
            for store in self.table.stores
        }
        self._nodes = 0
        """Spent since the table was empty; threads may lose some, which only delays its growth."""
        self._book_arrays = NO_BOOK if self.book is None else self.book.arrays
        self._paths: list[Path] = []
        self._memories = {outcome_only: Memory() for outcome_only in (False, True)}
        self._growing = Lock()

    def solve(
        self,
        position: Position,
        *,
        outcome_only: bool = False,
        max_nodes: int | None = None,
        deadline_s: float | None = None,
    ) -> Solution:
        """Find the score of a position, or only whether it is won, drawn or lost (cheaper).

        The score is None if it took more than ``max_nodes`` nodes or ``deadline_s`` seconds.
        """
        self._check_board(position.geometry)
        task = _make_task(
            Questions.about(*_arrays_of(position), _most(outcome_only)), max_nodes, deadline_s
        )
        for _ in self._solve_part(task, ALL):
            pass
        score = int(task.answers.scores[0]) if task.answers.known[0] else None
        exact = score is not None and (score == 0 or not outcome_only)
        return Solution(
            score,
            int(task.answers.nodes[0]),
            float(task.seconds[0]),
            distance_of(score, position.ply, self.geometry)
            if exact and score is not None
            else None,
        )

    def score(self, position: Position) -> int:
        """Return the exact score for the side to move."""
        return _certain(self.solve(position).score)

    def outcome(self, position: Position) -> int:
        """Return 1, 0 or -1: the side to move wins, draws or loses."""
        return _certain(self.solve(position, outcome_only=True).score)

    def distance(self, position: Position) -> int:
        """Return the plies until the game ends if the winner hurries and the loser delays."""
        return distance_of(self.score(position), position.ply, self.geometry)

    def analyse(self, position: Position, *, outcome_only: bool = False) -> tuple[int | None, ...]:
        """Return the score of every column for the side to move; None where it cannot be played."""
        self._check_board(position.geometry)
        scores = self.analyse_many(_arrays_of(position), outcome_only=outcome_only)[0]
        return tuple(None if score == ILLEGAL else int(score) for score in scores)

    def best_moves(self, position: Position, objective: Objective = "distance") -> tuple[int, ...]:
        """Return the best columns, 0-based: by score, or all that keep the outcome."""
        if objective not in ("distance", "outcome"):
            raise SolverError(f"the objective is 'distance' or 'outcome', not {objective!r}")
        self._check_board(position.geometry)
        found = self.best_moves_many(_arrays_of(position), outcome_only=objective == "outcome")
        return tuple(np.flatnonzero(found.moves[0]).tolist())

    def best_moves_many(
        self,
        positions: PositionBatch | Stones,
        *,
        outcome_only: bool = False,
        max_nodes: int | None = None,
    ) -> BestMoves:
        """Find the best columns of many positions, cheaper than the score of every column.

        ``max_nodes`` limits each search: for the score of a position, and for each of its moves.
        """

        def ask(questions: Questions) -> Answers:
            task = _make_task(questions, max_nodes, None)
            for _ in self._run(task, 1):
                pass
            return task.answers

        shape, memory = self.geometry.shape, self._memories[bool(outcome_only)]
        return find_best_moves(ask, self._stones(positions), _most(outcome_only), shape, memory)

    def analyse_many(
        self, positions: PositionBatch | Stones, *, outcome_only: bool = False, threads: int = 1
    ) -> NDArray[np.int8]:
        """Return int8[n, columns]: the score of each move for the side to move, or ``ILLEGAL``."""
        mover, occupied = self._stones(positions)
        rows, columns, children = spread_children(mover, occupied, self.geometry.shape)
        found = self.solve_many(children, outcome_only=outcome_only, threads=threads)
        scores = np.full((len(mover), self.geometry.columns), ILLEGAL, dtype=np.int8)
        scores[rows, columns] = -found.scores
        return scores

    def solve_many(
        self,
        positions: PositionBatch | Stones,
        *,
        outcome_only: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
        max_nodes: int | None = None,
        deadline_s: float | None = None,
    ) -> Solutions:
        """Solve many positions: a batch, or a pair of uint64[n] arrays (mover, occupied).

        ``progress(done, total)`` is called now and then. ``max_nodes`` limits each position,
        ``deadline_s`` the whole call; what was not solved is not ``known``.
        """
        if threads < 1:
            raise SolverError(f"threads must be 1 or more, not {threads}")
        questions = Questions.about(*self._stones(positions), _most(outcome_only))
        task = _make_task(questions, max_nodes, deadline_s)
        n = len(task.seconds)
        done = 0
        for solved in self._run(task, threads):
            done += solved
            if progress is not None and solved:
                progress(done, n)
        return Solutions(task.answers.scores, task.answers.known, task.answers.nodes, task.seconds)

    def clear(self) -> None:
        """Forget everything found so far."""
        self.table.clear()
        self._nodes = 0
        self._memories = {outcome_only: Memory() for outcome_only in (False, True)}

    def _run(self, task: "_Task", threads: int) -> Iterator[int]:
        """Work through a task, yielding the number of positions done at a time."""
        n = len(task.seconds)
        size = max(1, min(CHUNK, n // (4 * threads)))
        chunks = [slice(start, start + size) for start in range(0, n, size)]
        if threads == 1 or len(chunks) < 2:
            yield from self._solve_part(task, ALL)
            return
        with ThreadPoolExecutor(threads) as pool:
            parts = [pool.submit(sum, self._solve_part(task, chunk)) for chunk in chunks]
            try:
                yield from (part.result() for part in as_completed(parts))
            except BaseException:
                task.deadline = 0.0
                raise

    def _solve_part(self, task: "_Task", part: slice) -> Iterator[int]:
        """Solve some positions of a task with a path of its own, yielding how many are done."""
        questions, answers = task.questions.part(part), task.answers.part(part)
        seconds = task.seconds[part]
        progress = np.zeros(PROGRESS_WORDS, dtype=np.int64)
        path = self._take_path()
        done = 0
        while done < len(seconds) and not task.is_late():
            first, before, started = done, answers.nodes[done], time.perf_counter()
            store = self.table.store
            progress[SPENT] = 0
            done = solve_row(
                store.words,
                self._book_arrays,
                self._boards[store.tag_bits],
                path,
                progress,
                questions,
                answers,
                task.max_nodes,
                min(PAUSE_NODES, max(1, self.table.nodes_before_growth - self._nodes)),
            )
            _share(time.perf_counter() - started, answers.nodes, before, seconds, first, done)
            self._note_nodes(int(progress[SPENT]))
            yield done - first
        self._paths.append(path)
        yield len(seconds) - done

    def _take_path(self) -> Path:
        """Return a path that nobody uses; several threads may ask at once."""
        try:
            return self._paths.pop()
        except IndexError:
            return make_path(self.geometry)

    def _note_nodes(self, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes >= self.table.nodes_before_growth:
            with self._growing:
                self.table.grow()

    def _stones(self, positions: PositionBatch | Stones) -> Stones:
        if isinstance(positions, PositionBatch):
            self._check_board(positions.geometry)
            positions = positions.mover, positions.occupied
        mover, occupied = _words(positions)
        if mover.ndim != 1 or mover.shape != occupied.shape:
            raise SolverError(
                f"mover and occupied must be 1-D and alike, not {mover.shape} and {occupied.shape}"
            )
        return mover, occupied

    def _check_board(self, geometry: Geometry) -> None:
        if geometry != self.geometry:
            raise SolverError(f"this solver is for the {self.geometry} board, not {geometry}")


@dataclass
class _Task:
    """One row of questions, where the answers go, and the limits."""

    questions: Questions
    answers: Answers
    seconds: NDArray[np.float64]
    max_nodes: int
    deadline: float | None

    def is_late(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline


def _make_task(questions: Questions, max_nodes: int | None, deadline_s: float | None) -> _Task:
    n = len(questions.movers)
    return _Task(
        questions,
        Answers(np.zeros(n, np.int8), np.zeros(n, np.bool_), np.zeros(n, np.int64)),
        np.zeros(n, np.float64),
        NO_LIMIT if max_nodes is None else _checked_nodes(max_nodes),
        None if deadline_s is None else time.perf_counter() + _checked_seconds(deadline_s),
    )


def _most(outcome_only: bool) -> int:
    """Return the highest score to tell apart: 1 where only its sign is asked for."""
    return 1 if outcome_only else MAX_SCORE


def _checked_nodes(limit: int) -> int:
    if not 0 <= limit <= NO_LIMIT:
        raise SolverError(f"the limit of nodes is 0 to {NO_LIMIT:,} (2^62), not {limit}")
    return int(limit)


def _checked_seconds(limit: float) -> float:
    """Return a limit of time; what is left of one may be less than nothing."""
    if not limit <= MAX_SECONDS:  # nan is not
        raise SolverError(f"the limit of seconds is at most {MAX_SECONDS:,}, not {limit}")
    return limit


def distance_of(score: int, ply: int, geometry: Geometry) -> int:
    """Return how many plies after ``ply`` stones a game with this score ends."""
    if score == 0:
        return geometry.cells - ply
    last_ply = geometry.cells + 2 - 2 * abs(score)
    side_to_move_is_last = (last_ply - ply) % 2 == 1
    return last_ply - ply - (side_to_move_is_last != (score > 0))


def _share(
    elapsed: float,
    nodes: NDArray[np.int64],
    before: np.int64,
    seconds: NDArray[np.float64],
    first: int,
    done: int,
) -> None:
    """Spread the time of one kernel call over the positions it worked on, by nodes.

    These are those from ``first``, on which ``before`` nodes were spent earlier, up to ``done``.
    """
    if len(nodes) == 1:
        seconds[0] += elapsed
        return
    weights = nodes[first : done + 1] + 1
    weights[0] -= before
    seconds[first : done + 1] += elapsed * weights / weights.sum()


def _words(pair: Stones) -> Stones:
    """Return two arrays of words from what was given for them."""
    try:
        mover, occupied = (np.asarray(bits) for bits in pair)
        if any(bits.dtype.kind not in "uiO" and bits.size for bits in (mover, occupied)):
            raise TypeError
        words = [np.require(bits, np.uint64, ["C", "W"]) for bits in (mover, occupied)]
    except (TypeError, ValueError, OverflowError):
        raise SolverError(
            "positions are a batch, or a pair of arrays of whole numbers of 64 bits: the stones of "
            "the side to move, and all stones"
        ) from None
    return words[0], words[1]


def _arrays_of(position: Position) -> Stones:
    return np.array([position.mover], np.uint64), np.array([position.occupied], np.uint64)


def _certain(score: int | None) -> int:
    """A score without limits is always known."""
    if score is None:
        raise AssertionError("a search without limits ended without a score")
    return score
