"""One side of one game: its clock, and what it answered last.

Players are asked about positions and keep no memory of a game, but a Kaggle agent may: it is one
process from the first move of a game to the last. So a question belongs to the episode of its
stream and side if its position follows from the one before (the answer, then one move of the other
side). The very same position gets the very same answer, without asking again. Anything else begins
a new episode, with a fresh agent and a full clock, also in the middle of a game.
"""

from dataclasses import dataclass

from connectlab.game import Position


@dataclass(frozen=True)
class Answer:
    """A column, or why there is none."""

    column: int | None
    reason: str = ""
    """Why the game is forfeit, as words after the player's name; blank if it is not."""


class Episode:
    """What is known of an agent in one game."""

    def __init__(self, overage_s: float) -> None:
        self.overage_s = overage_s
        """What is left of the time for moves that take long."""
        self.position: Position | None = None
        """Where it was asked last."""
        self.answer = Answer(None)

    def note(self, position: Position, answer: Answer) -> None:
        """Remember the last question and its answer."""
        self.position, self.answer = position, answer

    def has_answered(self, position: Position) -> bool:
        """Whether this was the last question."""
        return self.position == position

    def leads_to(self, position: Position) -> bool:
        """Whether a position is that after the last answer and one move of the other side."""
        if self.position is None or self.answer.column is None:
            return False
        after = self.position.play(self.answer.column)
        return (
            position.ply == after.ply + 1
            and position.mover == after.opponent
            and position.occupied & after.occupied == after.occupied
        )

    def charge(self, used_s: float, seconds: float) -> bool:
        """Take the time of a move off the clock as Kaggle does; False if it was too long."""
        late = max(0.0, used_s - seconds)
        in_time = late <= self.overage_s
        self.overage_s -= late
        return in_time
