"""Where a player and perfect play disagree about a position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from connectlab.agents.analysis import Analysis
from connectlab.game import Position
from connectlab.game.notation import column_name
from connectlab.lab.verdicts import Progress, column_scores, listed, prospect
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
        return prospect(score, distance_of(score, self.position.ply, self.position.geometry))


@dataclass(frozen=True)
class Disagreement:
    """Columns, 0-based, that the player sees otherwise than perfect play, in one sentence."""

    columns: tuple[int, ...]
    kind: Kind
    sentence: str


def ask_solver(
    solver: Solver,
    position: Position,
    *,
    max_nodes: int = MAX_NODES,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> Verdicts:
    """Solve every column of a position that is not over, within the limits."""
    found = column_scores(
        solver, position, max_nodes=max_nodes, deadline_s=max_seconds, progress=progress
    )
    scores = dict(zip(position.legal_columns, found, strict=True))
    columns = range(position.geometry.columns)
    return Verdicts(position, tuple(scores.get(column) for column in columns))


def disagreements(analysis: Analysis, verdicts: Verdicts) -> tuple[Disagreement, ...]:
    """List what the player sees otherwise, the gravest first; columns not solved say nothing."""
    return (
        *_played(analysis, verdicts, "outcome"),
        *_overrated(analysis, verdicts),
        *_played(analysis, verdicts, "speed"),
    )


def _played(analysis: Analysis, verdicts: Verdicts, kind: Kind) -> Iterator[Disagreement]:
    """Yield the columns it may play though others are better, those of one score together."""
    scores = _known(verdicts)
    highest = max(scores.values(), default=0)
    columns = [c for c in analysis.best if c in scores and scores[c] < highest]
    wanted = [c for c in columns if (_sign(scores[c]) < _sign(highest)) == (kind == "outcome")]
    best = _names([c for c, score in scores.items() if score == highest], verdicts)
    for score in sorted({scores[c] for c in wanted}):
        alike = [c for c in wanted if scores[c] == score]
        chance = sum(analysis.policy[c] for c in alike)
        plays = "plays" if len(analysis.best) == 1 else "may play"
        percent = "" if len(analysis.best) == 1 else f" ({100 * chance:.0f} %)"
        end = verdicts.words(next(c for c, other in scores.items() if other == highest))
        sentence = (
            f"It {plays} {_names(alike, verdicts)}{percent}, {_which(alike)} "
            f"{verdicts.words(alike[0])}; {best} {end}."
        )
        yield Disagreement(tuple(alike), kind, sentence)


def _overrated(analysis: Analysis, verdicts: Verdicts) -> Iterator[Disagreement]:
    """Yield the columns it would not play but values no lower than one of better outcome."""
    scores, values = _known(verdicts), _values(analysis)
    for column in sorted(set(scores) & set(values) - set(analysis.best)):
        better = [c for c in scores if _sign(scores[c]) > _sign(scores[column]) and c in values]
        worst = min(better, key=lambda c: values[c], default=column)
        if better and values[worst] <= values[column]:
            how = "above" if values[worst] < values[column] else "as high as"
            sentence = (
                f"It values {_names([column], verdicts)}, which {verdicts.words(column)}, {how} "
                f"{_names([worst], verdicts)}, which {verdicts.words(worst)}."
            )
            yield Disagreement((column,), "order", sentence)


def _known(verdicts: Verdicts) -> dict[int, int]:
    return {c: score for c, score in enumerate(verdicts.scores) if score is not None}


def _values(analysis: Analysis) -> dict[int, float]:
    return {c: value for c, value in enumerate(analysis.values or ()) if value is not None}


def _names(columns: Sequence[int], verdicts: Verdicts) -> str:
    return listed([column_name(column, verdicts.position.geometry) for column in columns], "or")


def _which(columns: Sequence[int]) -> str:
    return "which" if len(columns) == 1 else "each of which"


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
