"""Where a player and perfect play disagree about a position."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from connectlab.agents.analysis import Analysis
from connectlab.game import Position, PositionBatch
from connectlab.game.notation import column_name
from connectlab.solver import Solver, distance_of

MAX_NODES = 50_000_000
"""Nodes the solver may search for one column."""
MAX_SECONDS = 10.0
"""Seconds it may take for all of them."""

Kind = Literal["outcome", "order", "speed"]
"""outcome: it may play a column that gives a win or a draw away; order: it values a column no lower
than one of better outcome; speed: it may play a column that wins later or loses sooner."""


@dataclass(frozen=True)
class Verdicts:
    """What perfect play says of each column of a position, 0-based."""

    position: Position
    scores: tuple[int | None, ...]
    """For the side to move; None where a column is full or a limit was hit first."""

    @property
    def unknown(self) -> tuple[int, ...]:
        """The columns that could be played but were not solved."""
        return tuple(c for c in self.position.legal_columns if self.scores[c] is None)

    @property
    def best(self) -> tuple[int, ...]:
        """The columns with the best score; none while any is unknown."""
        known = [score for score in self.scores if score is not None]
        if self.unknown or not known:
            return ()
        return tuple(c for c, score in enumerate(self.scores) if score == max(known))

    def words(self, column: int) -> str:
        """Tell what comes of a column, such as "wins in 7 plies"; blank if it is not known."""
        score = self.scores[column]
        if score is None:
            return ""
        if score == 0:
            return "draws"
        plies = distance_of(score, self.position.ply, self.position.geometry)
        return f"{'wins' if score > 0 else 'loses'} in {plies} {'ply' if plies == 1 else 'plies'}"


@dataclass(frozen=True)
class Disagreement:
    """One column, 0-based, that the player sees otherwise than perfect play."""

    column: int
    kind: Kind
    sentence: str


def ask_solver(
    solver: Solver,
    position: Position,
    *,
    max_nodes: int = MAX_NODES,
    max_seconds: float = MAX_SECONDS,
) -> Verdicts:
    """Solve every column of a position that is not over, within the limits."""
    columns = position.legal_columns
    found = solver.solve_many(
        PositionBatch.of([position.play(column) for column in columns]),
        max_nodes=max_nodes,
        deadline_s=max_seconds,
    )
    scores: list[int | None] = [None] * position.geometry.columns
    for column, score, known in zip(columns, found.scores.tolist(), found.known, strict=True):
        scores[column] = -score if known else None
    return Verdicts(position, tuple(scores))


def disagreements(analysis: Analysis, verdicts: Verdicts) -> tuple[Disagreement, ...]:
    """List what the player sees otherwise, the gravest first; columns not solved say nothing."""
    ranks: tuple[Kind, ...] = ("outcome", "order", "speed")
    return tuple(sorted(_all(analysis, verdicts), key=lambda found: ranks.index(found.kind)))


def _all(analysis: Analysis, verdicts: Verdicts) -> Iterator[Disagreement]:
    scores = {c: score for c, score in enumerate(verdicts.scores) if score is not None}
    highest = max(scores.values(), default=0)
    for column, score in scores.items():
        better = [c for c, other in scores.items() if _sign(other) > _sign(score)]
        if column in analysis.best:
            if better:
                yield _played(analysis, verdicts, column, "outcome")
            elif score < highest:
                yield _played(analysis, verdicts, column, "speed")
        else:
            yield from _overrated(analysis, verdicts, column, better)


def _played(analysis: Analysis, verdicts: Verdicts, column: int, kind: Kind) -> Disagreement:
    known = [score for score in verdicts.scores if score is not None]
    best = [c for c, score in enumerate(verdicts.scores) if score == max(known)]
    chance = analysis.policy[column]
    plays = "plays" if chance == 1 else f"may play ({100 * chance:.0f} %)"
    sentence = (
        f"It {plays} {_name(column, verdicts)}, which {verdicts.words(column)}; "
        f"{' or '.join(_name(c, verdicts) for c in best)} {verdicts.words(best[0])}."
    )
    return Disagreement(column, kind, sentence)


def _overrated(
    analysis: Analysis, verdicts: Verdicts, column: int, better: list[int]
) -> Iterator[Disagreement]:
    """Yield the disagreement if the player values a column no lower than a better one."""
    values = analysis.values
    if values is None or (value := values[column]) is None:
        return
    others = {c: other for c in better if (other := values[c]) is not None and other <= value}
    if others:
        worst = min(others, key=lambda c: others[c])
        how = "above" if others[worst] < value else "as high as"
        sentence = (
            f"It values {_name(column, verdicts)}, which {verdicts.words(column)}, {how} "
            f"{_name(worst, verdicts)}, which {verdicts.words(worst)}."
        )
        yield Disagreement(column, "order", sentence)


def _name(column: int, verdicts: Verdicts) -> str:
    return column_name(column, verdicts.position.geometry)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
