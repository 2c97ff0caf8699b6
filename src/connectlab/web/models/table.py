"""Questions that are asked at the table: a move, what comes of a move, what a player sees."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from connectlab.web.models.position import ColumnName, Model, PositionIn, SpecText

Fact: TypeAlias = str | int | float | bool | None
MostScore = Annotated[int, Field(ge=-64, le=64)]


class MoveIn(Model):
    """A position, and the player who is to move there."""

    position: PositionIn
    player: SpecText


class MoveOut(Model):
    """The move of a player."""

    column: ColumnName | None
    """The column it chose; null if it forfeits."""
    landed: ColumnName | None
    """The column where the stone came to rest, another one if it slipped."""
    fell: bool
    """Whether the bottom row fell then."""
    seconds: float
    """How long it thought."""
    spec: str
    """The player in the shortest words."""
    forfeit: str | None
    """Why it lost without a move; null if it moved."""


class PlayIn(Model):
    """A position, and the column that a person chose."""

    position: PositionIn
    column: ColumnName


class PlayOut(Model):
    """What came of a move where chance has a say."""

    landed: ColumnName
    fell: bool


class AnalysisIn(Model):
    """A position, the player who shall explain it, and what perfect play said if that is known."""

    position: PositionIn
    player: SpecText
    scores: dict[ColumnName, MostScore | None] | None = None
    """Scores by column as the verdicts have them; with them it is told where the player errs."""


class CellGroup(Model):
    """Cells that belong together in an explanation."""

    title: str
    cells: list[tuple[str, int]]
    """Column as people type it, and row from 1 at the bottom."""
    marks: list[str]
    """One for each cell: X and O for stones; the legend says what others mean."""
    weight: float | None
    """How much it says, above 0 in favour of the side to move."""
    note: str
    part: int | None
    """The part of the player's contents that says it, from 1, if there is one."""


class Disagreement(Model):
    """Columns that the player sees otherwise than perfect play."""

    columns: list[str]
    kind: Literal["outcome", "order", "speed"]
    """outcome: it may give a win or a draw away; order: it values a column too high; speed: it is
    slower than need be."""
    sentence: str


class AnalysisOut(Model):
    """What a player thinks of a position; keys are columns as people type them."""

    spec: str
    policy: dict[str, float]
    """How likely it plays each column."""
    values: dict[str, float | None] | None
    """How good each column is for the side to move; null for a player without values."""
    value_texts: dict[str, str]
    """The values as people read them; blank where there is none."""
    best: list[str]
    """The columns that it may play."""
    unit: str
    win_value: float | None
    """The value of a sure win, to measure the others against; null if there is no such scale."""
    column_notes: dict[str, str]
    sentences: list[str]
    facts: dict[str, Fact]
    groups: list[CellGroup]
    legend: str
    disagreements: list[Disagreement]
    """Where it errs, the gravest first; empty without scores."""
    wrong_columns: list[str]
    """Columns whose outcome it misjudges; being slow is no such mistake."""
    reassurance: str | None
    """That it throws nothing away, if that is so and scores were given."""
