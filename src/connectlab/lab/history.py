"""The moves of a game, with those that were taken back and can be played again."""

from dataclasses import dataclass

from connectlab.errors import GameError
from connectlab.game import Position
from connectlab.game.notation import FALL


@dataclass(frozen=True)
class Move:
    """A move that was made at a table."""

    column: int
    """Where the stone landed, 0-based."""
    mover: str
    """Who made it: a spec, or "human"."""
    seconds: float
    """Time it took."""
    fell: bool = False
    """Whether the bottom row fell after it."""
    chosen: int | None = None
    """The column that was meant, if the stone slipped and that is known."""

    @property
    def steps(self) -> tuple[int, ...]:
        """The column, and a mark if a row fell: as a move string tells it."""
        return (self.column, FALL) if self.fell else (self.column,)


class History:
    """A game from its start, and a place in it: what lies before stands, the rest was taken back.

    Places count the moves since the start, which need not be the empty board.
    """

    def __init__(self, start: Position) -> None:
        self._positions = [start]
        self._moves: list[Move] = []
        self.place = 0

    @property
    def start(self) -> Position:
        """The position in which the game began."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._positions[self.place]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that stand."""
        return tuple(self._moves[: self.place])

    @property
    def end(self) -> int:
        """The last place there is, moves that were taken back included."""
        return len(self._moves)

    @property
    def seconds(self) -> tuple[float, float]:
        """Time each side took for the moves that stand."""
        used = [0.0, 0.0]
        for place, move in enumerate(self.moves):
            used[self.seat_at(place)] += move.seconds
        return used[0], used[1]

    def position_at(self, place: int) -> Position:
        """Return the position after so many moves."""
        return self._positions[place]

    def seat_at(self, place: int) -> int:
        """Return who is to move after so many moves: 0 the first player, 1 the second."""
        return 0 if self._positions[place].first_to_move else 1

    def add(self, move: Move) -> None:
        """Make a legal move; those that were taken back are forgotten."""
        after = self.position.play(move.column)
        after = after.fall() if move.fell else after
        self._positions[self.place + 1 :] = [after]
        self._moves[self.place :] = [move]
        self.place += 1

    def go_to(self, place: int) -> None:
        """Take back moves, or play them again, until so many stand."""
        if not 0 <= place <= self.end:
            what = "take back" if place < 0 else "play again"
            raise GameError(f"there is no move to {what}")
        self.place = place
