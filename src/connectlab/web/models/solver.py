"""Questions to perfect play: about a position, and about a whole game."""

from typing import Literal

from pydantic import Field

from connectlab.web.models.position import Model, PositionIn


class VerdictsIn(Model):
    """A position of the plain game."""

    position: PositionIn
    deadline_s: float = Field(default=8.0, gt=0, le=20.0)
    """Seconds after which what is not known stays unknown."""


class VerdictsOut(Model):
    """What perfect play says of each column that can be played; keys are their names."""

    scores: dict[str, int | None]
    """For the side to move, as the solver counts; null where it was not found in time."""
    words: dict[str, str]
    """Such as "wins in 7 plies"; blank where nothing is known."""
    notes: dict[str, str]
    """Up to three letters to stand below the column: +3, 0, -2 or ?."""
    distances: dict[str, int | None]
    """Plies to the end of the game with perfect play; null where it is not known."""
    best: list[str]
    """Columns with the best score; none while any is unknown."""
    unknown: list[str]
    """Columns that were not solved in time."""
    outcome: Literal["win", "draw", "loss"] | None
    """What the side to move can reach; null if that is not known."""
    advice: str
    """What perfect play would do, in a sentence."""


class ReviewIn(Model):
    """A game of the plain game, as the position it led to."""

    position: PositionIn
    deadline_s: float = Field(default=30.0, gt=0, le=60.0)
    """Seconds after which what is not known stays unknown."""


class ReviewedMove(Model):
    """One move, as perfect play sees it; scores are those of the side that made it."""

    number: int
    column: str
    side: Literal["first", "second"]
    score_before: int | None
    score_after: int | None
    thrown_away: Literal["win", "draw", "loss"] | None
    """What the move gave up for something worse; null if it did not."""
    slower: bool
    keeping_columns: list[str]
    """For a blunder, the columns that would have kept the outcome."""
    sentence: str


class ReviewOut(Model):
    """All moves of a game, as perfect play sees them."""

    moves: list[ReviewedMove]
    unknown: int
    """How many moves could not be judged in time."""
    sentences: list[str]
    first_player_scores: list[int | None]
    """The score of every position, from the start to the end, for the first player."""
