"""A look back at a game: what every move did to what its side could have had."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from connectlab.game import Position
from connectlab.game.notation import column_name
from connectlab.lab.verdicts import RANKS, OutcomeWord, ask_solver, columns_named, outcome_word
from connectlab.solver import Solver


@dataclass(frozen=True)
class ReviewedMove:
    """One move, as perfect play sees it; scores are those of the side that made it."""

    number: int
    """Stones on the board after the move."""
    column: int
    """0-based."""
    position: Position
    """The position before the move."""
    before: int | None
    """The score the side had; None if it could not be found out."""
    after: int | None
    """The score that was left to it."""
    keeping: tuple[str, ...] = ()
    """For a blunder, the columns that would have kept the outcome, as people name them."""

    @property
    def known(self) -> bool:
        """Whether both scores were found."""
        return self.before is not None and self.after is not None

    @property
    def by_first(self) -> bool:
        """Whether the first player made it."""
        return self.position.first_to_move

    @property
    def thrown_away(self) -> OutcomeWord | None:
        """What the move gave up for something worse: "win" or "draw"; None if it did not."""
        if self.before is None or self.after is None:
            return None
        had, left = outcome_word(self.before), outcome_word(self.after)
        return had if RANKS[left] < RANKS[had] else None

    @property
    def slower(self) -> bool:
        """Whether it kept the outcome, but wins later or loses sooner than need be."""
        if self.before is None or self.after is None:
            return False
        return self.thrown_away is None and self.after < self.before

    @property
    def sentence(self) -> str:
        """Tell the move in a sentence, such as "Move 9, column 3, threw away the win"."""
        name = column_name(self.column, self.position.geometry)
        said = f"Move {self.number}, column {name}, {self._deed()}"
        if not self.keeping:
            return f"{said}."
        kept = columns_named(self.keeping).lower()
        return f"{said} ({kept} would have kept it)."

    def _deed(self) -> str:
        if not self.known:
            return "could not be judged in time"
        if self.thrown_away is not None:
            if self.thrown_away == "win" and (self.after or 0) < 0:
                return "turned a win into a loss"
            return f"threw away the {self.thrown_away}"
        return "took longer than need be" if self.slower else "was as good as any"

    def to_json(self) -> dict[str, object]:
        """Return the move as plain data."""
        return {
            "number": self.number,
            "column": column_name(self.column, self.position.geometry),
            "side": "first" if self.by_first else "second",
            "score_before": self.before,
            "score_after": self.after,
            "thrown_away": self.thrown_away,
            "slower": self.slower,
            "keeping_columns": list(self.keeping),
        }


def _for_first(score: int | None, move: ReviewedMove) -> int | None:
    """Turn a score of the side that made a move into one of the first player."""
    return score if score is None or move.by_first else -score


@dataclass(frozen=True)
class Review:
    """All moves of a game, as perfect play sees them."""

    moves: tuple[ReviewedMove, ...]

    @property
    def blunders(self) -> tuple[ReviewedMove, ...]:
        """The moves that threw away a win or a draw, in order."""
        return tuple(move for move in self.moves if move.thrown_away is not None)

    @property
    def decisive(self) -> ReviewedMove | None:
        """The last blunder: the move that made the game what it became."""
        return self.blunders[-1] if self.blunders else None

    @property
    def unknown(self) -> int:
        """How many moves could not be judged in time."""
        return sum(not move.known for move in self.moves)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Tell what went wrong, in order, and how much is not known."""
        said = [move.sentence for move in self.blunders]
        if not said and self.unknown < len(self.moves):
            said.append("No win and no draw was thrown away.")
        if self.unknown:
            said.append(f"{self.unknown} of {len(self.moves)} moves could not be judged in time.")
        return tuple(said) or ("There is no move to look back at.",)

    @property
    def first_player_scores(self) -> tuple[int | None, ...]:
        """The score of every position, from the start to the end, for the first player."""
        found = [_for_first(move.before, move) for move in self.moves]
        return (*found, _for_first(self.moves[-1].after, self.moves[-1]) if self.moves else None)

    def to_json(self) -> dict[str, object]:
        """Return the review as plain data."""
        return {
            "moves": [move.to_json() for move in self.moves],
            "unknown": self.unknown,
            "sentences": list(self.sentences),
        }


def review_game(
    solver: Solver,
    start: Position,
    columns: Sequence[int],
    *,
    deadline_s: float | None = None,
    max_nodes: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Review:
    """Judge the moves (0-based columns) of a game that began at ``start``.

    ``deadline_s`` limits the whole call, ``max_nodes`` each search; what is not found stays None.
    The end is looked at first: it is the easiest, and what is found there helps with the rest.
    """
    budget = _Budget(
        None if deadline_s is None else time.perf_counter() + deadline_s, max_nodes, stopped
    )
    positions = [start]
    for column in columns:
        positions.append(positions[-1].play(column))
    scores = _scores(solver, positions, budget)
    moves = [
        ReviewedMove(position.ply + 1, column, position, before, None if after is None else -after)
        for position, column, before, after in zip(
            positions[:-1], columns, scores[:-1], scores[1:], strict=True
        )
    ]
    return Review(tuple(_with_better(solver, move, budget) for move in moves))


@dataclass(frozen=True)
class _Budget:
    """What a review may still cost."""

    ends: float | None
    max_nodes: int | None
    stopped: Callable[[], bool]

    @property
    def left_s(self) -> float | None:
        return None if self.ends is None else max(0.0, self.ends - time.perf_counter())

    @property
    def spent(self) -> bool:
        return self.stopped() or self.left_s == 0


def _scores(solver: Solver, positions: Sequence[Position], budget: _Budget) -> list[int | None]:
    """Return the score of each position for its side to move, found from the last to the first."""
    scores: list[int | None] = [None] * len(positions)
    for ply in reversed(range(len(positions))):
        if budget.spent:
            break
        found = solver.solve(positions[ply], max_nodes=budget.max_nodes, deadline_s=budget.left_s)
        scores[ply] = found.score
    return scores


def _with_better(solver: Solver, move: ReviewedMove, budget: _Budget) -> ReviewedMove:
    """Add to a blunder which columns would have kept the outcome, as far as they are found."""
    if move.thrown_away is None:
        return move
    verdicts = ask_solver(
        solver,
        move.position,
        outcome_only=True,
        max_nodes=budget.max_nodes,
        deadline_s=budget.left_s,
        stopped=budget.stopped,
    )
    keeping = verdicts.leading_to(move.thrown_away)
    return replace(move, keeping=tuple(verdicts.names(keeping)))
