"""What perfect play says of a position, column by column, in the words of people."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from connectlab.game import Position
from connectlab.game.notation import column_name
from connectlab.solver import Progress, Solver, distance_of

OutcomeWord: TypeAlias = Literal["win", "draw", "loss"]

RANKS: dict[OutcomeWord, int] = {"loss": -1, "draw": 0, "win": 1}
UNKNOWN = "?"
FIRST_ROUND_NODES = 1 << 18
ROUND_GROWTH = 16


@dataclass(frozen=True)
class Verdicts:
    """What perfect play says of each column of a position; columns are 0-based."""

    position: Position
    scores: tuple[int | None, ...]
    """For the side to move, as the solver counts; None where a column is full or a limit was hit
    first."""
    outcome_only: bool = False
    """Whether the scores tell no more than win, draw or loss: 1, 0 or -1."""

    @property
    def known(self) -> dict[int, int]:
        """The scores that were found, by column."""
        return {c: score for c, score in enumerate(self.scores) if score is not None}

    @property
    def unknown(self) -> tuple[int, ...]:
        """The columns that could be played but were not solved."""
        return tuple(c for c in self.position.legal_columns if self.scores[c] is None)

    @property
    def best(self) -> tuple[int, ...]:
        """The columns with the best score; none while any is unknown."""
        if self.unknown or not self.known:
            return ()
        highest = max(self.known.values())
        return tuple(c for c, score in self.known.items() if score == highest)

    @property
    def outcome(self) -> OutcomeWord | None:
        """What the side to move can reach; None if an unknown score could still change it."""
        highest = max(self.known.values(), default=0)
        settled = highest > 0 or (self.known and not self.unknown)
        return outcome_word(highest) if settled else None

    def leading_to(self, word: OutcomeWord) -> tuple[int, ...]:
        """Return the columns that are known to lead to an outcome."""
        return tuple(c for c, score in self.known.items() if outcome_word(score) == word)

    def words(self, column: int, *, several: bool = False) -> str:
        """Tell what comes of a column, such as "wins in 7 plies"; blank if it is not known.

        ``several`` columns "win in 7 plies".
        """
        score, position = self.scores[column], self.position
        if score is None:
            return ""
        if self.outcome_only:
            return prospect(score, None, several=several)
        distance = distance_of(score, position.ply, position.geometry)
        return prospect(score, distance, several=several)

    def notes(self) -> list[str]:
        """Return a note of up to three letters to stand below each column of the board."""
        playable = self.position.legal_columns
        return [self._note(c) if c in playable else "" for c in range(len(self.scores))]

    def _note(self, column: int) -> str:
        score = self.scores[column]
        if score is not None and self.outcome_only:
            return {"win": "+", "draw": "=", "loss": "-"}[outcome_word(score)]
        return format_score(score)

    def names(self, columns: Sequence[int]) -> list[str]:
        """Name columns as people type them."""
        return [column_name(column, self.position.geometry) for column in columns]

    @property
    def advice(self) -> str:
        """Say in a sentence what perfect play would do, or how much of it could be found out."""
        if not self.known:
            return "Perfect play could not be found out in time: the position is too hard."
        if self.best:
            named = listed(self.names(self.best), "or")
            return f"Perfect play: {named}, {which(self.best)} {self.words(self.best[0])}."
        wins = self.leading_to("win")
        if wins:
            return f"{columns_named(self.names(wins))} {'win' if len(wins) > 1 else 'wins'}; " + (
                "not all columns could be found out in time."
            )
        return "Not all columns could be found out in time, so the best one is not known."


def ask_solver(
    solver: Solver,
    position: Position,
    *,
    outcome_only: bool = False,
    max_nodes: int | None = None,
    deadline_s: float | None = None,
    progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Verdicts:
    """Solve every column of a position, as far as the limits allow.

    ``max_nodes`` limits each column, ``deadline_s`` the whole call. The columns are searched in
    rounds that grow, so a hard one does not keep the easy ones from being found in time. Between
    two searches ``stopped`` is asked whether anybody still wants to know.
    """
    ends = None if deadline_s is None else time.perf_counter() + deadline_s
    columns = position.legal_columns
    scores: list[int | None] = [None] * position.geometry.columns
    for column, nodes in _searches(columns, scores, max_nodes):
        left = None if ends is None else ends - time.perf_counter()
        if stopped() or (left is not None and left <= 0):
            break
        found = solver.solve(
            position.play(column), outcome_only=outcome_only, max_nodes=nodes, deadline_s=left
        )
        scores[column] = None if found.score is None else -found.score
        if progress is not None:
            progress(sum(score is not None for score in scores), len(columns))
    return Verdicts(position, tuple(scores), outcome_only)


def _searches(
    columns: Sequence[int], scores: Sequence[int | None], max_nodes: int | None
) -> Iterator[tuple[int, int | None]]:
    """Yield column and node limit, round after round, as long as there are unknown scores."""
    for nodes in _rounds(max_nodes):
        yield from ((column, nodes) for column in columns if scores[column] is None)
        if all(scores[column] is not None for column in columns):
            return


def _rounds(max_nodes: int | None) -> Iterator[int | None]:
    """Yield the node limit of each round, up to ``max_nodes`` itself."""
    nodes = FIRST_ROUND_NODES
    while max_nodes is None or nodes < max_nodes:
        yield nodes
        nodes *= ROUND_GROWTH
    yield max_nodes


def outcome_word(score: int) -> OutcomeWord:
    """Return "win", "draw" or "loss" for the side to move."""
    return "draw" if score == 0 else "win" if score > 0 else "loss"


def format_score(score: int | None) -> str:
    """Write a score as people read it: "+3", "0", "-2", or "?" if it is not known."""
    return UNKNOWN if score is None else f"{score:+d}" if score else "0"


def verdict(position: Position, score: int, distance: int | None) -> str:
    """Tell the score of a position in a sentence without its full stop."""
    if position.is_over:
        value = position.outcome.first_player_value
        result = "a draw" if value == 0 else f"{side(value > 0)} has won"
        return f"the game is over, {result}"
    return f"{side(position.first_to_move)} is to move and {prospect(score, distance)}"


def prospect(score: int, distance: int | None, *, several: bool = False) -> str:
    """Tell what the side to move, or ``several`` of its moves, can expect: "wins in 7 plies"."""
    verb = {"win": "win", "draw": "draw", "loss": "lose"}[outcome_word(score)]
    said = verb if several else f"{verb}s"
    if score == 0:
        return said
    when = "" if distance is None else f" in {distance} {'ply' if distance == 1 else 'plies'}"
    return f"{said}{when}"


def side(first: bool) -> str:
    """Name a side of the board."""
    return "the first player" if first else "the second player"


def which(columns: Sequence[int]) -> str:
    """Refer to columns one of which is meant: "1, which wins", "1 or 2, each of which wins"."""
    return "which" if len(columns) == 1 else "each of which"


def columns_named(names: Sequence[str]) -> str:
    """Write "Column 3" or "Columns 3 and 4"."""
    return f"Column{'s' if len(names) > 1 else ''} {listed(names, 'and')}"


def listed(names: Sequence[str], word: str) -> str:
    """Write names as people list them: "1", "1 and 2", "1, 2 and 3"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
