"""One game as an environment keeps it: a board that changes, unlike a ``Position``."""

from typing import Literal, TypeAlias, get_args

from connectlab.errors import GameError, UserError
from connectlab.game import Geometry, Position
from connectlab.game.bitboard import DRAW, ILLEGAL_MOVE, ONGOING, step
from connectlab.game.chance import WON, chance_move, chance_state, next_stream
from connectlab.game.variants import COUNTS, LONGEST_GAME, Variant
from connectlab.integrations.planes import Mask, Planes, open_columns, planes_of, top_cells

__all__ = [
    "FORFEITED",
    "ILLEGAL_MOVE",
    "ONGOING",
    "WON",
    "Board",
    "Illegal",
    "check_illegal",
    "make_geometry",
]

FORFEITED = 5
"""How a board stands on which nobody plays on, though the rules would let them."""

Illegal: TypeAlias = Literal["lose", "refuse"]
"""What an illegal move does: it loses the game, or it raises ``GameError`` and changes nothing."""


def check_illegal(illegal: str) -> bool:
    """Return whether an illegal move is refused."""
    if illegal not in get_args(Illegal):
        raise UserError(f"illegal is lose or refuse, not {illegal!r}")
    return illegal == "refuse"


def make_geometry(columns: int, rows: int, connect: int, variant: str) -> Geometry:
    """Return the board of an environment; ``variant`` is a text such as "slip:0.1"."""
    geometry = Geometry(columns, rows, connect, Variant.parse(variant))
    if geometry.cells < 2:
        raise GameError(f"an environment needs a board of two cells or more, not {geometry}")
    if geometry.variant.counts:
        raise GameError(f"an environment shows the stones, so it has no variant {COUNTS}")
    return geometry


class Board:
    """A board with the stream of its game; ``mover`` and ``occupied`` are those of a position."""

    __slots__ = ("_top", "geometry", "last", "mover", "occupied", "plies", "stands", "stream")

    def __init__(self, geometry: Geometry, stream: int = 0) -> None:
        self.geometry = geometry
        self.stream = stream
        self._top = top_cells(geometry)
        self.mover = self.occupied = self.plies = 0
        self.stands = ONGOING
        """``ONGOING``, ``WON`` by the side that moved last, ``DRAW`` or ``FORFEITED``."""
        self.last: int | None = None
        """The column where the last stone came to rest."""

    @property
    def other(self) -> int:
        """Stones of the side that moved last."""
        return self.mover ^ self.occupied

    def play(self, column: int) -> int:
        """Move for the side to move; return how it then stands, or ``ILLEGAL_MOVE``.

        An illegal move changes nothing. The game must go on.
        """
        if self.geometry.variant.by_chance:
            stands = self._attempt(column)
        else:
            self.mover, self.occupied, stands = step(
                self.mover, self.occupied, column, self.geometry.shape
            )
            stands = stands if stands in (ILLEGAL_MOVE, ONGOING, DRAW) else WON
            self.last = self.last if stands == ILLEGAL_MOVE else column
        if stands == ILLEGAL_MOVE:
            return ILLEGAL_MOVE
        self.plies += 1
        over_long = stands == ONGOING and self.plies >= LONGEST_GAME
        self.stands = DRAW if over_long else stands
        return self.stands

    def _attempt(self, column: int) -> int:
        """Let the chances of the game decide what comes of a move."""
        state = chance_state(self.stream, self.occupied.bit_count())
        self.mover, self.occupied, _, stands, landed, fell = chance_move(
            self.mover,
            self.occupied,
            column,
            state,
            self.geometry.shape,
            self.geometry.variant.odds,
        )
        if fell:
            self.stream = int(next_stream(self.stream))
        if stands != ILLEGAL_MOVE:
            self.last = landed
        return stands

    def planes(self, *, mover: bool = True) -> Planes:
        """Return what the side to move sees, or with ``mover=False`` the other side."""
        own, other = (self.mover, self.other) if mover else (self.other, self.mover)
        return planes_of(own, other, self.geometry)

    def mask(self) -> Mask:
        """Return which columns have room."""
        return open_columns(self.occupied & self._top, self.geometry).copy()

    def position(self) -> Position:
        """Return the position, without history."""
        fallen = self.plies - self.occupied.bit_count()
        return Position(self.geometry, self.mover, self.occupied, fallen=fallen)
