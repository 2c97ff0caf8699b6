"""Where a player and perfect play disagree about a position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from connectlab.agents.analysis import Analysis
from connectlab.lab.verdicts import OutcomeWord, Verdicts, listed, which

Kind = Literal["outcome", "order", "speed"]
"""outcome: it may play a column that gives a win or a draw away; order: it values a column no lower
than one of better outcome; speed: it may play a column that wins later or loses sooner."""


LEADS: dict[OutcomeWord, str] = {"win": "wins", "draw": "draws", "loss": "loses"}


@dataclass(frozen=True)
class Disagreement:
    """Columns, 0-based, that the player sees otherwise than perfect play, in one sentence."""

    columns: tuple[int, ...]
    kind: Kind
    sentence: str


def disagreements(analysis: Analysis, verdicts: Verdicts) -> tuple[Disagreement, ...]:
    """List what the player sees otherwise, the gravest first; columns not solved say nothing."""
    return (
        *_played(analysis, verdicts, "outcome"),
        *_overrated(analysis, verdicts),
        *_played(analysis, verdicts, "speed"),
    )


def wrong_columns(analysis: Analysis, verdicts: Verdicts) -> set[int]:
    """Return the columns whose outcome the player misjudges; being slow is no such mistake."""
    found = disagreements(analysis, verdicts)
    return {column for each in found if each.kind != "speed" for column in each.columns}


def reassurance(analysis: Analysis, verdicts: Verdicts) -> str | None:
    """Say that the player throws nothing away; None if it may, or if that is not known."""
    outcome = verdicts.outcome
    keeping = verdicts.leading_to(outcome) if outcome is not None else ()
    if outcome is None or not set(analysis.best) <= set(keeping):
        return None
    if len(keeping) == len(verdicts.position.legal_columns):
        return f"Every column {LEADS[outcome]}, so it cannot err."
    return f"It keeps the {outcome}."


def _played(analysis: Analysis, verdicts: Verdicts, kind: Kind) -> Iterator[Disagreement]:
    """Yield the columns it may play though others are better, those of one score together."""
    scores = verdicts.known
    highest = max(scores.values(), default=0)
    columns = [c for c in analysis.best if c in scores and scores[c] < highest]
    wanted = [c for c in columns if (_sign(scores[c]) < _sign(highest)) == (kind == "outcome")]
    best = [c for c, score in scores.items() if score == highest]
    for score in sorted({scores[c] for c in wanted}):
        alike = [c for c in wanted if scores[c] == score]
        chance = sum(analysis.policy[c] for c in alike)
        plays = "plays" if len(analysis.best) == 1 else "may play"
        percent = "" if len(analysis.best) == 1 else f" ({100 * chance:.0f} %)"
        sentence = (
            f"It {plays} {_names(alike, verdicts)}{percent}, {which(alike)} "
            f"{verdicts.words(alike[0])}; {_names(best, verdicts, 'and')} {_words(best, verdicts)}."
        )
        yield Disagreement(tuple(alike), kind, sentence)


def _overrated(analysis: Analysis, verdicts: Verdicts) -> Iterator[Disagreement]:
    """Yield the columns it would not play but values no lower than one of better outcome."""
    scores, values = verdicts.known, _values(analysis)
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


def _values(analysis: Analysis) -> dict[int, float]:
    return {c: value for c, value in enumerate(analysis.values or ()) if value is not None}


def _names(columns: Sequence[int], verdicts: Verdicts, word: str = "or") -> str:
    return listed(verdicts.names(columns), word)


def _words(columns: Sequence[int], verdicts: Verdicts) -> str:
    """Tell what comes of columns that are alike."""
    return verdicts.words(columns[0], several=len(columns) > 1)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
