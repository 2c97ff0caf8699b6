"""What perfect play says of a position, and of a player's opinion of it, in the words of people.

Scores come as the solver counts them, one for each *playable* column, in order, from the view of
the side to move; None where a limit was hit before the score was found.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from connectlab.game import Position
    from connectlab.solver import Solver

Scores: TypeAlias = Sequence[int | None]
Word: TypeAlias = Literal["win", "draw", "loss"]
Progress: TypeAlias = Callable[[int, int], None]
"""Told the number of finished columns and of all columns."""

UNKNOWN = "?"
FIRST_ROUND_NODES = 1 << 18
ROUND_GROWTH = 16


def column_scores(
    solver: "Solver",
    position: "Position",
    *,
    outcome_only: bool = False,
    max_nodes: int | None = None,
    deadline_s: float | None = None,
    progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[int | None]:
    """Return the score of each playable column; None where a limit was hit first.

    ``max_nodes`` limits each column, ``deadline_s`` the whole call. The columns are searched in
    rounds that grow, so a hard one does not keep the easy ones from being found in time. Between
    two searches ``stopped`` is asked whether anybody still wants to know.
    """
    ends = None if deadline_s is None else time.perf_counter() + deadline_s
    columns = position.legal_columns
    scores: list[int | None] = [None] * len(columns)
    for nodes in _rounds(max_nodes):
        for place, column in enumerate(columns):
            if scores[place] is not None:
                continue
            left = None if ends is None else ends - time.perf_counter()
            if stopped() or (left is not None and left <= 0):
                return scores
            found = solver.solve(
                position.play(column), outcome_only=outcome_only, max_nodes=nodes, deadline_s=left
            )
            scores[place] = None if found.score is None else -found.score
            if progress is not None:
                progress(sum(score is not None for score in scores), len(columns))
        if None not in scores or nodes == max_nodes:
            break
    return scores


def _rounds(max_nodes: int | None) -> Iterator[int]:
    """Yield the node limit of each round, up to ``max_nodes`` itself."""
    nodes = FIRST_ROUND_NODES
    while max_nodes is None or nodes < max_nodes:
        yield nodes
        nodes *= ROUND_GROWTH
    yield max_nodes


def column_names(position: "Position") -> list[str]:
    """Name the playable columns as people type them."""
    from connectlab.game.notation import column_name

    return [column_name(column, position.geometry) for column in position.legal_columns]


def column_notes(position: "Position", values: Sequence[int | str | None]) -> list[str]:
    """Return a note of up to three letters to stand below each column of the board."""
    notes = [""] * position.geometry.columns
    for column, value in zip(position.legal_columns, values, strict=True):
        notes[column] = _note(value)
    return notes


def _note(value: int | str | None) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return {"win": "+", "draw": "=", "loss": "-"}[value]
    return f"{value:+d}" if value else "0"


def best_columns(position: "Position", scores: Scores) -> list[str]:
    """Name the columns with the best score; none if any score is unknown."""
    known = [score for score in scores if score is not None]
    if not known or len(known) < len(scores):
        return []
    pairs = zip(column_names(position), scores, strict=True)
    return [name for name, score in pairs if score == max(known)]


def outcome_word(score: int) -> Word:
    """Return "win", "draw" or "loss" for the side to move."""
    return "draw" if score == 0 else "win" if score > 0 else "loss"


def verdict(position: "Position", score: int, distance: int | None) -> str:
    """Tell a score in a sentence without its full stop."""
    if position.is_over:
        value = position.outcome.first_player_value
        result = "a draw" if value == 0 else f"{side(value > 0)} has won"
        return f"the game is over, {result}"
    return f"{side(position.first_to_move)} is to move and {prospect(score, distance)}"


def prospect(score: int, distance: int | None) -> str:
    """Tell what the side to move can expect, such as "wins in 7 plies"."""
    if score == 0:
        return "draws"
    when = "" if distance is None else f" in {distance} {'ply' if distance == 1 else 'plies'}"
    return f"{'wins' if score > 0 else 'loses'}{when}"


def side(first: bool) -> str:
    """Name a side of the board."""
    return "the first player" if first else "the second player"


def advice(position: "Position", scores: Scores) -> str:
    """Say in a sentence what perfect play would do, or how much of it could be found out."""
    from connectlab.solver import distance_of

    if all(score is None for score in scores):
        return "Perfect play could not be found out in time: the position is too hard."
    best = best_columns(position, scores)
    if best:
        score = max(score for score in scores if score is not None)
        distance = distance_of(score, position.ply, position.geometry)
        return f"Perfect play: {listed(best, 'or')}, which {prospect(score, distance)}."
    if outcome_of(scores) == "win":
        wins = [v.name for v in column_verdicts(position, scores) if v.outcome == "win"]
        return f"{columns_named(wins)} {'win' if len(wins) > 1 else 'wins'}; " + (
            "not all columns could be found out in time."
        )
    return "Not all columns could be found out in time, so the best one is not known."


@dataclass(frozen=True)
class ColumnVerdict:
    """What perfect play says of one column that can be played."""

    column: int
    """0-based."""
    name: str
    """As people type it."""
    score: int | None
    """For the side to move; None if it could not be found out."""
    outcome: Word | None
    keeps: bool | None
    """Whether the best outcome is still there after it; None if that is not known."""


def outcome_of(scores: Scores) -> Word | None:
    """Return what the side to move can reach; None if an unknown score could still change it."""
    known = [score for score in scores if score is not None]
    if any(score > 0 for score in known):
        return "win"
    return outcome_word(max(known)) if known and len(known) == len(scores) else None


def column_verdicts(position: "Position", scores: Scores) -> list[ColumnVerdict]:
    """Say of each playable column where it leads, and whether it keeps the outcome."""
    reachable = outcome_of(scores)
    verdicts = []
    for column, name, score in zip(
        position.legal_columns, column_names(position), scores, strict=True
    ):
        word = None if score is None else outcome_word(score)
        keeps = None if word is None or reachable is None else word == reachable
        verdicts.append(ColumnVerdict(column, name, score, word, keeps))
    return verdicts


@dataclass(frozen=True)
class Disagreement:
    """How a player's opinion of a position compares with perfect play."""

    columns: tuple[ColumnVerdict, ...]
    outcome: Word | None
    """What the side to move can reach; None if that is not known."""
    chance: float | None
    """How likely the player throws it away; None if that is not known."""
    overrated: tuple[int, ...]
    """Columns, 0-based, that throw it away and yet are valued as high as the best that keeps it."""
    sentence: str
    """About the player as "it", without a full stop."""

    @property
    def throws_away(self) -> bool:
        """Whether the player may, for all that is known, give up what it could have."""
        return bool(self.chance)


def disagreement(
    position: "Position",
    scores: Scores,
    policy: Sequence[float],
    values: Sequence[float | None] | None = None,
) -> Disagreement:
    """Compare a player's policy (and values, where it has any) with the solver's scores.

    ``policy`` and ``values`` have an entry for every column of the board, as ``Analysis`` has them.
    """
    columns = tuple(column_verdicts(position, scores))
    outcome = outcome_of(scores)
    played = [verdict for verdict in columns if policy[verdict.column] > 0]
    unknown = outcome is None or any(verdict.keeps is None for verdict in played)
    chance = None if unknown else _chance_to_err(played, policy)
    return Disagreement(
        columns,
        outcome,
        chance,
        () if values is None else _overrated(columns, values),
        _sentence(columns, outcome, chance),
    )


def _chance_to_err(played: Sequence[ColumnVerdict], policy: Sequence[float]) -> float:
    if all(verdict.keeps for verdict in played):
        return 0.0
    if not any(verdict.keeps for verdict in played):  # free of the rounding of a sum
        return 1.0
    return float(sum(policy[verdict.column] for verdict in played if not verdict.keeps))


def _overrated(columns: Sequence[ColumnVerdict], values: Sequence[float | None]) -> tuple[int, ...]:
    held = [(v.column, v.keeps, values[v.column]) for v in columns]
    keeping = [value for _, keeps, value in held if keeps and value is not None]
    if not keeping:
        return ()
    best = max(keeping)
    return tuple(
        c for c, keeps, value in held if keeps is False and value is not None and value >= best
    )


def _sentence(columns: Sequence[ColumnVerdict], outcome: Word | None, chance: float | None) -> str:
    if outcome is None or chance is None:
        return "whether it errs could not be found out in time"
    keeping = [verdict.name for verdict in columns if verdict.keeps]
    if len(keeping) == len(columns):
        leads = {"win": "wins", "draw": "draws", "loss": "loses"}[outcome]
        return f"every column {leads}, so it cannot err"
    if chance == 0:
        return f"it keeps the {outcome}"
    rest = f"({columns_named(keeping).lower()} {'keep' if len(keeping) > 1 else 'keeps'} it)"
    if chance == 1:
        return f"it would throw away the {outcome} {rest}"
    return f"it would throw away the {outcome} with a chance of {100 * chance:.0f} % {rest}"


def columns_named(names: Sequence[str]) -> str:
    """Write "Column 3" or "Columns 3 and 4"."""
    return f"Column{'s' if len(names) > 1 else ''} {listed(names, 'and')}"


def listed(names: Sequence[str], word: str) -> str:
    """Write names as people list them: "1", "1 and 2", "1, 2 and 3"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
